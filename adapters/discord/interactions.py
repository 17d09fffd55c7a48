"""Buttons, menus, modals and slash commands: answered at once, kept as messages of the owner, worked on after that."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import discord

from adapters.discord.buttons import DO, MENU, PAGE, SAY, Do, page_of
from adapters.discord.incoming import pressed_key
from adapters.discord.plain import CONTENT, readable
from adapters.discord.trouble import reached
from adapters.prose import split
from core.conversation import Incoming
from core.errors import PlatformTrouble, StorageError

if TYPE_CHECKING:
    import re
    from collections.abc import Awaitable, Callable, Sequence

    from adapters.discord.buttons import Shelf
    from adapters.discord.house import Household
    from core.conversation import Inbox
    from core.document import Fold

    Interaction = discord.Interaction[Any]

AT_ONCE: Final = 2.5
"""Seconds for the first answer; Discord gives three."""

FOLLOWING: Final = 5
"""Messages with which an interaction may be answered (ux.md 4.2)."""

_log = logging.getLogger("previously.discord")


class Presses:
    """Does what is pressed.

    `unfold` finds what was folded below an answer that this process has not shown itself; the log may have put
    together what were several folds.
    """

    def __init__(
        self,
        household: Household,
        shelf: Shelf,
        stop: Callable[[], Awaitable[bool]],
        unfold: Callable[[str], Awaitable[Sequence[Fold]]] | None = None,
    ) -> None:
        self._household = household
        self._shelf = shelf
        self._stop = stop
        self._unfold = unfold
        self.inbox: Inbox | None = None

    async def admits(self, interaction: Interaction) -> bool:
        """Whether it is the owner's, where the owner is heard. Others hear at most one line, which only they see."""
        household = self._household
        if household.is_owner(interaction.user.id):
            if interaction.guild_id is None or interaction.channel_id == household.room:
                household.locale = str(interaction.locale)
                return True
            await self._whisper(interaction, "discord.elsewhere")
        elif household.owners.owner("discord") is None and household.strangers.may_hear(str(interaction.user.id)):
            await self._whisper(interaction, "discord.stranger")
        return False

    def mine(self, interaction: Interaction) -> bool:
        """Whether it is the owner's; nobody is told anything."""
        return self._household.is_owner(interaction.user.id)

    async def command(self, interaction: Interaction, text: str) -> None:
        """A slash command as a message of the owner; its page comes as the answer to the interaction."""
        if text == "/stop":
            await self._stopped(interaction)
            return
        answer = await self._acknowledged(interaction, thinking=True)
        replaces = ""
        if answer and answer.message_id:
            self._household.outlet.defer(answer.message_id, interaction)
            replaces = str(answer.message_id)
        await self._keep(interaction, text, replaces)

    async def page(self, interaction: Interaction, custom_id: str) -> None:
        """A page that a button or menu opens, in place of the page that it stands on."""
        address = page_of(custom_id)
        if address is None:
            await self._whisper(interaction, "discord.old")
            return
        await self._acknowledged(interaction)
        message = interaction.message
        place = message is not None and message.flags.components_v2 and address.view != "retry"
        await self._keep(interaction, address.command, str(message.id) if place and message else "")

    async def say(self, interaction: Interaction, custom_id: str) -> None:
        """Something that is said for the person: it is shown in the chat, so that it can be read later who said it."""
        text = self._shelf.saying(custom_id)
        if text is None:
            await self._whisper(interaction, "discord.old")
            return
        quoted = "\n".join(f"> {line}" for line in text.split("\n"))[:CONTENT]
        with suppress(PlatformTrouble):
            await reached(interaction.response.send_message(quoted, suppress_embeds=True, silent=True), AT_ONCE)
        await self._keep(interaction, text, "")

    async def do(self, interaction: Interaction, custom_id: str) -> None:
        """What the adapter does itself: stop, unfold, ask for a date."""
        deed = Do.decode(custom_id)
        if deed is None:
            await self._whisper(interaction, "discord.old")
        elif deed.deed == "stop":
            await self._stopped(interaction)
        elif deed.deed == "fold":
            await self._fold(interaction, deed)
        else:
            await self._ask_date(interaction)

    async def submitted(self, interaction: Interaction) -> None:
        """The date that somebody typed into the form of a timeline."""
        data: Any = interaction.data or {}
        if data.get("custom_id") != "jump" or not await self.admits(interaction):
            return
        typed = [value for value in _values(data.get("components", [])) if value.strip()]
        await self._acknowledged(interaction)
        message = interaction.message
        where = " ".join(typed[0].split()) if typed else ""
        await self._keep(interaction, f"/timeline {where}".strip(), str(message.id) if message else "")

    async def _keep(self, interaction: Interaction, text: str, replaces: str) -> None:
        """Give it to the inbox; what cannot be kept is told, for nobody would press it again unasked."""
        household, chat = self._household, str(interaction.channel_id)
        update = Incoming(
            key=pressed_key(interaction.channel_id or 0, interaction.id),
            surface="discord",
            chat=chat,
            sent=interaction.created_at,
            text=text,
            locale=str(interaction.locale),
            replaces=replaces,
        )
        try:
            if self.inbox is None:
                await household.tell_owner(chat, "discord.unkept")
                return
            await self.inbox.accept([update])
        except StorageError as error:
            _log.warning("what was pressed on Discord cannot be kept: %s", error)
            await household.tell_owner(chat, "discord.unpressed")
            return
        if not text.startswith("/"):
            household.typing.begin(chat)

    async def _acknowledged(
        self, interaction: Interaction, *, thinking: bool = False
    ) -> discord.InteractionCallbackResponse[Any] | None:
        """Answer within Discord's three seconds; when it is too late for that, the page is sent by itself."""
        try:
            return await reached(interaction.response.defer(thinking=thinking), AT_ONCE)
        except PlatformTrouble as error:
            _log.info("an interaction was not answered in time: %s", error)
            return None

    async def _stopped(self, interaction: Interaction) -> None:
        stopped = await self._stop()
        await self._whisper(interaction, "discord.stopped" if stopped else "discord.idle")

    async def _fold(self, interaction: Interaction, deed: Do) -> None:
        fold = self._shelf.fold(deed.of, deed.n)
        if fold is None and self._unfold:
            folds = await self._unfold(deed.of)
            fold = folds[min(deed.n, len(folds) - 1)] if folds else None
        if fold is None:
            await self._whisper(interaction, "discord.folded_away")
            return
        first, *more = split(f"**{fold.label}**\n{readable(fold.markdown)}", CONTENT)[:FOLLOWING]
        with suppress(PlatformTrouble):
            await reached(interaction.response.send_message(first, ephemeral=True, suppress_embeds=True), AT_ONCE)
            for part in more:
                await reached(interaction.followup.send(part, ephemeral=True, suppress_embeds=True))

    async def _ask_date(self, interaction: Interaction) -> None:
        words = self._household.said()
        form = discord.ui.Modal(title=words("discord.jump"), custom_id="jump", timeout=None)
        form.add_item(discord.ui.TextInput(label=words("discord.when"), max_length=60, custom_id="when"))
        with suppress(PlatformTrouble):
            await reached(interaction.response.send_modal(form), AT_ONCE)
        form.stop()

    async def _whisper(self, interaction: Interaction, key: str) -> None:
        """Say a sentence that only the one who pressed sees, and that is gone when the client is started again."""
        with suppress(PlatformTrouble):
            await reached(interaction.response.send_message(self._household.said()(key), ephemeral=True), AT_ONCE)


def _values(components: Sequence[Any]) -> list[str]:
    found: list[str] = []
    for one in components:
        found += [str(one["value"])] if "value" in one else []
        found += _values(one.get("components", []))
        found += _values([one["component"]]) if "component" in one else []
    return found


def dynamic(presses: Presses) -> tuple[type[discord.ui.DynamicItem[Any]], ...]:
    """The items by which the library finds what a pressed id means; all state is in the id, so old buttons work."""

    def item(
        pattern: re.Pattern[str], work: Callable[[Interaction, str], Awaitable[None]]
    ) -> type[discord.ui.DynamicItem[Any]]:
        class Pressed(discord.ui.DynamicItem[discord.ui.Item[Any]], template=pattern):
            @classmethod
            async def from_custom_id(cls, _: Interaction, found: discord.ui.Item[Any], __: re.Match[str]) -> Pressed:
                return cls(found)

            async def interaction_check(self, interaction: Interaction) -> bool:
                return await presses.admits(interaction)

            async def callback(self, interaction: Interaction) -> None:
                data: Any = interaction.data
                chosen = data.get("values") or [data["custom_id"]]
                await work(interaction, chosen[0])

        return Pressed

    return (item(PAGE, presses.page), item(MENU, presses.page), item(SAY, presses.say), item(DO, presses.do))
