"""`/moment`: from a memory back to the message in the chat, by `messages.jsonl` (DESIGN 5.6).

The page is a short reply to that message, so that a tap on what it answers scrolls the chat there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Paged
from core.document import Address, Choice, Choices, Document, Text
from core.errors import NotAFile, NotFound
from core.slices.messages import decode_messages
from core.slices.model import USER, is_slice_id, messages_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.helping import Asked
    from core.slices.messages import Message
    from core.storage.base import Storage

KEYS: Final = {"telegram": "tg", "discord": "dc", "terminal": "tm", "double": "db"}
"""How the keys of a surface's messages begin."""
JUMPS: Final = frozenset({"telegram", "discord", "double"})
"""Surfaces on which a reply leads to what it answers."""


class Moments:
    """Answers it, and says which turns of a slice have a message to lead to."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def moment(self, asked: Asked) -> Paged:
        """The reply to the first message of that turn (`SLICE:TURN`), or a sentence that there is none here."""
        words = asked.reader.words
        slice_id, _, turn = asked.argument.replace(" ", ":").partition(":")
        entries = await self._entries(slice_id)
        found = [one for one in entries if one.turn == turn]
        here = [one for one in found if one.surface == KEYS.get(asked.surface)]
        back = Choices((Choice(words("moment.slice"), Address("slice", slice_id)),)) if is_slice_id(slice_id) else None
        ways = (back,) if back else ()
        if here and asked.surface in JUMPS:
            when = instant(here[0].at)
            said = words("moment.here", when=asked.reader.when(when) if when else here[0].at)
            return Paged(Document((Text(said), *ways)), quiet=True, reply_to=here[0].key)
        elsewhere = next((name for name, key in KEYS.items() for one in found if one.surface == key), "")
        if elsewhere and elsewhere != asked.surface:
            named = words("moment.surface.terminal") if elsewhere == "terminal" else elsewhere.title()
            return Paged(Document((Text(words("moment.elsewhere", surface=named)), *ways)))
        return Paged(Document((Text(words("moment.none")), *ways)))

    async def turns(self, slice_id: str, surface: str) -> frozenset[str]:
        """The turns of a slice that have a message on that surface to which a reply can lead."""
        if surface not in JUMPS:
            return frozenset()
        return frozenset(one.turn for one in await self._entries(slice_id) if one.surface == KEYS[surface])

    async def _entries(self, slice_id: str) -> Sequence[Message]:
        """What the person said, then what was answered; what is deleted cannot be answered."""
        if not is_slice_id(slice_id):
            return ()
        try:
            data = (await self._storage.read(messages_path(slice_id))).data
        except (NotFound, NotAFile):
            return ()
        entries = [one for one in decode_messages(data).entries if not one.deleted]
        return sorted(entries, key=lambda one: one.role != USER)
