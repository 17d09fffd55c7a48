"""What a machine without a model can tell about human text: its words, its dates, whether it asks."""
