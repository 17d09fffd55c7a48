"""`thinkDeep`: self-contained questions thought through side by side by the turn's own model.

Every fragment begins with the bytes of the turn's system message, so that a provider's cache serves it (DESIGN 6), and
ends with its deadline: what was written until then is its answer (original.md 4.4).
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, cast

from core.errors import ModelError, TryAgain
from core.language.sentences import cut
from core.llm.base import Message, TextDelta, ToolSpec
from core.llm.models import Wish
from core.recall.tool import text_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from core.i18n import Words
    from core.llm.base import ChatModel, ModelEvent, Usage

    Arguments = Mapping[str, object]
    Progress = Callable[[str], Awaitable[None]]
    Ask = Callable[[Wish], ChatModel]

Effort = Literal["low", "medium", "high"]

MOST: Final = 6
SECONDS: Final = 75.0
"""Seconds of the wall clock for all fragments of a call; below the limit of a tool call."""
QUESTION: Final = 6_000
KEPT: Final = 8_000
"""Characters of a fragment's answer, or of the reasoning of one that came to none, that are passed on."""

MODE: Final = (
    "[Fragment of thought. You have no tools here and nobody reads along. Think the question below through by itself: "
    "all facts that count stand in it. Write the conclusion as you go, the main point first, since a deadline may cut "
    "you off; be short, say what is missing, and answer in the question's language.]"
)
LATE: Final = "The time was over: this is what there was until then. Go on from it; do not ask the same again."

THINK_DEEP: Final = ToolSpec(
    "thinkDeep",
    "Think hard questions through, several at once. Each must be self-contained, with the facts it needs. Low effort "
    "unless a part is truly difficult. Returns one conclusion a question; one may be partial.",
    {
        "type": "object",
        "properties": {
            "fragments": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST,
                "items": {
                    "type": "object",
                    "properties": {
                        "question": {"type": "string", "description": "The question with all the facts it needs."},
                        "effort": {"type": "string", "enum": ["low", "medium", "high"], "default": "low"},
                    },
                    "required": ["question"],
                },
            }
        },
        "required": ["fragments"],
    },
)


def ignored(_usage: Usage) -> None:
    """For what nobody counts."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """One question and how hard it is thought about."""

    question: str
    effort: Effort = "low"


@dataclass(slots=True)
class _Thought:
    said: str = ""
    mused: str = ""
    state: Literal["whole", "partial", "failed"] = "partial"

    async def hear(self, event: ModelEvent) -> None:
        if isinstance(event, TextDelta):
            self.said += event.text
        else:
            self.mused += event.text


@dataclass(frozen=True, slots=True)
class ThinkTool:
    """Thinks for one turn; `ask` gives a model for a wish, `model` is the id that answers the turn, `day` is today.

    `spent` takes what each fragment used; of one that was cut off no provider tells.
    """

    ask: Ask
    model: Callable[[], str]
    prefix: Sequence[Message]
    day: str
    seconds: float = SECONDS
    spent: Callable[[Usage], None] = ignored
    spec: ToolSpec = field(default=THINK_DEEP)

    async def run(self, arguments: Arguments) -> str:
        """The conclusions as JSON, in the order of the questions. Raises `TryAgain` when there is none at all."""
        return await self.watched(arguments, _unwatched)

    async def watched(self, arguments: Arguments, progress: Progress) -> str:
        """As `run`. Who watches hears nothing between: the lines of the call name the questions."""
        del progress
        wanted = fragments_of(arguments)
        if not wanted:
            raise TryAgain("thinkDeep needs fragments, each with a question")
        thoughts = [_Thought() for _ in wanted]
        async with asyncio.TaskGroup() as group:
            for fragment, thought in zip(wanted, thoughts, strict=True):
                group.create_task(self._think(fragment, thought))
        told = [_told(one, thought) for one, thought in zip(wanted, thoughts, strict=True)]
        if not any("answer" in one or "thought" in one for one in told):
            raise TryAgain("none of the fragments came to anything; answer without them")
        return json.dumps({"fragments": told}, ensure_ascii=False)

    async def _think(self, fragment: Fragment, thought: _Thought) -> None:
        wish = Wish(model=self.model(), thinking=True, effort=fragment.effort)
        asked = Message("user", f"{MODE}\n\nToday is {self.day}.\n\n{fragment.question}")
        try:
            async with asyncio.timeout(self.seconds):
                message = await self.ask(wish).complete([*self.prefix, asked], (), thought.hear)
            thought.said, thought.state = message.text or thought.said, "whole"
            self.spent(message.usage)
        except TimeoutError:
            thought.state = "partial"
        except ModelError:
            thought.state = "partial" if thought.said.strip() else "failed"

    def running(self, arguments: Arguments, words: Words) -> str:
        """What is being thought about."""
        return words("tool.think.running", **_named(arguments, words))

    def done(self, arguments: Arguments, words: Words) -> str:
        """What was thought about."""
        return words("tool.think.done", **_named(arguments, words))

    def detail(self, result: str, words: Words) -> str:
        """Questions and conclusions."""
        return "\n\n".join(_paragraph(one, words) for one in json.loads(result)["fragments"])


def fragments_of(arguments: Arguments) -> list[Fragment]:
    """The questions as given: a list, one alone, or bare texts; what is none is left out."""
    raw = arguments.get("fragments") or arguments.get("questions") or [arguments]
    given = raw if isinstance(raw, list) else [raw]
    found = []
    for one in given[:MOST]:
        asked = {"question": one} if isinstance(one, str) else one
        if isinstance(asked, dict) and text_of(asked, "question"):
            effort = str(asked.get("effort", "")).casefold()
            known = cast("Effort", effort if effort in {"low", "medium", "high"} else "low")
            found.append(Fragment(text_of(asked, "question")[:QUESTION], known))
    return found


def thoughts_in(result: str) -> list[str]:
    """The fragments of a finished call as paragraphs for the cognition log; none when it is no report."""
    try:
        raw = json.loads(result)
    except ValueError:
        return []
    given = raw.get("fragments", []) if isinstance(raw, dict) else []
    lines = []
    for one in given:
        said = str(one.get("answer") or one.get("thought") or "").strip() if isinstance(one, dict) else ""
        if said:
            late = " (partial)" if one.get("state") == "partial" else ""
            lines.append(f"thinkDeep, {one.get('effort')}{late}: {one.get('question')}\n{said}")
    return lines


def _told(fragment: Fragment, thought: _Thought) -> dict[str, str]:
    told = {"question": fragment.question, "effort": fragment.effort, "state": thought.state}
    if thought.said.strip():
        told["answer"] = thought.said.strip()[:KEPT]
    elif thought.mused.strip():
        told["thought"] = thought.mused.strip()[-KEPT:]
    return told | ({"note": LATE} if thought.state == "partial" else {})


def _paragraph(one: Mapping[str, str], words: Words) -> str:
    said = one.get("answer") or one.get("thought") or words("tool.think.nothing")
    late = f" {words('tool.think.partial')}" if one.get("state") == "partial" else ""
    return f"**{cut(one['question'], 200)}**{late}\n\n{said}"


def _named(arguments: Arguments, words: Words) -> dict[str, str]:
    found = fragments_of(arguments)
    if not found:
        return {"question": words("tool.think.unknown")}
    first = cut(found[0].question, 60)
    more = len(found) - 1
    if more:
        return {"question": words("tool.think.more", question=first, n=more)}
    return {"question": words("tool.think.one", question=first)}


async def _unwatched(_label: str) -> None:
    """For a call that nobody watches."""
