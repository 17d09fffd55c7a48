"""One turn, from the person's words to the answer that is stored and shown.

place, keep the words, notice, prepare, answer, keep the answer (DESIGN 3). Every step leaves a record in the journal,
so that a turn which is begun again after a crash goes on where it was: words are stored once, finished tool calls are
not repeated, and an answer that is stored is only shown (DESIGN 5.4).
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.conversation import Failed, Finished
from core.document import Document, Text
from core.errors import DiskLost, DiskTrouble, Malformed, NotAFile, NotFound, PlatformTrouble, StorageError
from core.evolving import Told
from core.journal.records import Dead, Done, Sent, Try
from core.keeper.operations import MergeTurns, from_json
from core.slices.model import Slice
from core.turn import answering
from core.turn.again import Again
from core.turn.attend import Attending
from core.turn.choice import Choosing
from core.turn.context import Context
from core.turn.keeping import answer_plan, failure_plan
from core.turn.leaving import left
from core.turn.offrecord import OffRecord
from core.turn.question import Question
from core.turn.showing import page_of, sentence_of
from core.turn.words import KeptWords

if TYPE_CHECKING:
    from core.agent.stop import Stop
    from core.config import Preferences
    from core.conversation import Presenter
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.journal.records import Plan
    from core.turn.burst import Burst
    from core.turn.keeping import Planned
    from core.turn.parts import Parts

CRASHES: Final = 3
"""How often a turn may crash before it is stored without an answer (reliability P7)."""

DEATHS: Final = 9
"""How often in a row the whole process may die in a turn that comes no further; more often than it may crash, since
whoever ends the process again and again need not mean this turn."""

LAST: Final = 3
"""How often the process may die while the turn is stored without an answer."""

SKIPPED: Final = "skip"
"""The name under which the journal keeps when the person asked that what waits is only stored."""

CRASH: Final = 100
"""What a crash counts in `Try.n`, where a death counts one."""

_log = logging.getLogger("previously.turn")


class Turns:
    """Runs turns, one at a time: the caller sees to that. `again` answers the newest one once more."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._words = KeptWords(parts)
        self._attending = Attending(parts)
        self._context = Context(parts)
        self._choosing = Choosing(parts)
        self._off = OffRecord(parts, self._choosing)
        self.again = Again(parts, self._context)

    async def run(self, burst: Burst, presenter: Presenter, stop: Stop) -> None:
        """Run the turn to its end, or on from where an earlier try was.

        Raises `StorageError` when memory cannot be written (the turn stays open), `DiskLost`, and `PlatformTrouble`
        when the answer cannot be shown now. These, and being cancelled, do not count as crashes of the turn.
        """
        preferences = await self._parts.config.load()
        words = self._parts.words_for(burst.first, preferences)
        tries = self._tries(burst.turn)
        if tries // CRASH > CRASHES or tries % CRASH >= DEATHS + LAST:
            await self._give_up(burst, presenter, words)
            return
        self._parts.journal.append(Try(burst.turn, tries + 1))
        try:
            hopeless = tries // CRASH >= CRASHES or tries % CRASH >= DEATHS
            if await self._off.takes(burst, presenter, preferences, words):
                await self._off.run(burst, presenter, stop, preferences, words, hopeless=hopeless)
                return
            await self._words.keep(burst, presenter, preferences, words, fetch=not hopeless)
            if burst.silent:
                self._parts.journal.append(Done(burst.turn))
            elif self._skipped(burst):
                await self._keep_failure(burst.turn, "turn.skipped")
                self._parts.journal.append(Done(burst.turn))
            else:
                await self._reply(burst, presenter, stop, preferences, words, hopeless=hopeless)
        except (StorageError, PlatformTrouble, asyncio.CancelledError):
            self._note(burst.turn, tries)
            raise
        except DiskLost:
            raise
        except Exception:
            self._note(burst.turn, tries + CRASH)
            raise

    def _skipped(self, burst: Burst) -> bool:
        """Whether the person has asked, after all of it had come in, that what waits is stored without an answer."""
        until = self._parts.journal.state.ran.get(SKIPPED, "")
        return burst.messages[-1].first.at <= until and self._begun(burst.turn).answer is None

    def _tries(self, turn: str) -> int:
        """Crashes and deaths so far; deaths on the way of a turn that came further are forgiven."""
        begun = self._begun(turn)
        return begun.tries - begun.tries % CRASH if begun.moved else begun.tries

    def _note(self, turn: str, tries: int) -> None:
        with suppress(DiskTrouble):
            self._parts.journal.append(Try(turn, tries))

    def _begun(self, turn: str) -> OpenTurn:
        return self._parts.journal.state.opened(turn)

    async def _reply(
        self, burst: Burst, presenter: Presenter, stop: Stop, preferences: Preferences, words: Words, *, hopeless: bool
    ) -> None:
        answered = self._begun(burst.turn).answer is not None
        if hopeless and not answered:
            await self._keep_failure(burst.turn, "turn.crashed")
        elif not answered:
            await self._answer(burst, presenter, stop, preferences, words)
        for plan in self._begun(burst.turn).pending:
            await self._parts.keeper.apply(plan)
        await self._show(burst.turn, presenter, words)

    async def _answer(
        self, burst: Burst, presenter: Presenter, stop: Stop, preferences: Preferences, words: Words
    ) -> None:
        turn, plan = burst.turn, self._words_of(burst.turn)
        burst = replace(burst, said=said_in(plan))
        told = Told(presenter.show, words, self._parts.zone_of(burst.first, preferences))
        attended = await self._attending.attend(burst, plan, slice_of(plan), told, stop)
        piece = await self._piece(plan)
        recent = preferences.user.context.recent_turns
        messages = await self._context.request(burst, piece, attended, recent, words)
        question = Question(piece, burst, messages, await self._choosing.model(presenter, words))
        found = await answering.answer(self._parts, self._begun(turn), question, presenter, stop, words)
        found = left(replace(found, folds=(*attended.folds, *found.folds)), stop)
        if found.answer.finish == "error" and not found.answer.text.strip():
            await self._keep_failure(turn, found.trouble, found)
            return
        await self._keep_answer(turn, answer_plan(self._begun(turn), piece, found, self._parts.clock.now(), words))

    async def _keep_failure(self, turn: str, why: str, found: answering.Found | None = None) -> None:
        home = slice_of(self._words_of(turn))
        await self._keep_answer(turn, failure_plan(turn, home, why, self._parts.clock.now(), found))

    async def _keep_answer(self, turn: str, planned: Planned) -> None:
        await self._parts.keeper.keep(turn, "answer", planned.operations, reply=planned.reply, flags=planned.flags)

    async def _piece(self, plan: Plan) -> Slice:
        """The slice in which the words are; one without turns when a hand has made it unreadable meanwhile."""
        home = next(one for one in from_json(plan.ops) if isinstance(one, MergeTurns))
        try:
            return (await self._parts.slices.load(home.slice)).slice
        except (NotFound, NotAFile, Malformed) as error:
            _log.warning("slice %s is answered without its turns: %s", home.slice, type(error).__name__)
            return Slice(home.slice, start=home.start, timezone=home.zone)

    async def _show(self, turn: str, presenter: Presenter, words: Words) -> None:
        plan = self._begun(turn).answer
        if plan is None:
            raise ValueError(f"turn {turn} has no answer to show")
        why = plan.flags.get("failed")
        await presenter.show(Failed(sentence_of(plan, words)) if why else Finished(page_of(plan)))
        self._parts.journal.append(Sent(turn, 0, self._begun(turn).message(0) or ""), Done(turn))

    async def _give_up(self, burst: Burst, presenter: Presenter, words: Words) -> None:
        """Even storing it crashed: the journal keeps the words, the person hears of it, the queue goes on."""
        _log.error("turn %s is given up", burst.turn)
        self._parts.journal.append(Dead(burst.turn, "crashed", burst.tags))
        await presenter.show(Failed(Document((Text(words("turn.given_up")),))))

    def _words_of(self, turn: str) -> Plan:
        plan = self._begun(turn).words
        if plan is None:
            raise ValueError(f"the words of turn {turn} are not stored")
        return plan


def said_in(plan: Plan) -> str:
    """The person's words as a words plan stores them: with what became of their files."""
    merged = (one.turns for one in from_json(plan.ops) if isinstance(one, MergeTurns))
    return next((turn.text for turns in merged for turn in turns), "")


def slice_of(plan: Plan) -> str:
    """The slice in which a words plan put its turn."""
    return next(one.slice for one in from_json(plan.ops) if isinstance(one, MergeTurns))
