"""Tells reasoning that a model wrote into its text (`<think>`) from the answer, while it streams."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

Part = tuple[Literal["text", "thought"], str]

_TOKEN: Final = re.compile(r"`+|~+|\n|<|[^`~\n<]+")
_OPEN: Final = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)
_CLOSE: Final = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_LONGEST: Final = len("</thinking>")
_FENCE: Final = 3


class Splitter:
    """Parts a stream of text. Tags inside fenced, indented or inline code are the user's text and stay."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._said = False
        self._line = ""
        self._fence = ""
        self._inline = 0

    def feed(self, text: str) -> Iterator[Part]:
        """What is certain so far; the end of `text` is held back while it may be half a tag or half a fence."""
        yield from self._go(self._held + text, last=False)

    def end(self) -> Iterator[Part]:
        """What was held back. Reasoning that was never closed stays reasoning."""
        yield from self._go(self._held, last=True)

    def _go(self, text: str, *, last: bool) -> Iterator[Part]:
        self._held = ""
        at = 0
        while at < len(text):
            if self._thinking:
                at = yield from self._muse(text, at, last=last)
            else:
                at = yield from self._say(text, at, last=last)
            if self._held:
                return

    def _muse(self, text: str, at: int, *, last: bool) -> Generator[Part, None, int]:
        close = _CLOSE.search(text, at)
        stop = close.start() if close else len(text)
        if close is None and not last:
            stop = _safe(text, at)
            self._held = text[stop:]
        if stop > at:
            yield "thought", text[at:stop]
        self._thinking = close is None
        return close.end() if close else len(text)

    def _say(self, text: str, at: int, *, last: bool) -> Generator[Part, None, int]:
        """Plain text up to the next tag, or to the end."""
        start = at
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                break
            run = token[0]
            if run == "<" and not self._in_code():
                tag = _OPEN.match(text, at) or _CLOSE.match(text, at)
                if tag or (not last and _could_be(text[at:])):
                    yield from self._told(text[start:at])
                    if tag is None:
                        self._held = text[at:]
                        return len(text)
                    self._thinking = not tag[0].startswith("</")
                    return tag.end()
            if run[0] in "`~" and token.end() == len(text) and not last:
                yield from self._told(text[start:at])
                self._held = run
                return len(text)
            self._mark(run)
            at = token.end()
        yield from self._told(text[start:])
        return len(text)

    def _told(self, text: str) -> Iterator[Part]:
        if text:
            yield "text", text

    def _in_code(self) -> bool:
        return bool(self._fence or self._inline or (self._said and re.match(r" {4}|\t", self._line)))

    def _mark(self, run: str) -> None:
        """Follow fences and inline code; a fence stands alone at the beginning of a line."""
        if run == "\n":
            self._line, self._inline = "", 0
            return
        self._said = self._said or bool(run.strip())
        opens = run[0] in "`~" and len(run) >= _FENCE and not self._line.strip(" >") and len(self._line) <= _FENCE
        if self._fence:
            if opens and run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._fence = ""
        elif opens:
            self._fence = run
        elif run[0] == "`":
            self._inline = {0: len(run), len(run): 0}.get(self._inline, self._inline)
        self._line = (self._line + run)[:80]


def _could_be(text: str) -> bool:
    low = text.lower()
    return len(low) < _LONGEST and any(
        tag.startswith(low) for tag in ("<think>", "<thinking>", "</think>", "</thinking>")
    )


def _safe(text: str, at: int) -> int:
    """Where a half closing tag at the end begins, or the end."""
    tail = text.rfind("<", max(at, len(text) - _LONGEST))
    return tail if tail >= 0 and _could_be(text[tail:]) else len(text)
