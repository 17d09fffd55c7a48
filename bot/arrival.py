"""Arrival: who is back after silence sees where things stand before anything else (seeds, "The Arrival Briefing").

Made of memory alone, with no model call; once per gap, whose key is the slice closed last (DESIGN 7).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.due import NUDGE
from core.card.legacy import read_card
from core.clock import instant, iso
from core.conversation import Paged
from core.document import Document, Items, Text, Title
from core.errors import Malformed, NotAFile, NotFound
from core.identity import person_of
from core.journal.records import Shown
from core.marks import opening
from core.relative import day_of
from core.slices import policy
from core.slices.model import CARD_PATH, Slice
from core.views.briefing import briefing, folded, nudge
from core.views.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.card.model import Entry
    from core.config import Preferences
    from core.conversation import Presenter
    from core.turn.burst import Burst
    from core.turn.parts import Parts

RECENT: Final = 6


class Arrivals:
    """Decides whether a briefing is due and shows it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def greet(self, presenter: Presenter, locale: str) -> None:
        """The briefing at the start of a process, on a surface where the person is already looking.

        One that was shown for this gap before comes again as one line, and an empty memory is welcomed.
        """
        preferences = await self._parts.config.load()
        words = self._parts.words[preferences.bot.language or locale]
        reader = Reader(words, preferences.bot.zone or self._parts.zone, self._parts.clock.now())
        if not await self._show(presenter, reader, preferences, starting=True):
            await presenter.show(Paged(await self.page(reader, short=True)))

    async def before(self, burst: Burst, presenter: Presenter) -> None:
        """The briefing before talk, if one is due. A turn that has begun before has had its chance."""
        if burst.turn in self._parts.journal.state.turns:
            return
        preferences = await self._parts.config.load()
        if preferences.bot.briefing.mode == "off":
            return
        words = self._parts.words_for(burst.first, preferences)
        received = instant(burst.at) or self._parts.clock.now()
        reader = Reader(words, self._parts.zone_of(burst.first, preferences), received)
        await self._show(presenter, reader, preferences)

    async def page(self, reader: Reader, *, short: bool = False, waiting: bool = False) -> Document:
        """The briefing as a page; one that is `waiting` in the chat is true whenever it is read.

        In the demo it says that nothing is kept (original.md 2.16).
        """
        text = await self._card()
        name, horizon = _name_in(text), _horizon_in(text)
        page = briefing(await self._recent(), name, reader, short=short, waiting=waiting, horizon=horizon)
        return replace(page, blocks=(*page.blocks, Text(reader.words("briefing.demo")))) if self._parts.demo else page

    async def folded(self, gap: str, reader: Reader) -> Document:
        """What is left of the briefing of that gap once the talk has gone on."""
        heads = await self._parts.slices.heads([gap])
        return folded(heads[0] if heads else Slice(gap), reader)

    async def morning(self, reader: Reader, rarer: int) -> Document | None:
        """The morning nudge, `rarer` as `core.views.briefing.nudge` has it; None when there is nothing to say."""
        text, recent = await self._card(), await self._recent()
        return nudge(recent[0], _name_in(text), reader, _horizon_in(text), rarer) if recent else None

    async def _show(
        self, presenter: Presenter, reader: Reader, preferences: Preferences, *, starting: bool = False
    ) -> bool:
        """Show what is due and whether something was. It is recorded first: at most once per gap, never twice."""
        slicing = preferences.user.slicing
        thresholds = policy.Thresholds(timedelta(minutes=slicing.silence_minutes), slicing.turns)
        latest = await self._parts.slices.latest()
        at = policy.last_instant(latest.slice) if latest else None
        journal, over = self._parts.journal, at is not None and policy.silence(at, reader.now) >= thresholds.silence
        gap = latest.slice if latest and (latest.slice.closed or over) else None
        due = policy.arrival(gap, at, reader.now, thresholds, shown_gap=self._briefed(reader), starting=starting)
        if due is None:
            return False
        page = await self.page(reader, short=due.length == "line")
        if over and due.gap:
            journal.append(Shown(due.gap, iso(reader.now), plain_text(page)))
        await presenter.show(Paged(page))
        return True

    def _briefed(self, reader: Reader) -> str:
        """The gap that was briefed, or ""; a morning nudge stands for the briefing on its day alone."""
        state = self._parts.journal.state
        at = instant(state.shown.at) if state.shown and state.shown.at == state.ran.get(NUDGE) else None
        return "" if at and day_of(at, reader.zone) != reader.today else state.shown_gap

    async def _recent(self) -> list[Slice]:
        """The newest slices, newest first; the last one is called after its first words while it is unmarked."""
        ids = await self._parts.slices.newest(RECENT)
        heads = list(reversed(await self._parts.slices.heads(ids)))
        return [await self._called(heads[0]), *heads[1:]] if heads else []

    async def _called(self, head: Slice) -> Slice:
        """The slice with an end and something to be called by, also while it is open."""
        if head.closed and (head.focus or head.summary):
            return head
        try:
            whole = (await self._parts.slices.load(head.id)).slice
        except (NotFound, NotAFile, Malformed):
            return head
        said = opening(whole)
        focus = whole.focus or (f"“{said}”" if said and not whole.summary else "")
        return replace(whole, focus=focus, end=whole.end or whole.last_at)

    async def _card(self) -> str:
        try:
            return (await self._parts.storage.read(CARD_PATH)).text
        except (NotFound, NotAFile, Malformed):
            return ""


def _name_in(card: str) -> str:
    person = person_of(card)
    return person.name if person else ""


def _horizon_in(card: str) -> Sequence[Entry]:
    """The promises of a card; none of a text that is no card."""
    try:
        return read_card(card).horizon
    except Malformed:
        return ()


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
