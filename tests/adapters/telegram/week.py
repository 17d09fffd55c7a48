"""A week of one person on Telegram, as a script: what is said, pressed and broken, and the chat as it then reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from core.llm.base import Message, TextDelta
from tests.adapters.telegram.stand import MARA
from tests.adapters.telegram.waiting import until
from tests.bot.living import Worker
from tests.doubles.model import calls
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.people import draw

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.llm.base import Listen, ToolSpec
    from tests.adapters.telegram.day import Day
    from tests.doubles.telegram.entities import Json

STEP = 50.0
"""Seconds of a step after which its calendar stands still, so that the minutes that pages show do not depend on the
machine."""


class StepClock(QuickClock):
    """A quick clock whose calendar goes from step to step, while its stopwatch runs on."""

    def __init__(self, start: str, speed: float = 40.0) -> None:
        super().__init__(start, speed)
        self._base, self._since = super().now(), 0.0

    def now(self) -> datetime:
        return self._base + timedelta(seconds=min(self.monotonic() - self._since, STEP))

    def to(self, moment: str) -> None:
        """The next step begins then."""
        at = datetime.fromisoformat(f"{moment}+00:00")
        self.shift(max((at - self._base).total_seconds() - (self.monotonic() - self._since), 0.0))
        self._base, self._since = at, self.monotonic()


@dataclass
class Friend:
    """A model that answers by what it finds in the person's words; a long answer takes its time."""

    clock: QuickClock
    answers: Mapping[str, str]
    recalls: Mapping[str, str]
    name: str = "friend"
    requests: list[str] = field(default_factory=list)
    pause: float = 0.0

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        at = max(number for number, message in enumerate(messages) if message.role == "user")
        said = messages[at].text
        looked = any(message.role == "tool" for message in messages[at:])
        wanted = next((query for key, query in self.recalls.items() if key in said), "")
        if wanted and not looked:
            return calls(("recall", {"query": wanted}))
        self.requests.append(said)
        newest = max((key for key in self.answers if key and key in said), key=said.rindex, default="")
        answer = self.answers.get(newest, self.answers[""])
        for piece in answer.splitlines(keepends=True):
            await on_event(TextDelta(piece))
            await self.clock.sleep(self.pause)
        return Message("assistant", answer)


@dataclass(frozen=True)
class Tale:
    """What is said in one language; keys are those of the steps."""

    said: Mapping[str, str]
    answers: Mapping[str, str]
    recalls: Mapping[str, str]
    marks: Sequence[Mapping[str, object]]
    zone: str

    def worker(self) -> Worker:
        return Worker([calls(("mark_slice", dict(one))) for one in self.marks])


@dataclass
class Diary:
    """Writes down what each day adds to the chat."""

    one: Day
    lines: list[str] = field(default_factory=list)
    seen: int = 0

    def day(self, title: str) -> None:
        """What has come since the last entry, as it now reads."""
        newest = max(self.one.mara.chat.messages, default=0)
        self.lines += [f"== {title}", "", draw(self.one.world, MARA, self.seen + 1), ""]
        self.seen = newest

    def page(self, what: str) -> None:
        """The newest message of the bot, which a button has turned into another page."""
        self.lines += [f"-- {what}", "", draw(self.one.world, MARA, int(self.one.world.last(MARA)["message_id"])), ""]
        self.seen = max(self.one.mara.chat.messages)

    def text(self) -> str:
        return "\n".join(self.lines)


async def pressed(one: Day, begins: str) -> None:
    """Press the newest button whose data begins so, and wait until it is done."""
    taps = one.server.calls.count("answerCallbackQuery")
    message, data = _button(one, begins)
    one.mara.press(data, message)
    await one.idle()
    await until(lambda: one.server.calls.count("answerCallbackQuery") > taps)


def _button(one: Day, begins: str) -> tuple[Json, str]:
    known = []
    for message in sorted(one.mara.chat.messages.values(), key=lambda message: -int(message["message_id"])):
        for row in message.get("reply_markup", {}).get("inline_keyboard", []):
            known += [(message, str(button.get("callback_data", ""))) for button in row]
    found = next(((message, data) for message, data in known if data.startswith(begins)), None)
    assert found, f"no button begins {begins!r}: {[data for _, data in known]}"
    return found
