"""Answering the newest message again, with another model if one is named (issue: "answer again with ...").

The former answer stays in the slice. The new one stands behind it as an agent turn under the id of the command, which
comes from the platform's id as every turn's does: doing the command again writes nothing twice, and readers of the
original's files meet a turn like any other. Every step is journalled as that of a turn is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Failed, Finished, Incoming
from core.document import Choice, Choices, Document, Text
from core.journal.open_turn import Waiting
from core.journal.records import Done, In, Sent, Try
from core.llm.models import Wish
from core.slices.model import USER
from core.slices.notes import spoken
from core.turn import answering
from core.turn.attend import Attended
from core.turn.burst import Burst
from core.turn.choice import Choosing
from core.turn.keeping import answer_plan, failure_plan
from core.turn.leaving import left
from core.turn.question import Question
from core.turn.showing import page_of, sentence_of

if TYPE_CHECKING:
    from core.agent.stop import Stop
    from core.conversation import Presenter
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.slices.model import Slice, Turn
    from core.turn.context import Context
    from core.turn.keeping import Planned
    from core.turn.parts import Parts

DEATHS: Final = 9
"""How often the process may die while it answers again, without coming a step further."""


class Again:
    """Answers once more."""

    def __init__(self, parts: Parts, context: Context) -> None:
        """`context` is that of the turns, so that the prompt begins with the same bytes."""
        self._parts = parts
        self._context = context
        self._choosing = Choosing(parts)

    async def run(self, begun: OpenTurn, name: str, presenter: Presenter, stop: Stop, words: Words) -> Document | None:
        """Answer the newest message of the open slice again with the model of that name ("": the one in force).

        None when the answer was shown and the command is closed; else the page that says why there is none. A command
        that an earlier try left open goes on where it was. Raises as `Turns.run` does.
        """
        if begun.answer is None:
            found = await self._newest()
            if found is None:
                return Document((Text(words("again.nothing")),))
            piece, said = found
            if piece.closed:
                return _closed(said, words)
            tries = 0 if begun.moved else begun.tries
            self._parts.journal.append(Try(begun.turn, tries + 1))
            if tries >= DEATHS:
                plan = failure_plan(begun.turn, piece.id, "turn.crashed", self._parts.clock.now())
            else:
                plan = await self._answer(begun, piece, said, Wish(model=name), presenter, stop, words)
            await self._parts.keeper.keep(begun.turn, "answer", plan.operations, reply=plan.reply, flags=plan.flags)
        await self._show(begun.turn, presenter, words)
        return None

    async def _newest(self) -> tuple[Slice, Turn] | None:
        """The newest slice, and the newest words of the person in it that are not deleted."""
        latest = await self._parts.slices.latest()
        said = (
            [turn for turn in latest.slice.turns if turn.role == USER and spoken(turn.text).strip()] if latest else []
        )
        return (latest.slice, said[-1]) if latest and said else None

    async def _answer(
        self, begun: OpenTurn, piece: Slice, said: Turn, wish: Wish, presenter: Presenter, stop: Stop, words: Words
    ) -> Planned:
        preferences = await self._parts.config.load()
        burst = self._burst(begun, said, piece)
        before = replace(piece, turns=piece.turns[: piece.turns.index(said) + 1])
        recent = preferences.user.context.recent_turns
        messages = await self._context.request(burst, before, Attended(), recent, words)
        model = await self._choosing.model(presenter, words, wish)
        question = Question(piece, burst, messages, model)
        found = left(await answering.answer(self._parts, begun, question, presenter, stop, words), stop)
        now = self._parts.clock.now()
        if found.answer.finish == "error" and not found.answer.text.strip():
            return failure_plan(begun.turn, piece.id, found.trouble, now, found)
        return answer_plan(self._parts.journal.state.opened(begun.turn), piece, found, now, words)

    def _burst(self, begun: OpenTurn, said: Turn, piece: Slice) -> Burst:
        """The stored words as a burst of one message, under their own turn."""
        asked = begun.command.update if begun.command else None
        update = Incoming(
            key=f"again:{said.label}",
            surface=asked.surface if asked else "terminal",
            chat=asked.chat if asked else "",
            sent=instant(said.at) or self._parts.clock.now(),
            text=said.text,
            zone=piece.timezone,
        )
        return Burst(said.label, (Waiting(In(update, said.at)),))

    async def _show(self, turn: str, presenter: Presenter, words: Words) -> None:
        journal = self._parts.journal
        for pending in journal.state.opened(turn).pending:
            await self._parts.keeper.apply(pending)
        plan = journal.state.opened(turn).answer
        if plan is None:
            raise ValueError(f"turn {turn} has no answer to show")
        failed = "failed" in plan.flags
        await presenter.show(Failed(sentence_of(plan, words)) if failed else Finished(page_of(plan)))
        journal.append(Sent(turn, 0, journal.state.opened(turn).message(0) or ""), Done(turn))


def _closed(said: Turn, words: Words) -> Document:
    """The talk is over: its words can be said anew, which opens the next slice."""
    return Document((Text(words("again.closed")), Choices((Choice(words("again.anew"), say=spoken(said.text)),))))
