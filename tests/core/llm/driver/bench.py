"""What the tests of the driver share: an audience that hears, and a model over the real libraries and a loopback."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from core.llm.base import Message, TextDelta, ToolSpec
from core.llm.driver.limits import Patience
from core.llm.driver.model import DrivenModel
from core.llm.driver.wire import Target
from tests.doubles.clock import ManualClock
from tests.doubles.model_server import KEY, ModelServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.llm.base import ModelEvent
    from core.llm.driver.wire import Wire
    from tests.doubles.model_server import Shape

QUICK = Patience(first=15.0, silence=15.0, whole=60.0, connect=2.0)
MODELS: dict[Shape, str] = {
    "openai": "gpt-5-mini",
    "responses": "gpt-5.4",
    "deepseek": "deepseek-v4-pro",
    "anthropic": "claude-haiku-4-5",
}
ASKED = (Message("system", "You are kind."), Message("user", "What did we say of the flute?"))
RECALL = ToolSpec("recall", "Finds talks.", {"type": "object", "properties": {"query": {"type": "string"}}})


@dataclass
class Audience:
    """Hears what is passed on."""

    text: str = ""
    thoughts: str = ""
    heard: list[ModelEvent] = field(default_factory=list)

    async def hear(self, event: ModelEvent) -> None:
        self.heard.append(event)
        if isinstance(event, TextDelta):
            self.text += event.text
        else:
            self.thoughts += event.text


def target(server: ModelServer, shape: Shape, *, key: str = KEY, base: str = "") -> Target:
    return Target("openai" if shape == "responses" else shape, MODELS[shape], key, base or server.base(shape))


def driven(
    wire: Wire,
    aim: Target,
    *,
    thinking: Literal["", "low", "medium", "high"] = "",
    clock: ManualClock | None = None,
    limits: Mapping[str, float] | None = None,
) -> DrivenModel:
    patience = replace(QUICK, **(limits or {}))  # type: ignore[arg-type]  # all of these are seconds
    return DrivenModel(wire, aim, clock or ManualClock(instant=True), thinking=thinking, patience=patience)
