"""P4: what is derived from slices says what the slices say, whatever befell the process that wrote it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import Malformed
from core.slices.codec import decode
from core.strands.codec import STRANDS_PATH
from core.timeline.codec import FOLDER, INDEX_PATH, decode_catalog
from core.timeline.entry import build_entry
from core.timeline.markdown import TIMELINE_PATH
from core.timeline.tapestry import Tapestry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.slices.model import Slice
    from core.timeline.entry import Entry


def untrue(tree: dict[str, bytes]) -> list[str]:
    """The projections that are not what a rebuild from the slices alone would make of them.

    An open slice is listed as it was when it was listed last, with the strands of all its tags: its count is brought up
    to date at its close.
    """
    slices = tuple((path, data) for path, data in sorted(tree.items()) if path.endswith("/core.md"))
    written = tuple((path, data) for path, data in sorted(tree.items()) if _is_projection(path))
    return list(_compared(slices, written))


@lru_cache(4_096)
def _compared(slices: tuple[tuple[str, bytes], ...], written: tuple[tuple[str, bytes], ...]) -> tuple[str, ...]:
    found = dict(written)
    if not slices and not found:
        return ()
    try:
        catalog = decode_catalog(found[INDEX_PATH])
    except (KeyError, Malformed) as error:
        return (f"no catalog of {len(slices)} slices: {error!r}",)
    wanted = _made((decode(data, path) for path, data in slices), catalog.updated_at, catalog.entries)
    missing = [f"{path} is missing" for path in wanted.keys() - found.keys()]
    left = [f"{path} tells of nothing" for path in found.keys() - wanted.keys()]
    wrong = [
        f"{path} is not what the slices say" for path in wanted.keys() & found.keys() if wanted[path] != found[path]
    ]
    return (*missing, *left, *wrong)


def _made(pieces: Iterable[Slice], stamp: str, listed: Iterable[Entry]) -> dict[str, bytes]:
    entries, tapestry = {entry.id: entry for entry in listed}, Tapestry()
    for piece in pieces:
        if piece.closed or piece.id not in entries:
            tapestry.enter(build_entry(piece, len(piece.turns)))
        else:
            tapestry.enter(entries[piece.id])
            tapestry.thread(piece.id, piece.tags)
    return tapestry.files(stamp)


def _is_projection(path: str) -> bool:
    return path in {STRANDS_PATH, TIMELINE_PATH} or path.endswith("/_index.json") or path.startswith(f"{FOLDER}/")
