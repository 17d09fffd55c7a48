"""Talk off the record: answered and not kept.

It goes through the journal until it is answered, as all talk does; then the journal is written anew without it. No
slice, no marks, no card, no thoughts; only the keys of its messages stay, so that nothing stores them later. It ends
with a command or with the silence that ends a slice.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import instant, iso
from core.conversation import Failed, Finished, Noted
from core.document import Text
from core.journal.records import OFF, Done, Sent
from core.journal.records import OffRecord as Said
from core.keeper.operations import Bury, NoteMessages
from core.llm.offline.scene import UNKEPT
from core.slices.messages import OFF as NOBODY
from core.slices.messages import Message
from core.slices.model import AGENT, USER, Slice, Turn
from core.slices.policy import silence
from core.turn import answering
from core.turn.attend import Attended
from core.turn.context import Context
from core.turn.keeping import answer_plan, failure_plan
from core.turn.leaving import left
from core.turn.question import Question
from core.turn.showing import page_of, sentence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agent.stop import Stop
    from core.config import Preferences
    from core.conversation import Presenter
    from core.i18n import Words
    from core.keeper.operations import Operation
    from core.turn.burst import Burst
    from core.turn.choice import Choosing
    from core.turn.keeping import Planned
    from core.turn.parts import Parts

WINDOW: Final = 20
"""How many turns of the talk a next answer may look back on; they are kept in this process alone."""


class OffRecord:
    """Runs turns that are not kept, one at a time."""

    def __init__(self, parts: Parts, choosing: Choosing) -> None:
        self._parts = parts
        self._choosing = choosing
        self._context = Context(parts)
        self._said: tuple[Turn, ...] = ()

    async def takes(self, burst: Burst, presenter: Presenter, preferences: Preferences, words: Words) -> bool:
        """Whether the turn is off the record: as it was begun, else as the talk now stands; an end is told once."""
        journal = self._parts.journal
        begun = journal.state.opened(burst.turn)
        if begun.words:
            return OFF in begun.words.flags
        last, received = instant(journal.state.off), instant(burst.at) or self._parts.clock.now()
        if last is None:
            self._said = ()
            return False
        if silence(last, received) < timedelta(minutes=preferences.user.slicing.silence_minutes):
            return True
        journal.append(Said())
        self._said = ()
        await presenter.show(Noted(words("offrecord.over")))
        return False

    async def run(
        self,
        burst: Burst,
        presenter: Presenter,
        stop: Stop,
        preferences: Preferences,
        words: Words,
        *,
        hopeless: bool,
    ) -> None:
        """Answer it and let go of it. Raises as `Turns.run` does."""
        journal, keeper = self._parts.journal, self._parts.keeper
        if not journal.state.opened(burst.turn).words:
            journal.append(Said(burst.at))
            operations = await self._keys(burst)
            await keeper.keep(burst.turn, "words", operations, keys=burst.tags, flags={OFF: True})
        if burst.silent:
            journal.append(Done(burst.turn))
            return
        if journal.state.opened(burst.turn).answer is None:
            planned = await self._answer(burst, presenter, stop, preferences, words, hopeless=hopeless)
            flags = {**planned.flags, OFF: True}
            await keeper.keep(burst.turn, "answer", (), reply=planned.reply, flags=flags)
        for plan in journal.state.opened(burst.turn).pending:
            await keeper.apply(plan)
        await self._show(burst.turn, presenter, words)

    async def _answer(
        self,
        burst: Burst,
        presenter: Presenter,
        stop: Stop,
        preferences: Preferences,
        words: Words,
        *,
        hopeless: bool,
    ) -> Planned:
        begun, now = self._parts.journal.state.opened(burst.turn), self._parts.clock.now()
        if hopeless:
            return failure_plan(burst.turn, "", "turn.crashed", now)
        piece = await self._piece(burst, self._parts.zone_of(burst.first, preferences))
        recent = preferences.user.context.recent_turns
        messages = await self._context.request(burst, piece, Attended(), recent, words)
        messages = [*messages[:-2], replace(messages[-2], text=f"{messages[-2].text}\n{UNKEPT}"), messages[-1]]
        question = Question(piece, burst, messages, await self._choosing.model(presenter, words))
        found = left(await answering.answer(self._parts, begun, question, presenter, stop, words), stop)
        if found.answer.finish == "error" and not found.answer.text.strip():
            return failure_plan(burst.turn, piece.id, found.trouble, now, found)
        said = (Turn(burst.turn, burst.at, USER, burst.text), Turn(burst.turn, iso(now), AGENT, found.answer.text))
        self._said = (*self._said, *said)[-WINDOW:]
        planned = answer_plan(begun, piece, found, now, words)
        text, *folds = planned.reply
        return replace(planned, reply=(f"{text}\n\n*{words('offrecord.reply')}*", *folds))

    async def _piece(self, burst: Burst, zone: str) -> Slice:
        """A slice that is nowhere: the open one's turns and what was said off the record stand in it."""
        now = self._parts.clock.now()
        latest = await self._parts.slices.latest()
        before = latest.slice.turns if latest and not latest.slice.closed else ()
        turns: Sequence[Turn] = (*before, *self._said, Turn(burst.turn, burst.at, USER, burst.text))
        return Slice(await self._parts.slices.mint(now), start=iso(now), timezone=zone, turns=tuple(turns))

    async def _keys(self, burst: Burst) -> tuple[Operation, ...]:
        """Which messages they are, beside the newest slice; in an empty memory among what is forgotten."""
        latest = await self._parts.slices.latest()
        keys = tuple(message.update.key for message in burst.messages)
        if latest is None:
            return (Bury(burst.turn, burst.at, (), keys, {}),)
        lines = tuple(Message(burst.turn, NOBODY, message.update.key, message.first.at) for message in burst.messages)
        return (NoteMessages(latest.slice.id, lines),)

    async def _show(self, turn: str, presenter: Presenter, words: Words) -> None:
        journal = self._parts.journal
        plan = journal.state.opened(turn).answer
        if plan is None:
            raise ValueError(f"turn {turn} has no answer to show")
        if plan.flags.get("failed"):
            page = sentence_of(plan, words)
            await presenter.show(Failed(replace(page, blocks=(*page.blocks, Text(words("offrecord.reply"))))))
        else:
            await presenter.show(Finished(page_of(plan)))
        journal.append(Sent(turn, 0, journal.state.opened(turn).message(0) or ""), Done(turn))
