"""The readable text of a page and its links; the one module that knows the extractor.

The extractor is a library of its own, imported when the first page comes, in a thread; without it, or where it finds
nothing, a plain reading of the markup serves.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from html.parser import HTMLParser
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


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hrefs: list[str] = []
        self.titles: list[str] = []
        self._silent: list[str] = []
        self._titled = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.hrefs += [value for name, value in attrs if name == "href" and value]
        self._titled = tag == "title"
        if tag in _SILENT:
            self._silent.append(tag)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._titled = False
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
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
    reading = _Reading()
    reading.feed(source)
    reading.close()
    return reading
