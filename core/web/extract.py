"""The readable text of a page and its links; the one module that knows the extractor.

The extractor is a library of its own, imported when the first page comes, in a thread; without it, or where it finds
nothing, a plain reading of the markup serves.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from html import unescape
from typing import Final

from core.errors import Refused
from core.web.urls import joined

LINKS: Final = 200
_SILENT: Final = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "object"})
_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_RAW: Final = frozenset({"script", "style"})
"""Elements in which nothing is a tag but their own end."""
_DEEPEST: Final = 100
_TAG: Final = re.compile(r"<(/?)([A-Za-z][^\s/<>]{0,60}+)(?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+>")
_OTHER: Final = re.compile(r"<[!?/][^<>]*+>")
_HREF: Final = re.compile(r"\shref\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++))", re.IGNORECASE)
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_GAPS: Final = re.compile(r"\s*\n\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says, its title, and where its links lead."""

    text: str
    title: str = ""
    links: tuple[str, ...] = ()


async def page_of(source: str, url: str, *, html: bool) -> Page:
    """The page as readable text; what is no HTML is taken as it stands. Signs that nobody can see are left out."""
    if not html:
        return Page(_visible(source))
    return await asyncio.to_thread(_page, source, url)


def plain_text(source: str) -> str:
    """The text of markup: scripts and styles dropped, blocks on lines of their own, entities decoded, blanks run."""
    return _read(source).text


def _page(source: str, url: str) -> Page:
    reading = _read(source)
    return Page(_visible(_extracted(source) or reading.text), reading.title, _links(reading.hrefs, url))


def _extracted(source: str) -> str:
    try:
        import trafilatura  # noqa: PLC0415 - a second of CPU, so only when a page is read
    except ImportError:
        return ""
    try:
        return trafilatura.extract(source, output_format="markdown", include_comments=False, with_metadata=False) or ""
    except (ValueError, TypeError, RecursionError, AttributeError, AssertionError):
        return ""  # odd markup is its own trouble: the plain reading serves


def _links(hrefs: list[str], url: str) -> tuple[str, ...]:
    links: dict[str, None] = {}
    for href in hrefs[: LINKS * 5]:
        try:
            links[joined(url, href)] = None
        except Refused:
            continue
    return tuple(links)[:LINKS]


def _visible(text: str) -> str:
    return _INVISIBLE.sub("", text).strip()


class _Reading:
    """What the pieces of a page come to, one after the other."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.hrefs: list[str] = []
        self.titles: list[str] = []
        self._silent: list[str] = []
        self._titled = False

    def begin(self, tag: str, written: str) -> None:
        """An element begins; `written` is its tag as it stands."""
        if tag == "a" and (found := _HREF.search(written)):
            self.hrefs += [unescape(value) for value in found.groups() if value]
        self._titled = tag == "title"
        if tag in _SILENT and len(self._silent) < _DEEPEST:
            self._silent.append(tag)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def end(self, tag: str) -> None:
        """An element ends."""
        self._titled = False
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag in _BLOCKS:
            self.parts.append("\n")

    def say(self, text: str) -> None:
        """Text between tags, as it stands."""
        data = unescape(text)
        if self._titled:
            self.titles.append(data)
        elif not self._silent:
            self.parts.append(data)

    @property
    def text(self) -> str:
        lines = (_BLANKS.sub(" ", line).strip() for line in "".join(self.parts).replace("\r", "\n").split("\n"))
        return _GAPS.sub("\n\n", "\n".join(lines)).strip()

    @property
    def title(self) -> str:
        return " ".join(_visible("".join(self.titles)).split())[:200]


def _read(source: str) -> _Reading:
    """The page read once from its beginning to its end.

    The library's own parser takes minutes over a page that begins thousands of tags or comments and ends none.
    """
    reading, place = _Reading(), 0
    while (at := source.find("<", place)) >= 0:
        reading.say(source[place:at])
        place = _tag(source, at, reading)
    reading.say(source[place:])
    return reading


def _tag(source: str, at: int, reading: _Reading) -> int:
    """Take up what begins there with `<`; where it ends."""
    if source.startswith("<!--", at):
        end = source.find("-->", at + 4)
        return len(source) if end < 0 else end + 3
    found = _TAG.match(source, at)
    if not found:
        other = _OTHER.match(source, at)
        reading.say("" if other else "<")
        return other.end() if other else at + 1
    name, end = found[2].lower(), found.end()
    if found[1]:
        reading.end(name)
        return end
    reading.begin(name, found[0])
    if found[0].endswith("/>"):
        reading.end(name)
    elif name in _RAW:
        closing = re.compile(rf"</{name}", re.IGNORECASE).search(source, end)
        return closing.start() if closing else len(source)
    return end
