"""Slices: the unit of episodic memory (seeds, "Slices")."""
