"""How a folder below the root is reached without ever following a link."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

_KEPT = 32
_DEEPEST = 15

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Folders(Protocol):
    """Folders below one root, reached component by component. Errors arrive as `OSError`."""

    def spot(self, path: str) -> tuple[str, int | None]:
        """The arguments that name the path to `os` functions: a name and the descriptor of its folder."""

    def opened(self, folder: str) -> int | str:
        """The folder itself, for `os.scandir`."""

    def sync(self, folder: str) -> None:
        """Make the names in the folder durable."""

    def close(self) -> None:
        """Give everything back."""


class OpenFolders:
    """Folders as descriptors, each opened relative to the one above with O_NOFOLLOW.

    The last few are kept, because reading ten thousand slices walks the same years and months over and over. A kept
    one serves only while its path still leads to it: a person may rename a folder at any moment, and what is meant
    for the old name must not land in the renamed one. Holding the descriptor keeps its inode from being reused, so
    comparing device and inode is enough. Where the system says where a descriptor stands (Linux), one look at the
    whole path does for all the folders on the way: a folder that is reached through a link stands somewhere else.
    """

    def __init__(self, root: Path) -> None:
        # The root itself may be reached through links: it is the owner's choice where memory lives.
        self._root = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
        self._kept: OrderedDict[str, tuple[int, int, int]] = OrderedDict()
        self._place = _place_of(self._root)

    def spot(self, path: str) -> tuple[str, int | None]:
        """The last name and the descriptor of its folder; "" is the root itself."""
        folder, _, name = path.rpartition("/")
        return name or ".", self.opened(folder)

    def opened(self, folder: str) -> int:
        """A descriptor that stays open at least until the next call but one."""
        if not folder:
            return self._root
        if self._place and self._stands(folder):
            return self._kept[folder][0]
        if folder.count("/") >= _DEEPEST:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), folder)
        above, _, name = folder.rpartition("/")
        parent = self.opened(above)
        kept = self._still_there(folder, name, parent)
        if kept is not None:
            return kept
        descriptor = os.open(name, _FOLDER, dir_fd=parent)
        self._keep(folder, descriptor)
        return descriptor

    def sync(self, folder: str) -> None:
        """Flush the folder; file systems that cannot flush folders say EINVAL and are left alone."""
        try:
            os.fsync(self.opened(folder))
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise

    def close(self) -> None:
        """Close every descriptor."""
        while self._kept:
            os.close(self._kept.popitem()[1][0])
        if self._root >= 0:
            os.close(self._root)
            self._root = -1

    def __del__(self) -> None:
        """Give descriptors back also where nobody said so: there are not many of them in a process."""
        if hasattr(self, "_root"):
            self.close()

    def _keep(self, folder: str, descriptor: int) -> None:
        now = os.fstat(descriptor)
        self._kept[folder] = (descriptor, now.st_dev, now.st_ino)
        if len(self._kept) > _KEPT:
            os.close(self._kept.popitem(last=False)[1][0])

    def _stands(self, folder: str) -> bool:
        """Whether the kept descriptor is what the path leads to, and without a link on the way; False when unsure."""
        kept = self._kept.get(folder)
        if kept is None:
            return False
        descriptor, device, inode = kept
        try:
            now = os.stat(folder, dir_fd=self._root, follow_symlinks=False)
        except OSError:
            return False
        if now.st_ino != inode or now.st_dev != device or _place_of(descriptor) != f"{self._place}/{folder}":
            return False
        self._kept.move_to_end(folder)
        return True

    def _still_there(self, folder: str, name: str, parent: int) -> int | None:
        """The kept descriptor, if its name still leads to it; looked at in its parent, so that no link is followed."""
        kept = self._kept.get(folder)
        if kept is None:
            return None
        descriptor, device, inode = kept
        try:
            now = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError:
            now = None
        if now is not None and now.st_ino == inode and now.st_dev == device:
            self._kept.move_to_end(folder)
            return descriptor
        del self._kept[folder]
        os.close(descriptor)
        return None


def _place_of(descriptor: int) -> str:
    """Where an open folder stands, by the system's own account; "" where that cannot be had."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - asked for every file; a Path costs twice that
    except OSError:
        return ""


class PathFolders:
    """Folders as joined paths, for systems whose calls take no folder descriptor (Windows).

    Every component is looked at before use. Between the look and the use a link could be slipped in; whoever can do
    that there can write into memory anyway.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        if not self._root.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(root))

    def spot(self, path: str) -> tuple[str, int | None]:
        """The whole path, and no descriptor."""
        folder, _, name = path.rpartition("/")
        return str(self._walk(folder) / name), None

    def opened(self, folder: str) -> str:
        """The folder's whole path."""
        return str(self._walk(folder))

    def sync(self, folder: str) -> None:
        """Flush the folder where the system can do that; Windows cannot (reliability 2.12)."""
        path = self._walk(folder)
        if sys.platform == "win32":
            return
        descriptor = os.open(path, _FOLDER)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Nothing is held."""

    def _walk(self, folder: str) -> Path:
        path = self._root
        for name in folder.split("/") if folder else ():
            path /= name
            if not stat.S_ISDIR(path.lstat().st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        return path


def folders_below(root: Path) -> Folders:
    """The safest way that this system offers."""
    return OpenFolders(root) if os.open in os.supports_dir_fd else PathFolders(root)
