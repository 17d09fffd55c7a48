"""A repository's tree by path, with the ids that git gives its folders: what was last known to stand there.

An entry is the blob's id, with its mode before it (`100755 <id>`) when it is not a plain file. Folder ids are computed
only when asked for and only where something changed, so the cost of a turn does not grow with the archive.
"""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLAIN: Final = "100644"
FOLDER: Final = "40000"


class Folder:
    """A folder: names to entries or folders, and its id once computed."""

    __slots__ = ("names", "sha")

    def __init__(self) -> None:
        self.names: dict[str, str | Folder] = {}
        self.sha = ""


class Forest:
    """All files of a repository, ours and others'."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self._root = Folder()
        self._count = 0
        for path, entry in (files or {}).items():
            self.put(path, entry)

    def __len__(self) -> int:
        return self._count

    def get(self, path: str) -> str | None:
        """The entry at a path; None for nothing and for a folder."""
        folder, _, name = path.rpartition("/")
        above = self.folder(folder)
        found = above.names.get(name) if above else None
        return found if isinstance(found, str) else None

    def put(self, path: str, entry: str | None) -> None:
        """Set an entry, or (None) take it away together with folders that become empty."""
        *folders, name = path.split("/")
        trail = [self._root]
        for step in folders:
            below = trail[-1].names.get(step)
            if not isinstance(below, Folder):
                if entry is None:
                    return
                self._count -= below is not None
                below = trail[-1].names[step] = Folder()
            trail.append(below)
        there = trail[-1].names.get(name)
        if entry is None and there is None:
            return
        self._count += (entry is not None) - (there is not None)
        if entry is None:
            del trail[-1].names[name]
            for above, step in zip(reversed(trail[:-1]), reversed(folders), strict=True):
                below = above.names[step]
                if isinstance(below, Folder) and not below.names:
                    del above.names[step]
        else:
            trail[-1].names[name] = entry
        for one in trail:
            one.sha = ""

    def folder(self, path: str) -> Folder | None:
        """The folder at a path ("" is the root), if there is one."""
        found: str | Folder | None = self._root
        for step in path.split("/") if path else ():
            found = found.names.get(step) if isinstance(found, Folder) else None
        return found if isinstance(found, Folder) else None

    def items(self) -> Iterator[tuple[str, str]]:
        """Every file with its entry."""
        return self.below("")

    def below(self, path: str) -> Iterator[tuple[str, str]]:
        """Every file below a folder with its entry."""
        folder = self.folder(path)
        yield from _walk(folder, f"{path}/" if path else "") if folder else ()

    def tree_id(self, path: str = "") -> str:
        """The id that git gives the folder as a tree; "" when there is none."""
        folder = self.folder(path)
        return _id_of(folder) if folder else ""


def entry_of(mode: str, sha: str) -> str:
    """The entry for a mode and an id as GitHub tells them."""
    return sha if mode == PLAIN else f"{mode} {sha}"


def _walk(folder: Folder, prefix: str) -> Iterator[tuple[str, str]]:
    for name, found in folder.names.items():
        if isinstance(found, Folder):
            yield from _walk(found, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", found


def _id_of(folder: Folder) -> str:
    if not folder.sha:
        lines = []
        for name, found in folder.names.items():
            if isinstance(found, Folder):
                lines.append((f"{name}/".encode(), FOLDER, name, _id_of(found)))
            else:
                mode, _, sha = found.rpartition(" ")
                lines.append((name.encode(), mode or PLAIN, name, sha))
        body = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(sha) for _, mode, name, sha in sorted(lines))
        folder.sha = sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()
    return folder.sha
