"""One process per memory: the home is looked over, and its state folder locked, for as long as the process lives."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from core.errors import Held, NotAFile, Ousted, SettingsError, StorageError
from core.storage.troubles import told

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

STATE = "state"
HOLDER = "holder"

_VARIABLE = "PREVIOUSLY_HOME"
_LOOSE = stat.S_IWGRP | stat.S_IWOTH


class Hold:
    """Holds a home (a context manager); a second holder, in this process or another, gets `Held` naming the first.

    The lock is a flock on the folder `state/` itself: nothing that could be deleted by hand while it is held, and the
    kernel gives it back however the process ends (reliability 2.13). The pid stands in `state/holder` only to be
    told; a stale one is harmless. On Windows, which cannot lock folders, the file `state/lock` is locked instead.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._state = home / STATE
        self._descriptor = -1

    def __enter__(self) -> Self:
        """Prepare and lock the home. Raises `SettingsError` (unsafe), `Held` (busy), `NotAFile`, `DiskTrouble`."""
        self._take()
        return self

    def renew(self) -> None:
        """Hold the home as before when somebody has deleted or moved `state/`; called before it is written to.

        Raises `Ousted` when another process has come in by then, `NotAFile` and `DiskTrouble` when it cannot be held.
        """
        if self._descriptor < 0 or self.stands:
            return
        before = self._descriptor
        try:
            self._take()
        except Held as error:
            raise Ousted(f"{STATE}/ was deleted while this process ran, and the memory is now {error}") from error
        except SettingsError as error:
            raise NotAFile(STATE, str(error)) from error
        os.close(before)

    def _take(self) -> None:
        prepare_home(self._home)
        prepare_home(self._state)
        with told(STATE):
            descriptor = _open_lock(self._state)
        try:
            _lock(descriptor, self._state)
        except StorageError:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        # Courtesies: a full disk must not keep the process from starting and saying so.
        with suppress(OSError):
            _write_private(self._state / HOLDER, f"{os.getpid()}\n")
            if not (self._state / ".gitignore").exists():
                _write_private(self._state / ".gitignore", "*\n")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the home back."""
        if self.stands:
            with suppress(OSError):  # on a read-only disk, and nothing of what ended the block may be hidden by it
                (self._state / HOLDER).unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1

    @property
    def stands(self) -> bool:
        """Whether the locked folder is still the one at its path; False once somebody deleted or moved it."""
        if self._descriptor < 0:
            return False
        if sys.platform == "win32":
            return self._state.is_dir()
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._state.lstat())
        except OSError:
            return False


def prepare_home(folder: Path) -> None:
    """Create the folder with mode 0700, or look whether the one that is there is this user's alone to write.

    Raises `SettingsError` with the command that mends it (reliability 2.2, 2.9).
    """
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700, parents=True)
            folder.chmod(0o700)
        found = folder.stat()
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise SettingsError(_VARIABLE, f"{folder} cannot be used ({why}); {_whose(folder.parent)}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise SettingsError(_VARIABLE, f"{folder} is not a folder; name another one")
    if sys.platform != "win32":
        _check_owner(folder, found)


def _check_owner(folder: Path, found: os.stat_result) -> None:
    me = os.geteuid()
    if found.st_uid != me:
        raise SettingsError(
            _VARIABLE,
            f"{folder} belongs to user {found.st_uid}, but this process runs as user {me}; "
            f"run it as that user, or: sudo chown -R {me} {folder}",
        )
    if found.st_mode & _LOOSE:
        mode = stat.S_IMODE(found.st_mode)
        raise SettingsError(_VARIABLE, f"{folder} is writable for others (mode {mode:04o}); run: chmod go-w {folder}")
    if found.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        mode = stat.S_IMODE(found.st_mode)
        raise SettingsError(_VARIABLE, f"{folder} is closed to its owner (mode {mode:04o}); run: chmod u+rwx {folder}")


def _whose(folder: Path) -> str:
    """What can be said about the folder that refused."""
    try:
        found = folder.stat()
    except OSError:
        return f"{folder} cannot be read either"
    return f"{folder} has mode {stat.S_IMODE(found.st_mode):04o} and belongs to user {found.st_uid}"


def _open_lock(state: Path) -> int:
    if sys.platform == "win32":
        return os.open(state / "lock", os.O_RDWR | os.O_CREAT)
    return os.open(state, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _lock(descriptor: int, state: Path) -> None:
    """Take the lock at once. Raises `Held` when another has it, `DiskTrouble` when this disk knows no locks."""
    with told(STATE):
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            raise Held(STATE, _holder(state)) from error


def _holder(state: Path) -> str:
    """The process named in the holder file, or just another one when that cannot be told."""
    try:
        pid = (state / HOLDER).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        pid = ""
    return f"process {pid}" if pid.isdigit() else "another process"


def _write_private(path: Path, text: str) -> None:
    """Replace a small file, mode 0600; no need to survive a power cut."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(text, encoding="ascii")
