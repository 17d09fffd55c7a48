"""A disk in a dictionary: the same port, gone when the process ends."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from core.storage.disk import Kind, Stat

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True, eq=False)
class Node:
    """What a name leads to. Two names may share one; `mark` grows whenever the data change."""

    kind: Kind
    data: bytearray = field(default_factory=bytearray)
    links: int = 1
    mark: int = 0


class RamDisk:
    """A `Disk` for the demo's journal and for tests.

    `names` maps each path to its node, "" being the root. A subclass that simulates power cuts keeps a second copy
    of both halves: it overrides `file_synced` (the node's data are durable now) and `folder_synced` (the names in
    that folder are), and builds the surviving disk from what it was told.
    """

    def __init__(self) -> None:
        self.names: dict[str, Node] = {"": Node("folder")}
        self._marks = count(1)
        self._handles: dict[int, Node] = {}
        self._numbers = count(3)

    def file_synced(self, node: Node) -> None:
        """Called when a file has been flushed."""

    def folder_synced(self, path: str) -> None:
        """Called when a folder has been flushed."""

    def stat(self, path: str) -> Stat | None:
        """What stands there, or None; NotADirectoryError when a file stands on the way."""
        try:
            self._folder_of(path)
        except FileNotFoundError:
            return None
        node = self.names.get(path)
        return None if node is None else _stat(node)

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        """Names in a folder with their stats, sorted."""
        if self._existing(path).kind != "folder":
            raise _error(errno.ENOTDIR, path)
        start = f"{path}/" if path else ""
        inside = [other for other in self.names if other and other.startswith(start) and "/" not in other[len(start) :]]
        return [(other[len(start) :], _stat(self.names[other])) for other in sorted(inside)]

    def read(self, path: str) -> bytes:
        """All bytes of a plain file."""
        return bytes(self._file(path).data)

    def make_folder(self, path: str) -> None:
        """Create one folder; its parent must exist."""
        self._add(path, "folder")

    def create(self, path: str) -> int:
        """Open a new file for writing."""
        return self._open(self._add(path, "file"))

    def open_append(self, path: str) -> int:
        """Open a file to append, created when missing."""
        self._folder_of(path)
        return self._open(self._file(path) if path in self.names else self._add(path, "file"))

    def write(self, handle: int, data: bytes) -> None:
        """Append the bytes."""
        node = self._node(handle)
        node.data += data
        node.mark = next(self._marks)

    def sync(self, handle: int) -> None:
        """Flush an open file."""
        self.file_synced(self._node(handle))

    def close(self, handle: int) -> None:
        """Give the handle back; never raises."""
        self._handles.pop(handle, None)

    def sync_file(self, path: str) -> None:
        """Flush a file that is already there."""
        self.file_synced(self._file(path))

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable."""
        if self._existing(path).kind != "folder":
            raise _error(errno.ENOTDIR, path)
        self.folder_synced(path)

    def replace(self, source: str, target: str) -> None:
        """Rename a file over the target, atomically."""
        node = self._file(source)
        self._folder_of(target)
        standing = self.names.get(target)
        if standing is not None and standing.kind == "folder":
            raise _error(errno.EISDIR, target)
        self.names[target] = self.names.pop(source) if source != target else node

    def remove(self, path: str) -> None:
        """Unlink a file."""
        if self._existing(path).kind == "folder":
            raise _error(errno.EISDIR, path)
        del self.names[path]

    def _add(self, path: str, kind: Kind) -> Node:
        self._folder_of(path)
        if path in self.names:
            raise _error(errno.EEXIST, path)
        node = Node(kind, mark=next(self._marks))
        self.names[path] = node
        return node

    def _open(self, node: Node) -> int:
        handle = next(self._numbers)
        self._handles[handle] = node
        return handle

    def _node(self, handle: int) -> Node:
        if handle not in self._handles:
            raise _error(errno.EBADF, "")
        return self._handles[handle]

    def _folder_of(self, path: str) -> None:
        """Raise unless every component above the path is a folder."""
        parts = path.split("/")[:-1]
        for depth in range(len(parts)):
            above = "/".join(parts[: depth + 1])
            if self._named(above).kind != "folder":
                raise _error(errno.ENOTDIR, path)

    def _named(self, path: str) -> Node:
        if path not in self.names:
            raise _error(errno.ENOENT, path)
        return self.names[path]

    def _existing(self, path: str) -> Node:
        self._folder_of(path)
        return self._named(path)

    def _file(self, path: str) -> Node:
        node = self._existing(path)
        if node.kind == "folder":
            raise _error(errno.EISDIR, path)
        if node.kind != "file":
            raise _error(errno.EINVAL, path)
        return node


def _stat(node: Node) -> Stat:
    return Stat(node.kind, len(node.data), node.links, str(node.mark))


def _error(code: int, path: str) -> OSError:
    """The OSError subclass that belongs to the code."""
    return OSError(code, os.strerror(code), path)
