"""Words such as "tomorrow" given their date, so that a note still says the right day when it is read much later.

Only words with one meaning are resolved: the days around today, and in Chinese the days of last, this and next week.
English "next Friday" may be this week's or the one after, so it stays as it was said.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

_DAYS: Final = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this evening": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今早": 0,
    "今晚": 0,
    "明天": 1,
    "明日": 1,
    "明早": 1,
    "明晚": 1,
    "后天": 2,
    "大后天": 3,
}
_WEEKS: Final = {"上": -7, "这": 0, "本": 0, "下": 7}
_WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_FINAL: Final = "".join(f"(?<!{word} )" for word in ("the", "my", "our", "your", "his", "her", "their", "its", "one"))
"""No such word before: `the last night in the old flat` is the final one, not yesterday's."""

_ENGLISH: Final = "|".join(
    _FINAL * (word == "last night") + word
    for word in sorted((word for word in _DAYS if word.isascii()), key=len, reverse=True)
)
_LETTER: Final = "0-9A-Za-z_À-ɏ"
_SPOKEN: Final = re.compile(
    rf"(?:(?<![{_LETTER}-])(?P<english>{_ENGLISH})(?![{_LETTER}'’-])"
    r"|(?P<chinese>大前天|大后天|(?<![目以之])前天|(?<![以今之然最前先])后天|(?<![聪光证透文])明天(?!真)"
    r"|昨[天日晚]|今[天日早晚]|明[日早晚])"
    r"|(?P<week>[上这本下])个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天]))"
    r"(?!\s*[(（]\d{4}-)",
    re.IGNORECASE,
)


def with_dates(text: str, today: date) -> str:
    """The text with the date behind every word that means a day: `tomorrow (2026-08-18)`, `明天（2026-08-18）`.

    A word that has its date already, or whose day no calendar has, stays as it is; doing it twice changes nothing.
    """

    def dated(found: re.Match[str]) -> str:
        try:
            day = today + timedelta(_distance(found, today))
        except OverflowError:
            return found[0]
        return f"{found[0]} ({day})" if found["english"] else f"{found[0]}（{day}）"

    return _SPOKEN.sub(dated, text)


def _distance(found: re.Match[str], today: date) -> int:
    if found["week"]:
        return _WEEKS[found["week"]] + _WEEKDAYS[found["weekday"]] - today.weekday()
    return _DAYS[(found["english"] or found["chinese"]).lower()]
