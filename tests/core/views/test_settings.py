"""`/settings`: every setting is shown and can be changed, nothing wrong is kept, nothing unknown is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bot.helping import writes
from core.config import Preferences
from core.config.describe import described, typed
from core.document import Address, Title
from core.i18n import LOCALES
from core.storage.base import ABSENT, Write
from core.views.settings import found_setting, setting_page, settings_page, split_typed
from tests.bot.living import WORDS
from tests.core.views.across import Answering, answering
from tests.core.views.given import choices, commands, items, reader, texts

if TYPE_CHECKING:
    from core.config.describe import Value

BOT = "memory/user/bot.json"
SETTINGS = described(Preferences())


async def plant(home: Answering, path: str, text: str) -> None:
    storage = home.house.parts.storage
    names = {entry.name for entry in await storage.list(path.rpartition("/")[0])}
    expects = (await storage.read(path)).version if path.rpartition("/")[2] in names else ABSENT
    await storage.commit([Write(path, text.encode(), expects)], "plant")
    home.house.parts.config.forget()


async def kept(home: Answering) -> dict[str, object]:
    return dict(json.loads((await home.house.parts.storage.read(BOT)).text))


@pytest.mark.parametrize("locale", LOCALES)
def test_every_setting_is_shown_with_its_words_in_both_languages(locale: str) -> None:
    page = settings_page(SETTINGS, (), reader(locale))

    lines = items(page)
    assert len(lines) == len(SETTINGS)
    for setting, line in zip(SETTINGS, lines, strict=True):
        assert f"`{setting.key}` = " in line
        assert WORDS[locale](f"config.about.{setting.key}") in line


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("setting", SETTINGS, ids=[one.key for one in SETTINGS])
def test_every_choice_of_a_setting_fits_a_button_and_names_an_allowed_value(setting: object, locale: str) -> None:
    one = next(known for known in SETTINGS if known is setting)

    page = setting_page(one, (), reader(locale))

    for choice in choices(page):
        assert choice.address
        assert Address.decode(choice.address.encode()) == choice.address
        key, value = split_typed(choice.address.argument)
        assert (key, bool(value)) in {(one.key, True), ("", False)}


async def test_every_offered_value_can_be_set() -> None:
    home = await answering("en")

    for setting in SETTINGS:
        for command in commands(setting_page(setting, (), reader())):
            page = await home.ask(command)
            assert not any("not allowed" in text or "no setting" in text for text in texts(page)), command


@pytest.mark.parametrize(
    ("asked", "key", "value"),
    [
        ("silence 30", "slicing.timeSilenceMinutes", 30),
        ("slicing.maxTurnsPerSlice:40", "slicing.maxTurnsPerSlice", 40),
        ("RECENT ６０", "context.recentTurnsLimit", 60),
        ("thinking off", "", None),
        ("model.thinking off", "model.thinking", False),
        ("model.thinking YES", "model.thinking", True),
        ("bot.timezone Europe/Berlin", "bot.timezone", "Europe/Berlin"),
        ("bot.timezone:America.New_York", "bot.timezone", "America/New_York"),
        ("bot.quiet.from 22:30", "bot.quiet.from", "22:30"),
        ("bot.quiet.from:22:30", "bot.quiet.from", "22:30"),
        ("ceiling 1.5", "bot.ceiling", 1.5),
        ("briefing.mode Waiting", "bot.briefing.mode", "waiting"),
        ("briefing.mode waiting in the chat", "bot.briefing.mode", "waiting"),
        ("language chinese", "bot.language", "zh"),
    ],
)
async def test_a_typed_value_takes_effect_at_once(asked: str, key: str, value: Value) -> None:
    home = await answering("en")

    await home.ask(f"/settings {asked}")

    now = {one.key: one.value for one in described(await home.house.parts.config.load())}
    assert not key or now[key] == value


@pytest.mark.parametrize(
    "asked",
    ["silence 500", "silence x", "bot.timezone Mars/Base", "ceiling -1", "ceiling nan", "language fr", "quiet.to 9:00"],
)
async def test_a_wrong_value_changes_nothing_and_is_told_with_what_is_allowed(asked: str) -> None:
    home = await answering("en")
    before = await home.house.parts.config.load()

    page = await home.ask(f"/settings {asked}")

    assert "Nothing was changed." in texts(page)[0]
    assert any(line.startswith("Allowed: ") for line in items(page))
    assert await home.house.parts.config.load() == before


async def test_default_takes_a_setting_out_of_its_file_and_unknown_keys_stay() -> None:
    home = await answering("zh")
    await plant(home, BOT, '{"mine": {"a": 1}, "language": "zh", "briefing": {"mode": "off", "other": true}}')

    await home.ask("/settings bot.briefing.mode 默认")
    await home.ask("/settings bot.timezone Asia/Tokyo")

    assert await kept(home) == {
        "mine": {"a": 1}, "language": "zh", "briefing": {"other": True}, "timezone": "Asia/Tokyo",
    }  # fmt: skip


async def test_a_new_language_is_spoken_at_once() -> None:
    home = await answering("en")

    page = await home.ask("/settings bot.language zh")

    assert next(block for block in page.blocks if isinstance(block, Title)).text == "语言"
    assert texts(page) == ["`bot.language` 已设置，立即生效。"]


async def test_what_is_wrong_with_the_files_is_told() -> None:
    home = await answering("en")
    await plant(home, BOT, '{"timezone": "Mars/Base"}')

    page, one = await home.ask("/settings"), await home.ask("/settings bot.timezone")

    assert texts(page)[0].startswith(f'{BOT}: timezone is "Mars/Base". Allowed: Europe/Berlin')
    assert texts(one) == texts(page)


async def test_a_file_that_is_no_json_is_left_alone() -> None:
    home = await answering("en")
    await plant(home, BOT, "{broken")

    page = await home.ask("/settings bot.language zh")

    assert texts(page)[0].startswith(f"{BOT} cannot be read as it stands")
    assert (await home.house.parts.storage.read(BOT)).text == "{broken"
    assert texts(await home.ask("/settings"))[0].startswith(f"{BOT} cannot be read as JSON")


async def test_a_folder_where_the_settings_belong_is_told_and_stops_nobody() -> None:
    home = await answering("en")
    await plant(home, f"{BOT}/note.md", "mine")

    page = await home.ask("/settings bot.language zh")

    assert texts(page)[0].startswith(f"{BOT} cannot be read as it stands")


async def test_an_unknown_key_is_answered_with_those_there_are() -> None:
    home = await answering("en")

    page = await home.ask("/settings colour green")

    assert texts(page)[0] == "There is no setting colour. These there are:"
    assert len(items(page)) == len(SETTINGS) - 2  # without a model there is none to choose


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("SILENCE", "slicing.timeSilenceMinutes"),
        ("timezone", "bot.timezone"),
        ("mode", None),
        ("turns", None),
        ("", None),
        ("worker.mode", "worker.mode"),
    ],
)
def test_a_setting_is_found_by_its_key_or_by_an_unmistakable_part(name: str, key: str | None) -> None:
    found = found_setting(SETTINGS, name)

    assert (found.key if found else None) == key


@pytest.mark.parametrize(
    ("name", "argument", "writing"),
    [
        ("settings", "", False),
        ("settings", "silence", False),
        ("settings", "silence 30", True),
        ("settings", "bot.language:zh", True),
        ("card", "", False),
        ("card", "history", False),
        ("card", "2026-03-01", False),
        ("card", "undo", True),
        ("close", "", True),
        ("start", "", True),
        ("timeline", "2026", False),
        ("strand", "undo", False),
    ],
)
def test_only_what_changes_memory_waits_for_a_running_turn(name: str, argument: str, *, writing: bool) -> None:
    assert writes(name, argument) is writing


@pytest.mark.parametrize(
    ("key", "text"), [("slicing.maxTurnsPerSlice", "many"), ("bot.ceiling", "x"), ("model.thinking", "x")]
)
def test_text_of_another_kind_is_left_for_the_config_to_refuse(key: str, text: str) -> None:
    setting = found_setting(SETTINGS, key)

    assert setting
    assert typed(setting, text) == text
