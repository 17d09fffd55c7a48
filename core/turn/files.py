"""The files of a turn: fetched, kept in the folder of its slice, and told of in a line each.

They are kept before the words are, under names made of the turn's id and a number: what a try that broke off has kept
is found again, and a link never leads nowhere. Whatever becomes of a file, the words that came with it are stored.
"""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.errors import ModelError, NotAFile, NotFound, PathRefused, PlatformTrouble, TooLarge
from core.slices import filed
from core.slices.foreign import quote
from core.slices.model import core_path, flat_path, folder_of
from core.storage.base import ABSENT, Delete, Write
from core.storage.paths import parent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from core.conversation import Attachment, Incoming
    from core.i18n import Words
    from core.slices.filed import Why
    from core.turn.burst import Burst
    from core.turn.parts import Parts

EACH: Final = 20.0
"""Seconds that one file may take."""
ALL: Final = 40.0
"""Seconds that all files of a turn may take to come, and again for what is said in them to be written down."""
TRIES: Final = 2
LARGEST: Final[Mapping[str, int]] = {"telegram": 20, "discord": 100}
"""Megabytes up to which a platform's files are fetched; Telegram hands larger ones to no bot (ux.md 1.2)."""
NAME: Final = 60
"""Characters of a name that the person is told."""
LONGEST: Final = 20_000
"""Characters of a recording that are stored."""

_MEGABYTE: Final = 1 << 20
_ENDING: Final = re.compile(r"[a-z0-9]{1,8}")
_ENDINGS: Final = {
    "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "audio/ogg": "ogg",
    "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/wav": "wav", "video/mp4": "mp4", "video/quicktime": "mov",
    "application/pdf": "pdf", "text/plain": "txt",
}  # fmt: skip
_log = logging.getLogger("previously.files")


@dataclass(frozen=True, slots=True)
class _One:
    """A file of the turn, the message with which it came, and the name under which it is kept."""

    update: Incoming
    file: Attachment
    name: str

    @property
    def head(self) -> str:
        return filed.named(self.file.media, self.file.name)

    @property
    def title(self) -> str:
        return filed.tame(self.file.name)[:NAME]

    @property
    def speaks(self) -> bool:
        return self.file.media.startswith("audio/") or filed.recorded(self.file.media, self.file.name)


class Files:
    """Keeps the files of turns; `each` and `whole` are seconds for one and for all of them."""

    def __init__(self, parts: Parts, each: float = EACH, whole: float = ALL) -> None:
        self._parts = parts
        self._each = each
        self._whole = whole

    async def begun(self, burst: Burst) -> str:
        """The slice in whose folder a try that broke off has put files before the slice was opened; "" for none."""
        if not any(one.update.attachments for one in burst.messages):
            return ""
        for slice_id in await self._parts.slices.newest(1):
            storage, flat = self._parts.storage, flat_path(slice_id)
            files = {entry.name for entry in await storage.list(parent(flat)) if not entry.folder}
            told = await storage.list(parent(core_path(slice_id)))
            mine = any(name.startswith(f"{burst.turn}-") for name in await self._there(slice_id))
            if mine and not told and flat.rpartition("/")[2] not in files:
                return slice_id
        return ""

    async def keep(self, burst: Burst, slice_id: str, words: Words, *, fetch: bool = True) -> tuple[Burst, list[str]]:
        """The turn with the lines of its files, and what the person should hear of them. Raises `StorageError`.

        Without `fetch` nothing is asked of the platform: for a turn that crashed with its files again and again.
        """
        wanted = list(_numbered(burst))
        if not wanted and not any(one.update.attachments for one in burst.messages):
            return burst, []
        there = await self._there(slice_id)
        lines: dict[str, list[str]] = {}
        notes: list[str] = []
        kept: set[str] = set()
        spoken: list[tuple[_One, int]] = []
        deadline = asyncio.get_running_loop().time() + (self._whole if fetch else 0)
        for one in wanted:
            mine = lines.setdefault(one.update.key, [])
            missed = await self._had(one, slice_id, there, deadline)
            if missed is None:
                kept.add(one.name)
                spoken += [(one, len(mine))] if one.speaks else []
                mine.append(filed.linked(one.head, one.name))
            else:
                limit = LARGEST.get(one.update.surface, 0)
                mine.append(filed.unkept(one.head, missed, limit))
                notes.append(words(f"media.{missed}", name=one.title, limit=limit))
        await self._clear(burst.turn, slice_id, there - kept)
        if spoken:
            notes += await self._written_down(spoken, lines, slice_id, there, words)
        return replace(burst, filed=lines), list(dict.fromkeys(notes))

    async def _had(self, one: _One, slice_id: str, there: set[str], deadline: float) -> Why | None:
        """Keep the file, unless it is kept already; why it is not."""
        path = _path(slice_id, one.name)
        try:
            if one.name in there and one.file.size and len((await self._read(path)) or b"") == one.file.size:
                return None
            data = await self._fetched(one, deadline)
            if isinstance(data, str):
                return data
            await self._write(path, data)
        except (NotAFile, PathRefused) as error:
            _log.warning("a file is not kept: %s", type(error).__name__)
            return "barred"
        return None

    async def _fetched(self, one: _One, deadline: float) -> bytes | Why:
        loop = asyncio.get_running_loop()
        until = min(deadline, loop.time() + self._each)
        for _ in range(TRIES):
            try:
                async with asyncio.timeout_at(until):
                    return await self._parts.fetch(one.update, one.file)
            except TooLarge as error:
                return _refused(one, error)
            except TimeoutError:
                break
            except PlatformTrouble as error:
                _log.warning("a file could not be fetched: %s", type(error).__name__)
            except Exception as error:  # noqa: BLE001 - whatever goes wrong with a file, the words are kept
                _log.error("fetching a file crashed: %s", type(error).__name__)
                break
        return "away"

    async def _write(self, path: str, data: bytes) -> None:
        version: str | None = ABSENT
        with suppress(NotFound):
            version = (await self._parts.storage.read(path)).version
        await self._parts.storage.commit([Write(path, data, version)], f"keep {path}")

    async def _clear(self, turn: str, slice_id: str, names: set[str]) -> None:
        """Remove what an earlier try has kept of a message that the person has changed or taken back since."""
        for name in sorted(name for name in names if name.startswith(f"{turn}-")):
            path = _path(slice_id, name)
            version = (await self._parts.storage.read(path)).version
            await self._parts.storage.commit([Delete(path, version)], f"drop {path}")

    async def _written_down(
        self, spoken: list[tuple[_One, int]], lines: dict[str, list[str]], slice_id: str, there: set[str], words: Words
    ) -> list[str]:
        """Put below its line what is said in each recording; what the person should hear of those that stay mute."""
        hearing = self._parts.hearing
        if hearing is None:
            mine = {one.name for one, _ in spoken}
            before = any(name.rpartition(".")[2] in {"ogg", "oga", "mp3", "m4a", "wav"} for name in there - mine)
            return [] if before else [words("media.deaf", variable="PREVIOUSLY_TRANSCRIBE")]
        notes: list[str] = []
        deadline = asyncio.get_running_loop().time() + self._whole
        for one, place in spoken:
            data = await self._read(_path(slice_id, one.name)) or b""
            try:
                async with asyncio.timeout_at(deadline):
                    text = " ".join((await hearing.transcribe(one.name, data)).split())[:LONGEST]
            except (ModelError, TimeoutError) as error:
                _log.warning("a recording could not be written down: %s", type(error).__name__)
                text = ""
            if text:
                told = lines[one.update.key]
                told[place] = f"{told[place]}\n{_told(one, text)}"
            else:
                notes.append(words("media.mute", name=one.title, model=hearing.name))
        return notes

    async def _read(self, path: str) -> bytes | None:
        try:
            return (await self._parts.storage.read(path)).data
        except NotFound:
            return None

    async def _there(self, slice_id: str) -> set[str]:
        try:
            return {entry.name for entry in await self._parts.storage.list(_folder(slice_id)) if not entry.folder}
        except NotAFile:
            return set()


def _numbered(burst: Burst) -> Iterator[_One]:
    """The files of the messages that stand, numbered over all of them; nobody fetches what was taken back."""
    number = 0
    for message in burst.messages:
        for file in message.update.attachments:
            number += 1
            if not message.deleted:
                yield _One(message.update, file, f"{burst.turn}-{number}.{ending(file)}")


def ending(file: Attachment) -> str:
    """The ending under which a file is kept: that of its name, else one that goes with its type."""
    own = file.name.rpartition(".")[2].lower() if "." in file.name else ""
    return own if _ENDING.fullmatch(own) else _ENDINGS.get(file.media, "bin")


def _told(one: _One, text: str) -> str:
    """What is said in a recording: the person's own words only where they have spoken it themselves."""
    own = filed.recorded(one.file.media, one.file.name) and not one.update.forwarded
    return text.lstrip("> ") if own else quote("quoted", one.title, text)


def _refused(one: _One, error: TooLarge) -> Why:
    limit = LARGEST.get(one.update.surface, 0)
    large = one.file.size > limit * _MEGABYTE if one.file.size else "too big" in str(error).lower()
    return "large" if limit and large else "gone"


def _folder(slice_id: str) -> str:
    return f"{folder_of(slice_id)}/files"


def _path(slice_id: str, name: str) -> str:
    return f"{_folder(slice_id)}/{name}"
