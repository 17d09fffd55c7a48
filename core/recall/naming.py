"""The objects of tool calls as their lines name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.language.sentences import cut
from core.recall.tool import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.i18n import Words

    Arguments = Mapping[str, object]

LONGEST: Final = 60


def quoted(arguments: Arguments, _words: Words) -> dict[str, str]:
    """What is looked for."""
    return {"query": cut(text_of(arguments, "query"), LONGEST)}


def strand_named(arguments: Arguments, _words: Words) -> dict[str, str]:
    """The strand that is followed."""
    return {"strand": cut(text_of(arguments, "strand") or text_of(arguments, "name"), LONGEST)}


def period(arguments: Arguments, words: Words) -> dict[str, str]:
    """The time that is looked through."""
    first, last = (cut(text_of(arguments, name), LONGEST) for name in ("from", "to"))
    if first and last:
        return {"period": first if first == last else words("tool.window.span", first=first, last=last)}
    if first and not first[:4].isdigit():
        return {"period": first}  # words name a stretch with two ends
    if first:
        return {"period": words("tool.window.since", first=first)}
    return {"period": words("tool.window.until", last=last) if last else words("tool.window.all")}
