"""The terminal: talk to the bot with no account."""
