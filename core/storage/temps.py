"""Files on their way into place: how they are named, and how those of dead processes are cleared away (R15)."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING

from core.storage.troubles import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.storage.disk import Disk

_ours = re.compile(r"\.[A-Za-z0-9_.-]+\.[0-9]{1,10}\.[0-9a-f]{8}\.tmp\Z")


def fresh_tag() -> str:
    """The middle of a temp file's name: this process and eight random hex digits."""
    return f"{os.getpid()}.{token_hex(4)}"


def temp_path(path: str, tag: str) -> str:
    """The temp file that becomes `path`, in the same folder; memory's grammar allows no such name."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/.{name}.{tag}.tmp"


def sweeping(disk: Disk, folders: Iterable[str]) -> Iterator[int]:
    """Delete temp files of our own naming below the folders, a folder a step; how many each step found.

    Raises `DiskTrouble`.
    """
    waiting = list(folders)
    while waiting:
        folder, swept = waiting.pop(), 0
        with told(folder), suppress(FileNotFoundError):
            for name, stat in disk.list(folder):
                if stat.kind == "folder":
                    waiting.append(f"{folder}/{name}")
                elif stat.kind == "file" and _ours.match(name):
                    disk.remove(f"{folder}/{name}")
                    swept += 1
        yield swept
