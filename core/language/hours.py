"""A part of the day as somebody types it, in either language."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HOURS: Final = re.compile(r"(\d{1,2})(?::?(\d\d))?\s*(?:-|–|—|~|to|到|至|\s)\s*(\d{1,2})(?::?(\d\d))?\Z", re.ASCII)
_HOUR: Final = 24
_MINUTE: Final = 60


def hours_of(text: str) -> tuple[str, str] | None:
    """Both ends as `HH:MM` of what is typed like `22:00-07:00`, `22-7` or `22 到 7`; None for anything else."""
    found = _HOURS.match(unicodedata.normalize("NFKC", text).strip().casefold())
    ends = [(int(found[n]), int(found[n + 1] or 0)) for n in (1, 3)] if found else []
    if not ends or any(hour >= _HOUR or minute >= _MINUTE for hour, minute in ends):
        return None
    start, end = (f"{hour:02d}:{minute:02d}" for hour, minute in ends)
    return start, end
