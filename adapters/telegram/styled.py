"""Text with the stretches that are set in a way, in code points; the page is put together of these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapters.telegram.rendered import Kind


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` to `end` in code points; the rest as in `Entity`."""

    kind: Kind
    start: int
    end: int
    url: str = ""
    language: str = ""
    unix: int = 0
    format: str = ""

    def moved(self, by: int) -> Span:
        """The same stretch further on."""
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Styled:
    """A text and its spans, in any order."""

    text: str
    spans: tuple[Span, ...] = ()

    def __add__(self, other: Styled) -> Styled:
        moved = tuple(span.moved(len(self.text)) for span in other.spans)
        return Styled(self.text + other.text, (*self.spans, *moved))

    def slice(self, start: int, end: int) -> Styled:
        """The part from `start` to `end`, spans clipped."""
        spans = (
            replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
            for span in self.spans
            if span.start < end and span.end > start
        )
        return Styled(self.text[start:end], tuple(spans))

    def stripped(self) -> Styled:
        """Without blanks and line ends around it; the indentation of code at its head stays."""
        end = len(self.text.rstrip())
        start = len(self.text) - len(self.text.lstrip())
        code = [span.start for span in self.spans if span.kind == "pre" and span.start < start < span.end]
        if code:
            head = self.text[code[0] : start]
            start = code[0] + head.rfind("\n") + 1
        return self.slice(start, max(start, end))

    def replaced(self, start: int, end: int, other: Styled) -> Styled:
        """With another text in the place of that stretch; spans around it stay around it, spans inside it go."""
        by = len(other.text) - (end - start)
        spans: list[Span] = []
        for span in self.spans:
            if start <= span.start and span.end <= end and start < end:
                continue
            before = span.start < start or (span.start == start < end)
            begin = span.start if before else max(span.start, end) + by
            stop = span.end + by if span.end > end or (span.end == end > start) else min(span.end, start)
            if stop > begin:
                spans.append(replace(span, start=begin, end=stop))
        inner = (span.moved(start) for span in other.spans)
        return Styled(self.text[:start] + other.text + self.text[end:], (*spans, *inner))


def plain(text: str) -> Styled:
    """A text set in no way."""
    return Styled(text)


def marked(text: str, kind: Kind) -> Styled:
    """A text set in one way as a whole."""
    return Styled(text, (Span(kind, 0, len(text)),) if text else ())


def joined(pieces: Iterable[Styled], between: str) -> Styled:
    """The pieces in one, with a text between any two that are not empty."""
    text, spans = "", []
    for piece in pieces:
        if not piece.text:
            continue
        text += between if text else ""
        spans += [span.moved(len(text)) for span in piece.spans]
        text += piece.text
    return Styled(text, tuple(spans))
