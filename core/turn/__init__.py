"""One turn: place, keep, notice, prepare, answer, keep (DESIGN 3)."""
