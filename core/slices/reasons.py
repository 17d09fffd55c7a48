"""Why a slice cannot be read, in the person's words; errors say it in English for the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.i18n import Words

_KNOWN: Final = (
    ("not UTF-8", "slice.why.text"),
    ("merge conflict", "slice.why.conflict"),
    ("neither front matter nor a turn", "slice.why.empty"),
    ("hard links", "slice.why.links"),
    ("link or special file", "slice.why.kind"),
    ("the front matter", "slice.why.front"),
)


def reason(why: str, words: Words) -> str:
    """The reason that an error gives, as a person may read it; one that is not foreseen stays as it is."""
    return next((words(key) for part, key in _KNOWN if part in why), why)
