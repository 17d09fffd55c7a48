"""A disk with a volatile and a durable half: what a process sees, and what a power cut may leave (reliability 6, T2).

Names in folders and bytes in files become durable apart. A power cut keeps any subset of the folder operations that
were not synced, in their order, and of every write that was not synced nothing, all, the first half, or its length in
zeros. Handles point to files, not names, as on a real system. The tree is in memory; nothing is ever torn by itself.
"""

from __future__ import annotations

import errno
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from tests.doubles.fault_disk import KILL, Fault, Fuse
from tests.doubles.sim_tree import (
    FATES,
    Fate,
    Node,
    SimFile,
    SimFolder,
    census,
    copy_of,
    nodes_of,
    put_durably,
    settle,
    stat_of,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.storage.disk import Stat


class SimDisk:
    """See the module. `seed` decides which images are drawn when there are too many to try all."""

    def __init__(self, *, seed: int = 0) -> None:
        self.fuse = Fuse()
        self._root = SimFolder()
        self._handles: dict[int, SimFile] = {}
        self._serial = 0
        self._seed = seed

    # -- what a test does ------------------------------------------------------------------------------------------

    @property
    def operations(self) -> int:
        """How many operations there have been (closing is none)."""
        return self.fuse.count

    def fail_at(self, k: int, fault: Fault = KILL) -> None:
        """Let the k-th operation since the beginning fail; 0 heals."""
        self.fuse.fail_at(k, fault)

    def effect(self, name: str) -> None:
        """Count something outside of the disk (a send, a model call), so that it can be a point of death too."""
        self.fuse.step(name)

    def plant(self, path: str, data: bytes) -> None:
        """Put a file there from outside, folders too, all durable at once; counts as no operation."""
        parent = self._root
        *folders, name = path.split("/")
        for one in folders:
            node = parent.names.get(one)
            if not isinstance(node, SimFolder):
                node = SimFolder(serial=self._next())
                put_durably(parent, one, node)
            parent = node
        put_durably(parent, name, SimFile(data, data, serial=self._next()))

    def uproot(self, path: str) -> None:
        """Take away a file or a whole folder from outside, durably; open handles keep the file that they had."""
        parent, name = self._parent(path)
        del parent.names[name]
        parent.durable.pop(name, None)
        parent.pending = [one for one in parent.pending if one[1] != name]

    def peek(self, path: str) -> bytes | None:
        """The bytes that a process would read there; counts as no operation, also on a dead disk."""
        node = self._find(path)
        return node.data if isinstance(node, SimFile) else None

    def tree(self) -> dict[str, bytes]:
        """Every file as a process sees it, by path."""
        return dict(walk(self._root, ""))

    def kill_image(self) -> SimDisk:
        """The disk as the next process finds it after kill -9: all is seen, but only what was synced is durable."""
        copies: dict[int, Node] = {}
        image = SimDisk(seed=self._seed)
        root = copy_of(self._root, copies)
        assert isinstance(root, SimFolder)
        image._root, image._serial = root, self._serial
        return image

    def possibilities(self) -> int:
        """How many combinations a power cut now could leave, equal ones counted apart."""
        names, writes = self._unsynced()
        return int(2 ** len(names) * 4 ** len(writes))

    def images(self, most: int = 64) -> Iterator[SimDisk]:
        """Disks as a power cut now may leave them, each once; drawn by the seed when there are more than `most`."""
        names, writes = self._unsynced()
        seen: set[tuple[tuple[str, bytes | None], ...]] = set()
        for kept, fates in self._choices(len(names), len(writes), most):
            survivors = {number for number, keep in zip(names, kept, strict=True) if keep}
            image = SimDisk(seed=self._seed)
            image._root = settle(self._root, survivors, dict(zip(writes, fates, strict=True)), {})
            image._serial = self._serial
            mark = tuple(sorted(census(image._root, "")))
            if mark not in seen:
                seen.add(mark)
                yield image

    def _choices(self, names: int, writes: int, most: int) -> Iterator[tuple[tuple[bool, ...], tuple[Fate, ...]]]:
        if 2**names * 4**writes <= most:
            yield from product(product((False, True), repeat=names), product(FATES, repeat=writes))
            return
        for fate in FATES:
            yield (fate != "none",) * names, (fate,) * writes
        random = Random(f"{self._seed} {self.fuse.count}")
        for _ in range(most - len(FATES)):
            kept = tuple(random.random() < 0.5 for _ in range(names))
            yield kept, tuple(random.choice(FATES) for _ in range(writes))

    def _unsynced(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Numbers of the folder operations (a rename is one), and (file serial, index) of the writes."""
        names: set[int] = set()
        writes: dict[tuple[int, int], None] = {}
        for node in nodes_of(self._root, set()):
            if isinstance(node, SimFolder):
                names.update(number for number, _, _ in node.pending)
            else:
                writes.update(dict.fromkeys((node.serial, index) for index in range(len(node.pending))))
        return sorted(names), list(writes)

    # -- the port --------------------------------------------------------------------------------------------------

    def stat(self, path: str) -> Stat | None:
        self.fuse.step(f"stat {path}")
        node = self._find(path)
        return None if node is None else stat_of(node)

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        self.fuse.step(f"list {path}")
        return [(name, stat_of(node)) for name, node in sorted(self._folder(path).names.items())]

    def read(self, path: str) -> bytes:
        self.fuse.step(f"read {path}")
        return self._file(path).data

    def make_folder(self, path: str) -> None:
        self.fuse.step(f"make_folder {path}")
        parent, name = self._parent(path)
        if name in parent.names:
            raise FileExistsError(errno.EEXIST, "exists", path)
        self._link(parent, name, SimFolder(serial=self._next()))

    def create(self, path: str) -> int:
        self.fuse.step(f"create {path}")
        parent, name = self._parent(path)
        if name in parent.names:
            raise FileExistsError(errno.EEXIST, "exists", path)
        return self._open(self._new(parent, name))

    def open_append(self, path: str) -> int:
        self.fuse.step(f"open_append {path}")
        parent, name = self._parent(path)
        return self._open(self._file(path) if name in parent.names else self._new(parent, name))

    def write(self, handle: int, data: bytes) -> None:
        file = self._handles[handle]

        def put(some: bytes) -> None:
            file.pending.append((len(file.data), some))
            file.data += some

        self.fuse.write("write", data, put)

    def sync(self, handle: int) -> None:
        self._sync("sync", self._handles[handle])

    def close(self, handle: int) -> None:
        self._handles.pop(handle, None)

    def sync_file(self, path: str) -> None:
        self._sync(f"sync_file {path}", self._file(path))

    def sync_folder(self, path: str) -> None:
        self.fuse.step(f"sync_folder {path}")
        folder = self._folder(path)
        folder.durable = dict(folder.names)
        folder.pending.clear()

    def replace(self, source: str, target: str) -> None:
        self.fuse.step(f"replace {target}")
        node = self._file(source)
        old_parent, old_name = self._parent(source)
        parent, name = self._parent(target)
        if isinstance(parent.names.get(name), SimFolder):
            raise IsADirectoryError(errno.EISDIR, "is a folder", target)
        number = self._next()
        parent.names[name] = node
        parent.pending.append((number, name, node))
        del old_parent.names[old_name]
        old_parent.pending.append((number, old_name, None))

    def remove(self, path: str) -> None:
        self.fuse.step(f"remove {path}")
        self._file(path)
        parent, name = self._parent(path)
        del parent.names[name]
        parent.pending.append((self._next(), name, None))

    # -- inside ----------------------------------------------------------------------------------------------------

    def _sync(self, name: str, file: SimFile) -> None:
        try:
            self.fuse.step(name)
        except OSError:
            file.stuck = True  # the kernel marks the pages clean: no later sync writes them (PostgreSQL's lesson)
            raise
        if not file.stuck:
            file.durable = file.data
            file.pending.clear()

    def _next(self) -> int:
        self._serial += 1
        return self._serial

    def _link(self, parent: SimFolder, name: str, node: Node) -> None:
        parent.names[name] = node
        parent.pending.append((self._next(), name, node))

    def _new(self, parent: SimFolder, name: str) -> SimFile:
        file = SimFile(serial=self._next())
        self._link(parent, name, file)
        return file

    def _open(self, file: SimFile) -> int:
        handle = self._next()
        self._handles[handle] = file
        return handle

    def _find(self, path: str) -> Node | None:
        node: Node | None = self._root
        for name in path.split("/") if path else ():
            if node is None:
                return None
            if isinstance(node, SimFile):
                raise NotADirectoryError(errno.ENOTDIR, "not a folder", path)
            node = node.names.get(name)
        return node

    def _folder(self, path: str) -> SimFolder:
        node = self._find(path)
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "not there", path)
        if isinstance(node, SimFile):
            raise NotADirectoryError(errno.ENOTDIR, "not a folder", path)
        return node

    def _file(self, path: str) -> SimFile:
        node = self._find(path)
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "not there", path)
        if isinstance(node, SimFolder):
            raise IsADirectoryError(errno.EISDIR, "is a folder", path)
        return node

    def _parent(self, path: str) -> tuple[SimFolder, str]:
        folder, _, name = path.rpartition("/")
        return self._folder(folder), name
