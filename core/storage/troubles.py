"""What the operating system's refusals mean: an `OSError` becomes one of our errors with a plain sentence."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.errors import DiskLost, DiskTrouble, NotAFile, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SENTENCES = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "permission denied: look at the owner and mode of the file and its folder",
    errno.EPERM: "not permitted: look at the owner and mode of the file and its folder",
    errno.EMFILE: "too many open files in this process",
    errno.ENFILE: "too many open files on this machine",
    errno.EIO: "the disk reported an input/output error",
    errno.ENOENT: "the folder has vanished",
}

_NOT_PLAIN = {errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.ENXIO}


def trouble(path: str, error: OSError) -> StorageError:
    """The error to raise for a refused operation: `NotAFile` for a wrong kind, else `DiskTrouble` with the errno."""
    code = error.errno or 0
    if code in _NOT_PLAIN:
        return NotAFile(path, "a folder, link or special file stands where a plain file or folder belongs")
    sentence = _SENTENCES.get(code) or f"the disk said: {os.strerror(code)}"
    return DiskTrouble(path, code, sentence)


def lost(path: str, error: OSError) -> DiskLost:
    """The error to raise for a failed fsync: whether the bytes are on the medium cannot be known any more."""
    reason = os.strerror(error.errno or 0)
    return DiskLost(f"{path or '.'}: flushing to the disk failed ({reason}); the process must end and start again")


@contextmanager
def told(path: str) -> Iterator[None]:
    """Turn an `OSError` inside the block into `trouble`."""
    try:
        yield
    except OSError as error:
        raise trouble(path, error) from error


@contextmanager
def flushing(path: str) -> Iterator[None]:
    """Turn an `OSError` inside the block, which does nothing but flush, into `lost`."""
    try:
        yield
    except OSError as error:
        raise lost(path, error) from error
