"""Who may speak: owners named by the settings, else whoever sends back a one-time code that only the operator saw.

The code is the one secret that may stand in the terminal and the log (DESIGN 7): 128 bits, ten minutes, used once, and
after a few wrong tries there is none until the process starts again (reliability 4.1).
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.document import Document, Text, Title
from core.errors import Malformed
from core.storage.troubles import flushing, told

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from core.clock import Clock
    from core.conversation import Surface
    from core.i18n import Words
    from core.storage.disk import Disk

OWNERS: Final = "state/owners.json"
LIFE: Final = 600.0
"""Seconds for which a code may be used."""

MINUTES: Final = int(LIFE // 60)
WRONG: Final = 5
"""How many wrong codes on one surface end the claiming until the next start."""

VARIABLE: Final[Mapping[Surface, str]] = {"telegram": "TELEGRAM_OWNER_ID", "discord": "DISCORD_OWNER_ID"}
"""The variable that names the owner on a surface."""

_log = logging.getLogger("previously.owners")


@dataclass(frozen=True, slots=True)
class Code:
    """A code, and the instant (of the stopwatch) at which it dies."""

    text: str
    until: float


class OwnersFile:
    """The claimed owners by surface, in one small file that is flushed before a claim counts."""

    def __init__(self, disk: Disk, path: str = OWNERS) -> None:
        self._disk = disk
        self._path = path

    def load(self) -> dict[str, str]:
        """The numeric ids; empty when nobody has claimed anything.

        Raises `Malformed` for a file that cannot be understood, since taking it for none would give the bot to the
        next who asks, and `DiskTrouble` or `NotAFile`.
        """
        with told(self._path):
            if self._disk.stat(self._path) is None:
                return {}
            data = self._disk.read(self._path)
        try:
            found = json.loads(data)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not all(isinstance(v, str) and v.isdecimal() for v in found.values()):
            raise Malformed(self._path, "this is no list of owners; delete the file to claim the bot anew")
        return found

    def save(self, owners: Mapping[str, str]) -> None:
        """Replace the file, durably. Raises `DiskTrouble`, `NotAFile`, and `DiskLost` when an fsync fails."""
        fresh = f"{self._path}.new"
        with told(self._path):
            if self._disk.stat(fresh):
                self._disk.remove(fresh)
            handle = self._disk.create(fresh)
            try:
                self._disk.write(handle, json.dumps(owners, sort_keys=True).encode() + b"\n")
                with flushing(fresh):
                    self._disk.sync(handle)
            finally:
                self._disk.close(handle)
            self._disk.replace(fresh, self._path)
            with flushing(self._path):
                self._disk.sync_folder(self._path.rpartition("/")[0])


class Claims:
    """The owners, and the codes by which one becomes it (implements `core.conversation.Owners`).

    `named` are the ids of the settings; they go before what was claimed. `tell` gives the operator a sentence.
    """

    def __init__(
        self,
        file: OwnersFile,
        clock: Clock,
        words: Words,
        named: Mapping[Surface, str],
        tell: Callable[[str], Awaitable[None]],
    ) -> None:
        self._file = file
        self._clock = clock
        self._words = words
        self._tell = tell
        self._claimed = file.load()
        self._owners: dict[str, str] = {**self._claimed, **{str(one): person for one, person in named.items()}}
        self._codes: dict[Surface, Code] = {}
        self._wrong: dict[Surface, int] = {}
        self._introduced: asyncio.Queue[tuple[Surface, str, str]] = asyncio.Queue()

    def owner(self, surface: Surface) -> str | None:
        """The numeric id of the owner, None while nobody has claimed the bot there."""
        return self._owners.get(surface)

    def claim(self, surface: Surface, person: str, code: str) -> bool:
        """Make that person the owner if the code is right and alive. Raises `StorageError` when it cannot be kept."""
        live = self._codes.get(surface)
        if surface in self._owners or not live or self._clock.monotonic() >= live.until:
            return False
        if not code or not (person.isascii() and person.isdecimal()):
            return False
        if not hmac.compare_digest(live.text.encode(), code.encode(errors="replace")):
            self._miss(surface)
            return False
        claimed = {**self._claimed, surface: person}
        self._file.save(claimed)
        self._claimed = claimed
        self._owners[surface] = person
        del self._codes[surface]
        _log.info("%s is claimed", surface)
        return True

    def introduce(self, surface: Surface, name: str, link: str = "") -> None:
        """A platform is connected and knows what the bot is called there; `link` ends where the code follows.

        While nobody owns the bot there, the operator is given a code, and another one whenever it has died of age.
        """
        if surface not in self._owners:
            self._introduced.put_nowait((surface, name, link))

    async def watch(self) -> None:
        """Give out codes, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                surface, name, link = await self._introduced.get()
                if surface not in self._wrong:
                    self._wrong[surface] = 0
                    group.create_task(self._offer(surface, name, link))

    async def _offer(self, surface: Surface, name: str, link: str) -> None:
        while surface not in self._owners and self._wrong[surface] < WRONG:
            code = secrets.token_urlsafe(16)
            self._codes[surface] = Code(code, self._clock.monotonic() + LIFE)
            asked = f"{link}{code}" if link else f"/start {code}"
            key = "owner.open" if link else "owner.send"
            await self._tell(self._words(key, name=name, what=asked, n=MINUTES, variable=VARIABLE.get(surface, "")))
            await self._clock.sleep(LIFE)

    def _miss(self, surface: Surface) -> None:
        self._wrong[surface] = self._wrong.get(surface, 0) + 1
        if self._wrong[surface] >= WRONG:
            del self._codes[surface]
            _log.warning("%s: %d wrong codes; a new one is made at the next start", surface, WRONG)


def welcome_page(surface: Surface, person: str, words: Words) -> Document:
    """What the new owner is told in the chat: the numeric id, and the line that makes it last without a disk."""
    line = f"`{VARIABLE.get(surface, '')}={person}`"
    return Document((Title(words("owner.claimed")), Text(words("owner.line", id=person, line=line))))
