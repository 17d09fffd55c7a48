"""The loop: the model is asked, its tools are run, and it is asked again until it answers or a limit is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from core.agent.blank import blank
from core.agent.calls import sound
from core.agent.run import Bench, Bounds, Step
from core.agent.stop import Stop, Stopped
from core.agent.talk import Talk, told
from core.llm.base import Message

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from core.agent.tool import Tool
    from core.conversation import TurnEvent
    from core.i18n import Words
    from core.llm.base import ChatModel, Usage

    Show = Callable[[TurnEvent], Awaitable[None]]
    KeepStep = Callable[[Step], Awaitable[None]]

Finish = Literal["stop", "length", "interrupted", "error"]

_LAST: Final = "\n[The limit of steps is reached. Answer now with what you have; no further call will be run.]"
_DROPPED: Final = "\n[{dropped} further calls of this step were not run: at most {most} at once.]"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one answer may go (original.md 2.12). Characters are code points."""

    steps: int = 20
    calls: int = 16
    argument_characters: int = 100_000
    result_characters: int = 120_000
    tool_seconds: float = 90.0
    """Seconds of the wall clock that one tool call may take; a tool with limits of its own stays below."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question.

    `text` is all that was said, also between tool calls, parted by blank lines, and equals what was streamed; "" when
    nobody would have seen anything of it.
    `finish` is "error" when the model said nothing or went on calling tools at its last step. `messages` are what was
    added to the conversation, `usage` one entry per call of the model.
    """

    text: str
    reasoning: str
    steps: tuple[Step, ...]
    finish: Finish
    messages: tuple[Message, ...] = ()
    usage: tuple[Usage, ...] = ()


DEFAULT_LIMITS: Final = Limits()


async def answer(  # noqa: PLR0913 - the parts of an answer are what they are
    model: ChatModel,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    *,
    on_event: Show,
    words: Words,
    limits: Limits = DEFAULT_LIMITS,
    stop: Stop | None = None,
    steps: Sequence[Step] = (),
    keep_step: KeepStep | None = None,
) -> Answer:
    """Let the model answer, running the tools that it asks for.

    `keep_step` is called when a tool call has run, before the model hears of it; what it was given may be handed back
    as `steps` after a restart, and those calls are not run again. A set `stop` ends it at once with the part there is.
    Raises what the model raises, and passes cancellation on; what was said until then went through `on_event`.
    """
    done = list(steps)

    async def keep(step: Step) -> None:
        if keep_step is not None:
            await keep_step(step)
        done.append(step)

    talk = Talk(model, list(messages), on_event)
    bench = Bench(tools, on_event, words, keep, Bounds(limits.result_characters, limits.tool_seconds))
    try:
        finish = await _go(talk, bench, limits, stop or Stop(), talk.resume(steps))
    except Stopped:
        finish = "interrupted"
    said = talk.text
    if finish == "stop" and blank(said):
        finish, said = "error", ""
    return Answer(said, talk.reasoning, tuple(done), finish, tuple(talk.added), tuple(talk.usage))


async def _go(talk: Talk, bench: Bench, limits: Limits, stop: Stop, first: int) -> Finish:
    for n in range(first, max(limits.steps, first + 1)):
        message = await stop.unless(talk.ask(bench.specs))
        if not message.calls:
            talk.add(message)
            return _end(message)
        if n + 1 >= limits.steps:
            break
        asked = sound(message.calls, n, limits.calls, limits.argument_characters)
        ran = await stop.unless(bench.run(asked, n))
        calls = tuple(one.call for one in asked)
        talk.add(Message("assistant", message.text, calls=calls, reasoning=message.reasoning, finish="tools"))
        talk.add(*_replies(ran, len(message.calls), limits, last=n + 2 >= limits.steps))
    return "error"


def _replies(ran: Sequence[Step], wanted: int, limits: Limits, *, last: bool) -> list[Message]:
    """What the model is told of the calls of a step; the end of the last reply says what it must mind."""
    replies = [told(step) for step in ran]
    remark = _DROPPED.format(dropped=wanted - len(ran), most=limits.calls) if wanted > len(ran) else ""
    remark += _LAST if last else ""
    end = replies[-1]
    return [*replies[:-1], Message("tool", end.text + remark, call_id=end.call_id, name=end.name)]


def _end(message: Message) -> Finish:
    return "stop" if message.finish == "tools" else message.finish
