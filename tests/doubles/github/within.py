"""The same double without sockets, threads or git's processes: for crash tests that tell a story a thousand times.

Routes, rules and words are those of the server; objects are kept in memory under git's own ids. The branches stand in
a dictionary that a test can hand over, since objects are never taken back but a world may be.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from core.storage.github.verdict import Reply
from core.storage.github.wire import Wire
from tests.doubles.github import graphql, rest
from tests.doubles.github.answer import Answer, Refusal
from tests.doubles.github.server import TOKEN, GitHubDouble
from tests.doubles.github.store import GitStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tests.doubles.github.store import Node


class HeldStore(GitStore):
    """Objects in a dictionary, by the ids that git would give them."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[str, bytes]] = {}
        self.refs: dict[str, str] = {}
        self._seconds = 1_700_000_000

    def close(self) -> None:
        """There is nothing to close."""

    def git(self, *arguments: str, where: bool = True, data: bytes = b"") -> bytes:
        assert arguments == ("for-each-ref", "refs/heads")
        return "\n".join(sorted(self.refs)).encode()

    def write_tree(self, nodes: Iterable[Node]) -> str:
        ordered = sorted(nodes, key=lambda one: one.name.encode() + (b"/" if one.type == "tree" else b""))
        lines = (f"{one.mode.lstrip('0')} {one.name}\0".encode() + bytes.fromhex(one.sha) for one in ordered)
        return self._hash("tree", b"".join(lines))

    def ref(self, name: str) -> str | None:
        return self.refs.get(name)

    def set_ref(self, name: str, sha: str | None, old: str | None = None) -> None:
        assert old is None or self.refs.get(name) == old
        if sha is None:
            del self.refs[name]
        else:
            self.refs[name] = sha

    def is_ancestor(self, old: str, new: str) -> bool:
        behind, seen = [new], set[str]()
        while behind:
            sha = behind.pop()
            found = self.commit(sha)
            if sha == old:
                return True
            if found and sha not in seen:
                seen.add(sha)
                behind += found.parents
        return False

    def tarball(self, commit: str, prefix: str) -> bytes:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for path, (_, sha) in self.files(commit).items():
                data = self.blob(sha) or b""
                entry = tarfile.TarInfo(f"{prefix}/{path}")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
        return packed.getvalue()

    def _hash(self, kind: str, data: bytes) -> str:
        sha = hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()  # noqa: S324 - git's own ids
        self.objects[sha] = (kind, data)
        return sha

    def _read(self, sha: str) -> tuple[str, bytes] | None:
        return self.objects.get(sha)


class Held(GitHubDouble):
    """The repository, without a server."""

    def __init__(self) -> None:
        super().__init__(Path())

    def __post_init__(self) -> None:
        self.held = HeldStore()
        self.store = self.held
        self.lock = threading.RLock()

    def answer(self, method: str, address: str, data: Any, headers: Mapping[str, str]) -> Reply:
        """What the server would answer; what no sound client asks ends the test."""
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        sent = json.loads(json.dumps(data)) if data is not None else None
        try:
            found = (
                graphql.run(self, method, sent)
                if parts.path == "/graphql"
                else rest.run(self, method, unquote(parts.path), query, sent)
            )
        except Refusal as refusal:
            if refusal.unsound:
                raise AssertionError(refusal.answer.message) from refusal
            found = refusal.answer
        return _reply(method, found, headers.get("If-None-Match", ""))


class Within(Wire):
    """Calls that reach it; `step` is told of every one before it is carried out, and of those that write after it."""

    def __init__(self, double: Held, step: Callable[[str], None]) -> None:
        self.requests = 0
        self._token = TOKEN
        self._double = double
        self._step = step

    async def ask(self, method: str, path: str, data: object = None, headers: Mapping[str, str] | None = None) -> Reply:
        return self._carried(method, path, data, headers or {})

    async def mutate(self, query: str, variables: Mapping[str, object]) -> Reply:
        return self._carried("POST", "/graphql", {"query": query, "variables": dict(variables)}, {})

    async def fetch(self, path: str) -> bytes:
        self._step("read from GitHub")
        sha = path.rpartition("/")[2]
        return self._double.store.tarball(sha, f"{self._double.owner}-{self._double.name}-{sha[:7]}")

    def close(self) -> None:
        """There is nothing to close."""

    def _carried(self, method: str, path: str, data: object, headers: Mapping[str, str]) -> Reply:
        self.requests += 1
        self._step("read from GitHub" if method == "GET" else "push")
        reply = self._double.answer(method, path, data, headers)
        if method != "GET":
            self._step("pushed")
        return reply


def _reply(method: str, answer: Answer, tag: str) -> Reply:
    body = answer.body()
    if method != "GET" or answer.status != 200:
        return Reply(answer.status, answer.headers, body.decode())
    etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
    headers = {**answer.headers, "ETag": etag}
    return Reply(304, headers, "") if tag == etag else Reply(200, headers, body.decode())
