"""What is known of the repository, on disk: `state/mirror.jsonl`, a whole state and then its changes, one a line.

What waits to be pushed is never listed: it is what differs between the files and this state, so the queue cannot be
lost, and a mirror that is lost costs a comparison, not a word. A push is noted before it is tried (`sent`): when its
answer is lost, or the process dies in between, what stands in the repository is recognised as our own.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from core.storage.github.forest import Forest
from core.storage.troubles import flushing, told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.storage.disk import Disk

PATH: Final = "state/mirror.jsonl"
FORM: Final = 1
TURNS_KEPT: Final = 2_000
COMMITS_KEPT: Final = 500
MOST_LINES: Final = 2_000


@dataclass(slots=True)
class Mirror:
    """The last known state of the branch: `head`, its `tree`, its files; "" before anything is known.

    `sent` are the files (blob ids; None: deleted) of a push whose outcome is not known, `coming` its turns. `kept` are
    files that stay here, each with the blob that was refused or is too large, and why. `stopped` says why nothing is
    pushed until the owner decides. `turns` are the last ids pushed, `commits` the commits that brought
    the last files of which that is worth knowing (ids by path). `marks` are the change marks of local files that
    are as in `files`.
    """

    disk: Disk
    head: str = ""
    tree: str = ""
    tag: str = ""
    files: Forest = field(default_factory=Forest)
    sent: dict[str, str | None] = field(default_factory=dict)
    coming: list[str] = field(default_factory=list)
    kept: dict[str, tuple[str, str]] = field(default_factory=dict)
    stopped: str = ""
    turns: dict[str, None] = field(default_factory=dict)
    commits: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    _lines: int = 0

    @classmethod
    def open(cls, disk: Disk) -> Self:
        """The mirror of that disk; empty when there is none or it cannot be understood. Raises `DiskTrouble`."""
        mirror = cls(disk)
        with told(PATH), suppress(FileNotFoundError):
            mirror._load(disk.read(PATH))
        return mirror

    def note(self, **fields: Any) -> None:
        """Change the state and make the change durable: `files` adds to what is known, all else replaces it.

        Raises `DiskTrouble` and `DiskLost`.
        """
        self._take(fields)
        if not self._lines or self._lines > MOST_LINES:
            self.save()
            return
        self._lines += 1
        self._append(_line(fields))

    def commit_of(self, path: str) -> str:
        """The id of the commit that brought a file, "" when it is not known."""
        return self.commits.get(path, "")

    def save(self) -> None:
        """Write the whole state anew. Raises `DiskTrouble` and `DiskLost`."""
        whole = {
            "form": FORM, "head": self.head, "tree": self.tree, "tag": self.tag, "files": dict(self.files.items()),
            "sent": self.sent, "coming": self.coming, "kept": self.kept, "stopped": self.stopped,
            "turns": list(self.turns)[-TURNS_KEPT:], "marks": self.marks,
            "commits": dict(list(self.commits.items())[-COMMITS_KEPT:]),
        }  # fmt: skip
        fresh = f"{PATH}.new"
        with told(PATH):
            if self.disk.stat(fresh):
                self.disk.remove(fresh)
            handle = self.disk.create(fresh)
            try:
                self.disk.write(handle, _line(whole))
                with flushing(PATH):
                    self.disk.sync(handle)
            finally:
                self.disk.close(handle)
            self.disk.replace(fresh, PATH)
        with flushing(PATH):
            self.disk.sync_folder("state")
        self._lines = 1

    def _append(self, line: bytes) -> None:
        with told(PATH):
            handle = self.disk.open_append(PATH)
            try:
                self.disk.write(handle, line)
                with flushing(PATH):
                    self.disk.sync(handle)
            finally:
                self.disk.close(handle)

    def _load(self, data: bytes) -> None:
        for number, line in enumerate(data.split(b"\n")[:-1]):
            found = _fields(line)
            if found is None or (number == 0) != ("form" in found) or found.get("form", FORM) != FORM:
                break
            self._take(found)

    def _take(self, fields: Mapping[str, Any]) -> None:
        for name, value in fields.items():
            match name:
                case "files":
                    for path, entry in value.items():
                        self.files.put(path, entry)
                        self.marks.pop(path, None)
                case "kept":
                    self.kept = {path: (str(blob), str(why)) for path, (blob, why) in value.items()}
                case "turns":
                    self.turns |= dict.fromkeys(value)
                case "head" | "tree" | "tag" | "stopped":
                    setattr(self, name, str(value))
                case "commits":
                    self.commits |= value
                case "coming":
                    self.coming = list(value)
                case "sent" | "marks":
                    setattr(self, name, dict(value))
                case _:
                    pass  # a later version's

    def forget(self) -> None:
        """Know nothing of the repository any more."""
        self.head = self.tree = self.tag = self.stopped = ""
        self.files, self.sent, self.marks, self.commits = Forest(), {}, {}, {}
        self.save()


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


def _fields(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
