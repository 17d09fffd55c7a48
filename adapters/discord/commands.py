"""Slash commands: global ones for the direct message, described in the person's language, synced when they changed."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands
from discord.http import Route

from adapters.discord.trouble import reached

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from adapters.discord.interactions import Presses
    from core.i18n import Words

DESCRIPTION: Final = 100
CHOICES: Final = 25
CHOICE: Final = 100
IN_TIME: Final = 2.0
"""Seconds for what is offered while somebody types; Discord gives three."""

_LOCALES: Final = {
    discord.Locale.american_english: "en",  # named on its own, else Americans would get the British text
    discord.Locale.british_english: "en",
    discord.Locale.chinese: "zh",
    discord.Locale.taiwan_chinese: "zh",
}
_COMPARED: Final = ("name", "description", "description_localizations", "type", "required", "autocomplete")

_log = logging.getLogger("previously.discord")


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and whether it takes an argument. The message `key` describes it, by default `help.<name>`."""

    name: str
    argument: bool = False
    key: str = ""


class Described(app_commands.Translator):
    """Descriptions in every language of ours."""

    def __init__(self, words: Mapping[str, Words]) -> None:
        self._words = words

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The text in that language; None where we do not speak it."""
        del context
        key, ours = string.extras.get("key"), _LOCALES.get(locale)
        return described(self._words[ours], key) if key and ours else None


def described(words: Words, key: str) -> str:
    """A message as a description, at most 100 characters."""
    text = " ".join(words(key).replace("`", "").split())
    return text if len(text) <= DESCRIPTION else f"{text[: DESCRIPTION - 1]}…"


class Tree(app_commands.CommandTree[Any]):
    """The commands of the bot. `known` gives the arguments of a command that exist, newest first."""

    def __init__(
        self,
        client: discord.Client,
        presses: Presses,
        commands: Sequence[Command],
        words: Mapping[str, Words],
        known: Callable[[str], Awaitable[Sequence[str]]],
        *,
        in_room: bool,
    ) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=in_room, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._presses = presses
        self._words = words
        self._known = known
        for command in commands:
            self.add_command(self._made(command))

    async def interaction_check(self, interaction: discord.Interaction[Any]) -> bool:
        """Only the owner's commands are run; what a stranger types is completed with nothing."""
        if interaction.type is not discord.InteractionType.autocomplete:
            return await self._presses.admits(interaction)
        return True

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Log it; what a command of an earlier version was asked has nobody to answer."""
        _log.warning(
            "the command %s failed: %s", interaction.command and interaction.command.name, type(error).__name__
        )

    async def register(self) -> bool:
        """Tell Discord the commands if it has others; whether it had. Raises as `reached` does."""
        await self.set_translator(Described(self._words))
        translator = self.translator
        wanted = [
            await one.get_translated_payload(self, translator) if translator else one.to_dict(self)
            for one in self.get_commands()
        ]
        route = Route("GET", "/applications/{application_id}/commands", application_id=self.client.application_id)
        there = await reached(self.client.http.request(route, params={"with_localizations": "true"}))
        if _comparable(there) == _comparable(wanted):
            return False
        await reached(self.sync())
        return True

    def _made(self, command: Command) -> app_commands.Command[Any, ..., Any]:
        presses, known = self._presses, self._known

        async def alone(interaction: discord.Interaction) -> None:
            await presses.command(interaction, f"/{command.name}")

        async def about(interaction: discord.Interaction, what: str | None = None) -> None:
            await presses.command(interaction, f"/{command.name} {what or ''}".strip())

        async def complete(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            if not presses.mine(interaction):
                return []
            return [app_commands.Choice(name=one, value=one) for one in await offered(known, command.name, typed)]

        key = command.key or f"help.{command.name}"
        about_it = app_commands.locale_str(described(self._words["en"], key), key=key)
        made: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name=command.name, description=about_it, callback=about if command.argument else alone
        )
        if command.argument:
            key = "discord.argument"
            text = app_commands.locale_str(described(self._words["en"], key), key=key)
            made = app_commands.describe(what=text)(made)
            made.autocomplete("what")(complete)
        return made


async def offered(known: Callable[[str], Awaitable[Sequence[str]]], name: str, typed: str) -> list[str]:
    """What is offered for an argument: what exists and holds what was typed, at most 25, in time or nothing."""
    try:
        async with asyncio.timeout(IN_TIME):
            there = await known(name)
    except TimeoutError:
        return []
    wanted = typed.casefold().strip()
    return [one for one in there if wanted in one.casefold() and 0 < len(one) <= CHOICE][:CHOICES]


def _comparable(commands: Sequence[Any]) -> list[Any]:
    """Commands as far as they are ours, in the order of their names."""
    return sorted((_parts(one, top=True) for one in commands), key=lambda one: str(one["name"]))


def _parts(one: Any, *, top: bool) -> dict[str, Any]:
    found = {name: one.get(name) or None for name in _COMPARED}
    found["options"] = [_parts(option, top=False) for option in one.get("options") or []]
    if top:
        found["type"] = one.get("type", 1)
        found["contexts"] = sorted(one.get("contexts") or [])
        found["integration_types"] = sorted(one.get("integration_types") or [])
    return found
