"""A stretch of time up to now, as people say it: "last 20 minutes", "the past hour", "最近二十分钟"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from core.language.numbers import number

_UNITS: Final = {
    "m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1, "h": 60, "hour": 60, "hours": 60, "day": 1440, "days": 1440,
    "分钟": 1, "分": 1, "小时": 60, "个小时": 60, "个钟头": 60, "天": 1440,
}  # fmt: skip
_UNIT: Final = "|".join(sorted(_UNITS, key=len, reverse=True))
_COUNT: Final = r"\d{1,4}|[a-z]+(?: few| couple of)?|[零一二三四五六七八九十两几半]+"
_SAID: Final = re.compile(
    rf"(?:(?:the\s+)?(?:last|past)\s+|最近的?|最后的?|过去的?|刚才的?|这)?\s*({_COUNT})?\s*({_UNIT})\Z", re.IGNORECASE
)
_MOST: Final = timedelta(days=366)


def recent(text: str) -> timedelta | None:
    """The stretch that is named, at most a year; None for anything else. A bare unit needs a word such as "last"."""
    said = " ".join(text.split()).lower()
    found = _SAID.match(said)
    if not found or said == found[2] or (found[1] is None and said[0] in "0123456789"):
        return None
    if found[1] == "半":
        return timedelta(minutes=_UNITS[found[2]]) / 2
    try:
        count = number(found[1]) if found[1] else 1
    except ValueError:
        return None
    length = timedelta(minutes=_UNITS[found[2]]) * count
    return length if timedelta(0) < length <= _MOST else None
