from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pytest

from core.config import Config
from core.errors import OverBudget, Unavailable, Unusable
from core.i18n import load_words
from core.llm.base import Message, ToolCall, ToolSpec, Usage, ignore
from core.llm.catalog import EMPTY_SECONDS
from core.llm.ceiling import Ceiling, Spending, parse_ceiling
from core.llm.driver.wire import Chunk, Request, Trouble
from core.llm.fallback import FallbackModel
from core.llm.models import Models, Wish, build_models
from core.llm.offline.model import OfflineModel
from core.llm.providers import Access
from core.storage.base import ABSENT, Write
from core.storage.memory import MemoryStorage
from core.views.models import models_page
from core.views.reader import Reader
from tests.core.llm.driver.bench import Audience
from tests.core.llm.test_catalog import Lists
from tests.doubles.clock import ManualClock
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

WORDS = load_words(ROOT / "locales")
EN = WORDS["en"]
ASKED = [Message("system", "Hi."), Message("user", "What did we say of the flute?")]
MARKS = ToolSpec("marks", "Marks.", {"type": "object", "properties": {}}, forced=True)
BLUE = [Chunk(text="Blue."), Chunk(end="stop"), Chunk(usage=Usage(100, 10, 0, 0.25))]


@dataclass
class Script:
    """A wire that plays chunks or raises; the last entry for ever."""

    script: list[list[Chunk] | Trouble] = field(default_factory=lambda: [BLUE])
    asked: list[Request] = field(default_factory=list)

    async def warm(self) -> None:
        return

    async def send(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.asked.append(request)
        turn = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(turn, Trouble):
            raise turn
        for chunk in turn:
            yield chunk


@dataclass
class Paper:
    """A ledger in memory; `torn` refuses."""

    text: str = ""
    torn: bool = False

    def load(self) -> str:
        if self.torn:
            raise OSError
        return self.text

    def save(self, text: str) -> None:
        if self.torn:
            raise OSError
        self.text = text


@dataclass
class Bench:
    wire: Script = field(default_factory=Script)
    clock: ManualClock = field(default_factory=lambda: ManualClock(instant=True))
    lists: Lists = field(default_factory=Lists)
    keys: dict[str, str] = field(default_factory=lambda: {"deepseek": "k1", "anthropic": "k2"})
    bases: dict[str, str] = field(default_factory=dict)
    ledger: Paper = field(default_factory=Paper)
    ceiling: Ceiling | None = None
    storage: MemoryStorage = field(default_factory=MemoryStorage)

    def build(self) -> Models:
        return build_models(
            Access(self.keys, self.bases), self.clock, WORDS, Config(self.storage, self.clock),
            wire=self.wire, lister=self.lists, spending=Spending(self.clock, self.ledger), ceiling=self.ceiling,
        )  # fmt: skip

    async def settle(self, path: str, text: str) -> None:
        await self.storage.commit([Write(f"memory/user/{path}", text.encode(), ABSENT)], "Set")


async def said(models: Models, wish: Wish | None = None) -> str:
    model = models.asked(wish) if wish else models.main
    return (await model.complete(ASKED, [], ignore)).text


async def test_the_main_model_thinks_and_the_worker_never_does() -> None:
    bench = Bench()
    models = bench.build()

    await models.main.complete(ASKED, [], ignore)
    await models.worker.complete(ASKED, [], ignore)

    main, worker = bench.wire.asked
    assert (main.target.model, main.thinking, main.target.key) == ("deepseek-v4-pro", "medium", "k1")
    assert (worker.target.model, worker.thinking) == ("deepseek-v4-flash", "")
    assert (models.main.name, models.worker.name) == ("deepseek-v4-pro", "deepseek-v4-flash")


async def test_the_settings_are_asked_at_every_call() -> None:
    bench = Bench()
    models = bench.build()
    await said(models)
    await bench.settle("config.json", '{"model": {"provider": "claude-opus-4-8", "reasoningEffort": "high"}}')
    bench.clock.shift(61)

    await said(models)

    assert [(one.target.model, one.thinking) for one in bench.wire.asked] == [
        ("deepseek-v4-pro", "medium"), ("claude-opus-4-8", "high"),
    ]  # fmt: skip


async def test_one_request_may_want_it_otherwise() -> None:
    bench = Bench()
    models = bench.build()

    await said(models, Wish(model="claude-sonnet-5"))
    await said(models, Wish(thinking=False))
    await said(models, Wish(effort="low"))

    assert [(one.target.model, one.thinking) for one in bench.wire.asked] == [
        ("claude-sonnet-5", "medium"), ("deepseek-v4-pro", ""), ("deepseek-v4-pro", "low"),
    ]  # fmt: skip


async def test_an_unknown_model_falls_back_and_is_said() -> None:
    models = Bench().build()

    told = await models.describe(Wish(model="gpt-99"))

    assert told.main is not None
    assert (told.main.id, told.missing) == ("deepseek-v4-pro", "gpt-99")
    assert "gpt-99" in EN("model.fallback", missing=told.missing, model=told.main.id)


async def test_a_key_goes_to_its_own_provider_alone() -> None:
    bench = Bench(bases={"custom": "http://localhost:1/v1"}, lists=Lists({"custom": ["qwen3:4b"]}))
    models = bench.build()

    await said(models, Wish(model="qwen3:4b"))

    aim = bench.wire.asked[0].target
    assert (aim.provider, aim.key, aim.base) == ("custom", "", "http://localhost:1/v1")
    assert "k1" not in repr(aim)
    assert "k1" not in repr(bench.wire.asked)


@pytest.mark.parametrize("kind", ["transport", "server", "throttled", "slow", "credit", "unknown", "missing"])
async def test_when_the_provider_is_down_memory_answers_and_says_so(kind: str) -> None:
    bench = Bench(wire=Script([Trouble(kind)]))  # type: ignore[arg-type]  # the kinds are those of the table above
    models = bench.build()

    text = await said(models)

    assert text.startswith(EN("offline.down"))
    assert models.main.name == "offline"


async def test_one_answer_does_not_wait_at_every_step_for_a_provider_that_is_down_but_the_next_asks_it() -> None:
    bench = Bench(wire=Script([Trouble("unknown"), BLUE]))
    models = bench.build()
    await said(models)

    looked = [
        *ASKED,
        Message("assistant", "", calls=(ToolCall("1", "recall", "{}"),)),
        Message("tool", "", call_id="1"),
    ]
    assert (await models.main.complete(looked, [], ignore)).text.startswith(EN("offline.down"))
    assert len(bench.wire.asked) == 1

    assert await said(models) == "Blue."
    assert (await models.main.complete(looked, [], ignore)).text == "Blue."


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize(("kind", "told"), [("unknown", "offline.down"), ("key", "offline.key")])
async def test_every_answer_in_place_of_a_model_says_so_shortly_after_the_first(
    locale: str, kind: str, told: str
) -> None:
    models = Bench(wire=Script([Trouble(kind)])).build()  # type: ignore[arg-type]  # as above
    words, fields = WORDS[locale], {"variable": "DEEPSEEK_API_KEY"}
    asked, stated = {"en": ("Who tunes the flute?", "I sold it."), "zh": ("谁给笛子调音？", "我把它卖了。")}[locale]
    talk = [Message("user", asked)]
    for _ in range(2):
        talk += [await models.main.complete(talk, [], ignore), Message("user", asked)]
    kept = await models.main.complete([*talk[:-1], Message("user", stated)], [], ignore)

    assert talk[1].text.startswith(words(told, **fields))
    assert talk[3].text.startswith(words(f"{told}.again", **fields))
    assert kept.text == words(f"{told}.again.kept", **fields)
    assert told == "offline.down" or "DEEPSEEK_API_KEY" in kept.text


async def test_a_model_that_hangs_after_a_failure_is_not_waited_for_long() -> None:
    class Hanging:
        name, asked = "hanging", 0

        async def complete(self, messages: object, tools: object, on_event: object) -> Message:
            self.asked += 1
            if self.asked == 1:
                raise Unavailable("down")
            await asyncio.Event().wait()
            raise AssertionError("it was waited for")

    hanging = Hanging()
    model = FallbackModel(hanging, partial(OfflineModel, WORDS), ManualClock(), trial=0.01)
    for _ in range(2):
        assert (await model.complete(ASKED, [], ignore)).text.startswith(EN("offline.down"))

    assert hanging.asked == 2


@pytest.mark.parametrize(
    ("kind", "told", "answer"),
    [("transport", "models.silent", "offline.down"), ("key", "models.refused", "offline.key")],
)
async def test_a_server_of_ones_own_that_names_no_model_is_said_and_asked_again(
    kind: str, told: str, answer: str
) -> None:
    variable, here = "PREVIOUSLY_API_KEY", "http://localhost:1/v1"
    lists = Lists(fails=kind)  # type: ignore[arg-type]  # as above
    bench = Bench(keys={}, bases={"custom": here}, lists=lists)
    models = bench.build()

    about = models_page(await models.describe(), Reader(EN, "UTC", bench.clock.now()))
    assert EN(told, address=here, variable=variable) in str(about)
    assert (await said(models)).startswith(EN(answer, variable=variable))

    lists.lists["custom"] = ["qwen3:4b"]
    bench.clock.shift(EMPTY_SECONDS)
    assert await said(models) == "Blue."


async def test_forms_are_not_filled_by_the_stand_in() -> None:
    models = Bench(wire=Script([Trouble("server")])).build()

    with pytest.raises(Unavailable):
        await models.main.complete(ASKED, [MARKS], ignore)
    with pytest.raises(Unavailable):
        await models.worker.complete(ASKED, [], ignore)


async def test_what_was_said_before_the_failure_is_not_answered_over() -> None:
    bench = Bench(wire=Script([[Chunk(text="It is ")], Trouble("key")]))
    audience = Audience()

    with pytest.raises(Unavailable):
        await bench.build().main.complete(ASKED, [], audience.hear)

    assert audience.text == "It is "


@pytest.mark.parametrize(("kind", "error"), [("context", OverBudget), ("request", Unusable), ("filtered", Unusable)])
async def test_what_another_answer_would_hide_is_raised(kind: str, error: type[Exception]) -> None:
    models = Bench(wire=Script([Trouble(kind)])).build()  # type: ignore[arg-type]  # as above

    with pytest.raises(error):
        await said(models)


async def test_without_any_key_the_offline_model_answers_as_ever() -> None:
    bench = Bench(keys={})
    models = bench.build()

    assert (await said(models)).startswith(EN("offline.intro"))
    assert models.worker.name == "offline"
    assert (await models.describe()).main is None
    assert bench.wire.asked == []


async def test_near_the_ceiling_only_answers_are_paid_for_then_none() -> None:
    bench = Bench(ceiling=Ceiling(0.60))
    models = bench.build()
    states = []
    for _ in range(3):
        states.append((await models.describe()).state)
        await said(models)

    assert states == ["open", "open", "thrift"]
    assert (await said(models)).startswith(EN("offline.ceiling"))
    assert len(bench.wire.asked) == 3
    with pytest.raises(OverBudget) as caught:
        await models.worker.complete(ASKED, [], ignore)
    assert caught.value.key == "model.ceiling"


async def test_near_the_ceiling_the_worker_is_refused() -> None:
    bench = Bench(ceiling=Ceiling(0.30))
    models = bench.build()
    await said(models)

    with pytest.raises(OverBudget) as caught:
        await models.worker.complete(ASKED, [MARKS], ignore)

    assert caught.value.key == "model.thrift"


async def test_a_new_day_and_the_persons_own_ceiling_open_it_again() -> None:
    bench = Bench(ceiling=Ceiling(0.20))
    models = bench.build()
    await said(models)
    assert (await models.describe()).state == "shut"
    bench.clock.shift(86_400)
    assert (await models.describe()).state == "open"

    await said(models)
    await bench.settle("bot.json", '{"ceiling": 5}')
    bench.clock.shift(61)

    assert (await models.describe()).state == "open"


async def test_the_day_is_the_persons_own() -> None:
    bench = Bench(clock=ManualClock("2026-03-09T22:30:00+00:00", instant=True), ceiling=Ceiling(0.2))
    await bench.settle("bot.json", '{"timezone": "Asia/Shanghai"}')
    models = bench.build()

    await said(models)

    assert (await models.describe()).spent.day == "2026-03-10"


async def test_what_was_spent_outlives_the_process() -> None:
    bench = Bench(ceiling=Ceiling(200.0, "tokens"))
    await said(bench.build())

    models = bench.build()

    told = await models.describe()
    assert (told.spent.tokens, told.spent.usd, told.spent.calls) == (110, 0.25, 1)


@pytest.mark.parametrize("ledger", [Paper("no json"), Paper('{"day": 1}'), Paper("[]"), Paper(torn=True)])
async def test_a_ledger_that_cannot_be_read_or_written_hinders_nobody(ledger: Paper) -> None:
    models = Bench(ledger=ledger, ceiling=Ceiling(1.0)).build()

    assert await said(models) == "Blue."
    assert (await models.describe()).spent.tokens == 110


async def test_a_call_without_a_price_counts_dearly() -> None:
    bench = Bench(wire=Script([[Chunk(text="B"), Chunk(end="stop"), Chunk(usage=Usage(1_000_000, 0))]]))
    models = bench.build()

    await said(models)

    assert (await models.describe()).spent.usd == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.50", Ceiling(2.5)),
        ("$2", Ceiling(2.0)),
        ("2,5 USD", Ceiling(2.5)),
        ("0", Ceiling(0.0)),
        ("500k tokens", Ceiling(500_000.0, "tokens")),
        ("1.5M tok", Ceiling(1_500_000.0, "tokens")),
    ],
)
def test_a_ceiling_is_read_as_people_write_it(text: str, expected: Ceiling) -> None:
    assert parse_ceiling(text) == expected


@pytest.mark.parametrize("text", ["", "much", "-1", "5k", "$5 tokens", "1e3", "2.5.1", "nan"])
def test_a_ceiling_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="an amount a day"):
        parse_ceiling(text)
