"""Zones by city, country and name in both languages, and by a place on the earth."""

from __future__ import annotations

from zoneinfo import available_timezones

import pytest

from core.document import ADDRESS_LIMIT
from core.places import point_of, zone_at
from core.views.zones import address_of, zone_in
from core.zones import city, search, spelt


@pytest.mark.parametrize(
    ("text", "locale", "zone", "called"),
    [
        ("Berlin", "en", "Europe/Berlin", "Berlin"),
        ("柏林", "zh", "Europe/Berlin", "柏林"),
        ("berlin", "zh", "Europe/Berlin", "柏林"),
        ("münchen", "en", "Europe/Berlin", "Munich"),
        ("munchen", "en", "Europe/Berlin", "Munich"),
        ("北京", "zh", "Asia/Shanghai", "北京"),
        ("beijing", "zh", "Asia/Shanghai", "北京"),
        ("旧金山", "en", "America/Los_Angeles", "San Francisco"),
        ("sao paulo", "en", "America/Sao_Paulo", "Sao Paulo"),
        ("calcutta", "en", "Asia/Kolkata", "Kolkata"),
        ("kiev", "en", "Europe/Kyiv", "Kyiv"),
        ("葡萄牙", "zh", "Europe/Lisbon", "里斯本"),
        ("york", "en", "America/New_York", "New York"),
        ("Asia/Shanghai", "en", "Asia/Shanghai", "Shanghai"),
        ("utc", "en", "UTC", "UTC"),
    ],
)
def test_a_zone_is_found_by_what_people_call_it(text: str, locale: str, zone: str, called: str) -> None:
    first = search(text, locale)[0]
    assert (first.zone, first.city) == (zone, called)


@pytest.mark.parametrize("text", ["", "  ", "xyzzy", "ab!", "火星基地"])
def test_what_no_place_is_called_finds_nothing(text: str) -> None:
    assert search(text, "en") == ()


def test_a_match_inside_a_word_counts_only_when_there_is_no_better() -> None:
    assert [hit.zone for hit in search("柏林", "zh")] == ["Europe/Berlin"]
    assert search("hicago", "en")[0].zone == "America/Chicago"


def test_every_zone_that_is_found_exists_and_fits_a_button() -> None:
    for text in ("a", "e", "i", "o", "u", "san", "america", "北", "美国"):
        for hit in search(text, "zh", most=200):
            address = address_of(hit.zone)
            assert len(address.encode()) <= ADDRESS_LIMIT
            assert spelt(zone_in(address.argument)) == hit.zone


def test_every_zone_has_a_name_in_both_languages() -> None:
    for zone in available_timezones():
        assert city(zone, "en").strip()
        assert city(zone, "zh").strip()


@pytest.mark.parametrize("text", ["52.52,13.405", " 52.52 , 13.405 ", "52.52;13.405"])
def test_a_place_is_read_from_degrees(text: str) -> None:
    assert point_of(text) == (52.52, 13.405)


@pytest.mark.parametrize("text", ["91,0", "0,181", "Berlin", "52.52", "52.52,13.405 Berlin", "٥٢,١٣", "1e5,2"])
def test_what_is_no_place_on_the_earth_is_none(text: str) -> None:
    assert point_of(text) is None


@pytest.mark.parametrize(
    ("north", "east", "zone"),
    [(39.9, 116.4, "Asia/Shanghai"), (38.7, -9.1, "Europe/Lisbon"), (-33.9, 151.2, "Australia/Sydney")],
)
def test_a_place_has_its_zone(north: float, east: float, zone: str) -> None:
    assert zone_at(north, east) == zone
