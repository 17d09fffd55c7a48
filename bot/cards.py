"""The card's pages: as it stands, as of a day, its history; and taking back its last change."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from bot.copied import unknown
from bot.helping import ASK, HISTORY, UNDO
from core.clock import instant
from core.document import Document, Text
from core.errors import Malformed, NotAFile
from core.evolving import Told
from core.journal.records import Try
from core.relative import day_of, slice_instant
from core.slices.model import CARD_PATH, evolution_path, is_slice_id, snapshot_path
from core.slices.reasons import reason
from core.views.asked import asked_for, paged
from core.views.card import PER_PAGE, Change, ask_page, card_as_of, card_page, history_page, undone_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.conversation import TurnEvent
    from core.turn.parts import Parts

BREATH: Final = 25
FAR: Final = 3_000
"""In how many slices snapshots and changes are looked for: in a long archive this takes a few seconds at most."""
FIGURES: Final = 6
"""Figures that the number of a change may have."""
NEAR: Final = 30
"""In how many of the newest slices the live card's last change is looked for."""


class Cards:
    """Answers `/card`."""

    def __init__(self, parts: Parts, catalog: Catalog, commit: Callable[[str], str] = unknown) -> None:
        """`commit` tells by which commit a file was pushed."""
        self._commit = commit
        self._parts = parts
        self._catalog = catalog

    async def card(self, asked: Asked) -> Document:
        """The live card; with a day the card as of then; `history`; `ask` before an undo; `undo`, which changes it."""
        wanted, page = paged(asked.argument)
        if not wanted:
            newest = await self._changes(reversed((await self._parts.slices.ids())[-NEAR:]), 1)
            return card_page(await self._catalog.text(CARD_PATH), asked.reader, newest[0] if newest else None)
        if wanted == HISTORY:
            return await self._history(page, asked)
        if wanted == ASK:
            return await self._ask(asked)
        said = asked.argument.replace(":", " ").split()
        if said[:1] == [UNDO]:
            return await self._undo(asked, said[1:])
        days, _ = asked_for(asked.argument, asked.reader.today)
        if days is None:
            return Document((Text(asked.reader.words("history.how")),))
        return await self._as_of(days.last, asked)

    async def _as_of(self, day: date, asked: Asked) -> Document:
        zone, text, source = asked.reader.zone, "", ""
        ids = [one for one in await self._catalog.ids() if _until(one, day, zone)]
        for number, slice_id in enumerate(reversed(ids[-FAR:])):
            if number % BREATH == BREATH - 1:
                await self._catalog.breathe()
            text, source = await self._catalog.text(snapshot_path(slice_id)), slice_id
            if text.strip():
                break
        same = [one for one in reversed(ids[-FAR:]) if text.strip() and _day(one, zone) == _day(source, zone)]
        return card_as_of(day, text, source, await self._changes(same), asked.reader)

    async def _history(self, page: int, asked: Asked) -> Document:
        wanted = (page + 1) * PER_PAGE
        ids = await self._catalog.ids()
        changes = await self._changes(reversed(ids[-FAR:]), wanted + 1)
        shown = changes[page * PER_PAGE : wanted]
        until = _day(ids[-FAR], asked.reader.zone) if len(ids) > FAR and len(changes) <= wanted else None
        return history_page(shown, page, asked.reader, more=len(changes) > wanted, until=until)

    async def _undo(self, asked: Asked, which: Sequence[str]) -> Document:
        """Take a change back, once: a command that is tried again finds it taken back.

        That is the last change; with a slice the last one of it, which brings back the card as it was before that; with
        a number behind it that one, the oldest being 1.
        """
        words, evolving = asked.reader.words, self._parts.evolving
        change = None
        if which:
            slice_id, *number = which
            if not is_slice_id(slice_id) or not all(one.isdecimal() for one in number):
                return Document((Text(words("history.how")),))
            change = (slice_id, int(number[0][:FIGURES]) if number else len(await evolving.records(slice_id)))
        if not await self._undone(asked):
            self._parts.journal.append(Try(asked.turn, 1))
            try:
                done = await evolving.undo(Told(_unseen, words, asked.reader.zone), change)
            except (Malformed, NotAFile) as error:
                return Document((Text(words("card.unreadable", path=CARD_PATH, why=reason(str(error), words))),))
            if not done:
                return Document((Text(words("evolution.nothing")),))
        newest = await self._newest()
        if newest is None:
            return Document((Text(words("evolution.nothing")),))
        return undone_page(newest, asked.reader)

    async def _ask(self, asked: Asked) -> Document:
        """What taking back the last change would do."""
        newest = await self._newest()
        if newest is None:
            return Document((Text(asked.reader.words("evolution.nothing")),))
        return ask_page(newest, len(await self._parts.evolving.records(newest.slice)), asked.reader)

    async def _undone(self, asked: Asked) -> bool:
        """Whether an earlier try of this command has done it."""
        if not self._parts.journal.state.opened(asked.turn).tries:
            return False
        newest, begun = await self._newest(), instant(asked.at)
        at = instant(newest.record.at) if newest and newest.record.why == UNDO else None
        return bool(at and begun and at >= begun)

    async def _newest(self) -> Change | None:
        found = await self._changes(reversed((await self._catalog.ids())[-FAR:]), 1)
        return found[0] if found else None

    async def _changes(self, slice_ids: Iterable[str], most: int | None = None) -> Sequence[Change]:
        """The changes of these slices, newest first when the slices come so; at least so many if there are any."""
        found: list[Change] = []
        for number, slice_id in enumerate(slice_ids):
            if most is not None and len(found) >= most:
                break
            if number % BREATH == BREATH - 1:
                await self._catalog.breathe()
            records = await self._parts.evolving.numbered(slice_id)
            found += [
                Change(slice_id, one, self._commit(evolution_path(slice_id, number)))
                for number, one in reversed(records)
            ]
        return found


def _until(slice_id: str, day: date, zone: str) -> bool:
    """Whether a slice began on that local day or earlier."""
    if day < date.max and slice_id[:10] > (day + timedelta(1)).isoformat():
        return False
    found = _day(slice_id, zone)
    return found is not None and found <= day


def _day(slice_id: str, zone: str) -> date | None:
    moment = slice_instant(slice_id)
    return day_of(moment, zone) if moment else None


async def _unseen(event: TurnEvent) -> None:
    """The page says what came of it."""
    del event
