"""Time as people say it: local days and clocks, distances, due phrases, date anchors, and notes beside raw dates.

Rules: original.md 2.7, 2.8 and 2.16. A day is a calendar day in the person's zone, so "yesterday" is a matter of
midnights and not of 24 hours, whatever daylight saving does. Nothing here raises on a bad date or an unknown zone:
the answer is None, "" or the text as it came. English September is "Sep", like the other months.
"""

from core.relative.ages import long_ago
from core.relative.phrases import (
    LocalTime,
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
    known_zone,
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
from core.relative.spoken import with_dates

__all__ = [
    "LocalTime",
    "anchors",
    "annotate_card",
    "annotate_day",
    "annotate_slice",
    "calendar",
    "day_of",
    "due",
    "gap_text",
    "gap_words",
    "half_up",
    "known_zone",
    "local_clock",
    "local_day",
    "local_stamp",
    "local_time",
    "long_ago",
    "month_day",
    "offset",
    "parse_day",
    "phrase",
    "slice_banner",
    "slice_instant",
    "tagged",
    "weekday",
    "with_dates",
]
