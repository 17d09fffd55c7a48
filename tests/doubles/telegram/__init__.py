"""A strict double of the Telegram Bot API on loopback: see `server.TelegramServer` and `world.TelegramWorld`."""
