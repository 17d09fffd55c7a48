"""`previously export` and `previously import`: memory out of the machine's folder, and talk of elsewhere into it."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Unfit
from core.owning.archive import opened
from core.owning.export import WHOLE, Exporter
from core.owning.importing import Importer, source_of
from core.owning.restoring import Restorer, is_export
from core.slices.policy import Thresholds
from core.slices.store import Slices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bot.house import House
    from core.clock import Clock
    from core.i18n import Words
    from core.owning.archive import Archive, Given
    from core.owning.importing import Coming
    from core.storage.base import Storage

MEGABYTE: Final = 1_000_000
REFUSED: Final = 1
_PRIVATE: Final = 0o600
_EVERY: Final = 100


@dataclass(frozen=True, slots=True)
class Desk:
    """How the person at the machine is spoken to: `say` a line, `ask` a question that wants a yes."""

    words: Words
    zone: str
    say: Callable[[str], None]
    ask: Callable[[str], bool]


async def take_out(storage: Storage, clock: Clock, folder: Path, desk: Desk, size: float | None = None) -> int:
    """Write all of memory into the folder, in parts of `size` megabytes if one is given; the exit code.

    It reads alone, so it needs no lock. Raises storage trouble, OSError when the folder cannot be written.
    """
    now = clock.now()
    exporter = Exporter(storage, Slices(storage), lambda: clock.sleep(0), int(size * MEGABYTE) if size else WHOLE)
    async for part in exporter.parts(desk.words, desk.zone, iso(now)):
        path = folder / part.name(f"previously-{now:%Y%m%d-%H%M%S}")
        _write(path, part.data)
        desk.say(desk.words("export.written", path=str(path), size=f"{len(part.data) / MEGABYTE:.1f}"))
    return 0


def _write(path: Path, data: bytes) -> None:
    """Write a new file for its owner's eyes only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


async def bring_in(house: House, files: Sequence[Path], desk: Desk, *, me: str = "") -> int:
    """Bring the files in, after a yes; the exit code. What is refused is told, and nothing of it was written.

    Raises storage trouble; done again it goes on where it was.
    """
    await house.parts.keeper.remember()
    try:
        with ExitStack() as stack:
            given = [stack.enter_context(opened(path)) for path in files]
            archives = [one.archive for one in given if one.archive and is_export(one.archive)]
            if archives and len(archives) == len(given):
                return await _restore(house, archives, desk)
            for one in given:
                await _import(house, one, desk, me)
    except Unfit as error:
        desk.say(desk.words(error.key, **error.fields))
        desk.say(desk.words("import.unwritten"))
        return REFUSED
    return 0


async def _restore(house: House, archives: Sequence[Archive], desk: Desk) -> int:
    """Our own export: files as they were."""
    words, keeper = desk.words, house.parts.keeper
    restorer = Restorer(house.parts.storage, archives, keeper.forgotten)
    desk.say(words("import.own", n=restorer.files))
    if not desk.ask(words("import.ask")):
        desk.say(words("import.unwritten"))
        return 0
    done = await restorer.run(_progress(desk))
    await keeper.remember()
    desk.say(words("import.restored", n=done.written, alike=done.alike))
    for path in done.left:
        desk.say(words("import.kept", path=path))
    return 0


async def _import(house: House, given: Given, desk: Desk, me: str) -> None:
    parts, words = house.parts, desk.words
    source = source_of(given, parts.clock.now(), me)
    slicing = (await parts.config.load()).user.slicing
    thresholds = Thresholds(timedelta(minutes=slicing.silence_minutes), slicing.turns)
    importer = Importer(parts.slices, parts.keeper, parts.projections, parts.clock, parts.words)
    coming = await importer.coming(source, thresholds)
    _preview(coming, desk)
    if coming.slices == coming.there:
        desk.say(words("import.there"))
    elif desk.ask(words("import.ask")):
        written = await importer.run(source, thresholds, desk.zone, _progress(desk))
        desk.say(words("import.done", n=written))
    else:
        desk.say(words("import.unwritten"))


def _preview(coming: Coming, desk: Desk) -> None:
    words = desk.words
    desk.say(words(f"import.kind.{coming.kind}"))
    desk.say(words("import.talks", n=coming.talks))
    desk.say(words("import.messages", n=coming.messages))
    if coming.first and coming.last:
        desk.say(words("import.range", first=f"{coming.first:%Y-%m-%d}", last=f"{coming.last:%Y-%m-%d}"))
    desk.say(words("import.slices", n=coming.slices))
    if coming.there:
        desk.say(words("import.already", n=coming.there))
    if coming.passed:
        desk.say(words("import.passed", n=coming.passed))


def _progress(desk: Desk) -> Callable[[int, int], None]:
    """Says how far it is, now and then."""

    def told(done: int, of: int) -> None:
        if done == of or done % _EVERY == 0:
            desk.say(desk.words("import.progress", done=done, of=of))

    return told
