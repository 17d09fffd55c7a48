"""Whether what a platform was told to forget would survive a power cut at that moment (P1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.journal.codec import payload_of
from core.journal.ids import tag_of
from core.journal.records import PATH
from tests.doubles.sim_disk import SimDisk
from tests.doubles.sim_tree import SimFile, SimFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.conversation import Incoming


def unkept(disk: object, updates: Sequence[Incoming]) -> list[str]:
    """What the medium would not give back; a real disk cannot be asked that."""
    if not isinstance(disk, SimDisk):
        return []
    lines = [line for line in _medium(disk, PATH).split(b"\n") if payload_of(line) is not None]
    return [f"{tag_of(one)} was acknowledged and is not durable" for one in updates if not _told(lines, one)]


def _medium(disk: SimDisk, path: str) -> bytes:
    """The bytes that are durable under a durable name."""
    node: object = disk._root
    for name in path.split("/"):
        node = node.durable.get(name) if isinstance(node, SimFolder) else None
    return node.durable if isinstance(node, SimFile) else b""


def _told(lines: Sequence[bytes], update: Incoming) -> bool:
    tag = f'"{tag_of(update)}"'.encode()
    marks = [f'"key":"{update.key}"'.encode()]
    if update.kind != "message":
        marks += [f'"kind":"{update.kind}"'.encode(), f'"edited":"{update.edited}"'.encode() if update.edited else b""]
    return any(tag in line if b'"t":"snap"' in line else all(mark in line for mark in marks) for line in lines)
