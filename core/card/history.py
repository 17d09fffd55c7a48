"""The changes of the card as they were recorded beside the slices, and the passes that are still owed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.card.record import Record, decode_record
from core.clock import instant
from core.errors import Malformed, NotAFile, NotFound
from core.slices.model import evolution_path, folder_of

_OWED: Final = "owed"
_PAID: Final = "done"

if TYPE_CHECKING:
    from datetime import datetime

    from core.slices.store import Slices
    from core.storage.base import Storage


def owing(why: str, wish: str) -> str:
    """The note that a pass is owed."""
    return f"{_OWED}\n{why}\n{wish}\n"


def paid(why: str) -> str:
    """The note that an owed pass has been done."""
    return f"{_PAID}\n{why}\n"


class History:
    """Reads the records of changes, and the notes of passes that are owed."""

    def __init__(self, slices: Slices, storage: Storage) -> None:
        self._slices = slices
        self._storage = storage

    async def records(self, slice_id: str) -> list[Record]:
        """The changes of the card during a slice, oldest first; those that cannot be read are left out."""
        return [record for _, record in await self.numbered(slice_id)]

    async def numbered(self, slice_id: str) -> list[tuple[int, Record]]:
        """The same, each with the number of its file."""
        found = [(number, await self.record(slice_id, number)) for number in range(1, await self.count(slice_id) + 1)]
        return [(number, record) for number, record in found if record]

    async def record(self, slice_id: str, number: int) -> Record | None:
        """One change, by its slice and number; None when it is not there or cannot be read."""
        path = evolution_path(slice_id, number)
        try:
            return decode_record((await self._storage.read(path)).text, path)
        except (NotFound, NotAFile, Malformed):
            return None

    async def count(self, slice_id: str) -> int:
        """The number of the last change during a slice; 0 when there was none."""
        names = [entry.name for entry in await self._storage.list(f"{folder_of(slice_id)}/timeline")]
        numbers = [name[len("evolution-") : -len(".md")] for name in names if name.startswith("evolution-")]
        return max((int(number) for number in numbers if number.isdigit()), default=0)

    async def newest(self) -> tuple[str, int] | None:
        """The newest change that can be read, as its slice and number."""
        for slice_id in reversed(await self._slices.ids()):
            for number in range(await self.count(slice_id), 0, -1):
                if await self.record(slice_id, number):
                    return slice_id, number
        return None

    async def done(self, why: str, slice_id: str, since: datetime) -> bool:
        """Whether the card has changed for that reason already: a request counts from that moment on."""
        records = await self.records(slice_id)
        if why == "request":
            return any(one.why == "request" and (instant(one.at) or since) >= since for one in records)
        return any(one.why in ("slice_closed", "legacy") for one in records)

    async def owed(self, slice_id: str) -> tuple[str, str] | None:
        """The pass that is owed for a slice, as why and wish."""
        state, _, rest = (await self._note(slice_id)).partition("\n")
        why, _, wish = rest.partition("\n")
        return (why, wish.rstrip("\n")) if state == _OWED else None

    async def settled(self, slice_id: str, why: str) -> bool:
        """Whether a pass for that reason was owed for the slice and has been done."""
        return await self._note(slice_id) == paid(why)

    async def _note(self, slice_id: str) -> str:
        try:
            return (await self._storage.read(evolution_path(slice_id, 0))).text
        except (NotFound, NotAFile, Malformed):
            return ""
