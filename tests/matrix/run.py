"""Living through one cell: a talk that goes well, the failure, and the message after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.llm.driver.limits import Patience
from tests.bot.living import WORDS
from tests.bot.routed import Plan, Routed, routed
from tests.core.llm.driver.bench import MODELS
from tests.core.llm.test_catalog import Lists
from tests.doubles.model_server import KEY
from tests.matrix.provider import Provider

if TYPE_CHECKING:
    from core.llm.driver.wire import Wire
    from tests.doubles.model_server import Shape
    from tests.matrix.cells import Kind, Place, Shown, When

EN = WORDS["en"]
QUICK = Patience(first=3.0, silence=2.5, whole=15.0, connect=5.0)
"""For kinds that are met by waiting."""
CALM = Patience(first=60.0, silence=60.0, whole=240.0, connect=20.0)
"""For all others: a busy machine is no failure."""
BEFORE, AFTER = "We spoke of the flute.", "And what now?"
ASKED: dict[Place, tuple[str, float]] = {
    "main": ("What colour is it?", 30),
    "notice": ("What colour is it?", 30),
    "recall": ("Please recall what it was.", 7_200),
    "evolution": ("Here I am again.", 7_200),
    "marks": ("Here I am again.", 7_200),
}
SENTENCES = tuple(key for key in EN.messages if key.startswith(("model.", "turn.")))


@dataclass(frozen=True)
class Cell:
    """One cell, and what it promises: `shown` to the person, `stored` beside their words."""

    kind: Kind
    place: Place
    when: When
    shape: Shape = "openai"

    @property
    def name(self) -> str:
        return f"{self.kind.name}, {self.place}, {self.when}" + (f", {self.shape}" if self.shape != "openai" else "")

    @property
    def shown(self) -> Shown:
        if self.place != "main":
            return "answer"
        return (self.kind.newer if self.shape == "responses" else None) or self.kind.shown

    @property
    def stored(self) -> str:
        """What stands in the slice as the answer."""
        return {"answer": "the answer", "memory": "memory's answer", "sentence": "nothing", "part": "a marked part"}[
            self.shown
        ]


@dataclass(frozen=True)
class Seen:
    """What came of a cell: what was `said`, what was `shown` at the failure, what was stored, and the answer after."""

    said: list[str]
    shown: str
    stored: str
    after: str
    struck: int
    refused: list[str]


async def lived(cell: Cell, wire: Wire) -> Seen:
    """Live through it."""
    provider = Provider(place=cell.place, when=cell.when, does=cell.kind.does)
    await provider.start()
    lists = Lists({"openai": [MODELS[cell.shape]]})
    plan = Plan(
        {"openai": KEY}, {"openai": provider.base(cell.shape)}, lists, patience=QUICK if cell.kind.waits else CALM
    )
    try:
        async with routed(wire, plan) as home:
            await home.say(BEFORE)
            provider.failing = True
            text, pause = ASKED[cell.place]
            await home.say(text, pause)
            shown, stored = home.last(), answer_to(home, text)
            provider.failing = False
            after = await home.ask(AFTER, 60)
            said = [text for role, text in home.texts() if role == "user"]
    finally:
        await provider.stop()
    return Seen(said, shown, stored, after, provider.struck, provider.refused)


def answer_to(home: Routed, text: str) -> str:
    """What is stored as the answer to a message; "" for nothing."""
    label = next(turn.label for turn in home.turns() if turn.role == "user" and turn.text == text)
    return next((turn.text for turn in home.turns() if turn.role == "agent" and turn.label == label), "")


def is_sentence(text: str) -> bool:
    """Whether it is one of our sentences about trouble."""
    return any(_fits(str(EN.messages[key]), text) for key in SENTENCES)


def _fits(message: str, text: str) -> bool:
    ends = [part for part in message.replace("}", "{").split("{")[::2] if part]
    return bool(ends) and all(part in text for part in ends)
