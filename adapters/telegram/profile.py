"""What Telegram keeps of the bot: its commands and descriptions, in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telegram import BotCommand, BotCommandScopeChat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telegram import Bot

    from adapters.telegram.lanes import Lanes

_ALL: Final = ""


class Profile:
    """Reads and changes it. An empty language stands for all that have none of their own.

    Everything raises `PlatformTrouble` when Telegram cannot be reached.
    """

    def __init__(self, bot: Bot, lanes: Lanes) -> None:
        self._bot = bot
        self._lanes = lanes

    async def commands(self, owner: str, language: str) -> list[tuple[str, str]]:
        """The commands that the owner is offered, or everybody when `owner` is empty."""
        found = await self._lanes.durable(
            _ALL, "getMyCommands", lambda: self._bot.get_my_commands(_scope(owner), language or None)
        )
        return [(one.command, one.description) for one in found.value or ()]

    async def offer(self, commands: Sequence[tuple[str, str]], owner: str, language: str) -> None:
        """Offer these commands to the owner, or to everybody when `owner` is empty."""
        listed = [BotCommand(name, description) for name, description in commands]
        await self._lanes.durable(
            _ALL, "setMyCommands", lambda: self._bot.set_my_commands(listed, _scope(owner), language or None)
        )

    async def description(self, language: str) -> str:
        """What an empty chat says about the bot."""
        found = await self._lanes.durable(
            _ALL, "getMyDescription", lambda: self._bot.get_my_description(language or None)
        )
        return found.value.description if found.value else ""

    async def describe(self, text: str, language: str) -> None:
        """Let an empty chat say so."""
        await self._lanes.durable(
            _ALL, "setMyDescription", lambda: self._bot.set_my_description(text, language or None)
        )

    async def short_description(self, language: str) -> str:
        """What the bot's profile says."""
        found = await self._lanes.durable(
            _ALL, "getMyShortDescription", lambda: self._bot.get_my_short_description(language or None)
        )
        return found.value.short_description if found.value else ""

    async def describe_shortly(self, text: str, language: str) -> None:
        """Let the bot's profile say so."""
        await self._lanes.durable(
            _ALL, "setMyShortDescription", lambda: self._bot.set_my_short_description(text, language or None)
        )


def _scope(owner: str) -> BotCommandScopeChat | None:
    return BotCommandScopeChat(int(owner)) if owner else None
