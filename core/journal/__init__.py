"""The append-only journal: inbox, redo log and outbox in one file (DESIGN 5)."""
