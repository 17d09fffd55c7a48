"""The timeline: the catalog of all slices, its views in Markdown and by month, and keeping them true (seeds)."""
