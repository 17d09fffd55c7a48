"""Arrival: who is back after silence sees where things stand before anything else (seeds, "The Arrival Briefing").

Made of memory alone, with no model call; once per gap, whose key is the slice closed last (DESIGN 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.card.identity import name_of
from core.clock import instant, iso
from core.conversation import Paged
from core.document import Document, Items, Text, Title
from core.errors import Malformed, NotFound
from core.journal.records import Shown
from core.slices import policy
from core.slices.model import CARD_PATH
from core.slices.policy import Thresholds
from core.views.briefing import briefing
from core.views.reader import Reader

if TYPE_CHECKING:
    from core.conversation import Presenter
    from core.slices.model import Slice
    from core.turn.burst import Burst
    from core.turn.parts import Parts

RECENT: Final = 6


class Arrivals:
    """Decides whether a briefing is due and shows it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def greet(self, presenter: Presenter, locale: str) -> None:
        """The briefing at the start of a process on a surface where the person is already looking."""
        preferences = await self._parts.config.load()
        words = self._parts.words[preferences.bot.language or locale]
        await self._show(presenter, Reader(words, preferences.bot.zone or self._parts.zone, self._parts.clock.now()), starting=True)

    async def before(self, burst: Burst, presenter: Presenter) -> str:
        """The briefing before talk, if one is due; what has been shown for this gap, as text for the new slice."""
        preferences = await self._parts.config.load()
        words = self._parts.words_for(burst.first, preferences)
        received = instant(burst.at) or self._parts.clock.now()
        return await self._show(presenter, Reader(words, self._parts.zone_of(burst.first, preferences), received))

    async def page(self, reader: Reader, *, short: bool = False) -> Document:
        """The briefing as a page."""
        return briefing(await self._recent(), await self._name(), reader, short=short)

    async def _show(self, presenter: Presenter, reader: Reader, *, starting: bool = False) -> str:
        recent = await self._recent()
        preferences = await self._parts.config.load()
        slicing = preferences.user.slicing
        thresholds = Thresholds.of(slicing.silence_minutes, slicing.turns)
        journal = self._parts.journal
        due = policy.arrival(
            recent[0] if recent else None, reader.now, thresholds, journal.state.shown_gap, starting=starting
        )
        if due is None:
            return ""
        page = briefing(recent, await self._name(), reader, short=due.length == "line")
        text = plain_text(page)
        if due.gap:
            journal.append(Shown(due.gap, iso(reader.now)))
        await presenter.show(Paged(page))
        return text

    async def _recent(self) -> list[Slice]:
        """The newest slices, newest first; one that is still unmarked is called after its first words."""
        ids = (await self._parts.slices.ids())[-RECENT:]
        heads = await self._parts.slices.heads(ids)
        return list(reversed(heads))

    async def _name(self) -> str:
        try:
            return name_of((await self._parts.storage.read(CARD_PATH)).text)
        except (NotFound, Malformed):
            return ""


def plain_text(page: Document) -> str:
    """What a briefing said, as Markdown: it opens the turns window of the next prompt (DESIGN 7)."""
    lines: list[str] = []
    for block in page.blocks:
        match block:
            case Title(text=text, eyebrow=eyebrow, note=note):
                lines.append(" ".join(part for part in (eyebrow, text, note and f"— {note}") if part))
            case Text(markdown=markdown):
                lines.append(markdown)
            case Items(items=items, label=label):
                lines += [f"**{label}**", *(f"- {item}" for item in items)]
            case _:
                continue
    return "\n".join(lines) + "\n"
