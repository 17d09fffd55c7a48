"""Telegram: the client (I/O), the presenter (I/O) and the renderer (pure)."""
