"""The demo people: the original's where an address is named or their folder lies beside us, and two of our own."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import NotFound, StorageError
from core.identity import person_of
from core.slices.model import CARD_PATH
from core.storage.demo import DemoStorage
from core.storage.persona import PersonaStorage

if TYPE_CHECKING:
    from pathlib import Path

    from core.clock import Clock
    from core.storage.base import Storage
    from core.storage.benchmark import BenchmarkStorage

OURS: Final = {"en": "mara", "zh": "lin"}
"""Our demo person for each language of the program's own words."""
THEIRS: Final = "personal_14"
"""The original's person by default (original.md 2.16)."""
BESIDE: Final = "benchmark-data"
MOST: Final = 60
"""People beyond which nobody is listed: the original has about twenty."""
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Persona:
    """A demo person: the id by which they are chosen, and their name ("" when nothing tells it)."""

    id: str
    name: str = ""


def person(root: Path, locale: str, address: str | None, clock: Clock) -> Storage:
    """The demo person of a start, only for reading; `root` is where our folders are, `address` where theirs are.

    Raises `DiskTrouble` when a folder cannot be opened.
    """
    if address:
        return _far(address, THEIRS, clock)
    beside = root.parent / BESIDE / THEIRS
    return PersonaStorage(beside if beside.is_dir() else _own(root, OURS[locale]))


class Cast:
    """All demo people, and the overlay (`storage`) on the one who is on. Raises as `person` does."""

    def __init__(self, root: Path, locale: str, address: str | None, clock: Clock) -> None:
        self._root = root
        self._address = address
        self._clock = clock
        self._bases: dict[str, Storage] = {}
        self._on = person(root, locale, address, clock)
        self.storage = DemoStorage(self._on)

    async def people(self) -> tuple[list[Persona], bool]:
        """Ours, then the original's, each by id; and whether the address of theirs answered."""
        ours = [Persona(name, await self._called(name)) for name in sorted(OURS.values())]
        if not self._address:
            beside = [one for one in self._beside() if one not in OURS.values()]
            return ours + [Persona(name, await self._called(name)) for name in beside], True
        try:
            named = await _far(self._address, THEIRS, self._clock).named()
        except StorageError:
            return ours, False
        theirs = [Persona(one, named[one]) for one in sorted(named) if _ID.match(one) and one not in OURS.values()]
        return (ours + theirs)[:MOST], True

    async def restart(self, chosen: str = "") -> None:
        """Begin anew on that person (of `people`), else on the one who is on: what was said is gone.

        Raises `StorageError` when their memory cannot be read; nothing has changed then.
        """
        base = self._base(chosen) if chosen else self._on
        with suppress(NotFound):
            await base.read(CARD_PATH)
        self._on = base
        self.storage.restart(base)

    def _beside(self) -> list[str]:
        """The ids of the folders beside ours."""
        with suppress(OSError):
            found = sorted(one.name for one in (self._root.parent / BESIDE).iterdir() if one.is_dir())
            return [one for one in found if _ID.match(one) and not one.startswith(".")][:MOST]
        return []

    def _base(self, name: str) -> Storage:
        if name not in self._bases:
            if name in OURS.values():
                self._bases[name] = PersonaStorage(_own(self._root, name))
            elif self._address:
                self._bases[name] = _far(self._address, name, self._clock)
            else:
                self._bases[name] = PersonaStorage(self._root.parent / BESIDE / name)
        return self._bases[name]

    async def _called(self, name: str) -> str:
        """The name on the card of somebody whose folder is here."""
        with suppress(StorageError):
            found = person_of((await self._base(name).read(CARD_PATH)).text)
            return found.name if found else ""
        return ""


def _own(root: Path, name: str) -> Path:
    return root / "identity" / "personas" / name


def _far(address: str, name: str, clock: Clock) -> BenchmarkStorage:
    from core.storage.benchmark import BenchmarkStorage  # noqa: PLC0415 - its client is heavy and seldom wanted

    return BenchmarkStorage(address, name, clock)
