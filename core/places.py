"""From a place on the earth to its time zone, by tzfpy, which is an optional package."""

from __future__ import annotations

import re
from typing import Final

_POINT: Final = re.compile(r"\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*\Z", re.ASCII)
_NORTH: Final = 90.0
_EAST: Final = 180.0


def point_of(text: str) -> tuple[float, float] | None:
    """Latitude and longitude in degrees that a text says and nothing else, as in `52.52,13.405`; None for any other."""
    found = _POINT.match(text)
    if not found:
        return None
    north, east = float(found[1]), float(found[2])
    return (north, east) if abs(north) <= _NORTH and abs(east) <= _EAST else None


def located() -> bool:
    """Whether places can be looked up."""
    try:
        import tzfpy  # noqa: F401, PLC0415 - optional
    except ModuleNotFoundError:
        return False
    return True


def zone_at(north: float, east: float) -> str:
    """The zone of a place in degrees; "" when places cannot be looked up."""
    try:
        import tzfpy  # noqa: PLC0415 - optional, and its map takes a moment to unpack
    except ModuleNotFoundError:
        return ""
    return str(tzfpy.get_tz(east, north))
