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
from core.document import Address, Choice, Choices, Document, Text
from core.errors import Malformed, NotAFile, NotFound
from core.journal.records import OFF
from core.keeper.operations import DeleteTurn, EditTurn, NoteMessages
from core.relative import local_clock
from core.slices.filed import bare
from core.slices.messages import Message, decode_messages
from core.slices.model import USER, messages_path
from core.slices.notes import annotation, unmarked
from core.slices.text import normalise
from core.turn.burst import wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.conversation import Presenter, Surface
    from core.journal.records import In, Json
    from core.keeper.operations import Operation
    from core.turn.parts import Parts

    Show = Callable[[Surface, str, str], Presenter]

FAR: Final = 400
"""How many slices back a message is looked for."""

_log = logging.getLogger("previously.late")


@dataclass(frozen=True, slots=True)
class _Stored:
    """Where the message of a key stands: its slice, its turn, and the lines about all messages of that turn."""

    key: str
    slice: str
    turn: str
    lines: tuple[Message, ...]


class Late:
    """Carries late changes into memory."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, key: str, presenter: Show) -> None:
        """Carry in, by one plan, all that is late of the message of that key; of several edits the last one counts."""
        changes = {tag: one for tag, one in self._parts.journal.state.late.items() if one.update.key == key}
        edit = next((one for one in reversed(changes.values()) if one.update.kind == "edit"), None)
        deletion = next((one for one in changes.values() if one.update.kind == "deletion"), None)
        stored = await self._find(key)
        if stored is None:
            _log.info("a late change is about a message that is not stored")
        operations = await self._operations(edit, deletion, stored) if stored else []
        care = f"late-{key}"
        flags: dict[str, Json] = {} if stored else {OFF: True}  # words of what is not kept are not to stay anywhere
        await self._parts.keeper.keep(care, "care", operations, keys=list(changes), flags=flags)
        if edit and operations and not deletion:
            newest = stored is not None and await self._is_newest(stored)
            await self._offer(edit, presenter(edit.update.surface, edit.update.chat, care), newest=newest)

    async def drop(self, key: str) -> None:
        """Let go of late changes that fail again and again."""
        tags = [tag for tag, one in self._parts.journal.state.late.items() if one.update.key == key]
        await self._parts.keeper.keep(f"late-{key}", "care", (), keys=tags)

    async def _operations(self, edit: In | None, deletion: In | None, stored: _Stored) -> list[Operation]:
        before = next((line.edited for line in stored.lines if line.key == stored.key), "")
        said = await self._said(stored)
        operations: list[Operation] = []
        if edit and not _says(edit, said, before):
            clock = await self._clock(edit)
            text = normalise(edit.update.text)
            operations.append(EditTurn(stored.slice, stored.turn, stored.key, text, clock, edit.at, before))
            before = annotation(text, clock)
        if deletion and len(stored.lines) == 1:
            operations.append(DeleteTurn(stored.slice, stored.turn, stored.key, "", deletion.at))
        elif deletion and (said or before):
            gone = said or before
            operations.append(DeleteTurn(stored.slice, stored.turn, stored.key, gone, deletion.at, before))
        elif deletion:
            noted = Message(stored.turn, USER, stored.key, deletion.at, deleted=deletion.at)
            operations.append(NoteMessages(stored.slice, (noted,)))
        return operations

    async def _clock(self, change: In) -> str:
        preferences = await self._parts.config.load()
        when = instant(change.at) or self._parts.clock.now()
        return local_clock(when, self._parts.zone_of(change.update, preferences))

    async def _is_newest(self, stored: _Stored) -> bool:
        """Whether the message stands in the newest turn of an open slice, so that it can be answered again there."""
        latest = await self._parts.slices.latest()
        said = [turn.label for turn in latest.slice.turns if turn.role == USER] if latest else []
        return bool(
            latest and not latest.slice.closed and latest.slice.id == stored.slice and said[-1:] == [stored.turn]
        )

    async def _offer(self, change: In, presenter: Presenter, *, newest: bool) -> None:
        """Offer a new answer: in place of the former one in the talk, or to the edited words as something new."""
        update = change.update
        words = self._parts.words_for(update, await self._parts.config.load())
        label = words("turn.again")
        again = Choice(label, Address("retry")) if newest else Choice(label, say=update.text)
        await presenter.show(Paged(Document((Text(words("turn.edited")), Choices((again,)))), quiet=True))

    async def _find(self, key: str) -> _Stored | None:
        for slice_id in reversed(await self._parts.slices.newest(FAR)):
            try:
                file = await self._parts.storage.read(messages_path(slice_id))
            except (NotFound, NotAFile):
                continue
            said = [line for line in decode_messages(file.data).entries if line.role == USER]
            turn = next((line.turn for line in said if line.key == key), None)
            if turn:
                return _Stored(key, slice_id, turn, tuple(line for line in said if line.turn == turn))
        return None

    async def _said(self, stored: _Stored) -> str:
        """The message's own words inside its turn; "" when it has none, or they cannot be told any more."""
        try:
            piece = (await self._parts.slices.load(stored.slice)).slice
        except (NotFound, Malformed):
            return ""
        turns = (turn.text for turn in piece.turns if turn.role == USER and turn.label == stored.turn)
        text = unmarked(next(turns, ""))
        if len(stored.lines) == 1:
            return text
        for line in stored.lines:
            text, size = text.lstrip("\n"), line.size or 0
            if line.key == stored.key:
                return text[:size]
            text = text[size:]
        return ""


def _says(edit: In, said: str, before: str) -> bool:
    """Whether the message already reads so: platforms report an edit when a link preview or a reaction comes, too."""
    update, text = edit.update, normalise(edit.update.text)
    if before:
        return before == annotation(text, before[len("[edited ") :][:5])
    return said == text or (bool(update.foreign or update.attachments) and bare(said) == wording(update))
