"""`/demo`: who is on, as choices; choosing somebody begins anew on them, with nothing of what was said before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Text, Title
from core.errors import StorageError
from core.journal.records import Plan
from core.views.reader import LINE, clip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.arrival import Arrivals
    from bot.helping import Asked
    from bot.people import Cast, Persona
    from core.turn.parts import Parts
    from core.views.reader import Reader

LABEL: Final = 40
"""Characters of a button's label."""


class Staging:
    """Answers it, and a fresh start in the demo. `dropped` let go of what is remembered of memory's text."""

    def __init__(self, parts: Parts, cast: Cast, arrivals: Arrivals, dropped: Sequence[Callable[[], None]]) -> None:
        self._parts = parts
        self._cast = cast
        self._arrivals = arrivals
        self._dropped = dropped

    async def page(self, asked: Asked) -> Document:
        """Everybody there is, or the briefing of whom was chosen. Somebody unknown changes nothing."""
        words, wanted = asked.reader.words, asked.argument.strip()
        people, whole = await self._cast.people()
        found = next((one for one in people if wanted.casefold() in {one.id.casefold(), one.name.casefold()}), None)
        if not wanted or found is None:
            lead = words("demo.unknown", name=clip(wanted, LINE)) if wanted else ""
            return people_page(people, asked.reader, lead, whole=whole)
        try:
            await self.restart(found.id)
        except StorageError:
            return people_page(people, asked.reader, words("demo.closed", name=_label(found)), whole=whole)
        return await self.opening(asked.reader)

    async def opening(self, reader: Reader) -> Document:
        """The briefing of whoever is on."""
        return await self._arrivals.page(reader)

    async def restart(self, chosen: str = "") -> None:
        """Begin anew on that person, else on the same. Only between turns. Raises `StorageError`."""
        parts, state = self._parts, self._parts.journal.state
        await self._cast.restart(chosen)
        snap = state.snapshot()
        kept = tuple(one for one in snap.open if not (isinstance(one, Plan) and one.phase == "care"))
        parts.journal.append(replace(snap, guard=(), shown=None, off="", open=kept))
        parts.config.forget()
        await parts.keeper.remember()
        parts.keeper.forgettings += 1
        for drop in self._dropped:
            drop()
        await parts.projections.rebuild()


def people_page(people: list[Persona], reader: Reader, lead: str = "", *, whole: bool = True) -> Document:
    """The people as choices; `lead` says what went wrong, not `whole` that some could not be asked for."""
    words = reader.words
    texts = [Text(one) for one in (lead, words("demo.about"), "" if whole else words("demo.silent")) if one]
    choices = tuple(Choice(clip(_label(one), LABEL), Address("demo", one.id)) for one in people)
    return Document((Title(words("demo.title")), *texts, Choices(choices)), Address("demo"))


def _label(one: Persona) -> str:
    return one.name or one.id
