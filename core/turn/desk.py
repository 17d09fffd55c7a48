"""What the memory tools of one turn work with: memory, and the person's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import instant
from core.errors import Malformed, NotAFile, NotFound
from core.recall.window import Pen
from core.relative import day_of, local_clock, local_day, local_stamp, phrase, slice_banner, slice_instant, tagged
from core.slices.model import is_slice_id

if TYPE_CHECKING:
    from datetime import date

    from core.clock import Clock
    from core.i18n import Words
    from core.recall.finder import Finder
    from core.slices.model import Slice
    from core.slices.store import Slices
    from core.storage.base import Storage


@dataclass(frozen=True, slots=True)
class Desk:
    """Memory as one turn sees it; `zone` is the person's, `current` the id of the slice being written."""

    slices: Slices
    finder: Finder
    clock: Clock
    zone: str
    words: Words
    current: str
    storage: Storage | None = None

    def today(self) -> date:
        """The local day."""
        return day_of(self.clock.now(), self.zone)

    def day(self, slice_id: str) -> str:
        """The local day on which a slice began, as `YYYY-MM-DD`; "" for what is no id."""
        day = local_day(slice_id, self.zone)
        return day.isoformat() if day else ""

    def stamp(self, slice_id: str) -> str:
        """The local time at which a slice began; "" for what is no id."""
        began = slice_instant(slice_id)
        return local_stamp(began, self.zone, self.words) if began else ""

    def distance(self, slice_id: str) -> str:
        """How long ago a slice began."""
        return phrase(local_day(slice_id, self.zone), self.today(), self.words)

    def note(self, at: str) -> str:
        """What stands behind an ISO time: the local time and its distance; "" when it is no time."""
        moment = instant(at)
        if moment is None:
            return ""
        distance = phrase(day_of(moment, self.zone), self.today(), self.words)
        return tagged(self.words("relative.turn", time=local_clock(moment, self.zone), distance=distance), self.words)

    def pen(self) -> Pen:
        """What pointer lines are written with."""
        return Pen(self.zone, self.today(), self.words)

    def banner(self, slice_id: str) -> str:
        """The line that stands above a slice that is read."""
        return slice_banner(slice_id, self.zone, self.clock.now(), self.words)

    async def load(self, slice_id: str) -> Slice | str:
        """The slice, or the `ERROR:` text that says why there is none."""
        if not is_slice_id(slice_id):
            return f"ERROR: {slice_id[:60]!r} is not a slice id (YYYY-MM-DD-HHMM)"
        try:
            return (await self.slices.load(slice_id)).slice
        except NotFound:
            return f"ERROR: there is no slice {slice_id}"
        except NotAFile as error:
            return f"ERROR: slice {slice_id} cannot be read: {error}"
        except Malformed as error:
            return f"ERROR: slice {slice_id} cannot be understood: {error.why}"

    async def text(self, path: str) -> str | None:
        """A file of memory as text; None when there is none."""
        if self.storage is None:
            return None
        try:
            return (await self.storage.read(path)).data.decode(errors="replace")
        except (NotFound, NotAFile):
            return None
