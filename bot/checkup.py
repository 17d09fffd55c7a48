"""What `previously doctor` finds out about memory: read alone, so it needs no lock and may run beside the bot."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from core.card import codec
from core.card.rules import normal_ref
from core.config import Config
from core.errors import Malformed, NotAFile, NotFound
from core.slices import policy
from core.slices.model import CARD_PATH, CLOSED, core_path
from core.slices.reasons import reason
from core.slices.store import Slices
from core.strands.codec import STRANDS_PATH
from core.timeline.codec import INDEX_PATH
from core.timeline.projections import Projections
from core.timeline.stored import prior_entries
from core.views.reader import clip
from core.views.settings import problem_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from core.card.model import Card
    from core.clock import Clock
    from core.i18n import Words
    from core.storage.base import Storage
    from core.timeline.entry import Entry

State = Literal["well", "note", "bad"]

NAMED: Final = 10
"""How many single things are named; the rest are counted."""

EARLIEST: Final = 2026
"""A clock before this year is wrong: the program is younger."""

REF: Final = len("2026/03/09/1842")
TEXT: Final = 60
AHEAD: Final = timedelta(minutes=10)
_STAMP: Final = "%Y-%m-%d %H:%M"
_LOOSE: Final = stat.S_IWGRP | stat.S_IWOTH
_SEEN: Final = stat.S_IRWXG | stat.S_IRWXO
_LINK: Final = re.compile(rb"\]\((?:\./)?(?:\.\./)?files/([A-Za-z0-9_-]{1,16}-[0-9]{1,4}\.[a-z0-9]{1,8})\)")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report, in the person's language."""

    state: State
    text: str


def home(folder: Path, words: Words) -> list[Finding]:
    """Whether the folder is this user's alone to write, and `state/` nobody else's to read."""
    found: list[Finding] = []
    for path, loose in ((folder, _LOOSE), (folder / "state", _SEEN)):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            if path == folder:
                return [Finding("note", words("doctor.home.none", home=str(folder)))]
            continue
        except OSError as error:
            return [Finding("bad", words("doctor.home.closed", home=str(path), why=error.strerror or ""))]
        if sys.platform != "win32" and mode & loose:
            fix = f"chmod {'go-w' if loose == _LOOSE else 'go-rwx'} {path}"
            found.append(Finding("bad", words("doctor.home.loose", home=str(path), fix=fix)))
        if why := _unwritable(path):
            found.append(Finding("bad", words("doctor.home.unwritable", home=str(path), why=why)))
            break
    return found or [Finding("well", words("doctor.home.well", home=str(folder)))]


def _unwritable(folder: Path) -> str:
    """Why nothing can be written into the folder, "" when something can; nothing is written to find out."""
    if os.access(folder, os.W_OK | os.X_OK):
        return ""
    statvfs = getattr(os, "statvfs", None)  # Windows has none
    frozen = statvfs is not None and bool(statvfs(folder).f_flag & os.ST_RDONLY)
    return os.strerror(errno.EROFS if frozen else errno.EACCES)


def _unknown(_path: str) -> float:
    return 0.0


def clock_of(folder: Path) -> Callable[[str], float]:
    """Tells when a file below a folder was written, in seconds, 0 when it is not there."""

    def written(path: str) -> float:
        try:
            return (folder / path).stat().st_mtime
        except OSError:
            return 0.0

    return written


class Checkup:
    """Looks a memory over. `overlay` shows the same memory and keeps what is written to it to itself.

    `written` tells when a file was written, in seconds; 0 when it is not there, or nobody knows.
    """

    def __init__(
        self,
        storage: Storage,
        overlay: Storage,
        clock: Clock,
        words: Words,
        written: Callable[[str], float] = _unknown,
    ) -> None:
        self._storage = storage
        self._overlay = overlay
        self._clock = clock
        self._words = words
        self._written = written
        self._slices = Slices(storage, lambda: clock.sleep(0))

    async def all(self) -> list[Finding]:
        """Everything, in the order in which it is told. Raises storage trouble."""
        looks = (self.clock, self.files, self.projections, self.references, self.attachments)
        return [finding for look in looks for finding in await look()]

    async def clock(self) -> list[Finding]:
        """Whether the clock can be right: not older than the program, nor than the newest thing that was said."""
        words, now = self._words, self._clock.now()
        if now.year < EARLIEST:
            return [Finding("bad", words("doctor.clock.old", now=f"{now:{_STAMP}}"))]
        latest = await self._slices.latest()
        last = policy.last_instant(latest.slice) if latest else None
        if last and last > now + AHEAD:
            return [Finding("bad", words("doctor.clock.behind", now=f"{now:{_STAMP}}", last=f"{last:{_STAMP}}"))]
        return [Finding("well", words("doctor.clock.well", now=f"{now:{_STAMP}}"))]

    async def files(self) -> list[Finding]:
        """Whether every slice, the card and the settings can be read."""
        words = self._words
        seen = await self._slices.survey()
        unreadable = sorted(self._slices.unreadable.items())
        bad = [words("slice.unreadable", slice=name, why=reason(why, words)) for name, why in unreadable]
        try:
            await self._card()
        except (Malformed, NotAFile) as error:
            bad.append(words("doctor.card.unreadable", path=CARD_PATH, why=str(error)))
        problems = (await Config(self._storage, self._clock).load()).problems
        bad += [problem_text(problem, words) for problem in problems]
        return self._several(bad, words("doctor.files.well", n=len(seen)))

    async def projections(self) -> list[Finding]:
        """Whether timeline and strands say what the slices say."""
        slices = Slices(self._overlay, lambda: self._clock.sleep(0))
        before = await prior_entries(self._storage)
        woven = await Projections(self._overlay, slices, self._clock).weave(force=True)
        differing = list(woven.written)
        old, new = _closed(before), _closed(await prior_entries(self._overlay))
        if old == new:
            # An open slice is listed as it was at its birth, so that a turn costs the same in every archive.
            differing = [path for path in differing if path == STRANDS_PATH]
        if not differing:
            return [Finding("well", self._words("doctor.timeline.well", n=woven.total))]
        paths = ", ".join(differing[:NAMED])
        changed = [one for one in {*old, *new} if old.get(one) != new.get(one)]
        catalog = self._written(INDEX_PATH)
        if changed and all(self._written(core_path(one)) > catalog for one in changed):
            return [Finding("note", self._words("doctor.timeline.later", n=len(differing), paths=paths))]
        return [Finding("bad", self._words("doctor.timeline.differs", n=len(differing), paths=paths))]

    async def references(self) -> list[Finding]:
        """Whether every line of the card points to slices that are there."""
        try:
            card = await self._card()
        except (Malformed, NotAFile):
            return []  # told by `files`
        known = set(await self._slices.ids())
        entries = card.entries if card else ()
        lost = [
            self._words("doctor.refs.lost", ref=ref, text=clip(entry.text, TEXT))
            for entry in entries
            for ref in entry.refs
            if (normal := normal_ref(ref)) is None or normal[:REF].replace("/", "-") not in known
        ]
        return self._several(lost, self._words("doctor.refs.well", n=sum(len(entry.refs) for entry in entries)))

    async def attachments(self) -> list[Finding]:
        """Whether every file that a turn links to is there."""
        lost: list[str] = []
        count = 0
        for slice_id in await self._slices.ids():
            await self._clock.sleep(0)
            names = await self._linked(slice_id)
            count += len(names)
            if names:
                folder = f"{core_path(slice_id).removesuffix('/timeline/core.md')}/files"
                there = {entry.name for entry in await self._storage.list(folder) if not entry.folder}
                lost += [self._words("doctor.file.lost", slice=slice_id, file=name) for name in sorted(names - there)]
        return self._several(lost, self._words("doctor.attachments.well", n=count))

    async def _linked(self, slice_id: str) -> set[str]:
        try:
            data = (await self._storage.read(core_path(slice_id))).data
        except (NotFound, NotAFile):
            return set()  # an old flat file, or told by `files`
        return {name.decode() for name in _LINK.findall(data)}

    async def _card(self) -> Card | None:
        """The card, None when there is none yet. Raises `Malformed` and `NotAFile`."""
        try:
            return codec.decode((await self._storage.read(CARD_PATH)).text)
        except NotFound:
            return None

    def _several(self, bad: Sequence[str], well: str) -> list[Finding]:
        found = [Finding("bad", text) for text in bad[:NAMED]]
        if len(bad) > NAMED:
            found.append(Finding("bad", self._words("doctor.more", n=len(bad) - NAMED)))
        return found or [Finding("well", well)]


def _closed(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    return {name: entry for name, entry in entries.items() if entry.status == CLOSED}
