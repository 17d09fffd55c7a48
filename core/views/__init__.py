"""Pages made of memory alone."""
