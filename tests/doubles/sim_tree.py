"""Files and folders of the simulated disk, each with a volatile and a durable half."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from core.storage.disk import Stat

if TYPE_CHECKING:
    from collections.abc import Iterator

Fate = Literal["none", "full", "half", "zeros"]
FATES: tuple[Fate, ...] = ("none", "full", "half", "zeros")


@dataclass(eq=False)
class SimFile:
    """Bytes as seen, bytes on the medium, and the writes between the two as (offset, bytes)."""

    data: bytes = b""
    durable: bytes = b""
    pending: list[tuple[int, bytes]] = field(default_factory=list)
    stuck: bool = False
    serial: int = 0


@dataclass(eq=False)
class SimFolder:
    """Names as seen, names on the medium, and the operations between the two as (number, name, node or None)."""

    names: dict[str, Node] = field(default_factory=dict)
    durable: dict[str, Node] = field(default_factory=dict)
    pending: list[tuple[int, str, Node | None]] = field(default_factory=list)
    serial: int = 0


Node = SimFile | SimFolder


def put_durably(parent: SimFolder, name: str, node: Node) -> None:
    parent.names[name] = parent.durable[name] = node
    parent.pending = [one for one in parent.pending if one[1] != name]


def stat_of(node: Node) -> Stat:
    if isinstance(node, SimFolder):
        return Stat("folder", 0, 1, str(node.serial))
    return Stat("file", len(node.data), 1, f"{node.serial}:{len(node.data)}")


def walk(folder: SimFolder, prefix: str) -> Iterator[tuple[str, bytes]]:
    for name, node in folder.names.items():
        if isinstance(node, SimFile):
            yield prefix + name, node.data
        else:
            yield from walk(node, f"{prefix}{name}/")


def census(folder: SimFolder, prefix: str) -> Iterator[tuple[str, bytes | None]]:
    for name, node in folder.names.items():
        if isinstance(node, SimFile):
            yield prefix + name, node.data
        else:
            yield prefix + name, None
            yield from census(node, f"{prefix}{name}/")


def nodes_of(node: Node, known: set[int]) -> Iterator[Node]:
    """Everything that is reachable in either half, each once."""
    if id(node) in known:
        return
    known.add(id(node))
    yield node
    if isinstance(node, SimFolder):
        waiting = [one for _, _, one in node.pending if one is not None]
        for inner in (*node.names.values(), *node.durable.values(), *waiting):
            yield from nodes_of(inner, known)


def copy_of(node: Node, copies: dict[int, Node]) -> Node:
    if id(node) in copies:
        return copies[id(node)]
    if isinstance(node, SimFile):
        copies[id(node)] = SimFile(node.data, node.durable, list(node.pending), node.stuck, node.serial)
        return copies[id(node)]
    folder = copies[id(node)] = SimFolder(serial=node.serial)
    folder.names = {name: copy_of(inner, copies) for name, inner in node.names.items()}
    folder.durable = {name: copy_of(inner, copies) for name, inner in node.durable.items()}
    folder.pending = [(n, name, None if one is None else copy_of(one, copies)) for n, name, one in node.pending]
    return folder


def settle(
    folder: SimFolder, survivors: set[int], fates: dict[tuple[int, int], Fate], made: dict[int, Node]
) -> SimFolder:
    """The folder as it is on the medium after the cut, with everything in it."""
    names: dict[str, Node] = dict(folder.durable)
    for number, name, node in folder.pending:
        if number in survivors and node is not None:
            names[name] = node
        elif number in survivors:
            names.pop(name, None)
    result = made[id(folder)] = SimFolder(serial=folder.serial)
    for name, node in names.items():
        if id(node) not in made:
            if isinstance(node, SimFile):
                data = _left(node, fates)
                made[id(node)] = SimFile(data, data, serial=node.serial)
            else:
                settle(node, survivors, fates, made)
        result.names[name] = result.durable[name] = made[id(node)]
    return result


def _left(file: SimFile, fates: dict[tuple[int, int], Fate]) -> bytes:
    """The file's bytes after the cut: what was durable, and of each later write what its fate leaves."""
    data = bytearray(file.durable)
    for index, (offset, written) in enumerate(file.pending):
        fate = fates[file.serial, index]
        if fate == "none":
            continue
        some = bytes(len(written)) if fate == "zeros" else written[: len(written) // 2] if fate == "half" else written
        data.extend(bytes(max(offset - len(data), 0)))
        data[offset : offset + len(some)] = some
    return bytes(data)
