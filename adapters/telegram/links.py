"""Links: only to where a person may be sent; every other address is shown as code, so that no tap follows it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from adapters.telegram.styled import Span, Styled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_ALLOWED: Final = re.compile(r"(?:https?://[^\s/]|mailto:[^\s@]+@|tg:|tel:\+?[\d(])\S*\Z", re.IGNORECASE)
_MAIL: Final = re.compile(r"[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+\Z")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_FILE: Final = re.compile(r"(?<![\w@/.:-])[\w./-]*\w\.(?:md|py|rs|sh|pl|cc|ps|zip|mov|mk)(?![\w/-]|\.\w)", re.ASCII)
"""File names whose ending is a top-level domain: Telegram would make a link of them."""
_TAIL: Final = ".,;:!?)]*_~"


def tame(styled: Styled, unknown: Collection[str] = ()) -> Styled:
    """The text with links that may be followed, and every other address set as code behind its name."""
    strange = frozenset(map(_same, unknown))
    spans = tuple(_called(span) for span in styled.spans)
    styled = Styled(styled.text, spans)
    refused = [span for span in spans if span.kind == "text_link" and not _may_be_followed(span, styled.text, strange)]
    styled = _named(styled, refused) if refused else styled
    busy = sorted((one.start, one.end) for one in styled.spans if one.kind in {"code", "pre", "text_link"})
    found = (*_strangers(styled.text, strange), *_files(styled.text))
    return Styled(styled.text, (*styled.spans, *(span for span in found if not _touches(span, busy))))


def addresses(text: str) -> list[str]:
    """The web addresses that stand in a text, without the marks behind them."""
    return [text[start:end] for start, end in _places(text)]


def _called(span: Span) -> Span:
    """The span; a link to a bare mail address gets its scheme."""
    if span.kind != "text_link":
        return span
    address = span.url.strip()
    return replace(span, url=f"mailto:{address}" if _MAIL.match(address) else address)


def _may_be_followed(link: Span, text: str, strange: Collection[str]) -> bool:
    if not _ALLOWED.match(link.url) or _same(link.url) in strange:
        return False
    return not _pretends(text[link.start : link.end], link.url)


def _named(styled: Styled, refused: Sequence[Span]) -> Styled:
    """The text without those links, each address as code behind its name, or in its place where they are the same."""
    gone, ends, by = frozenset(refused), [0], [0]
    text, spans, at = "", [], 0
    for link in sorted(gone, key=lambda span: span.end):
        text += styled.text[at : link.end]
        at = link.end
        if styled.text[link.start : link.end] == link.url:
            spans.append(Span("code", len(text) - len(link.url), len(text)))
        elif link.url:
            spans.append(Span("code", len(text) + 2, len(text) + 2 + len(link.url)))
            text += f" ({link.url})"
            ends.append(link.end)
            by.append(len(text) - at)
    for span in styled.spans:
        if span not in gone:
            start = span.start + by[bisect_right(ends, span.start) - 1]
            spans.append(replace(span, start=start, end=span.end + by[bisect_left(ends, span.end) - 1]))
    return Styled(text + styled.text[at:], tuple(spans))


def _touches(span: Span, busy: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(busy, (span.end, 0))
    return at > 0 and busy[at - 1][1] > span.start


def _pretends(name: str, address: str) -> bool:
    """Whether the name is the address of another host."""
    return bool(_ADDRESS.match(name)) and _same(name).partition("/")[0] != _same(address).partition("/")[0]


def _strangers(text: str, strange: Collection[str]) -> Iterator[Span]:
    for start, end in _places(text) if strange else ():
        if _same(text[start:end]) in strange:
            yield Span("code", start, end)


def _files(text: str) -> Iterator[Span]:
    for found in _FILE.finditer(text):
        yield Span("code", found.start(), found.end())


def _places(text: str) -> Iterator[tuple[int, int]]:
    for found in _ADDRESS.finditer(text):
        address = found[0]
        while (
            address and address[-1] in _TAIL and not (address[-1] == ")" and address.count("(") >= address.count(")"))
        ):
            address = address[:-1]
        yield found.start(), found.start() + len(address)


def _same(address: str) -> str:
    """An address as it is compared: scheme and host in one case, no stroke at its end."""
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", address.strip(), flags=re.IGNORECASE)
    host, stroke, rest = bare.partition("/")
    return f"{host.casefold()}{stroke}{rest}".rstrip("/")
