"""Strands: keywords woven across slices, each with the slices that carry it (seeds, "Strands")."""
