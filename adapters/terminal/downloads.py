"""Files to take away: a terminal cannot carry them, so they are written beside, and the page says where."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.document import Download

if TYPE_CHECKING:
    from core.document import Block, Document

_MOST: Final = 1_000
_PRIVATE: Final = 0o600


def beside(document: Document, folder: Path) -> Document:
    """The page, with its files written into the folder and named by where they stand.

    Nothing that is there is written over; what the disk refuses is told in the file's place.
    """
    if not any(isinstance(block, Download) for block in document.blocks):
        return document
    return replace(document, blocks=tuple(_told(block, folder) for block in document.blocks))


def _told(block: Block, folder: Path) -> Block:
    if not isinstance(block, Download):
        return block
    try:
        return replace(block, name=str(_written(block, folder)), data=b"")
    except OSError as error:
        return replace(block, name=f"{block.name} ✗ {error.strerror or error}", data=b"")


def _written(block: Download, folder: Path) -> Path:
    """Write the file under the first free name, for its owner's eyes only; where it stands."""
    name = Path(Path(block.name).name)
    for number in count(1):
        path = (folder / (name if number == 1 else f"{name.stem}-{number}{name.suffix}")).absolute()
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        except FileExistsError:
            if number < _MOST:
                continue
            raise
        with os.fdopen(handle, "wb") as file:
            file.write(block.data)
        return path
    raise FileExistsError(block.name)
