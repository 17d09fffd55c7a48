"""Spans put in the order that Telegram takes: inside the text, nested and never crossing (formatting rules, Bot API).

Bold, italic, underline, strikethrough and spoiler go around and into anything but code; quotes go into no quote; code
holds nothing and stands in nothing but a quote; nothing else goes into a link or a time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from adapters.telegram.styled import Span, Styled
from adapters.telegram.units import border_after, border_before, is_border

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_QUOTES: Final = frozenset({"blockquote", "expandable_blockquote"})
_LEAVES: Final = frozenset({"text_link", "date_time", "code", "pre"})
_CODE: Final = frozenset({"code", "pre"})
_RANK: Final = {"expandable_blockquote": 0, "blockquote": 1, "text_link": 2, "date_time": 2, "pre": 3, "code": 3}
_INLINE: Final = 4


def nested(styled: Styled) -> Styled:
    """The same text with spans that Telegram accepts, outer ones first."""
    text = styled.text
    spans = [fitted for span in styled.spans if (fitted := _fitted(span, text))]
    quotes = _apart(span for span in spans if span.kind in _QUOTES)
    leaves = [
        leaf
        for leaf in _apart(span for span in spans if span.kind in _LEAVES)
        if not any(_crosses(leaf, quote) or _holds(leaf, quote) for quote in quotes)
    ]
    flat = (span for span in spans if span.kind not in _QUOTES | _LEAVES)
    inline = _without_code(_merged(flat), [leaf for leaf in leaves if leaf.kind in _CODE])
    pieces = _uncrossed(_uncrossed(inline, [*quotes, *leaves]), ())
    shown = [fitted for span in (*quotes, *leaves, *pieces) if (fitted := _trimmed(span, text))]
    return Styled(text, tuple(sorted(shown, key=_order)))


def _order(span: Span) -> tuple[int, int, int, str]:
    return span.start, -span.end, _RANK.get(span.kind, _INLINE), span.kind


def _fitted(span: Span, text: str) -> Span | None:
    """The span inside the text, from border to border of graphemes."""
    start, end = max(span.start, 0), min(span.end, len(text))
    if start >= end:
        return None
    return replace(span, start=border_before(text, start), end=border_after(text, end))


def _trimmed(span: Span, text: str) -> Span | None:
    """The span without blanks at its ends, which Telegram would cut off itself; None when nothing is left."""
    start, end = span.start, span.end
    while start < end and text[end - 1].isspace() and is_border(text, end - 1):
        end -= 1
    while span.kind != "pre" and start < end and text[start].isspace() and is_border(text, start + 1):
        start += 1
    return replace(span, start=start, end=end) if start < end else None


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Spans of which no two touch the same text: the outer ones, or the first where two cross."""
    kept: list[Span] = []
    for span in sorted(spans, key=_order):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _crosses(one: Span, other: Span) -> bool:
    return one.start < other.start < one.end < other.end or other.start < one.start < other.end < one.end


def _holds(one: Span, other: Span) -> bool:
    return one.start <= other.start and other.end <= one.end and (one.start, one.end) != (other.start, other.end)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Spans of one kind that touch become one."""
    merged: dict[str, list[Span]] = {}
    for span in sorted(spans, key=lambda one: one.start):
        same = merged.setdefault(span.kind, [])
        if same and span.start <= same[-1].end:
            same[-1] = replace(same[-1], end=max(same[-1].end, span.end))
        else:
            same.append(span)
    return [span for same in merged.values() for span in same]


def _without_code(spans: Iterable[Span], code: Sequence[Span]) -> list[Span]:
    """The spans with holes where code stands."""
    left = list(spans)
    for hole in code:
        left = [piece for span in left for piece in _cut(span, hole)]
    return left


def _cut(span: Span, hole: Span) -> Iterator[Span]:
    if span.end <= hole.start or span.start >= hole.end:
        yield span
        return
    if span.start < hole.start:
        yield replace(span, end=hole.start)
    if span.end > hole.end:
        yield replace(span, start=hole.end)


def _uncrossed(spans: Iterable[Span], fixed: Sequence[Span]) -> list[Span]:
    """The spans cut where they cross a fixed one, or one another."""
    done: list[Span] = []
    left = sorted(spans, key=_order, reverse=True)
    while left:
        span = left.pop()
        border = next((_border(span, other) for other in (*fixed, *done) if _crosses(span, other)), None)
        if border is None:
            done.append(span)
        else:
            left += [replace(span, start=border), replace(span, end=border)]
    return done


def _border(span: Span, other: Span) -> int:
    return other.start if span.start < other.start else other.end
