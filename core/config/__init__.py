"""What the person chose: `memory/user/config.json` (the seeds' fields) and `memory/user/bot.json` (ours).

Both files are theirs to edit. A wrong value counts as its default and is reported, never repaired in the file; keys
that we do not know survive every save; a change names the version it replaces, so a hand edit made meanwhile is
merged and not lost (seeds, "Configuration"; original.md 1.9 and B28).
"""

from core.config.service import Config
from core.config.values import (
    BotConfig,
    Briefing,
    Context,
    Folds,
    Model,
    Preferences,
    Problem,
    Quiet,
    Slicing,
    UserConfig,
    Worker,
    parse_config,
)

__all__ = [
    "BotConfig",
    "Briefing",
    "Config",
    "Context",
    "Folds",
    "Model",
    "Preferences",
    "Problem",
    "Quiet",
    "Slicing",
    "UserConfig",
    "Worker",
    "parse_config",
]
