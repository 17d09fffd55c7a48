"""What buttons say for the person, where that is too long for a button: kept under a short name, over restarts."""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from core.errors import StorageError
from core.storage.troubles import told

if TYPE_CHECKING:
    from core.storage.disk import Disk

PATH: Final = "state/sayings.json"
MOST: Final = 200
"""How many are kept, the oldest let go first; an older button says its label."""
NAME: Final = 12

_log = logging.getLogger("previously.sayings")


class Sayings:
    """Keeps them in one small file: a convenience. Trouble with it harms nothing, and a torn file is begun anew."""

    def __init__(self, disk: Disk, path: str = PATH) -> None:
        self._disk = disk
        self._path = path
        self._said: OrderedDict[str, str] | None = None

    def keep(self, text: str) -> str:
        """The name under which that text is found again; "" when it could not be kept."""
        name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:NAME]
        said = self._loaded()
        if name in said:
            return name
        said[name] = text
        while len(said) > MOST:
            said.popitem(last=False)
        return name if self._save(said) else ""

    def find(self, name: str) -> str:
        """The text of that name, "" when it is not kept any more."""
        return self._loaded().get(name, "")

    def clear(self) -> None:
        """Let go of all: something was forgotten, and these may hold it."""
        self._said = OrderedDict()
        try:
            with told(self._path):
                if self._disk.stat(self._path):
                    self._disk.remove(self._path)
        except StorageError as error:
            _log.warning("sayings are not let go: %s", error)

    def _loaded(self) -> OrderedDict[str, str]:
        if self._said is None:
            self._said = OrderedDict(self._read())
        return self._said

    def _read(self) -> dict[str, str]:
        try:
            with told(self._path):
                found = json.loads(self._disk.read(self._path)) if self._disk.stat(self._path) else {}
        except (StorageError, ValueError):
            return {}
        return {str(name): str(text) for name, text in found.items()} if isinstance(found, dict) else {}

    def _save(self, said: OrderedDict[str, str]) -> bool:
        fresh = f"{self._path}.new"
        try:
            with told(self._path):
                if self._disk.stat(fresh):
                    self._disk.remove(fresh)
                handle = self._disk.create(fresh)
                try:
                    self._disk.write(handle, json.dumps(said).encode("ascii") + b"\n")
                finally:
                    self._disk.close(handle)
                self._disk.replace(fresh, self._path)
        except StorageError as error:
            _log.warning("what a button says is not kept: %s", error)
            return False
        return True
