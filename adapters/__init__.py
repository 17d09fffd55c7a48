"""Platforms: each translates between its wire and the conversation."""
