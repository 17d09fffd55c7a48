from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from core.config.values import Model, UserConfig, Worker
from core.llm import roles
from core.llm.catalog import KEEP_SECONDS, RETRY_SECONDS, Catalog, address
from core.llm.driver.wire import Trouble
from core.llm.effort import Traits, options
from core.llm.providers import CURATED, PROVIDERS, Access, Entry, current
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.driver.wire import Kind
    from core.llm.effort import Thinking


@dataclass
class Lists:
    """A lister that knows some lists; the others fail."""

    lists: dict[str, list[str]] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    fails: Kind = "server"

    async def ids(self, provider: str, address: str, key: str) -> Sequence[str]:
        self.asked.append((provider, address, key))
        if provider not in self.lists:
            raise Trouble(self.fails)
        return self.lists[provider]


def catalog(lists: Lists, clock: ManualClock | None = None, **keys: str) -> Catalog:
    return Catalog(Access(keys), lists, clock or ManualClock())


async def ids(made: Catalog) -> list[str]:
    return [entry.id for entry in await made.entries()]


async def test_only_providers_with_a_key_are_asked_with_the_keys_value() -> None:
    lists = Lists({"deepseek": ["deepseek-v4-pro"]})

    assert await ids(catalog(lists, deepseek="sk-1", openai=" ")) == ["deepseek-v4-pro"]
    assert lists.asked == [("deepseek", "https://api.deepseek.com/models", "sk-1")]


async def test_older_names_become_the_present_ones_once() -> None:
    lists = Lists({"deepseek": ["deepseek-chat", "deepseek-v4-flash", "deepseek-reasoner", "models/deepseek-v5"]})

    assert await ids(catalog(lists, deepseek="k")) == ["deepseek-v4-pro", "deepseek-v4-flash", "deepseek-v5"]


async def test_what_does_not_converse_is_left_out() -> None:
    lists = Lists(
        {"openai": ["text-embedding-3-large", "whisper-1", "gpt-4o-mini-tts", "gpt-image-1", "gpt-5-mini", "gpt-5.9"]}
    )

    assert await ids(catalog(lists, openai="k")) == ["gpt-5-mini", "gpt-5.9"]


async def test_unknown_models_get_their_providers_defaults() -> None:
    lists = Lists({"deepseek": ["deepseek-v9"], "mistral": ["mistral-next", "magistral-next"]})

    entries = await catalog(lists, deepseek="k", mistral="k").entries()

    assert [(entry.id, entry.thinks) for entry in entries] == [
        ("deepseek-v9", True), ("mistral-next", False), ("magistral-next", True),
    ]  # fmt: skip


async def test_the_curated_ones_stand_in_for_a_list_that_cannot_be_had() -> None:
    made = catalog(Lists(), anthropic="k", deepseek="k")

    assert await ids(made) == [
        "deepseek-v4-pro", "deepseek-v4-flash", "deepseek-v4-flash-vision-exp",
        "claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5",
    ]  # fmt: skip


async def test_a_list_holds_for_half_an_hour_and_a_stand_in_for_a_minute() -> None:
    clock, lists = ManualClock(), Lists({"groq": ["openai/gpt-oss-20b"]})
    made = catalog(lists, clock, groq="k")
    for seconds, asked in [(0, 1), (KEEP_SECONDS - 1, 1), (1, 2)]:
        clock.shift(seconds)
        await made.entries()
        assert len(lists.asked) == asked
    lists.lists.clear()
    for seconds, asked in [(KEEP_SECONDS, 3), (RETRY_SECONDS - 1, 3), (1, 4)]:
        clock.shift(seconds)
        await made.entries()
        assert len(lists.asked) == asked


async def test_a_server_of_ones_own_is_a_provider_without_a_key() -> None:
    lists = Lists({"custom": ["qwen3:4b", "nomic-embed-text"]})
    made = Catalog(Access({}, {"custom": "http://localhost:11434/v1"}), lists, ManualClock())

    assert await ids(made) == ["qwen3:4b"]
    assert lists.asked == [("custom", "http://localhost:11434/v1/models", "")]


def test_the_order_of_providers_is_always_the_same() -> None:
    keys = dict.fromkeys(reversed(list(PROVIDERS)), "k")

    assert Access(keys).providers == tuple(PROVIDERS)
    assert len(PROVIDERS) == 9
    assert not Catalog(Access({"openai": ""}), Lists(), ManualClock()).configured


def test_every_provider_has_a_default_and_its_light_model_is_curated() -> None:
    for name, provider in PROVIDERS.items():
        curated = [entry.id for entry in CURATED if entry.provider == name]
        assert curated
        assert not provider.light or provider.light in curated


def test_lists_are_asked_for_where_the_address_was_set() -> None:
    bases = {"anthropic": "http://proxy:1/a/", "openai": "http://proxy:1/o/v1"}

    assert address(Access({}, bases), "anthropic") == "http://proxy:1/a/v1/models"
    assert address(Access({}, bases), "openai") == "http://proxy:1/o/v1/models"


PRO, FLASH = Entry("deepseek-v4-pro", "deepseek", 10), Entry("deepseek-v4-flash", "deepseek", 10)
SONNET, GPT = Entry("claude-sonnet-5", "anthropic", 10), Entry("gpt-5.4", "openai", 10)


def config(name: str = "", worker: str = "") -> UserConfig:
    return UserConfig(
        model=Model(name=name) if name else Model(), worker=Worker(mode="manual", name=worker) if worker else Worker()
    )


@pytest.mark.parametrize(
    ("entries", "default", "override", "chosen", "missing"),
    [
        ([PRO, SONNET], "", "", PRO, ""),
        ([PRO, SONNET], "claude-sonnet-5", "", SONNET, ""),
        ([PRO, SONNET], "claude-sonnet-5", "deepseek-v4-pro", PRO, ""),
        ([PRO, SONNET], "", "CLAUDE-Sonnet-5", SONNET, ""),
        ([PRO, SONNET], "", "anthropic/claude-sonnet-5", SONNET, ""),
        ([PRO, SONNET], "deepseek-reasoner", "", PRO, ""),
        ([SONNET], "", "", SONNET, ""),
        ([SONNET], "deepseek-v4-pro", "", SONNET, "deepseek-v4-pro"),
        ([SONNET], "", "gpt-99", SONNET, "gpt-99"),
        ([Entry("gpt-4-0613", "openai"), GPT], "", "", GPT, ""),
        ([Entry("qwen3:4b", "custom")], "", "", Entry("qwen3:4b", "custom"), ""),
    ],
)
def test_the_main_model_is_wished_for_or_set_or_the_first(
    entries: list[Entry], default: str, override: str, chosen: Entry, missing: str
) -> None:
    assert roles.main(entries, config(default), override) == roles.Chosen(chosen, missing)


def test_without_models_none_is_chosen() -> None:
    assert roles.main([], config()) is None


MINI = Entry("mini-3b", "custom", thinks=False)
BIG = Entry("big-70b", "custom", thinks=False)


@pytest.mark.parametrize(
    ("entries", "pin", "main", "chosen"),
    [
        ([PRO, FLASH, SONNET], "", PRO, FLASH),
        ([PRO, FLASH, SONNET], "claude-sonnet-5", PRO, SONNET),
        ([PRO, FLASH], "deepseek-chat", PRO, FLASH),
        ([PRO], "", PRO, PRO),
        ([SONNET, Entry("claude-haiku-4-5", "anthropic")], "", SONNET, Entry("claude-haiku-4-5", "anthropic")),
        ([BIG, MINI, FLASH], "", BIG, MINI),
        ([Entry("thinker", "custom"), FLASH], "", Entry("thinker", "custom"), Entry("thinker", "custom")),
        (
            [Entry("kimi-k3", "moonshot"), Entry("moonshot-v1-8k", "moonshot", 8_000, thinks=False),
             Entry("moonshot-v1-128k", "moonshot", 128_000, thinks=False)],
            "", Entry("kimi-k3", "moonshot"), Entry("moonshot-v1-8k", "moonshot", 8_000, thinks=False),
        ),
    ],
)  # fmt: skip
def test_the_worker_is_pinned_or_light_or_smallest_or_the_main_model(
    entries: list[Entry], pin: str, main: Entry, chosen: Entry
) -> None:
    assert roles.worker(entries, config(worker=pin), main).entry == chosen


def test_a_pin_that_is_not_to_be_had_is_said() -> None:
    assert roles.worker([PRO, FLASH], config(worker="gone"), PRO) == roles.Chosen(FLASH, "gone")


@pytest.mark.parametrize(("old", "new"), [("deepseek-chat", "deepseek-v4-flash"), ("claude-x", "claude-x")])
def test_names_of_earlier_days_are_understood(old: str, new: str) -> None:
    assert current(old) == new


@pytest.mark.parametrize(
    ("provider", "thinking", "expected"),
    [
        ("deepseek", "", {"extra_body": {"thinking": {"type": "disabled"}}}),
        ("deepseek", "low", {"extra_body": {"thinking": {"type": "enabled"}, "reasoning_effort": "low"}}),
        ("nobody", "high", {"extra_body": {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}}),
        ("anthropic", "", {"thinking": {"type": "disabled"}}),
        ("anthropic", "low", {"thinking": {"type": "enabled", "budget_tokens": 4_000}}),
        ("anthropic", "medium", {"thinking": {"type": "enabled", "budget_tokens": 12_000}}),
        ("anthropic", "high", {"thinking": {"type": "enabled", "budget_tokens": 32_000}}),
        ("openai", "", {"reasoning_effort": "minimal"}),
        ("openai", "medium", {"reasoning_effort": "medium"}),
        ("google", "", {"reasoning_effort": "none"}),
        ("mistral", "high", {"reasoning_effort": "high"}),
        ("xai", "", {"reasoning_effort": "low"}),
        ("groq", "medium", {"reasoning_effort": "medium"}),
        ("dashscope", "", {"extra_body": {"enable_thinking": False}}),
        ("dashscope", "low", {"extra_body": {"enable_thinking": True, "thinking_budget": 4_000}}),
        ("moonshot", "", {"extra_body": {"thinking": {"type": "disabled"}}}),
        ("moonshot", "high", {"extra_body": {"thinking": {"type": "enabled"}}}),
    ],
)
def test_thinking_is_said_in_the_providers_words(
    provider: str, thinking: Thinking, expected: dict[str, object]
) -> None:
    assert options(provider, thinking, Traits()) == expected
    assert options(provider, thinking, Traits(thinks=False)) == {}


def test_models_that_think_by_effort_or_cannot_stop_get_what_they_take() -> None:
    assert options("anthropic", "high", Traits(adaptive=True)) == {"reasoning_effort": "high"}
    assert options("openai", "", Traits(none=True)) == {"reasoning_effort": "none"}
    assert options("openai", "", Traits(minimal=False)) == {"reasoning_effort": "low"}
