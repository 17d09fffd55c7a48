"""Recall: finding the right moment, then reading it (seeds, "Recall")."""
