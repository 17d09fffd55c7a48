"""Gathering what a prompt is made of: the slice's card, briefing and timeline as of its start, its turns, its facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.card.legacy import read_card
from core.card.model import reached
from core.clock import instant
from core.errors import Malformed, NotAFile, NotFound
from core.latest import Latest
from core.relative import day_of
from core.slices.model import CARD_PATH, USER, briefing_path, rel_of, snapshot_path
from core.strands.menu import menu
from core.strands.newest import newest
from core.timeline.ahead import entries_now, strands_now
from core.timeline.brief import brief as timeline_brief
from core.timeline.brief import earlier
from core.turn import prompt
from core.turn.brief import Facts
from core.turn.continuity import continuity
from core.turn.links import resolved, spotted
from core.turn.seeing import pictures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from core.card.model import Entry
    from core.i18n import Words
    from core.llm.base import Message
    from core.slices.model import Slice, Turn
    from core.turn.attend import Attended
    from core.turn.burst import Burst
    from core.turn.parts import Parts

REACH: Final = ("capacity", "context_lost")
"""Signals after which the window reaches back into the slice just closed, so that nothing is forgotten mid-talk."""


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What the prompt of a slice says of the rest of memory: fixed when its first turn is answered.

    Marks that come later, merged strands and the like are met in the next slice, so that the prompt keeps its bytes;
    what is forgotten leaves it at once.
    """

    slice: str
    words: Words
    timeline: str
    topics: str
    forgettings: int = 0


class Context:
    """Reads what a turn's request needs."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._fixed: _Fixed | None = None
        self._older: Latest[Mapping[str, tuple[str, ...]]] = Latest()

    async def request(self, burst: Burst, piece: Slice, attended: Attended, recent: int, words: Words) -> list[Message]:
        """The messages for the model; `recent` is how many turns go along where there is room."""
        start = instant(piece.start) or self._parts.clock.now()
        before = await self._parts.slices.before(piece.id)
        index = await self._strands(piece.id)
        fixed = self._fixed
        known = (piece.id, words, self._parts.keeper.forgettings)
        if fixed is None or (fixed.slice, fixed.words, fixed.forgettings) != known:
            fixed = await self._fix(piece, start, index, words)
        scene = prompt.Scene(
            piece.id,
            start,
            piece.timezone,
            await self._text(snapshot_path(piece.id)) or await self._text(CARD_PATH),
            await self._text(briefing_path(piece.id)),
            fixed.timeline,
            fixed.topics,
            self._parts.demo,
        )
        budget = self._parts.budget
        system = prompt.system(self._parts.identity, scene, words, budget.system)
        turns = prompt.messages_of(await self._turns(burst, piece, before))
        facts = await self._facts(burst, piece, attended, before, index, words)
        room = prompt.Room(budget.request, recent)
        *before_it, newest = prompt.build(system, scene, turns, burst.text, facts, words, room)
        said = [turn.text for turn in reversed(piece.turns) if turn.role == USER and turn.label != burst.turn]
        images = await pictures(self._parts.storage, piece.id, [burst.text, *said])
        return [*before_it, replace(newest, images=images)]

    async def _facts(
        self,
        burst: Burst,
        piece: Slice,
        attended: Attended,
        before: Slice | None,
        index: Mapping[str, tuple[str, ...]],
        words: Words,
    ) -> Facts:
        sent = instant(burst.at) or self._parts.clock.now()
        newborn = all(turn.label == burst.turn for turn in piece.turns)
        hints = attended.noticed.semantic_hint.strands
        rel = rel_of(piece.id)
        links = resolved(index, hints, rel) or spotted(index, burst.own, rel, sent)
        return Facts(
            sent,
            piece.timezone,
            continuity(newborn, before, sent, words),
            attended.noticed,
            await self._reached(sent, piece.timezone) if newborn else (),  # once: nobody wants to be asked every turn
            links,
            attended.evolved,
            self._parts.demo,
        )

    async def _turns(self, burst: Burst, piece: Slice, before: Slice | None) -> Sequence[Turn]:
        mine = tuple(turn for turn in piece.turns if turn.label != burst.turn)
        if before is None or before.closed_by not in REACH:
            return mine
        try:
            return (*(await self._parts.slices.load(before.id)).slice.turns, *mine)
        except (NotFound, NotAFile, Malformed):
            return mine

    async def _fix(self, piece: Slice, start: datetime, index: Mapping[str, tuple[str, ...]], words: Words) -> _Fixed:
        """Timeline and topics as of the slice's start; kept from when there is something to be told."""
        entries = await entries_now(self._parts.projections, self._parts.storage)
        timeline = timeline_brief(earlier(entries, piece.id), start, piece.timezone, words)
        topics = menu(index, start, piece.timezone, words)
        found = _Fixed(piece.id, words, timeline, topics, self._parts.keeper.forgettings)
        if entries or self._parts.projections.woven:
            self._fixed = found
        return found

    async def _strands(self, slice_id: str) -> Mapping[str, tuple[str, ...]]:
        """The strands as of the slice's start: what it weaves itself would change the prompt under way."""
        index = await strands_now(self._parts.projections, self._parts.storage)
        return self._older.of(lambda: _before(index, rel_of(slice_id)), index, slice_id)

    async def _reached(self, now: datetime, zone: str) -> Sequence[Entry]:
        try:
            return reached(read_card(await self._text(CARD_PATH)), day_of(now, zone))
        except Malformed:
            return ()

    async def _text(self, path: str) -> str:
        try:
            return (await self._parts.storage.read(path)).data.decode(errors="replace")
        except (NotFound, NotAFile):
            return ""


def _before(index: Mapping[str, tuple[str, ...]], rel: str) -> Mapping[str, tuple[str, ...]]:
    """The strands without the slice at that path and those after it."""
    older = {
        key: paths if newest(paths) < rel else tuple(path for path in paths if path < rel)
        for key, paths in index.items()
    }
    return {key: paths for key, paths in older.items() if paths}
