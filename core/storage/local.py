"""Storage in plain files on a disk: every commit is checked whole, then written durably and renamed into place."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import Conflict, NotAFile, NotFound, StorageError
from core.storage.base import Change, File, Write, version_of
from core.storage.chain import FolderChain
from core.storage.checks import already_stands, check_changes
from core.storage.listing import entries
from core.storage.paths import ROOTS, check_file, check_folder, parent, refuse_twin
from core.storage.temps import fresh_tag, sweeping, temp_path
from core.storage.troubles import flushing, told, trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from core.storage.base import Entry
    from core.storage.disk import Disk, Stat


@dataclass(slots=True)
class _Step:
    """One change on its way: the mark of what it replaces, whether it is so already, its temp file once created."""

    change: Change
    mark: str | None
    stands: bool
    temp: str = ""

    @property
    def path(self) -> str:
        return self.change.path


class LocalStorage:
    """`Storage` on a `Disk` (reliability 2.4, 2.5, 2.9).

    Everything happens without giving way to other tasks: a commit is one step for the rest of the process, and
    the order of operations is the same every time. Files may be of any size.

    When a commit breaks off: before the first rename nothing has changed, temp files are removed, and at most an
    empty new folder is left. Between two renames the changes before the break are in place, whole and in the order
    given, and the same commit repeated completes the rest; rolling back would need the very disk that has just
    refused. So callers put the truth before what is derived from it. After `DiskLost` nothing more is done at all.
    """

    def __init__(self, disk: Disk, tag: Callable[[], str] = fresh_tag) -> None:
        """`tag` makes the middle of a temp file's name, `<pid>.<8 hex digits>`."""
        self._disk = disk
        self._chain = FolderChain(disk)
        self._tag = tag
        self._left: list[str] = []

    async def read(self, path: str) -> File:
        """The file. Raises `NotFound`, `PathRefused`, `NotAFile`, `DiskTrouble`."""
        data, _ = self._look(check_file(path))
        if data is None:
            # An editor that saves by unlinking and renaming leaves a gap of microseconds.
            data, _ = self._look(path)
        if data is None:
            raise NotFound(path)
        return File(path, data, version_of(data))

    async def list(self, folder: str) -> Sequence[Entry]:
        """The names in a folder, sorted; none when it is missing. Raises `PathRefused`, `NotAFile`, `DiskTrouble`."""
        return entries(self._disk, check_folder(folder), folder)

    async def commit(self, changes: Sequence[Change], message: str) -> None:  # noqa: ARG002 - files have no history
        """Make all changes durable, or none; see `Storage.commit` and the class."""
        check_changes(changes)
        steps = [self._check(change) for change in changes]
        for step in steps:
            if isinstance(step.change, Write):
                self._chain.ensure(parent(step.path))
        try:
            self._prepare(steps)
            self._look_again(steps)
            self._put_in_place(steps)
        except StorageError:
            self._drop_temps(steps)
            raise
        self._flush_folders(steps)
        self._remove_left()

    def sweep(self, folders: Iterable[str] = ROOTS) -> int:
        """Delete what dead processes left half-written below the folders; how many files that were (R15).

        Only names of our own making count. For use while holding the memory, before the first commit. Raises
        `DiskTrouble`.
        """
        return sum(self.sweeping(folders))

    def sweeping(self, folders: Iterable[str] = ROOTS) -> Iterator[int]:
        """The same, a folder a step; between two steps commits may go on, for no temp file outlives its commit."""
        return sweeping(self._disk, folders)

    def _check(self, change: Change) -> _Step:
        data, mark = self._look(change.path)
        if data is None and isinstance(change, Write):
            refuse_twin(change.path, self._names(parent(change.path)))
        return _Step(change, mark, already_stands(change, data))

    def _look(self, path: str) -> tuple[bytes | None, str | None]:
        """Bytes and mark of the plain file there, or (None, None)."""
        try:
            found = self._disk.stat(path)
            if found is None:
                return None, None
            _check_plain(path, found)
            return self._disk.read(path), found.mark
        except FileNotFoundError:
            return None, None
        except OSError as error:
            raise trouble(path, error) from error

    def _names(self, folder: str) -> Sequence[str]:
        with told(folder), suppress(FileNotFoundError):
            return [name for name, _ in self._disk.list(folder)]
        return []

    def _prepare(self, steps: Sequence[_Step]) -> None:
        """Write and flush everything beside its place."""
        for step in steps:
            if not isinstance(step.change, Write):
                continue
            if step.stands:
                self._assert_durable(step.path)
            else:
                self._write_temp(step, step.change.data)

    def _write_temp(self, step: _Step, data: bytes) -> None:
        temp = temp_path(step.path, self._tag())
        with told(step.path):
            handle = self._disk.create(temp)
            step.temp = temp
            try:
                self._disk.write(handle, data)
                with flushing(step.path):
                    self._disk.sync(handle)
            finally:
                self._disk.close(handle)

    def _assert_durable(self, path: str) -> None:
        """The bytes stand already, but whoever wrote them may not have lived to flush them (R9)."""
        # What has vanished since it was looked at is found out by the second look.
        with flushing(path), suppress(FileNotFoundError):
            self._disk.sync_file(path)

    def _look_again(self, steps: Sequence[_Step]) -> None:
        """Writing took its time: raise `Conflict` when a person was faster (reliability 2.10)."""
        for step in steps:
            with told(step.path):
                found = self._disk.stat(step.path)
            if (found.mark if found else None) != step.mark:
                data, _ = self._look(step.path)
                raise Conflict(step.path, step.change.expects, None if data is None else version_of(data))

    def _put_in_place(self, steps: Sequence[_Step]) -> None:
        for step in steps:
            with told(step.path):
                if step.temp:
                    self._disk.replace(step.temp, step.path)
                    step.temp = ""
                elif not step.stands:
                    with suppress(FileNotFoundError):
                        self._disk.remove(step.path)

    def _flush_folders(self, steps: Sequence[_Step]) -> None:
        for folder in dict.fromkeys(parent(step.path) for step in steps):
            with flushing(folder):
                there = self._disk.stat(folder) is not None
            if there:
                self._chain.flush(folder)

    def _drop_temps(self, steps: Sequence[_Step]) -> None:
        """Remove what was prepared; a temp file that will not go is tried again after the next commit."""
        self._left += [step.temp for step in steps if step.temp]
        self._remove_left()

    def _remove_left(self) -> None:
        """Remove temp files of commits that broke off; what stands when the process ends is swept at a start (R15)."""
        for temp in list(self._left):
            with suppress(OSError):
                with suppress(FileNotFoundError):
                    self._disk.remove(temp)
                self._left.remove(temp)


def _check_plain(path: str, found: Stat) -> None:
    if found.kind != "file":
        raise NotAFile(path, "a folder, link or special file stands where a plain file belongs")
    if found.links > 1:
        raise NotAFile(path, f"the file has {found.links} hard links, so it may also be somebody else's; copy it anew")
