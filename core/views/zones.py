"""The time zone as a page: what holds, what was found, and how another is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Text, Title
from core.relative import local_clock
from core.views.reader import LINE, clip
from core.zones import city, search

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from core.views.reader import Reader
    from core.zones import Hit

VIEW: Final = "timezone"
AUTO: Final = "auto"
HERE: Final = "here"
USUAL: Final = (
    "Europe/London",
    "Europe/Berlin",
    "America/New_York",
    "America/Los_Angeles",
    "Asia/Shanghai",
    "Asia/Tokyo",
)
"""Zones that are offered to whoever names none."""


def zone_page(zone: str, reader: Reader, *, lead: str = "", hits: Sequence[Hit] = (), share: bool = False) -> Document:
    """The page: `zone` is the one that was chosen, "" for none; `hits` are those that a search has found.

    `lead` says what has just happened; with `share` a shared place is taken, too.
    """
    words, locale = reader.words, reader.words.locale
    note = words(
        "zone.now" if zone else "zone.unset", zone=zone or reader.zone, time=local_clock(reader.now, reader.zone)
    )
    offered = [_choice(hit.zone, hit.city, reader.now) for hit in hits]
    if not hits:
        offered = [_choice(one, city(one, locale), reader.now) for one in USUAL if one != zone]
    if zone:
        offered.append(Choice(words("zone.auto"), Address(VIEW, AUTO)))
    if share:
        offered.append(Choice(words("zone.here"), Address(VIEW, HERE)))
    said = [Text(one) for one in (lead, words("zone.how")) if one]
    return Document((Title(words("zone.title"), note=note), *said, Choices(tuple(offered))), Address(VIEW))


def found_page(text: str, zone: str, reader: Reader, *, share: bool = False) -> Document:
    """What a search by city, country or name has found, each with the time that it is there."""
    hits, words = search(text, reader.words.locale), reader.words
    lead = words("zone.found" if hits else "zone.nothing", text=clip(text, LINE))
    return zone_page(zone, reader, lead=lead, hits=hits, share=share)


def address_of(zone: str) -> Address:
    """The address that sets a zone."""
    return Address(VIEW, zone.replace("/", ".").replace("+", ":"))


def zone_in(argument: str) -> str:
    """The zone's name in an address, or the text as it is."""
    return argument.replace(".", "/").replace(":", "+") if " " not in argument else argument


def _choice(zone: str, called: str, now: datetime) -> Choice:
    return Choice(f"{called} · {local_clock(now, zone)}", address_of(zone))
