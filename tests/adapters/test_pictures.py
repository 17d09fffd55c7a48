from __future__ import annotations

import io
from datetime import date, timedelta

from PIL import Image, ImageColor

from adapters.heat import LEVELS, levels, months
from adapters.pictures import CELL, PAPER, SHADES, corner, drawn
from adapters.terminal.heat import heat
from core.document import Picture

YEAR = [date(2025, 12, 1) + timedelta(days) for days in range(365)]


def picture(counts: dict[str, int], caption: str = "") -> Picture:
    return Picture(tuple((day.isoformat(), counts.get(day.isoformat(), 0)) for day in YEAR), caption)


def shade(png: bytes, row: int, day: int) -> object:
    x, y = corner(row, day)
    return Image.open(io.BytesIO(png)).convert("RGB").getpixel((x + CELL // 2, y + CELL // 2))


def test_the_busiest_day_is_brightest_and_a_quiet_day_has_the_base_colour() -> None:
    png = drawn(picture({"2025-12-02": 8, "2026-01-31": 1}))

    assert shade(png, 0, 2) == ImageColor.getrgb(SHADES[-1])
    assert shade(png, 1, 31) == ImageColor.getrgb(SHADES[1])
    assert shade(png, 0, 3) == ImageColor.getrgb(SHADES[0])


def test_a_day_that_a_month_does_not_have_is_left_out() -> None:
    assert shade(drawn(picture({})), 2, 30) == ImageColor.getrgb(PAPER)


def test_every_shade_is_brighter_than_the_one_before() -> None:
    light = [sum(ImageColor.getrgb(one)[:3]) for one in SHADES]

    assert light == sorted(set(light))
    assert len(SHADES) == LEVELS + 1


def test_no_word_of_any_language_stands_in_the_picture() -> None:
    assert drawn(picture({"2026-03-09": 2}, "最热闹的一天")) == drawn(picture({"2026-03-09": 2}, "The busiest day"))


def test_a_picture_is_small_enough_to_send_and_wide_enough_to_see() -> None:
    png = drawn(picture({day.isoformat(): day.day % 7 for day in YEAR}))

    width, height = Image.open(io.BytesIO(png)).size
    assert len(png) < 60_000
    assert 1000 < width < 1280
    assert width + height < 10_000


def test_an_archive_of_decades_shows_its_latest_two_years() -> None:
    days = tuple((f"{year}-{month:02}-01", 1) for year in range(1990, 2027) for month in range(1, 13))

    assert Image.open(io.BytesIO(drawn(Picture(days, "")))).size[1] < 24 * 40


def test_no_days_and_days_that_are_none_make_an_empty_picture() -> None:
    assert Image.open(io.BytesIO(drawn(Picture((("soon", 3),), "")))).size[1] > 0
    assert levels([("soon", 3), ("2026-02-30", 1)]) == []


def test_levels_follow_the_busiest_day() -> None:
    counted = levels([("2026-03-02", 1), ("2026-03-01", 10), ("2026-03-03", 0), ("2026-03-04", 5)])

    assert [level for _, level in counted] == [4, 1, 0, 2]
    assert [month for month, _ in months(counted)] == ["2026-03"]


def test_a_terminal_draws_a_row_of_signs_per_month() -> None:
    shown = heat(Picture((("2026-02-28", 1), ("2026-03-01", 4), ("2026-03-02", 0), ("2026-03-04", 2)), ""))

    assert shown == [f"2026-02 {' ' * 27}▁", "2026-03 █· ▃"]
