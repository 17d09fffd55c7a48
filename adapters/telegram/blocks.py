"""The blocks of a page as text with spans."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from adapters.telegram.links import tame
from adapters.telegram.markdown import converted
from adapters.telegram.parting import clipped
from adapters.telegram.prepass import clean, prepared
from adapters.telegram.styled import Span, Styled, joined, marked, plain
from adapters.telegram.units import units

if TYPE_CHECKING:
    from collections.abc import Collection

    from core.document import Fold, Items, Title, Utterance

_BAD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ufdd0]")
_LEAD: Final = re.compile(r"\A(\d{1,9}(?=[.)]\s)|(?=[#>+*-]+\s|[=`~|]{3}))")
_LEAST: Final = 16
"""Units that are worth showing of what is behind a label."""
_QUOTES: Final = frozenset({"blockquote", "expandable_blockquote"})


def body(markdown: str, unknown: Collection[str] = ()) -> Styled:
    """Markdown as it is shown: links that nobody gave as code; what cannot be set at all stands as it was written."""
    try:
        found = converted(prepared(markdown))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError):
        found = plain(clean(markdown))
    return tame(Styled(_BAD.sub("\ufffd", found.text), found.spans), unknown).stripped()


def line(text: str) -> str:
    """A text from memory as one line without anything that Telegram refuses."""
    return " ".join(clean(text).split())


def title(block: Title) -> Styled:
    """The small line above, the heading, the small line below."""
    below = marked(line(block.note), "italic")
    return joined((plain(line(block.eyebrow)), marked(line(block.text), "bold"), below), "\n")


def items(block: Items, unknown: Collection[str] = ()) -> Styled:
    """A label and a line per item."""
    lines = (plain("• ") + body(_LEAD.sub(r"\1\\", line(item), count=1), unknown) for item in block.items)
    return joined((marked(line(block.label), "bold"), *lines), "\n")


def utterance(block: Utterance, unknown: Collection[str] = ()) -> Styled:
    """Who and when, and below it what was said; the time is on the reader's own clock where the client can."""
    who, when = marked(line(block.who), "bold"), line(block.when)
    span = Span("date_time", 0, len(when), unix=block.moment, format="t")
    head = joined((who, Styled(when, (span,) if when and block.moment > 0 else ())), " · ")
    return joined((head, body(block.markdown, unknown)), "\n")


def fold(block: Fold, most: int, unknown: Collection[str] = ()) -> Styled:
    """The label and what is behind it in a quote that unfolds, in at most `most` units.

    Empty when not even the label fits. A quote holds no quote.
    """
    label = marked(line(block.label), "bold")
    if not label.text or units(label.text) > most:
        return plain("")
    inner = body(block.markdown, unknown)
    inner = Styled(inner.text, tuple(span for span in inner.spans if span.kind not in _QUOTES))
    room = most - units(label.text) - 1
    shown = joined((label, clipped(inner, room) if room >= _LEAST else plain("")), "\n")
    return replace(shown, spans=(Span("expandable_blockquote", 0, len(shown.text)), *shown.spans))
