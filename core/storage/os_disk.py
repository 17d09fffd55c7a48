"""The disk of this machine: plain system calls below one root folder."""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import TYPE_CHECKING

from core.storage.disk import Kind, Stat
from core.storage.folders import Folders, folders_below

if sys.platform == "darwin":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SAFE = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)
# A FIFO without a partner would hold up an open for ever.
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


class OsDisk:
    """A `Disk` on the real file system (reliability 2.2, 2.5, 2.12).

    Modes do not depend on the umask: files are 0600, folders 0700. Writes interrupted by a signal go on, short
    writes are completed. The root must exist; raises `OSError` when it does not.
    """

    def __init__(self, root: Path, folders: Folders | None = None) -> None:
        self._folders = folders or folders_below(root)

    def shut(self) -> None:
        """Give back every descriptor; the disk is of no use afterwards."""
        self._folders.close()

    def stat(self, path: str) -> Stat | None:
        """What stands there (the link itself, not its target), or None; NotADirectoryError below a file or link."""
        try:
            name, folder = self._folders.spot(path)
            return _stat(os.stat(name, dir_fd=folder, follow_symlinks=False))
        except FileNotFoundError:
            return None

    def list(self, path: str) -> Sequence[tuple[str, Stat]]:
        """Names in a folder with their stats, sorted; what vanishes meanwhile is left out."""
        found: list[tuple[str, Stat]] = []
        with os.scandir(self._folders.opened(path)) as entries:
            for entry in entries:
                look = _entry_stat(entry)
                if look is not None:
                    found.append((entry.name, look))
        found.sort()
        return found

    def read(self, path: str) -> bytes:
        """All bytes of a plain file; OSError EINVAL for a FIFO or device, ELOOP for a link, EISDIR for a folder."""
        name, folder = self._folders.spot(path)
        handle = os.open(name, os.O_RDONLY | _SAFE | _NO_WAIT, dir_fd=folder)
        try:
            return _read_all(handle, _plain_size(handle, path))
        finally:
            os.close(handle)

    def make_folder(self, path: str) -> None:
        """Create one folder, mode 0700; its parent must exist."""
        name, folder = self._folders.spot(path)
        os.mkdir(name, _FOLDER_MODE, dir_fd=folder)
        if sys.platform != "win32":
            os.chmod(name, _FOLDER_MODE, dir_fd=folder)

    def create(self, path: str) -> int:
        """Open a new file for writing, mode 0600; raises FileExistsError."""
        return self._open_to_write(path, os.O_CREAT | os.O_EXCL)

    def open_append(self, path: str) -> int:
        """Open a plain file to append, created 0600 when missing; OSError EINVAL for anything else."""
        return self._open_to_write(path, os.O_CREAT | os.O_APPEND)

    def write(self, handle: int, data: bytes) -> None:
        """Write all the bytes."""
        rest = memoryview(data)
        while rest:
            done = os.write(handle, rest)
            if done == 0:
                raise OSError(errno.EIO, "nothing could be written")
            rest = rest[done:]

    def sync(self, handle: int) -> None:
        """Flush the file to the medium."""
        _flush(handle)

    def close(self, handle: int) -> None:
        """Give the handle back; an error would tell nothing that `sync` has not told."""
        try:
            os.close(handle)
        except OSError:
            return

    def sync_file(self, path: str) -> None:
        """Open, flush and close a file that is already there (R9)."""
        name, folder = self._folders.spot(path)
        # Windows flushes only what is open for writing.
        way = os.O_RDWR if sys.platform == "win32" else os.O_RDONLY
        handle = os.open(name, way | _SAFE | _NO_WAIT, dir_fd=folder)
        try:
            _flush(handle)
        finally:
            os.close(handle)

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable; does nothing on Windows, which cannot."""
        self._folders.sync(path)

    def replace(self, source: str, target: str) -> None:
        """Rename over the target, atomically."""
        new, new_folder = self._folders.spot(target)
        old, old_folder = self._folders.spot(source)
        os.replace(old, new, src_dir_fd=old_folder, dst_dir_fd=new_folder)

    def remove(self, path: str) -> None:
        """Unlink a file or link; raises FileNotFoundError."""
        name, folder = self._folders.spot(path)
        os.unlink(name, dir_fd=folder)

    def _open_to_write(self, path: str, how: int) -> int:
        name, folder = self._folders.spot(path)
        handle = os.open(name, os.O_WRONLY | how | _SAFE | _NO_WAIT, _FILE_MODE, dir_fd=folder)
        try:
            _plain_size(handle, path)
            if sys.platform != "win32":
                os.fchmod(handle, _FILE_MODE)
        except OSError:
            os.close(handle)
            raise
        return handle


def _stat(status: os.stat_result) -> Stat:
    if stat.S_ISDIR(status.st_mode):
        return _folder_stat(status.st_ino)
    kind: Kind = "file" if stat.S_ISREG(status.st_mode) else "other"
    mark = f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"
    return Stat(kind, status.st_size, status.st_nlink, mark)


def _folder_stat(inode: int) -> Stat:
    """A folder's size and times say nothing about it; without them a listing needs no further look at folders."""
    return Stat("folder", 0, 1, str(inode))


def _entry_stat(entry: os.DirEntry[str]) -> Stat | None:
    try:
        if entry.is_dir(follow_symlinks=False):
            return _folder_stat(entry.inode())
        return _stat(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None


def _plain_size(handle: int, path: str) -> int:
    """The size of an open plain file; raises OSError EISDIR or EINVAL when it is none."""
    status = os.fstat(handle)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a plain file", path)
    return status.st_size


def _read_all(handle: int, size: int) -> bytes:
    """Everything up to the end, even when the file grew or shrank since its size was taken."""
    first = os.read(handle, size + 1)
    if len(first) == size:
        return first
    parts = [first]
    while parts[-1]:
        parts.append(os.read(handle, 1 << 20))
    return b"".join(parts)


def _flush(handle: int) -> None:
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        except OSError as error:
            # Network and some foreign file systems know only the plain way.
            if error.errno not in {errno.ENOTSUP, errno.EINVAL}:
                raise
        else:
            return
    os.fsync(handle)
