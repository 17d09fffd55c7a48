"""Time zones as people look for them: by city, country or the zone's own name, in English or Chinese."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from core.language.cities import CITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LOCALES: Final = ("en", "zh")
UTC: Final = "UTC"
_EXACT, _BEGINS, _WORD, _INSIDE, _COUNTRY = range(5)
_SHORTEST_INSIDE: Final = 3
"""Letters from which on a match inside a word counts; a Chinese character says more than a letter."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A zone of the tz database, and the city by which it was found or is called."""

    zone: str
    city: str


def search(text: str, locale: str, most: int = 8) -> tuple[Hit, ...]:
    """The zones that somebody may mean, at most so many, the likeliest first.

    A match inside a word counts when there is none at the beginning of one.
    """
    wanted = _plain(text)
    if not wanted:
        return ()
    found: dict[str, tuple[int, int, str]] = {}
    for place, (zone, names) in enumerate(_index().items()):
        ranks = [(rank, place, _called(name, zone, locale)) for name in names if (rank := _rank(wanted, name)) >= 0]
        if ranks:
            found[zone] = min(ranks)
        elif any(wanted == _plain(one) for one in _countries(zone)):
            found[zone] = (_COUNTRY, place, city(zone, locale))
    ordered = sorted(found.items(), key=lambda one: one[1])
    if ordered and ordered[0][1][0] < _INSIDE:
        ordered = [one for one in ordered if one[1][0] != _INSIDE]
    return tuple(Hit(zone, name) for zone, (_, _, name) in ordered[:most])


def city(zone: str, locale: str) -> str:
    """What people call the place that a zone is named after; the zone's own name where nobody does."""
    known = _cities(locale)
    for name in (zone, *_aliases().get(zone, ())):
        if name in known:
            return known[name]
    return zone.rpartition("/")[2].replace("_", " ")


def spelt(text: str) -> str:
    """The zone of exactly that name, letter case aside; "" when there is none."""
    return _spellings().get(unicodedata.normalize("NFKC", text).strip().replace(" ", "_").casefold(), "")


def _rank(wanted: str, name: str) -> int:
    plain = _plain(name)
    if plain == wanted:
        return _EXACT
    if plain.startswith(wanted):
        return _BEGINS
    if f" {wanted}" in plain:
        return _WORD
    far = len(wanted) >= _SHORTEST_INSIDE or not wanted.isascii()
    return _INSIDE if far and wanted in plain else -1


def _called(name: str, zone: str, locale: str) -> str:
    """The name by which it was found, in the reader's language where it has one."""
    parts = next((group for group in _groups(zone) if name in group), ())
    mine = [one for one in parts if _cjk(one) == (locale == "zh")] or parts
    return mine[0] if mine else city(zone, locale)


def _groups(zone: str) -> Iterator[tuple[str, ...]]:
    """The other cities of a zone, each with its names."""
    for one in CITIES.get(zone, "").split(", "):
        words = one.split()
        cut = next((at for at, word in enumerate(words) if _cjk(word)), len(words))
        yield tuple(part for part in (" ".join(words[:cut]), *words[cut:]) if part)


@cache
def _index() -> Mapping[str, tuple[str, ...]]:
    """All zones with the names they go by, the busiest parts of the world in the order of the tz database."""
    index = {}
    for zone in _zones():
        own = [city(zone, locale) for locale in LOCALES]
        old = [one.rpartition("/")[2].replace("_", " ") for one in _aliases().get(zone, ())]
        more = [name for group in _groups(zone) for name in group]
        index[zone] = tuple(dict.fromkeys((*own, *more, zone.rpartition("/")[2].replace("_", " "), zone, *old)))
    return index


@cache
def _zones() -> tuple[str, ...]:
    known = available_timezones()
    placed = [zone for zone in get_global("zone_territories") if zone in known and not zone.startswith("Etc/")]
    return (*(zone for zone in CITIES if zone in known), *(zone for zone in placed if zone not in CITIES), UTC)


@cache
def _aliases() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for old, current in get_global("zone_aliases").items():
        found[current] = (*found.get(current, ()), old)
    return found


@cache
def _cities(locale: str) -> Mapping[str, str]:
    return {zone: names["city"] for zone, names in Locale(locale).time_zones.items() if "city" in names}


@cache
def _countries(zone: str) -> tuple[str, ...]:
    territory = get_global("zone_territories").get(zone)
    return tuple(Locale(one).territories[territory] for one in LOCALES if territory in Locale(one).territories)


@cache
def _spellings() -> Mapping[str, str]:
    return {one.casefold(): one for one in available_timezones()}


def _plain(text: str) -> str:
    """Letter case, accents and strokes aside."""
    parts = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(one for one in parts if not unicodedata.combining(one))
    return " ".join(kept.replace("_", " ").replace("’", "'").replace("ł", "l").split())


def _cjk(text: str) -> bool:
    return any(unicodedata.category(one) == "Lo" for one in text)  # letters without case
