"""Every setting with what it is now, what it is by default and what it may be, for whoever shows or changes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.config.values import BOT_PATH, USER_PATH, BotConfig, UserConfig, allowed_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.config.values import Preferences

Value = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: the key by which `Config.change` takes it, its file, its value and default, what may stand there.

    `choices` are all values of one that is chosen from a list, else none; `allowed` says it without words.
    """

    key: str
    path: str
    value: Value
    default: Value
    allowed: str
    choices: tuple[str, ...] = ()


def described(preferences: Preferences) -> tuple[Setting, ...]:
    """All settings in the order of their files."""
    return (
        *_leaves(UserConfig, USER_PATH, preferences.user, UserConfig(), ()),
        *_leaves(BotConfig, BOT_PATH, preferences.bot, BotConfig(), ()),
    )


def typed(setting: Setting, text: str) -> Value:
    """What a person typed as a value of that setting's kind; text that is none is left for `Config.change` to refuse.

    Choices are found whatever their letter case.
    """
    if isinstance(setting.default, bool):
        return {"true": True, "false": False}.get(text.casefold(), text)
    if setting.choices:
        return next((choice for choice in setting.choices if choice.casefold() == text.casefold()), text)
    number = isinstance(setting.default, int | float) or setting.default is None
    try:
        return (int(text) if isinstance(setting.default, int) else float(text)) if number else text
    except ValueError:
        return text


def _leaves(
    kind: type[BaseModel], path: str, holder: BaseModel, plain: BaseModel, above: tuple[str, ...]
) -> Iterator[Setting]:
    for name, info in kind.model_fields.items():
        keys, inner = (*above, info.alias or name), info.annotation
        value, default = getattr(holder, name), getattr(plain, name)
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _leaves(inner, path, value, default, keys)
        else:
            yield _setting(path, keys, value, default)


def _setting(path: str, keys: tuple[str, ...], value: Value, default: Value) -> Setting:
    kind: type[BaseModel] = BotConfig if path == BOT_PATH else UserConfig
    schema = kind.model_json_schema()
    rule = schema
    for key in keys:
        rule = rule["properties"][key]
        rule = schema["$defs"][rule["$ref"].rsplit("/", 1)[1]] if "$ref" in rule else rule
    dotted = ".".join((*(("bot",) if path == BOT_PATH else ()), *keys))
    choices = ("true", "false") if isinstance(default, bool) else tuple(map(str, rule.get("enum", ())))
    return Setting(dotted, path, value, default, allowed_of(schema, keys), choices)
