"""Keeping: planned operations on memory, journalled first, applied until they stand (DESIGN 5.4, reliability 2.3)."""
