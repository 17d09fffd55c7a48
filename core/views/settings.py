"""The settings as pages: all of them, one with its choices, and what was wrong with the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.views.reader import LINE, clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.config import Problem
    from core.config.describe import Setting, Value
    from core.i18n import Words
    from core.views.reader import Reader

COMMON: Final = {
    "slicing.timeSilenceMinutes": ("5", "10", "15", "30", "60", "120"),
    "slicing.maxTurnsPerSlice": ("10", "20", "40", "60", "100"),
    "context.recentTurnsLimit": ("10", "20", "30", "60"),
    "bot.briefing.mode": ("on_return", "waiting", "off"),
    "bot.language": ("en", "zh"),
    "bot.timezone": (
        *("Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles"),
        *("Asia/Shanghai", "Asia/Tokyo", "Asia/Kolkata", "Australia/Sydney", "UTC"),
    ),
}
"""The settings that the page of all offers to change, each with values that people choose."""
DEFAULT: Final = "default"
"""What takes a setting out of its file, typed or in an address."""


def settings_page(settings: Sequence[Setting], problems: Sequence[Problem], reader: Reader) -> Document:
    """Every setting by file, what is wrong with the files, and the ways to change the common ones."""
    words = reader.words
    blocks: list[Title | Text | Items | Choices] = [Title(words("config.title"), note=words("config.how"))]
    blocks += [Text(problem_text(one, words)) for one in problems]
    for path in dict.fromkeys(one.path for one in settings):
        lines = tuple(_line(one, words) for one in settings if one.path == path)
        blocks.append(Items(lines, label=path))
    by_key = {one.key: one for one in settings}
    choices = [
        Choice(clip(words("choice.now", name=words(f"config.about.{key}"), value=_shown(by_key[key], words))), _at(key))
        for key in COMMON
    ]
    return Document((*blocks, Choices(tuple(choices))), Address("settings"))


def setting_page(setting: Setting, problems: Sequence[Problem], reader: Reader, lead: str = "") -> Document:
    """One setting with the values that may be chosen; `lead` says what has just happened to it."""
    words = reader.words
    title = Title(words(f"config.about.{setting.key}"), words("config.title"), f"{setting.key} · {setting.path}")
    lines = (
        words("config.value", value=_shown(setting, words)),
        words("config.default", value=_named(setting.default, words)),
        words("config.allowed", allowed=_allowed(setting, words)),
    )
    mine = [problem for problem in problems if problem.path == setting.path and _key(problem, setting)]
    said = [Text(one) for one in (lead, *(problem_text(one, words) for one in mine)) if one]
    offered = COMMON.get(setting.key, setting.choices)
    choices = [
        Choice(_named(value, words), _at(setting.key, value))
        for value in offered
        if value and value != _plain(setting.value)
    ]
    choices.append(Choice(words("choice.default", value=_named(setting.default, words)), _at(setting.key, DEFAULT)))
    choices.append(Choice(words("config.all"), Address("settings")))
    return Document((title, *said, Items(lines), Choices(tuple(choices))), _at(setting.key))


def problem_text(problem: Problem, words: Words) -> str:
    """What is wrong with a file of settings, as a sentence."""
    if not problem.key:
        return words("config.unreadable", path=problem.path, allowed=problem.allowed, found=clip(problem.found, LINE))
    return words("config.problem", path=problem.path, key=problem.key, found=problem.found, allowed=problem.allowed)


def found_setting(settings: Iterable[Setting], name: str) -> Setting | None:
    """The setting of that key, or the only one whose key ends or goes so; letter case aside."""
    wanted = name.casefold()
    keys = {one.key.casefold(): one for one in settings}
    if wanted in keys:
        return keys[wanted]
    for fits in (str.endswith, str.__contains__):
        meant = [one for key, one in keys.items() if wanted and fits(key, wanted)]
        if len(meant) == 1:
            return meant[0]
    return None


def split_typed(argument: str) -> tuple[str, str]:
    """A key and the value behind it ("" for none), as they are typed or stand in an address (`KEY:VALUE`)."""
    text = argument.strip()
    key, _, value = text.partition(" ")
    if not value.strip():
        key, _, value = text.partition(":")
        value = value.replace(".", "/") if key.casefold() == "bot.timezone" else value
    return key.strip(), value.strip()


def _at(key: str, value: str = "") -> Address:
    return Address("settings", f"{key}:{value.replace('/', '.')}" if value else key)


def _line(setting: Setting, words: Words) -> str:
    return words(
        "config.line",
        key=setting.key,
        value=clip(_plain(setting.value), LINE) or words("choice.unset"),
        about=words(f"config.about.{setting.key}"),
        allowed=_allowed(setting, words),
        default=_plain(setting.default) or words("choice.unset"),
    )


def _allowed(setting: Setting, words: Words) -> str:
    return words("config.text") if setting.allowed == "string" else setting.allowed


def _key(problem: Problem, setting: Setting) -> bool:
    return not problem.key or setting.key.removeprefix("bot.").startswith(problem.key)


def _plain(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _shown(setting: Setting, words: Words) -> str:
    return clip(_named(setting.value, words), LINE)


def _named(value: Value, words: Words) -> str:
    """A value in the person's words where there are any."""
    plain = _plain(value)
    if not plain:
        return words("choice.unset")
    key = f"choice.value.{plain}"
    return words(key) if key in words.messages else plain
