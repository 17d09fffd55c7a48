"""Discord: a direct message, or a private channel, that is the timeline."""
