"""What was forgotten lately: kept for thirty days in `state/bin`, outside memory, recall, export and push.

One file a forgetting, so that it is there or not. Nothing reads it but taking a forgetting back.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from core.clock import instant
from core.owning.files import drop, get, names, put
from core.storage.base import version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from core.storage.disk import Disk

FOLDER: Final = "state/bin"
KEPT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Binned:
    """A file as it was, and the version that the forgetting left in its place (None: no file)."""

    data: bytes
    after: str | None


@dataclass(frozen=True, slots=True)
class Bundle:
    """A forgetting that can be taken back: its id, when it was (ISO), and every file that it changed."""

    id: str
    at: str
    files: Mapping[str, Binned] = field(default_factory=dict)


class Bin:
    """The bin of one home. Raises `DiskTrouble` and `DiskLost`."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def keep(self, name: str, at: str, files: Mapping[str, tuple[bytes, bytes | None]]) -> None:
        """Keep these files, each as it is and as it will be; done again it changes nothing."""
        if self._path(name) in self._paths():
            return
        kept = {
            path: [b64encode(data).decode(), None if after is None else version_of(after)]
            for path, (data, after) in files.items()
        }
        put(self._disk, self._path(name), json.dumps({"id": name, "at": at, "files": kept}).encode())

    def newest(self, name: str = "") -> Bundle | None:
        """The bundle of that id, without one the newest; None when there is none that can be read."""
        found = [one for one in self._bundles() if not name or one.id == name]
        return max(found, key=lambda one: (one.at, one.id), default=None)

    def remove(self, name: str) -> None:
        """Empty it of one forgetting."""
        drop(self._disk, self._path(name))

    def empty(self) -> int:
        """Empty it at once; how many forgettings that were."""
        return sum(drop(self._disk, path) for path in self._paths())

    def sweep(self, now: datetime) -> int:
        """Empty it of what was forgotten thirty days ago or earlier; how many that were. For the scheduler."""
        old = [one.id for one in self._bundles() if (at := instant(one.at)) is None or now - at >= KEPT]
        for name in old:
            self.remove(name)
        return len(old)

    def _bundles(self) -> Iterator[Bundle]:
        for path in self._paths():
            bundle = _bundle(get(self._disk, path) or b"")
            if bundle and self._path(bundle.id) == path:
                yield bundle

    def _paths(self) -> list[str]:
        return [f"{FOLDER}/{name}" for name in names(self._disk, FOLDER) if not name.startswith(".")]

    def _path(self, name: str) -> str:
        return f"{FOLDER}/{name}.json"


def _bundle(data: bytes) -> Bundle | None:
    try:
        found: Any = json.loads(data)
        files = {
            str(path): Binned(b64decode(kept), None if after is None else str(after))
            for path, (kept, after) in found["files"].items()
        }
        return Bundle(str(found["id"]), str(found["at"]), files)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
