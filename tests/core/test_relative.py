from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clock import instant
from core.i18n import Words, load_words, locale_of
from core.relative import (
    anchors,
    annotate_card,
    annotate_day,
    annotate_slice,
    calendar,
    day_of,
    due,
    gap_text,
    gap_words,
    half_up,
    local_clock,
    local_day,
    local_stamp,
    local_time,
    month_day,
    offset,
    parse_day,
    phrase,
    slice_banner,
    slice_instant,
    tagged,
    weekday,
)
from tests.doubles.clock import ManualClock

WORDS = load_words(Path(__file__).parents[2] / "locales")
EN, ZH = WORDS["en"], WORDS["zh"]
TODAY = date(2026, 9, 1)


def at(text: str) -> datetime:
    moment = instant(text)
    assert moment is not None
    return moment


@pytest.mark.parametrize(
    ("tag", "locale"),
    [("zh", "zh"), ("zh-CN", "zh"), ("ZH_Hant", "zh"), ("en", "en"), ("fr", "en"), ("", "en"), ("none", "en")],
)
def test_only_tags_that_begin_with_zh_are_chinese(tag: str, locale: str) -> None:
    assert locale_of(tag) == locale


@pytest.mark.parametrize(
    ("text", "zone", "day"),
    [
        ("2026-08-14", "Asia/Shanghai", "2026-08-14"),
        ("2026-08-14", "America/Los_Angeles", "2026-08-14"),
        ("2026-08-14T20:00:00.000Z", "Asia/Shanghai", "2026-08-15"),
        ("2026-08-14T20:00:00Z", "UTC", "2026-08-14"),
        ("2026-08-14T20:00:00Z", "", "2026-08-14"),
        ("2026-08-14T20:00:00Z", "Mars/Base", "2026-08-14"),
        ("2026-08-14T02:00:00+09:00", "UTC", "2026-08-13"),
        ("2026-08-14-2000", "Asia/Shanghai", "2026-08-15"),
        ("2026/08/14/2000", "Asia/Shanghai", "2026-08-15"),
        ("2026-08-14T18:35:00Z", "Asia/Kolkata", "2026-08-15"),
        ("2026-08-14T18:25:00Z", "Asia/Kolkata", "2026-08-14"),
        ("0001-01-01T00:00:00Z", "America/New_York", "0001-01-01"),
    ],
)
def test_a_local_day_is_the_date_itself_or_the_instants_day_in_the_zone(text: str, zone: str, day: str) -> None:
    assert local_day(text, zone) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-01", "2026-02-30", "2026-8-1", "2026-08-14-2561", "２０２６-08-14"]
)
def test_what_names_no_day_is_none(text: str) -> None:
    assert local_day(text, "UTC") is None


@pytest.mark.parametrize(
    "name", ["../etc/passwd", "Mars/Base", "America", "\x00", "x" * 5000, "/etc/localtime", "utc\n8"]
)
def test_a_wrong_zone_name_counts_as_utc_and_never_raises(name: str) -> None:
    moment = at("2026-08-02T06:32:00Z")

    assert day_of(moment, name) == date(2026, 8, 2)
    assert local_clock(moment, name) == "06:32"
    assert offset(moment, name) == ""
    assert local_time(moment, name, EN).text == "2026-08-02T06:32:00.000Z"
    assert local_time(moment, name, EN).zone == "UTC"


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        ("2026-09-01", "today", "今天"),
        ("2026-09-02", "tomorrow", "明天"),
        ("2026-08-31", "yesterday", "昨天"),
        ("2026-08-30", "2 days ago", "2 天前"),
        ("2026-08-18", "14 days ago", "14 天前"),
        ("2026-08-17", "2 weeks ago", "2 周前"),
        ("2026-08-16", "2 weeks ago", "2 周前"),
        ("2026-08-12", "3 weeks ago", "3 周前"),
        ("2026-07-29", "5 weeks ago", "5 周前"),
        ("2026-09-15", "in 14 days", "14 天后"),
        ("2026-09-16", "in 2 weeks", "2 周后"),
    ],
)
def test_a_distance_is_counted_in_days_and_beyond_a_fortnight_in_weeks(day: str, english: str, chinese: str) -> None:
    assert phrase(parse_day(day), TODAY, EN) == english
    assert phrase(parse_day(day), TODAY, ZH) == chinese


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        ("2026-08-31", "yesterday", "昨天"),
        ("2026-08-28", "Fri · 4 days ago", "周五·4 天前"),
        ("2026-08-18", "Tue · 14 days ago", "周二·14 天前"),
        ("2026-08-17", "2 weeks ago", "2 周前"),
        ("2026-09-04", "Fri · in 3 days", "周五·3 天后"),
    ],
)
def test_the_weekday_stands_only_where_it_helps(day: str, english: str, chinese: str) -> None:
    assert phrase(parse_day(day), TODAY, EN, weekdays=True) == english
    assert phrase(parse_day(day), TODAY, ZH, weekdays=True) == chinese


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        ("2026-09-01", "due today", "今天到期"),
        ("2026-09-02", "due tomorrow", "明天到期"),
        ("2026-09-04", "in 3 days", "还剩 3 天"),
        ("2026-09-16", "in 2 weeks", "还剩 2 周"),
        ("2026-08-31", "1 day overdue", "已逾期 1 天"),
        ("2026-08-18", "14 days overdue", "已逾期 14 天"),
        ("2026-08-17", "2 weeks overdue", "已逾期 2 周"),
    ],
)
def test_a_due_phrase_says_what_is_left_or_over(day: str, english: str, chinese: str) -> None:
    assert due(parse_day(day), TODAY, EN) == english
    assert due(parse_day(day), TODAY, ZH) == chinese


@pytest.mark.parametrize("words", [EN, ZH])
def test_no_day_has_no_words(words: Words) -> None:
    assert phrase(None, TODAY, words) == ""
    assert due(None, TODAY, words) == ""
    assert tagged("", words) == ""


def test_a_tag_wears_the_brackets_of_its_language() -> None:
    assert "x" + tagged("3 days ago", EN) == "x (3 days ago)"
    assert "甲" + tagged("3 天前", ZH) == "甲（3 天前）"


def test_weekdays_and_months_have_short_names_and_september_is_sep() -> None:
    assert [weekday(date(2026, 8, 17) + timedelta(n), EN) for n in range(7)] == [
        "Mon",
        "Tue",
        "Wed",
        "Thu",
        "Fri",
        "Sat",
        "Sun",
    ]
    assert weekday(date(2026, 8, 16), ZH) == "周日"
    assert month_day(date(2026, 8, 30), EN) == "Aug 30"
    assert month_day(date(2026, 8, 30), ZH) == "8月30日"
    assert local_stamp(at("2026-09-02T00:00:00Z"), "UTC", EN) == "02 Sep 2026, 00:00"


def test_the_timeline_lists_a_day_with_its_weekday_and_distance() -> None:
    assert calendar(date(2026, 8, 11), date(2026, 8, 17), EN) == "08-11 Tue · 6 days ago"
    assert calendar(date(2026, 8, 11), date(2026, 8, 17), ZH) == "08-11 周二·6 天前"
    assert calendar(date(2026, 8, 17), date(2026, 8, 17), EN) == "08-17 Mon · today"


def test_a_date_is_annotated_and_anything_else_comes_back_unchanged() -> None:
    today = date(2026, 8, 17)

    assert annotate_day("2026-08-14", today, "UTC", EN) == "2026-08-14 (Fri · 3 days ago)"
    assert annotate_day("2026-08-14", today, "UTC", ZH) == "2026-08-14（周五·3 天前）"
    assert annotate_day("someday", today, "UTC", EN) == "someday"
    assert annotate_day("", today, "UTC", ZH) == ""


CARD = """## Now

- Oven — refs: [2026/03/09/1842] | since: 2026-08-30

## Horizon

- Pay — by: 2026-08-31 — refs: [2026/03/09/1842]
- Think — by: next spring
- Odd — by: 2026-02-30
"""


def test_a_card_is_annotated_only_behind_since_and_by() -> None:
    english = annotate_card(CARD, TODAY, EN)
    chinese = annotate_card(CARD, TODAY, ZH)

    assert "| since: 2026-08-30 (2 days ago)\n" in english
    assert "— by: 2026-08-31 (1 day overdue) — refs: [2026/03/09/1842]" in english
    assert "- Think — by: next spring\n- Odd — by: 2026-02-30\n" in english
    assert "| since: 2026-08-30（2 天前）\n" in chinese
    assert "— by: 2026-08-31（已逾期 1 天） — refs:" in chinese
    assert annotate_card("", TODAY, EN) == ""


def test_anchors_in_the_middle_of_a_week() -> None:
    now = at("2026-08-18T20:00:00Z")

    assert anchors(now, "Asia/Shanghai", EN) == (
        "Today: 2026-08-19 (Wed)",
        "This week's Monday: 2026-08-17",
        "Last week: 2026-08-10 (Mon) → 2026-08-16 (Sun)",
        "Tomorrow: 2026-08-20 (Thu)",
        "This weekend: 2026-08-22 (Sat) → 2026-08-23 (Sun)",
    )
    assert anchors(now, "Asia/Shanghai", ZH) == (
        "今天：2026-08-19（周三）",
        "本周一：2026-08-17",
        "上周：2026-08-10（周一） 至 2026-08-16（周日）",
        "明天：2026-08-20（周四）",
        "本周末：2026-08-22（周六） 至 2026-08-23（周日）",
    )


def test_on_a_sunday_the_weekend_is_yesterday_and_today_and_the_week_still_began_on_monday() -> None:
    lines = anchors(at("2026-08-23T12:00:00Z"), "UTC", EN)

    assert lines[0] == "Today: 2026-08-23 (Sun)"
    assert lines[1] == "This week's Monday: 2026-08-17"
    assert lines[4] == "This weekend: 2026-08-22 (Sat) → 2026-08-23 (Sun)"


def test_anchors_across_a_year_and_at_the_end_of_the_calendar() -> None:
    assert anchors(at("2026-01-01T00:00:00Z"), "", EN)[2] == "Last week: 2025-12-22 (Mon) → 2025-12-28 (Sun)"
    assert anchors(datetime(9999, 12, 31, 12, tzinfo=UTC), "UTC", EN) == ()
    assert anchors(datetime(1, 1, 1, 12, tzinfo=UTC), "UTC", EN) == ()


@pytest.mark.parametrize(
    ("zone", "text", "offset_text"),
    [
        ("Asia/Shanghai", "02 Aug 2026, 14:32", "UTC+08:00"),
        ("Asia/Kolkata", "02 Aug 2026, 12:02", "UTC+05:30"),
        ("UTC", "02 Aug 2026, 06:32", "UTC+00:00"),
        ("", "02 Aug 2026, 06:32", "UTC+00:00"),
        ("America/St_Johns", "02 Aug 2026, 04:02", "UTC-02:30"),
        ("Pacific/Chatham", "02 Aug 2026, 19:17", "UTC+12:45"),
    ],
)
def test_an_instant_is_shown_on_the_clock_of_the_zone(zone: str, text: str, offset_text: str) -> None:
    local = local_time(at("2026-08-02T06:32:00Z"), zone, EN)

    assert (local.text, local.offset) == (text, offset_text)
    assert local.zone == (zone or "UTC")


def test_the_chinese_stamp_has_chinese_order() -> None:
    assert local_stamp(at("2026-08-02T06:32:00Z"), "Asia/Shanghai", ZH) == "2026年8月2日 14:32"


@pytest.mark.parametrize(
    ("moment", "clock", "offset_text"),
    [
        ("2026-03-29T00:59:00Z", "01:59", "UTC+01:00"),
        ("2026-03-29T01:00:00Z", "03:00", "UTC+02:00"),
        ("2026-10-25T00:59:00Z", "02:59", "UTC+02:00"),
        ("2026-10-25T01:00:00Z", "02:00", "UTC+01:00"),
    ],
)
def test_berlin_changes_its_clock_on_the_two_sundays(moment: str, clock: str, offset_text: str) -> None:
    assert local_clock(at(moment), "Europe/Berlin") == clock
    assert offset(at(moment), "Europe/Berlin") == offset_text


@pytest.mark.parametrize(
    ("first", "last", "sunday"),
    [
        ("2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", date(2026, 3, 29)),
        ("2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", date(2026, 10, 25)),
    ],
)
def test_a_day_of_23_or_25_hours_is_still_one_day(first: str, last: str, sunday: date) -> None:
    monday = sunday + timedelta(1)
    noon = at(f"{sunday}T12:00:00Z")

    assert local_day(first, "Europe/Berlin") == local_day(last, "Europe/Berlin") == sunday
    assert day_of(at(first) - timedelta(seconds=1), "Europe/Berlin") == sunday - timedelta(1)
    assert day_of(at(last) + timedelta(seconds=1), "Europe/Berlin") == monday
    assert phrase(sunday, monday, EN) == "yesterday"
    assert anchors(noon, "Europe/Berlin", EN)[3] == f"Tomorrow: {monday} (Mon)"


def test_a_clock_that_jumps_back_makes_a_slice_of_tomorrow_and_no_error() -> None:
    clock = ManualClock("2026-08-10T12:00:00Z")
    then = clock.now()
    clock.jump(-86400)

    assert phrase(day_of(then, "UTC"), day_of(clock.now(), "UTC"), EN) == "tomorrow"
    assert gap_text((clock.now() - then).total_seconds(), EN) == "1 min ago"
    assert gap_words(then, clock.now(), EN) == "1 day earlier"


@pytest.mark.parametrize(
    ("minutes", "english", "chinese"),
    [
        (0, "1 min ago", "1 分钟前"),
        (5, "5 mins ago", "5 分钟前"),
        (59.4, "59 mins ago", "59 分钟前"),
        (59.6, "1 hour ago", "1 小时前"),
        (62, "1 hour ago", "1 小时前"),
        (90, "2 hours ago", "2 小时前"),
        (23.5 * 60, "1 day ago", "1 天前"),
        (36 * 60, "2 days ago", "2 天前"),
        (48 * 60, "2 days ago", "2 天前"),
    ],
)
def test_a_gap_is_rounded_half_up(minutes: float, english: str, chinese: str) -> None:
    assert gap_text(minutes * 60, EN) == english
    assert gap_text(minutes * 60, ZH) == chinese


MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "moments later", "片刻后"),
        (5 * MINUTE - 1, "moments later", "片刻后"),
        (5 * MINUTE, "5 minutes later", "5 分钟后"),
        (HOUR - 1, "59 minutes later", "59 分钟后"),
        (HOUR, "1 hour later", "1 小时后"),
        (DAY - 1, "23 hours later", "23 小时后"),
        (DAY, "1 day later", "1 天后"),
        (7 * DAY - 1, "6 days later", "6 天后"),
        (7 * DAY, "1 week later", "1 周后"),
        (35 * DAY - 1, "5 weeks later", "5 周后"),
        (35 * DAY, "1 month later", "1 个月后"),
        (364 * DAY, "12 months later", "12 个月后"),
        (365 * DAY, "1 year later", "1 年后"),
        (900 * DAY, "2 years later", "2 年后"),
    ],
)
def test_the_gap_between_two_slices_has_its_unit_and_direction(seconds: int, english: str, chinese: str) -> None:
    start = at("2020-01-01T00:00:00Z")
    end = start + timedelta(seconds=seconds)

    assert gap_words(start, end, EN) == english
    assert gap_words(start, end, ZH) == chinese
    if seconds:
        assert gap_words(end, start, EN) == english.replace("later", "earlier")
        assert gap_words(end, start, ZH) == chinese[:-1] + "前"


@pytest.mark.parametrize("text", ["2026-08-02-0632", "2026/08/02/0632"])
def test_a_slice_id_names_a_utc_minute_with_dashes_or_slashes(text: str) -> None:
    moment = slice_instant(text)

    assert moment == at("2026-08-02T06:32:00Z")
    assert local_stamp(moment, "Asia/Shanghai", EN) == "02 Aug 2026, 14:32"
    assert phrase(local_day(text, "Asia/Shanghai"), date(2026, 8, 12), ZH, weekdays=True) == "周日·10 天前"


@pytest.mark.parametrize("text", ["", "x", "2026-08-02", "2026-99-02-0632", "2026-08-02-2460"])
def test_a_garbage_id_has_no_instant_and_no_banner(text: str) -> None:
    assert slice_instant(text) is None
    assert slice_banner(text, "UTC", at("2026-08-12T00:00:00Z"), EN) == ""


def test_the_banner_tells_local_time_zone_utc_and_distance() -> None:
    now = at("2026-08-12T00:00:00Z")

    assert slice_banner("2026-08-02-0632", "Asia/Shanghai", now, EN) == (
        "> [time] 02 Aug 2026, 14:32 local (Asia/Shanghai, UTC+08:00), Sun · 10 days ago. "
        "The id and the stamps below are UTC."
    )
    assert slice_banner("2026/08/02/0632", "Asia/Shanghai", now, ZH) == (
        "> [时间] 当地 2026年8月2日 14:32（Asia/Shanghai, UTC+08:00），周日·10 天前。编号与下文时间戳均为 UTC。"
    )
    assert "2026-08-02T06:32:00.000Z local (UTC)" in slice_banner("2026-08-02-0632", "Mars/Base", now, EN)


def test_every_turn_header_is_annotated_by_its_own_time_and_keeps_its_stamp() -> None:
    text = (
        "## Turn ab — 2026-08-02T06:32:00.000Z (user)\n\nhi\n\n## Turn ab — 2026-08-03T17:00:00.000Z (agent)\r\n\r\n"
        "#\\# Turn no — 2026-08-02T06:32:00.000Z (user)\n\n## Turn 7 — garbage (user)\n"
    )

    english = annotate_slice(text, "2026-08-02-0632", "Asia/Shanghai", at("2026-08-12T00:00:00Z"), EN)
    chinese = annotate_slice(text, "2026-08-02-0632", "Asia/Shanghai", at("2026-08-12T00:00:00Z"), ZH)

    assert "## Turn ab — 2026-08-02T06:32:00.000Z (user) (local 14:32 · 10 days ago)\n\nhi" in english
    assert "## Turn ab — 2026-08-03T17:00:00.000Z (agent) (local 01:00 · 8 days ago)\r\n" in english
    assert "(user)（本地 14:32 · 10 天前）" in chinese
    assert english.count("(local ") == 2
    assert english.endswith("#\\# Turn no — 2026-08-02T06:32:00.000Z (user)\n\n## Turn 7 — garbage (user)\n")


def test_text_without_headers_only_gets_the_banner() -> None:
    now = at("2026-08-12T00:00:00Z")

    shown = annotate_slice("plain", "2026-08-02-0632", "UTC", now, EN)

    assert shown == slice_banner("2026-08-02-0632", "UTC", now, EN) + "\n\nplain"
    assert annotate_slice("plain", "nonsense", "UTC", now, EN) == "plain"


@pytest.mark.parametrize(("number", "whole"), [(0.5, 1), (1.5, 2), (2.5, 3), (-0.5, 0), (2.4999, 2)])
def test_halves_go_up(number: float, whole: int) -> None:
    assert half_up(number) == whole


@given(st.text(), st.text(), st.dates())
def test_no_text_makes_any_phrase_fail(text: str, zone: str, today: date) -> None:
    day = local_day(text, zone)

    assert (phrase(day, today, EN) == "") is (day is None)
    assert annotate_day(text, today, zone, ZH).startswith(text)
    assert isinstance(annotate_card(text, today, EN), str)
    assert annotate_slice(text, text, zone, datetime(2026, 1, 1, tzinfo=UTC), EN).endswith(text.rsplit("\n", 1)[-1])


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", ""]))
def test_every_instant_has_a_local_form(moment: datetime, zone: str) -> None:
    assert local_stamp(moment, zone, EN)
    assert local_clock(moment, zone)
    assert len(anchors(moment, zone, EN)) in {0, 5}
