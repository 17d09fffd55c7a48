"""Addresses of pages: what may be asked for at all, and which of them a turn has from a trustworthy place. Pure.

A model composes addresses out of what it has read, so an address that nobody named is a way to carry memory out
(reliability 4.2, rule 3). Fetched is only what the person wrote, what a search of this turn returned, or a link of the
same site that adds no query of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit, urlunsplit

from core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 2_000
PORTS: Final = {"http": 80, "https": 443}
_URL: Final = re.compile(r"https?://[^\s<>\"'`\u3000-\u303f\uff00-\uffef]+", re.IGNORECASE)
_BEHIND: Final = ".,;:!?'\"*_~]}>"
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f\\]")


def sound(url: str) -> str:
    """The address in one spelling, without its fragment. Raises `Refused` for what no page has.

    Only http and https, no user name in it, the usual ports alone (reliability 4.3).
    """
    if len(url) > LONGEST or _CONTROL.search(url):
        raise Refused("that is no address of a page")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("that is no address of a page") from None
    if parts.scheme.lower() not in PORTS:
        raise Refused("only http and https addresses are fetched")
    if not parts.hostname:
        raise Refused("the address names no host")
    if parts.username is not None or parts.password is not None:
        raise Refused("an address with a user name in it is not fetched")
    if port is not None and port != PORTS[parts.scheme.lower()]:
        raise Refused("only the usual ports of the web are fetched")
    return urlunsplit(_plain(parts))


def joined(base: str, link: str) -> str:
    """Where a link of a page leads; raises `Refused` as `sound` does."""
    try:
        return sound(urljoin(base, link.strip()))
    except ValueError:
        raise Refused("that is no address of a page") from None


def found(text: str) -> list[str]:
    """The addresses that stand in a text, each in one spelling; those that no page has are left out."""
    urls: dict[str, None] = {}
    for match in _URL.findall(text):
        try:
            urls[sound(_trimmed(match))] = None
        except Refused:
            continue
    return list(urls)


def _trimmed(url: str) -> str:
    """An address as it stands in a sentence, without the marks behind it."""
    while url:
        closing = url[-1] == ")" and url.count("(") < url.count(")")
        if url[-1] not in _BEHIND and not closing:
            break
        url = url[:-1]
    return url


def _plain(parts: SplitResult) -> tuple[str, str, str, str, str]:
    host = (parts.hostname or "").lower().rstrip(".")
    host = f"[{host}]" if ":" in host else host
    return parts.scheme.lower(), host, parts.path or "/", parts.query, ""


@dataclass(slots=True)
class Provenance:
    """The addresses that one turn may fetch: `exact` ones, links of fetched `pages` on their own site among them."""

    exact: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)

    def add(self, urls: Iterable[str]) -> None:
        """These were named by the person or by a search."""
        self.exact |= set(urls)

    def visited(self, url: str, links: Iterable[str]) -> None:
        """A page was fetched, and has these links."""
        self.pages.append(url)
        self.exact.add(url)
        self.exact |= {link for link in links if _follows(url, link)}

    def knows(self, url: str) -> bool:
        """Whether that address comes from where it may come from."""
        try:
            return sound(url) in self.exact
        except Refused:
            return False


def _follows(page: str, link: str) -> bool:
    """Whether a link stays on the page's site and brings no parameter that the page's own address does not have."""
    one, other = urlsplit(page), urlsplit(link)
    own = set(parse_qsl(one.query, keep_blank_values=True))
    return one.hostname == other.hostname and set(parse_qsl(other.query, keep_blank_values=True)) <= own
