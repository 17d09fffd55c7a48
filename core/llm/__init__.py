"""Language models: the port, the offline model, and answers by schema."""
