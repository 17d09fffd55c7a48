"""Words for people: messages by key from `locales/<locale>.yaml`, with plural forms chosen by CLDR rules.

A message is a text with `{name}` fields, or a mapping of plural forms (`one`, `other`) chosen by the field `n`. Nothing
that a person reads stands anywhere else; text for the model is not localised and lives beside its module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import yaml
from babel import Locale

from core.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LOCALES: Final = ("en", "zh")

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml where it is there: ten times faster, and the words are read at every start."""

Message = str | dict[str, str]


class Words:
    """The messages of one locale; called with a key and its fields it returns the text."""

    def __init__(self, locale: str, messages: Mapping[str, Message]) -> None:
        self.locale = locale
        self._messages = messages
        self._plural = Locale.parse(locale).plural_form

    def __call__(self, key: str, /, **fields: object) -> str:
        """The message with its fields filled in. Raises KeyError for an unknown key or a missing field."""
        message = self._messages[key]
        if isinstance(message, dict):
            number = fields["n"]
            if not isinstance(number, int | float):
                raise KeyError(f"{key} needs a number as n")
            message = message.get(self._plural(number)) or message["other"]
        return message.format_map(fields)

    @property
    def messages(self) -> Mapping[str, Message]:
        """All messages by key."""
        return self._messages


def locale_of(tag: str) -> str:
    """The locale that serves a language tag: `zh` when it starts with "zh" in any case, else `en` (original.md 2.8)."""
    return "zh" if tag.lower().startswith("zh") else "en"


def load_words(folder: Path) -> dict[str, Words]:
    """The words of every locale by its name; raises `Malformed` when a file is not a flat mapping of messages."""
    return {locale: Words(locale, _read(folder / f"{locale}.yaml")) for locale in LOCALES}


def _read(path: Path) -> dict[str, Message]:
    messages = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER) or {}  # noqa: S506 - a safe loader either way
    if not isinstance(messages, dict):
        raise Malformed(str(path), "the messages are not a mapping")
    for key, value in messages.items():
        forms = value.values() if isinstance(value, dict) else (value,)
        if not isinstance(key, str) or not all(isinstance(form, str) for form in forms):
            raise Malformed(str(path), f"the message {key!r} is neither text nor plural forms")
    return messages
