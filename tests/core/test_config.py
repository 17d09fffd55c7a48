from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config import BotConfig, Config, Preferences, UserConfig, parse_config
from core.config.values import BOT_PATH, USER_PATH
from core.errors import Conflict, Malformed, SettingsError
from core.i18n import load_words
from core.storage.base import Change, File, Write
from core.storage.memory import MemoryStorage
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

FULL = b"""{
  "slicing": {
    "maxTurnsPerSlice": 30,
    "timeSilenceMinutes": 25
  },
  "context": {
    "recentTurnsLimit": 12
  },
  "model": {
    "provider": "claude-opus-4-8",
    "thinking": false,
    "reasoningEffort": "high"
  },
  "worker": {
    "mode": "manual",
    "provider": "deepseek-v4-flash"
  },
  "onboarded": true,
  "datasource": "own"
}"""


class Shelf(MemoryStorage):
    """Counts what is read, and lets a person write into a file just before each of the next commits."""

    def __init__(self, user: bytes | None = None, bot: bytes | None = None) -> None:
        super().__init__({path: data for path, data in ((USER_PATH, user), (BOT_PATH, bot)) if data is not None})
        self.reads = 0
        self.person_writes: list[bytes] = []

    async def read(self, path: str) -> File:
        self.reads += 1
        return await super().read(path)

    async def commit(self, changes: Sequence[Change], message: str) -> None:
        if self.person_writes:
            expects = (await super().read(USER_PATH)).version
            await super().commit([Write(USER_PATH, self.person_writes.pop(0), expects)], "by hand")
        await super().commit(changes, message)


async def loaded(user: bytes | None = None, bot: bytes | None = None) -> Preferences:
    return await Config(Shelf(user, bot), ManualClock()).load()


async def test_without_files_the_defaults_of_the_seeds_hold() -> None:
    now = await loaded()

    assert (now.user.slicing.turns, now.user.slicing.silence_minutes, now.user.context.recent_turns) == (20, 15, 20)
    assert (now.user.model.name, now.user.model.thinking, now.user.model.effort) == ("deepseek-v4-pro", True, "medium")
    assert (now.user.worker.mode, now.user.worker.name) == ("auto", "")
    assert (now.user.onboarded, now.user.datasource) == (False, "demo")
    assert (now.bot.zone, now.bot.language, now.bot.briefing.mode, now.bot.ceiling) == ("", "", "on_return", None)
    assert now.problems == ()


async def test_every_value_of_the_files_is_read() -> None:
    bot = b'{"timezone": "Asia/Kolkata", "language": "zh", "briefing": {"mode": "waiting"}, "ceiling": 2.5,'
    bot += b'"quiet": {"from": "22:30", "to": "07:00"}, "folds": {"thinking": "live"}}'

    now = await loaded(FULL, bot)

    assert (now.user.slicing.turns, now.user.slicing.silence_minutes, now.user.context.recent_turns) == (30, 25, 12)
    assert (now.user.model.name, now.user.model.thinking, now.user.model.effort) == ("claude-opus-4-8", False, "high")
    assert (now.user.worker.mode, now.user.worker.name) == ("manual", "deepseek-v4-flash")
    assert (now.user.onboarded, now.user.datasource) == (True, "own")
    assert (now.bot.zone, now.bot.language, now.bot.briefing.mode) == ("Asia/Kolkata", "zh", "waiting")
    assert (now.bot.quiet.start, now.bot.quiet.end, now.bot.folds.thinking, now.bot.ceiling) == (
        "22:30",
        "07:00",
        "live",
        2.5,
    )
    assert now.problems == ()


async def test_a_missing_key_is_filled_within_its_group() -> None:
    now = await loaded(b'{"slicing": {"timeSilenceMinutes": 40}}')

    assert (now.user.slicing.silence_minutes, now.user.slicing.turns) == (40, 20)


@pytest.mark.parametrize(
    ("old", "new"), [("deepseek-chat", "deepseek-v4-flash"), ("deepseek-reasoner", "deepseek-v4-pro")]
)
async def test_an_old_model_name_is_read_as_its_new_one(old: str, new: str) -> None:
    text = json.dumps({"model": {"provider": old}, "worker": {"provider": old}}).encode()

    now = await loaded(text)

    assert (now.user.model.name, now.user.worker.name) == (new, new)


@pytest.mark.parametrize(
    ("key", "found", "allowed"),
    [
        ("slicing.timeSilenceMinutes", 4, "5–120"),
        ("slicing.timeSilenceMinutes", 121, "5–120"),
        ("slicing.timeSilenceMinutes", "abc", "5–120"),
        ("slicing.timeSilenceMinutes", True, "5–120"),
        ("slicing.maxTurnsPerSlice", 0, "5–100"),
        ("slicing.maxTurnsPerSlice", 101, "5–100"),
        ("slicing.maxTurnsPerSlice", 10.5, "5–100"),
        ("context.recentTurnsLimit", 2, "3–60"),
        ("context.recentTurnsLimit", 61, "3–60"),
        ("context.recentTurnsLimit", None, "3–60"),
        ("model.provider", "", "string"),
        ("model.provider", 7, "string"),
        ("model.thinking", "yes", "true, false"),
        ("model.reasoningEffort", "huge", "low, medium, high"),
        ("worker.mode", "sometimes", "auto, manual"),
        ("onboarded", 1, "true, false"),
        ("datasource", "theirs", "demo, own"),
        ("slicing", [], "object"),
    ],
)
def test_a_wrong_value_counts_as_its_default_and_is_reported(key: str, found: object, allowed: str) -> None:
    group, _, name = key.partition(".")
    text = json.dumps({group: {name: found} if name else found, "context2": 1})

    config, problems = parse_config(UserConfig, USER_PATH, text)

    assert config == UserConfig()
    assert [(p.path, p.key, p.found, p.allowed) for p in problems] == [(USER_PATH, key, json.dumps(found), allowed)]


@pytest.mark.parametrize(
    ("key", "found", "allowed"),
    [
        ("timezone", "Mars/Base", "Europe/Berlin, Asia/Shanghai, …"),
        ("language", "de", '"", en, zh'),
        ("briefing.mode", "always", "on_return, waiting, off"),
        ("quiet.from", "24:00", "00:00, …, 23:59"),
        ("quiet.to", "7", "00:00, …, 23:59"),
        ("folds.tools", "maybe", "fold, live, off"),
        ("ceiling", -1, "0–…"),
    ],
)
def test_our_own_file_is_checked_with_the_same_care(key: str, found: object, allowed: str) -> None:
    group, _, name = key.partition(".")

    config, problems = parse_config(BotConfig, BOT_PATH, json.dumps({group: {name: found} if name else found}))

    assert config == BotConfig()
    assert [(p.key, p.found, p.allowed) for p in problems] == [(key, json.dumps(found), allowed)]


def test_one_wrong_value_leaves_its_neighbours_in_force() -> None:
    text = '{"slicing": {"maxTurnsPerSlice": "x", "timeSilenceMinutes": 60}, "datasource": "own"}'

    config, problems = parse_config(UserConfig, USER_PATH, text)

    assert (config.slicing.turns, config.slicing.silence_minutes, config.datasource) == (20, 60, "own")
    assert len(problems) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"null", b"\xff\xfe{}", b'{"a": "\xff"}', b"[" * 100_000])
async def test_a_file_that_is_no_json_object_means_defaults_and_a_problem(data: bytes) -> None:
    now = await loaded(data)

    assert now.user == UserConfig()
    assert [(p.path, p.key) for p in now.problems] == [(USER_PATH, "")]


async def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    now = await loaded(b"\xef\xbb\xbf" + FULL.replace(b"\n", b"\r\n"))

    assert now.user.slicing.silence_minutes == 25
    assert now.problems == ()


@given(st.text() | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_makes_reading_fail(text: str) -> None:
    config, _ = parse_config(UserConfig, USER_PATH, text)

    assert 5 <= config.slicing.silence_minutes <= 120


leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
tree = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
groups = ("slicing", "context", "model", "worker", "onboarded", "datasource", "timezone", "quiet", "folds", "ceiling")
names = ("maxTurnsPerSlice", "timeSilenceMinutes", "recentTurnsLimit", "provider", "thinking", "mode", "from", "tools")


@given(st.dictionaries(st.sampled_from(groups), st.dictionaries(st.sampled_from(names), tree) | tree))
def test_no_json_of_the_right_keys_makes_reading_fail(raw: dict[str, object]) -> None:
    user, _ = parse_config(UserConfig, USER_PATH, json.dumps(raw))
    bot, _ = parse_config(BotConfig, BOT_PATH, json.dumps(raw))

    assert 5 <= user.slicing.turns <= 100
    assert bot.ceiling is None or bot.ceiling >= 0


async def test_what_was_read_holds_for_a_minute() -> None:
    shelf, clock = Shelf(FULL), ManualClock()
    config = Config(shelf, clock)
    await config.load()
    await MemoryStorage.commit(shelf, [Write(USER_PATH, b"{}", (await shelf.read(USER_PATH)).version)], "by hand")
    reads = shelf.reads

    clock.shift(59.9)
    within = await config.load()
    clock.jump(-86400)
    still = await config.load()
    clock.shift(0.2)
    after = await config.load()

    assert within is still
    assert within.user.slicing.silence_minutes == 25
    assert after.user.slicing.silence_minutes == 15
    assert shelf.reads == reads + 2


async def test_forgetting_reads_anew_at_once() -> None:
    shelf = Shelf(FULL)
    config = Config(shelf, ManualClock())
    await config.load()
    await shelf.commit([Write(USER_PATH, b"{}", (await shelf.read(USER_PATH)).version)], "by hand")

    config.forget()

    assert (await config.load()).user == UserConfig()


async def test_a_change_takes_effect_at_once_and_keeps_everything_else() -> None:
    shelf = Shelf(FULL[:-1] + b',\n  "theirs": {"\xe8\x8a\xb1": [1, 2]}\n}')
    config = Config(shelf, ManualClock())
    await config.load()

    now = await config.change("slicing.timeSilenceMinutes", 90)

    assert now.user.slicing.silence_minutes == 90
    assert (await config.load()) is now
    raw = json.loads(shelf.files[USER_PATH])
    assert raw == json.loads(FULL) | {
        "slicing": {"maxTurnsPerSlice": 30, "timeSilenceMinutes": 90},
        "theirs": {"花": [1, 2]},
    }
    assert list(raw) == [*json.loads(FULL), "theirs"]
    assert "花".encode() in shelf.files[USER_PATH]


async def test_a_save_differs_from_the_originals_bytes_only_in_the_value() -> None:
    shelf = Shelf(FULL)

    await Config(shelf, ManualClock()).change("context.recentTurnsLimit", 13)

    assert shelf.files[USER_PATH] == FULL.replace(b"12", b"13")


async def test_our_settings_go_to_our_file() -> None:
    shelf = Shelf()
    config = Config(shelf, ManualClock())

    await config.change("bot.timezone", "Asia/Shanghai")
    now = await config.change("bot.quiet.from", "22:00")

    assert (now.bot.zone, now.bot.quiet.start) == ("Asia/Shanghai", "22:00")
    assert json.loads(shelf.files[BOT_PATH]) == {"timezone": "Asia/Shanghai", "quiet": {"from": "22:00"}}
    assert USER_PATH not in shelf.files


async def test_none_takes_the_key_out_so_that_the_default_holds() -> None:
    shelf = Shelf(FULL)

    now = await Config(shelf, ManualClock()).change("slicing.timeSilenceMinutes", None)

    assert now.user.slicing.silence_minutes == 15
    assert json.loads(shelf.files[USER_PATH])["slicing"] == {"maxTurnsPerSlice": 30}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("slicing.timeSilenceMinutes", 4, "5–120"),
        ("slicing.timeSilenceMinutes", "15", "5–120"),
        ("model.reasoningEffort", "huge", "low, medium, high"),
        ("bot.timezone", "Mars/Base", "Europe/Berlin"),
        ("slicing.minutes", 4, "slicing.timeSilenceMinutes"),
        ("slicing", 4, "slicing.timeSilenceMinutes"),
        ("bot", 4, "timezone"),
        ("", 4, "slicing.timeSilenceMinutes"),
    ],
)
async def test_a_change_that_is_not_allowed_is_refused_and_nothing_is_written(
    key: str, value: str | int, said: str
) -> None:
    shelf = Shelf(FULL)

    with pytest.raises(SettingsError, match=said):
        await Config(shelf, ManualClock()).change(key, value)

    assert shelf.files == {USER_PATH: FULL}


async def test_a_file_that_cannot_be_read_is_not_overwritten() -> None:
    for data in (b"{oops", b'{"a": "\xff"}'):
        shelf = Shelf(data)

        with pytest.raises(Malformed):
            await Config(shelf, ManualClock()).change("onboarded", True)

        assert shelf.files[USER_PATH] == data


async def test_a_wrong_value_elsewhere_does_not_forbid_a_change() -> None:
    shelf = Shelf(b'{"slicing": {"maxTurnsPerSlice": "x"}, "model": 7}')

    now = await Config(shelf, ManualClock()).change("model.thinking", False)

    assert now.user.model.thinking is False
    assert json.loads(shelf.files[USER_PATH])["slicing"] == {"maxTurnsPerSlice": "x"}


async def test_a_hand_edit_made_meanwhile_is_kept() -> None:
    shelf = Shelf(b'{"onboarded": false}')
    shelf.person_writes = [b'{"onboarded": false, "note": "mine"}\n']

    await Config(shelf, ManualClock()).change("onboarded", True)

    assert shelf.files[USER_PATH] == b'{\n  "onboarded": true,\n  "note": "mine"\n}\n'


async def test_a_file_that_never_rests_is_a_conflict() -> None:
    shelf = Shelf(b"{}")
    shelf.person_writes = [b'{"n": 1}', b'{"n": 2}', b'{"n": 3}']

    with pytest.raises(Conflict):
        await Config(shelf, ManualClock()).change("onboarded", True)

    assert shelf.files[USER_PATH] == b'{"n": 3}'


async def test_a_lone_surrogate_in_their_text_stays_escaped() -> None:
    shelf = Shelf(b'{"theirs": "\\ud800"}')

    await Config(shelf, ManualClock()).change("onboarded", True)

    assert json.loads(shelf.files[USER_PATH]) == {"theirs": "\ud800", "onboarded": True}


def test_a_problem_is_told_in_both_languages() -> None:
    _, (problem,) = parse_config(UserConfig, USER_PATH, '{"slicing": {"maxTurnsPerSlice": 0}}')

    for words in load_words(Path(__file__).parents[2] / "locales").values():
        said = words("config.problem", path=problem.path, key=problem.key, found=problem.found, allowed=problem.allowed)

        assert "slicing.maxTurnsPerSlice" in said
        assert "5–100" in said
