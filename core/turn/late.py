"""Edits and deletions of messages that are already stored (DESIGN 5.7).

The stored words stay: an edit is appended to the user turn as `[edited HH:MM] ...` (the last one wins), a deletion puts
`[deleted]` before the message. After an edit the person is offered a new answer; nothing is answered by itself.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Paged
from core.document import Choice, Choices, Document, Text
from core.errors import NotFound
from core.keeper.operations import DeleteTurn, EditTurn
from core.relative import local_clock
from core.slices.messages import decode_messages
from core.slices.model import USER, messages_path
from core.slices.text import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.conversation import Presenter, Surface
    from core.journal.records import In
    from core.keeper.operations import Operation
    from core.slices.messages import Message
    from core.turn.parts import Parts

    Show = Callable[[Surface, str, str], Presenter]

FAR: Final = 400
"""How many slices back a message is looked for."""

_log = logging.getLogger("previously.late")


@dataclass(frozen=True, slots=True)
class _Stored:
    """Where a message stands: its slice, its turn, and all lines about it."""

    slice: str
    turn: str
    lines: tuple[Message, ...]


class Late:
    """Carries late changes into memory."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, presenter: Show) -> None:
        """Carry in everything that is late; of several edits of one message only the last counts."""
        changes = dict(self._parts.journal.state.late)
        last = {(one.update.key, one.update.kind): tag for tag, one in changes.items()}
        for (key, _), tag in last.items():
            tags = [other for other, one in changes.items() if one.update.key == key]
            await self._carry(changes[tag], tags, presenter)

    async def drop(self) -> None:
        """Let go of late changes that fail again and again."""
        tags = list(self._parts.journal.state.late)
        await self._parts.keeper.keep(f"care-{len(tags)}", "care", (), keys=tags)

    async def _carry(self, change: In, tags: Sequence[str], presenter: Show) -> None:
        update = change.update
        stored = await self._find(update.key)
        care = f"care-{update.key}"
        if stored is None:
            _log.info("a late %s is about a message that is not stored", update.kind)
            await self._parts.keeper.keep(care, "care", (), keys=tags)
            return
        operation = await self._operation(change, stored)
        mine = [tag for tag in tags if tag in self._parts.journal.state.late]
        await self._parts.keeper.keep(care, "care", (operation,), keys=mine)
        if update.kind == "edit":
            await self._offer(change, presenter(update.surface, update.chat, care))

    async def _operation(self, change: In, stored: _Stored) -> Operation:
        update, text = change.update, normalise(change.update.text)
        if update.kind == "deletion":
            said = await self._said(stored, update.key)
            return DeleteTurn(stored.slice, stored.turn, update.key, said, change.at)
        preferences = await self._parts.config.load()
        when = instant(change.at) or self._parts.clock.now()
        clock = local_clock(when, self._parts.zone_of(update, preferences))
        before = next((line.edited for line in stored.lines if line.key == update.key), "")
        return EditTurn(stored.slice, stored.turn, update.key, text, clock, change.at, before)

    async def _offer(self, change: In, presenter: Presenter) -> None:
        update = change.update
        words = self._parts.words_for(update, await self._parts.config.load())
        again = Choice(words("turn.again"), say=update.text)
        await presenter.show(Paged(Document((Text(words("turn.edited")), Choices((again,)))), quiet=True))

    async def _find(self, key: str) -> _Stored | None:
        for slice_id in reversed((await self._parts.slices.ids())[-FAR:]):
            try:
                file = await self._parts.storage.read(messages_path(slice_id))
            except NotFound:
                continue
            said = [line for line in decode_messages(file.data).entries if line.role == USER]
            turn = next((line.turn for line in said if line.key == key), None)
            if turn:
                return _Stored(slice_id, turn, tuple(line for line in said if line.turn == turn))
        return None

    async def _said(self, stored: _Stored, key: str) -> str:
        """The message's own words inside a turn of several messages; "" for a turn that is this message alone."""
        piece = (await self._parts.slices.load(stored.slice)).slice
        text = next((turn.text for turn in piece.turns if turn.role == USER and turn.label == stored.turn), "")
        start = 0
        for line in stored.lines:
            size = line.size or 0
            if line.key == key and size:
                return text[start : start + size]
            start += size + len("\n\n") if size else 0
        return ""
