"""Talk of elsewhere as values: who said what when, in which conversation; and strict reading of foreign JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from core.clock import instant
from core.errors import Unfit
from core.slices.text import normalise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST: Final = 1_000_000
"""Code points of one message; beyond, the file is refused."""
MESSAGES: Final = 2_000_000
EARLIEST: Final = datetime(1990, 1, 1, tzinfo=UTC)
AHEAD: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Said:
    """One message: its key (of the source's own ids), when, and what. `mine`: the person's own words.

    `who` is the author when it was neither the person nor an assistant.
    """

    key: str
    at: datetime
    text: str
    mine: bool
    who: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, its messages in the order of time."""

    title: str
    messages: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """What a file holds: of which kind it is, its conversations, and how many entries hold no words."""

    kind: str
    talks: tuple[Talk, ...] = field(default=())
    passed: int = 0


class Reader:
    """Reads fields of foreign JSON. What has the wrong type refuses the whole file, by its place."""

    def __init__(self, name: str, now: datetime) -> None:
        self.name = name
        self._latest = now + AHEAD
        self._count = 0

    def wrong(self, place: str) -> Unfit:
        """What to raise for a field of the wrong type."""
        return Unfit("import.shape", name=self.name, place=place)

    def record(self, value: object, place: str) -> Mapping[str, Any]:
        """An object."""
        if not isinstance(value, dict):
            raise self.wrong(place)
        return value

    def items(self, value: object, place: str) -> Sequence[Any]:
        """A list; nothing for a field that is missing."""
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.wrong(place)
        return value

    def text(self, value: object, place: str) -> str:
        """A text as memory keeps it; "" for a field that is missing."""
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.wrong(place)
        if len(value) > LONGEST:
            raise Unfit("import.long", name=self.name, place=place)
        return normalise(value)

    def name_of(self, value: object, place: str) -> str:
        """An id: a short text or a whole number."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value or len(value) > 100:  # noqa: PLR2004 - ids are short
            raise self.wrong(place)
        return value

    def moment(self, value: object, place: str) -> datetime:
        """An instant: seconds since 1970, also as text, or ISO; of this lifetime."""
        found: datetime | None = None
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                found = datetime.fromtimestamp(value, UTC)
            elif isinstance(value, str):
                found = datetime.fromtimestamp(int(value), UTC) if value.isdecimal() else instant(value)
        except (OverflowError, OSError, ValueError):
            found = None
        if found is None or not EARLIEST <= found <= self._latest:
            raise Unfit("import.date", name=self.name, place=place)
        return found

    def count(self) -> None:
        """Note one more message; raises when there are absurdly many."""
        self._count += 1
        if self._count > MESSAGES:
            raise Unfit("import.many", n=self._count)


def in_order(title: str, messages: Sequence[Said]) -> Talk:
    """The conversation with its messages in the order of time, those of one instant as they stand."""
    return Talk(" ".join(title.split())[:200], tuple(sorted(messages, key=lambda one: one.at)))
