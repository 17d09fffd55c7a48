"""One turn, from the person's words to the answer that is stored and shown.

place, keep the words, notice, prepare, answer, keep the answer (DESIGN 3). Every step leaves a record in the journal,
so that a turn which is begun again after a crash goes on where it was: words are stored once, finished tool calls are
not repeated, and an answer that is stored is only shown (DESIGN 5.4).
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Failed, Finished
from core.document import Document, Fold, Text
from core.errors import DiskLost, DiskTrouble, Malformed, NotAFile, NotFound, PlatformTrouble, StorageError
from core.journal.records import Dead, Done, Sent, Try
from core.keeper.operations import CloseSlice, MergeTurns, from_json
from core.slices.model import CARD_PATH, Slice, briefing_path
from core.turn import answering, prompt
from core.turn.keeping import answer_plan, failure_plan
from core.turn.words import KeptWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agent.stop import Stop
    from core.config import Preferences
    from core.conversation import Presenter
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.journal.records import Plan
    from core.llm.base import Message
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
        self._words = KeptWords(parts)

    async def run(self, burst: Burst, presenter: Presenter, stop: Stop) -> None:
        """Run the turn to its end, or on from where an earlier try was.

        Raises `StorageError` when memory cannot be written (the turn stays open), `DiskLost`, and `PlatformTrouble`
        when the answer cannot be shown now. These, and being cancelled, do not count as crashes of the turn.
        """
        preferences = await self._parts.config.load()
        words = self._parts.words_for(burst.first, preferences)
        tries = self._begun(burst.turn).tries
        if tries > TRIES:
            await self._give_up(burst, presenter, words)
            return
        self._parts.journal.append(Try(burst.turn, tries + 1))
        try:
            await self._words.keep(burst, presenter, preferences, words)
            if burst.silent:
                self._parts.journal.append(Done(burst.turn))
            else:
                await self._reply(burst, presenter, stop, preferences, words)
        except (StorageError, PlatformTrouble, asyncio.CancelledError):
            with suppress(DiskTrouble):
                self._parts.journal.append(Try(burst.turn, tries))
            raise

    def _begun(self, turn: str) -> OpenTurn:
        return self._parts.journal.state.opened(turn)

    async def _reply(
        self, burst: Burst, presenter: Presenter, stop: Stop, preferences: Preferences, words: Words
    ) -> None:
        begun = self._begun(burst.turn)
        if begun.answer is None and begun.tries > TRIES:
            await self._keep_failure(burst.turn, "turn.crashed")
        elif begun.answer is None:
            await self._answer(burst, presenter, stop, preferences, words)
        for plan in self._begun(burst.turn).pending:
            await self._parts.keeper.apply(plan)
        await self._show(burst.turn, presenter, words)

    async def _answer(
        self, burst: Burst, presenter: Presenter, stop: Stop, preferences: Preferences, words: Words
    ) -> None:
        turn, plan = burst.turn, self._words_of(burst.turn)
        await self._mark([one.slice for one in from_json(plan.ops) if isinstance(one, CloseSlice)], stop)
        piece = await self._piece(plan)
        messages = await self._prompt(burst, piece, preferences, words)
        found = await answering.answer(self._parts, self._begun(turn), piece, messages, presenter, stop, words)
        if found.answer.finish == "error" and not found.answer.text.strip():
            await self._keep_failure(turn, found.trouble, found)
            return
        await self._keep_answer(turn, answer_plan(self._begun(turn), piece, found, self._parts.clock.now(), words))

    async def _mark(self, closed: Sequence[str], stop: Stop) -> None:
        """Mark what this turn closes; a fault in it must not cost the person the answer (DESIGN 3, step 3)."""
        try:
            await self._parts.closing.mark(closed, stop)
        except (StorageError, DiskLost):
            raise
        except Exception:  # noqa: BLE001 - see above; logged with its traceback
            _log.exception("%s is left unmarked", ", ".join(closed))

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

    async def _prompt(self, burst: Burst, piece: Slice, preferences: Preferences, words: Words) -> Sequence[Message]:
        start = instant(piece.start) or self._parts.clock.now()
        card, opened = await self._text(CARD_PATH), await self._text(briefing_path(piece.id))
        scene = prompt.Scene(piece.id, start, piece.timezone, card, opened, self._parts.demo)
        earlier = [turn for turn in piece.turns if turn.label != burst.turn]
        sent = instant(burst.at) or self._parts.clock.now()
        limit = preferences.user.context.recent_turns
        return prompt.build(self._parts.identity, scene, earlier, burst.text, sent, limit, words)

    async def _text(self, path: str) -> str:
        try:
            return (await self._parts.storage.read(path)).data.decode(errors="replace")
        except (NotFound, NotAFile):
            return ""

    async def _show(self, turn: str, presenter: Presenter, words: Words) -> None:
        plan = self._begun(turn).answer
        if plan is None:
            raise ValueError(f"turn {turn} has no answer to show")
        why = plan.flags.get("failed")
        await presenter.show(Failed(Document((Text(words(str(why))),))) if why else Finished(page_of(plan)))
        self._parts.journal.append(Sent(turn, 0, self._begun(turn).message(0) or ""), Done(turn))

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
