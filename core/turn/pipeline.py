"""One turn, from the person's words to the answer that is stored and shown.

place, keep the words, notice, prepare, answer, keep the answer (DESIGN 3). Every step leaves a record in the journal,
so that a turn which is begun again after a crash goes on where it was: words are stored once, finished tool calls are
not repeated, and an answer that is stored is only shown (DESIGN 5.4).
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Failed, Finished, Noted
from core.document import Document, Fold, Text
from core.errors import ModelError, NotFound
from core.journal.records import Dead, Done, Sent, Try
from core.keeper.operations import CloseSlice, MergeTurns, from_json
from core.slices.model import CARD_PATH, briefing_path
from core.slices.policy import Thresholds
from core.turn import answering, prompt
from core.turn.keeping import answer_plan, failure_plan, words_plan
from core.turn.place import Placing
from core.turn.stale import set_aside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agent.stop import Stop
    from core.config import Preferences
    from core.conversation import Presenter
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.journal.records import Plan
    from core.llm.base import Message
    from core.slices.model import Slice
    from core.turn.burst import Burst
    from core.turn.keeping import Planned
    from core.turn.parts import Parts

TRIES: Final = 3
"""How often a turn may crash before it is stored without an answer (reliability P7)."""

_log = logging.getLogger("previously.turn")


class Turns:
    """Runs turns, one at a time: the caller sees to that."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._placing = Placing(parts.slices, parts.storage)

    async def run(self, burst: Burst, presenter: Presenter, stop: Stop) -> None:
        """Run the turn to its end, or on from where an earlier try was.

        Raises `StorageError` when memory cannot be written (the turn stays open), `DiskLost`, and `PlatformTrouble`
        when the answer cannot be shown now.
        """
        preferences = await self._parts.config.load()
        words = self._parts.words_for(burst.first, preferences)
        tries = self._begun(burst.turn).tries
        if tries > TRIES:
            await self._give_up(burst, presenter, words)
            return
        self._parts.journal.append(Try(burst.turn, tries + 1))
        await self._keep_words(burst, presenter, preferences, words)
        if burst.silent:
            self._parts.journal.append(Done(burst.turn))
            return
        if tries == TRIES:
            await self._keep_failure(burst, "turn.crashed")
        elif self._begun(burst.turn).answer is None:
            await self._answer(burst, presenter, stop, preferences, words)
        await self._apply(burst.turn)
        await self._show(burst.turn, presenter, words)

    def _begun(self, turn: str) -> OpenTurn:
        return self._parts.journal.state.opened(turn)

    async def _apply(self, turn: str) -> None:
        """Finish what an earlier try had planned (R9)."""
        for plan in self._begun(turn).pending:
            await self._parts.keeper.apply(plan)

    async def _keep_words(self, burst: Burst, presenter: Presenter, preferences: Preferences, words: Words) -> None:
        if self._begun(burst.turn).words:
            await self._apply(burst.turn)
            return
        received = instant(burst.at) or self._parts.clock.now()
        slicing = preferences.user.slicing
        zone = self._parts.zone_of(burst.first, preferences)
        await self._note_stale(presenter, words)
        thresholds = Thresholds(timedelta(minutes=slicing.silence_minutes), slicing.turns)
        shown = self._parts.journal.state.shown
        place = await self._placing.place(received, burst.first.surface, zone, thresholds, shown)
        planned = words_plan(burst, place, zone)
        await self._parts.keeper.keep(burst.turn, "words", planned.operations, keys=burst.tags, flags=planned.flags)

    async def _note_stale(self, presenter: Presenter, words: Words) -> None:
        """Tell the owner when an editor's old copy has replaced turns: they are set aside, not put back."""
        operations = await set_aside(self._parts.slices, self._parts.journal.state.guard, self._parts.clock.now())
        for operation in operations:
            await self._parts.keeper.keep(f"care-{operation.slice}", "care", [operation])
            await presenter.show(Noted(words("turn.stale", slice=operation.slice, n=len(operation.turns))))

    async def _answer(
        self, burst: Burst, presenter: Presenter, stop: Stop, preferences: Preferences, words: Words
    ) -> None:
        turn, plan = burst.turn, self._words_of(burst.turn)
        await self._parts.closing.mark(turn, [one.slice for one in from_json(plan.ops) if isinstance(one, CloseSlice)])
        piece = (await self._parts.slices.load(slice_of(plan))).slice
        messages = await self._prompt(burst, piece, preferences, words)
        try:
            found = await answering.answer(self._parts, self._begun(turn), piece, messages, presenter, stop, words)
        except ModelError as error:
            _log.warning("turn %s has no answer: %s", turn, type(error).__name__)
            await self._keep_failure(burst, "turn.failed")
            return
        if found.answer.finish == "error":
            await self._keep_failure(burst, "turn.empty")
            return
        planned = answer_plan(self._begun(turn), piece, found, self._parts.clock.now(), words)
        await self._keep_answer(turn, planned)

    async def _keep_failure(self, burst: Burst, why: str) -> None:
        turn = burst.turn
        planned = failure_plan(turn, slice_of(self._words_of(turn)), why, self._parts.clock.now())
        await self._keep_answer(turn, planned)

    async def _keep_answer(self, turn: str, planned: Planned) -> None:
        await self._parts.keeper.keep(turn, "answer", planned.operations, reply=planned.reply, flags=planned.flags)

    async def _prompt(
        self, burst: Burst, piece: Slice, preferences: Preferences, words: Words
    ) -> Sequence[Message]:
        start = instant(piece.start) or self._parts.clock.now()
        card, opened = await self._text(CARD_PATH), await self._text(briefing_path(piece.id))
        scene = prompt.Scene(piece.id, start, piece.timezone, card, opened, self._parts.demo)
        earlier = [turn for turn in piece.turns if turn.label != burst.turn]
        sent = instant(burst.at) or self._parts.clock.now()
        limit = preferences.user.context.recent_turns
        return prompt.build(self._parts.identity, scene, earlier, burst.text, sent, limit, words)

    async def _text(self, path: str) -> str:
        try:
            return (await self._parts.storage.read(path)).text
        except NotFound:
            return ""

    async def _show(self, turn: str, presenter: Presenter, words: Words) -> None:
        plan = self._begun(turn).answer
        if plan is None:
            raise ValueError(f"turn {turn} has no answer to show")
        why = plan.flags.get("failed")
        if why:
            await presenter.show(Failed(Document((Text(words(str(why))),))))
        else:
            await presenter.show(Finished(page_of(plan)))
        message = self._begun(turn).message(0) or ""
        self._parts.journal.append(Sent(turn, 0, message), Done(turn))

    async def _give_up(self, burst: Burst, presenter: Presenter, words: Words) -> None:
        """Even storing it crashed: the journal keeps the words, the person hears of it, the queue goes on."""
        _log.error("turn %s is given up after %d tries", burst.turn, TRIES + 1)
        self._parts.journal.append(Dead(burst.turn, "crashed", burst.tags))
        await presenter.show(Failed(Document((Text(words("turn.given_up")),))))

    def _words_of(self, turn: str) -> Plan:
        plan = self._begun(turn).words
        if plan is None:
            raise ValueError(f"the words of turn {turn} are not stored")
        return plan


def slice_of(plan: Plan) -> str:
    """The slice in which a words plan put its turn."""
    return next(one.slice for one in from_json(plan.ops) if isinstance(one, MergeTurns))


def page_of(plan: Plan) -> Document:
    """The answer of a plan as a page: its text, and what is folded below it."""
    text, *folds = plan.reply
    pairs = zip(folds[::2], folds[1::2], strict=True)
    return Document((Text(text), *(Fold(label, markdown) for label, markdown in pairs)))
