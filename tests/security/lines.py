"""The list of bad inputs (reliability 4.6) as data: a number, what is hostile, and a check through the real part.

The list leaves twenty of its 88 numbers open; those are filled with neighbours of our own (`ours`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Check = Callable[[Path], Awaitable[str]]

ALL = range(1, 89)
OPEN = frozenset({3, 6, 9, 17, 23, 28, 33, 37, 39, 42, 47, 51, 57, 60, 62, 68, 77, 79, 81, 83})
"""Numbers that the list leaves open."""

ASIDE = {
    34: "Constant time is not measured: the comparison is hmac.compare_digest.",
    86: "Held to the ratio of 100; the limits are 200,000 entries and 8 GiB, since years of talk with pictures are "
    "more than 20,000 files and 200 MB, and nothing but what is read is unpacked.",
    88: "That it does not listen on other interfaces does not apply: with PORT set it must be reached from outside "
    "(webhooks, the host's probe). Without PORT nothing listens.",
}
"""What of a line does not apply, or is held otherwise, and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `check` does the harm to a real part in an empty folder, and says what came of it."""

    number: int
    hostile: str
    check: Check

    @property
    def ours(self) -> bool:
        """Whether the list leaves the number open."""
        return self.number in OPEN


LINES: dict[int, Line] = {}


def line(number: int, hostile: str) -> Callable[[Check], Check]:
    """Enter a check into the list; a number is entered once."""

    def enter(check: Check) -> Check:
        assert number not in LINES, f"line {number} is there twice"
        LINES[number] = Line(number, hostile, check)
        return check

    return enter
