"""Spans put in the order that Telegram takes: inside the text, nested and never crossing (formatting rules, Bot API).

Bold, italic, underline, strikethrough and spoiler go around and into anything but code; quotes go into no quote; code
holds nothing and stands in nothing but a quote; nothing else goes into a link or a time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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


class _Lane:
    """Spans in order of which no two touch the same text."""

    def __init__(self, spans: Sequence[Span] = ()) -> None:
        self.spans = spans
        self._starts = [span.start for span in spans]
        self._ends = [span.end for span in spans]

    def within(self, start: int, end: int) -> Sequence[Span]:
        """The spans that touch that stretch."""
        return self.spans[bisect_right(self._ends, start) : bisect_left(self._starts, end)]

    def crossing(self, span: Span) -> Span | None:
        """One that crosses the span: only the first and the last that touch it can."""
        touching = self.within(span.start, span.end)
        ends = (touching[0], touching[-1]) if touching else ()
        return next((one for one in ends if _crosses(span, one)), None)


def nested(styled: Styled) -> Styled:
    """The same text with spans that Telegram accepts, outer ones first."""
    text = styled.text
    spans = [fitted for span in styled.spans if (fitted := _fitted(span, text))]
    quotes = _apart(span for span in spans if span.kind in _QUOTES)
    leaves = _Lane(
        [leaf for leaf in _apart(span for span in spans if span.kind in _LEAVES).spans if not _bars(leaf, quotes)]
    )
    code = _Lane([leaf for leaf in leaves.spans if leaf.kind in _CODE])
    lanes = [quotes, leaves]
    for same in _merged(span for span in spans if span.kind not in _QUOTES | _LEAVES):
        free = [piece for span in same for piece in _without(span, code)]
        lanes.append(_Lane([piece for span in free for piece in _uncrossed(span, lanes)]))
    shown = [fitted for lane in lanes for span in lane.spans if (fitted := _trimmed(span, text))]
    return Styled(text, tuple(sorted(shown, key=_order)))


def _order(span: Span) -> tuple[int, int, int, str]:
    return span.start, -span.end, _RANK.get(span.kind, _INLINE), span.kind


def _fitted(span: Span, text: str) -> Span | None:
    """The span inside the text, from border to border of graphemes."""
    start, end = max(span.start, 0), min(span.end, len(text))
    if start >= end:
        return None
    start, end = border_before(text, start), border_after(text, end)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _trimmed(span: Span, text: str) -> Span | None:
    """The span without blanks at its ends, which Telegram would cut off itself; None when nothing is left."""
    start, end = span.start, span.end
    while start < end and text[end - 1].isspace() and is_border(text, end - 1):
        end -= 1
    while span.kind != "pre" and start < end and text[start].isspace() and is_border(text, start + 1):
        start += 1
    if (start, end) == (span.start, span.end):
        return span
    return replace(span, start=start, end=end) if start < end else None


def _apart(spans: Iterable[Span]) -> _Lane:
    """Of spans that touch the same text the outer one, or the first where two cross."""
    kept: list[Span] = []
    for span in sorted(spans, key=_order):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return _Lane(kept)


def _bars(leaf: Span, quotes: _Lane) -> bool:
    """Whether a leaf goes beyond a quote that it touches."""
    return any(leaf.start < quote.start or quote.end < leaf.end for quote in quotes.within(leaf.start, leaf.end))


def _crosses(one: Span, other: Span) -> bool:
    return one.start < other.start < one.end < other.end or other.start < one.start < other.end < one.end


def _merged(spans: Iterable[Span]) -> list[list[Span]]:
    """Spans by kind; those of one kind that touch become one."""
    merged: dict[str, list[Span]] = {}
    for span in sorted(spans, key=lambda one: one.start):
        same = merged.setdefault(span.kind, [])
        if same and span.start <= same[-1].end:
            same[-1] = replace(same[-1], end=max(same[-1].end, span.end))
        else:
            same.append(span)
    return [merged[kind] for kind in sorted(merged)]


def _without(span: Span, code: _Lane) -> Iterator[Span]:
    """The span with holes where code stands."""
    start = span.start
    for hole in code.within(span.start, span.end):
        if start < hole.start:
            yield replace(span, start=start, end=hole.start)
        start = hole.end
    if start < span.end:
        yield span if start == span.start else replace(span, start=start)


def _uncrossed(span: Span, lanes: Sequence[_Lane]) -> list[Span]:
    """The span cut where it crosses others."""
    done: list[Span] = []
    left = [span]
    while left:
        piece = left.pop()
        other = next((found for lane in lanes if (found := lane.crossing(piece))), None)
        if other is None:
            done.append(piece)
            continue
        border = other.start if piece.start < other.start else other.end
        left += [replace(piece, start=border), replace(piece, end=border)]
    return done
