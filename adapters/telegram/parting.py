"""A text in parts that Telegram takes: short enough, with few enough entities, cut where a reader would pause."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from adapters.telegram.nesting import nested
from adapters.telegram.rendered import ENTITIES, LIMIT, Entity, Part
from adapters.telegram.styled import Styled
from adapters.telegram.units import border_before, fitting, is_blank, offsets, units

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAUSES: Final = (re.compile(r"[.!?…](?=\s)|[。！？；]"), re.compile(r"[,;:](?=\s)|[，、：]"), re.compile(r"\s"))
_WHOLE: Final = frozenset({"pre", "blockquote", "expandable_blockquote"})


def parted(styled: Styled, limit: int = LIMIT, most: int = ENTITIES) -> list[Styled]:
    """The text in parts of at most `limit` units and `most` spans, none of them blank; spans go on in the next part."""
    left, parts = nested(styled).stripped(), []
    while left.text:
        end = _end(left, limit, most)
        parts.append(nested(left.slice(0, end).stripped()))
        left = nested(left.slice(end, len(left.text)).stripped())
    return [part for part in parts if not is_blank(part.text)]


def part_of(styled: Styled) -> Part:
    """A text that is short enough as a part, its offsets in UTF-16 units."""
    at = offsets(styled.text)
    entities = (
        Entity(
            span.kind,
            at[span.start],
            at[span.end] - at[span.start],
            span.url,
            span.language,
            span.unix,
            span.format,
        )
        for span in nested(styled).spans
    )
    return Part(styled.text, tuple(entities))


def clipped(styled: Styled, most: int) -> Styled:
    """The text in at most `most` units, with "…" last when it is cut."""
    if units(styled.text) <= most:
        return styled
    end = _pause(styled, fitting(styled.text, max(most - 1, 1)))
    return styled.slice(0, end).stripped() + Styled("…")


def _end(styled: Styled, limit: int, most: int) -> int:
    """Where the first part ends."""
    hard = fitting(styled.text, limit)
    starts = sorted(span.start for span in styled.spans)
    if len(starts) > most and starts[most]:
        hard = min(hard, starts[most])
    return hard if hard == len(styled.text) else _pause(styled, hard)


def _pause(styled: Styled, hard: int) -> int:
    """The best place to stop at or before `hard`: a paragraph, a line, a sentence, a word, a grapheme."""
    text, least = styled.text, hard // 2
    blocks = [span for span in styled.spans if span.kind in _WHOLE]
    for ends, free in ((_found(text, "\n\n", least, hard), True), (_found(text, "\n", least, hard), True)):
        for end in ends:
            if not free or not any(block.start < end < block.end for block in blocks):
                return end
    end = text.rfind("\n", least, hard)
    if end > 0:
        return end
    for pause in _PAUSES:
        *_, last = (0, *(found.end() for found in pause.finditer(text, least, hard)))
        if last and border_before(text, last) == last:
            return last
    return border_before(text, hard, least) or hard


def _found(text: str, sign: str, least: int, hard: int) -> Iterator[int]:
    """Where the sign stands, the last place first."""
    end = text.rfind(sign, least, hard)
    while end > 0:
        yield end
        end = text.rfind(sign, least, end)
