"""A bare repository kept by git itself: long-lived git processes write and read every object."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_TYPES = {"040000": "tree", "160000": "commit"}


@dataclass(frozen=True)
class Node:
    """An entry of a tree."""

    name: str
    mode: str
    sha: str

    @property
    def type(self) -> str:
        return _TYPES.get(self.mode, "blob")


@dataclass(frozen=True)
class Commit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    message: str


class GitStore:
    """Objects and refs of one bare repository. Everything is asked of git; nothing is cached but its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seconds = 1_700_000_000
        self._scratch = folder / "scratch"
        self._pipes: dict[str, subprocess.Popen[bytes]] = {}
        self.git("init", "--bare", "--quiet", "--initial-branch=main", str(folder), where=False)
        self._scratch.mkdir()

    def close(self) -> None:
        for pipe in self._pipes.values():
            if pipe.stdin and pipe.stdout:
                pipe.stdin.close()
                pipe.stdout.close()
            pipe.wait(timeout=10)
        self._pipes.clear()

    def git(self, *arguments: str, where: bool = True, data: bytes = b"") -> bytes:
        """What git says to these arguments. Raises `CalledProcessError`."""
        place = ["--git-dir", str(self.folder)] if where else []
        return subprocess.run(["git", *place, *arguments], input=data, check=True, capture_output=True).stdout  # noqa: S607

    def fsck(self) -> str:
        """What git finds wrong with the repository; "" when nothing is."""
        done = subprocess.run(  # noqa: PLW1510
            ["git", "--git-dir", str(self.folder), "fsck", "--full", "--strict", "--no-dangling"],  # noqa: S607
            capture_output=True, text=True,
        )  # fmt: skip
        return (done.stdout + done.stderr).strip() if done.returncode else ""

    def kind(self, sha: str) -> str | None:
        """The type of an object; None when there is none."""
        found = self._read(sha)
        return found[0] if found else None

    def blob(self, sha: str) -> bytes | None:
        found = self._read(sha)
        return found[1] if found and found[0] == "blob" else None

    def write_blob(self, data: bytes) -> str:
        return self._hash("blob", data)

    def tree(self, sha: str) -> list[Node] | None:
        """The entries of a tree, or of a commit's."""
        found = self._read(sha)
        if found and found[0] == "commit":
            return self.tree(_header(found[1], b"tree")[0])
        if not found or found[0] != "tree":
            return None
        nodes, rest = [], found[1]
        while rest:
            head, _, rest = rest.partition(b"\0")
            mode, _, name = head.partition(b" ")
            nodes.append(Node(name.decode(), mode.decode().zfill(6), rest[:20].hex()))
            rest = rest[20:]
        return nodes

    def write_tree(self, nodes: Iterable[Node]) -> str:
        lines = [f"{node.mode} {node.type} {node.sha}\t{node.name}\0".encode() for node in nodes]
        pipe = self._pipe("mktree", "mktree", "-z", "--batch")
        return self._ask(pipe, b"".join(lines) + b"\0")

    def files(self, sha: str, below: str = "") -> dict[str, tuple[str, str]]:
        """Every blob below a tree by its path, as (mode, id)."""
        found: dict[str, tuple[str, str]] = {}
        for node in self.tree(sha) or []:
            path = f"{below}{node.name}"
            if node.type == "tree":
                found |= self.files(node.sha, f"{path}/")
            else:
                found[path] = (node.mode, node.sha)
        return found

    def edited_tree(self, base: str, changes: Mapping[str, tuple[str, str] | None]) -> str:
        """The tree with these paths set or (None) taken away; raises KeyError for a removal of what is not there."""
        nodes = {node.name: node for node in (self.tree(base) or [])} if base else {}
        below: dict[str, dict[str, tuple[str, str] | None]] = {}
        for path, change in changes.items():
            name, _, rest = path.partition("/")
            if rest:
                below.setdefault(name, {})[rest] = change
            elif change is None:
                del nodes[name]
            else:
                nodes[name] = Node(name, *change)
        for name, inner in below.items():
            there = nodes.get(name)
            sha = self.edited_tree(there.sha if there and there.type == "tree" else "", inner)
            if sha == EMPTY_TREE:
                nodes.pop(name, None)
            else:
                nodes[name] = Node(name, "040000", sha)
        return self.write_tree(nodes.values())

    def commit(self, sha: str) -> Commit | None:
        found = self._read(sha)
        if not found or found[0] != "commit":
            return None
        message = found[1].partition(b"\n\n")[2].decode()
        return Commit(sha, _header(found[1], b"tree")[0], tuple(_header(found[1], b"parent")), message)

    def write_commit(self, tree: str, parents: Iterable[str], message: str, name: str = "double") -> str:
        self._seconds += 1
        who = f"{name} <{name}@example.invalid> {self._seconds} +0000"
        lines = [
            f"tree {tree}",
            *(f"parent {one}" for one in parents),
            f"author {who}",
            f"committer {who}",
            "",
            message,
        ]
        return self._hash("commit", "\n".join(lines).encode())

    def ref(self, name: str) -> str | None:
        """What a full ref (`refs/heads/main`) points at."""
        sha, _, rest = self._ask(self._pipe("look", "cat-file", "--batch-check"), f"{name}\n".encode()).partition(" ")
        return None if rest == "missing" else sha

    def set_ref(self, name: str, sha: str | None, old: str | None = None) -> None:
        """Move, create or (None) remove a ref; `old` is what it must be now."""
        pipe = self._pipe("refs", "update-ref", "--stdin")
        wish = f"delete {name}" if sha is None else f"update {name} {sha}{f' {old}' if old else ''}"
        said = [self._ask(pipe, b"start\n"), self._ask(pipe, f"{wish}\ncommit\n".encode())]
        if said != ["start: ok", "commit: ok"]:
            pipe.communicate(timeout=10)
            del self._pipes["refs"]
            raise subprocess.CalledProcessError(1, wish)

    def is_ancestor(self, old: str, new: str) -> bool:
        return not self.git("rev-list", "--max-count=1", old, f"^{new}").strip()

    def push(self, changes: Mapping[str, bytes | None], message: str = "edited", branch: str = "main") -> str:
        """A person's commit on top of the branch; its id."""
        ref = f"refs/heads/{branch}"
        head = self.ref(ref)
        wanted = {path: None if data is None else ("100644", self.write_blob(data)) for path, data in changes.items()}
        tree = self.edited_tree(head or "", wanted)
        sha = self.write_commit(tree, [head] if head else [], message, "person")
        self.set_ref(ref, sha)
        return sha

    def read(self, path: str, branch: str = "main") -> bytes | None:
        """A file on the branch."""
        head = self.ref(f"refs/heads/{branch}")
        nodes, (*folders, name) = self.tree(head) if head else None, path.split("/")
        for folder in folders:
            found = next((node.sha for node in nodes or [] if node.name == folder), "")
            nodes = self.tree(found) if found else None
        sha = next((node.sha for node in nodes or [] if node.name == name), "")
        return self.blob(sha) if sha else None

    def contents(self, branch: str = "main") -> dict[str, bytes]:
        """All files on the branch."""
        head = self.ref(f"refs/heads/{branch}")
        found = self.files(head) if head else {}
        return {path: self.blob(sha) or b"" for path, (_, sha) in found.items()}

    def log(self, branch: str = "main") -> list[Commit]:
        """The commits of the branch, newest first."""
        head = self.ref(f"refs/heads/{branch}")
        names = self.git("rev-list", head).decode().split() if head else []
        return [found for name in names if (found := self.commit(name))]

    def tarball(self, commit: str, prefix: str) -> bytes:
        return self.git("archive", "--format=tar.gz", f"--prefix={prefix}/", commit)

    def _hash(self, kind: str, data: bytes) -> str:
        scratch = self._scratch / kind
        scratch.write_bytes(data)
        pipe = self._pipe(kind, "hash-object", "-t", kind, "-w", "--no-filters", "--stdin-paths")
        return self._ask(pipe, f"{scratch}\n".encode())

    def _read(self, sha: str) -> tuple[str, bytes] | None:
        if len(sha) != 40:
            return None
        pipe = self._pipe("cat", "cat-file", "--batch")
        head = self._ask(pipe, f"{sha}\n".encode()).split()
        if len(head) != 3:
            return None
        assert pipe.stdout
        data = pipe.stdout.read(int(head[2]) + 1)[:-1]
        return head[1], data

    def _ask(self, pipe: subprocess.Popen[bytes], question: bytes) -> str:
        assert pipe.stdin
        assert pipe.stdout
        pipe.stdin.write(question)
        pipe.stdin.flush()
        return pipe.stdout.readline().decode().strip()

    def _pipe(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        if name not in self._pipes:
            self._pipes[name] = subprocess.Popen(
                ["git", "--git-dir", str(self.folder), *arguments],  # noqa: S607
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        return self._pipes[name]


def _header(data: bytes, name: bytes) -> list[str]:
    head = data.partition(b"\n\n")[0]
    return [line.partition(b" ")[2].decode() for line in head.split(b"\n") if line.startswith(name + b" ")]
