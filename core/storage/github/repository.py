"""One branch of one repository: reading it cheaply, and committing with compare and swap (reliability 3.1-3.4)."""

from __future__ import annotations

import base64
import io
import stat
import tarfile
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import RepositoryTrouble
from core.storage.github.forest import PLAIN, entry_of
from core.storage.github.verdict import check, check_mutation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.clock import Clock
    from core.storage.github.verdict import Reply
    from core.storage.github.wire import Wire

GRAPH_MOST: Final = 8 * 1024 * 1024
"""Bytes of files above which a commit goes by REST, blob by blob."""
BARE: Final = frozenset({204, 304})
"""Statuses without a body."""
REMEMBERED: Final = 200
"""Objects of git that are kept in memory; none is larger than a file of memory."""
_MUTATION: Final = """mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid tree { oid } } }
}"""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its id, the id of its tree, its parents."""

    sha: str
    tree: str
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A name in a tree: its path within it, whether it is a folder, its id, and its entry for the forest."""

    path: str
    folder: bool
    sha: str
    entry: str


class Repository:
    """Asks one question at a time; every refusal is a `RepositoryTrouble`. `graphql` turns False once it is refused."""

    def __init__(self, wire: Wire, owner: str, name: str, clock: Clock, branch: str = "main") -> None:
        self.branch = branch
        self.graphql = True
        self.full_name = f"{owner}/{name}"
        self.wire = wire
        self._clock = clock
        self._known: OrderedDict[str, Any] = OrderedDict()

    @property
    def requests(self) -> int:
        """How many calls were made."""
        return self.wire.requests

    async def facts(self, tag: str = "") -> Reply:
        """What GitHub says of the repository as a whole; status 304 when that is as `tag` has it."""
        return await self._ask("GET", "", headers={"If-None-Match": tag} if tag else None)

    async def branch_facts(self) -> dict[str, Any]:
        """What GitHub says of the branch."""
        return dict((await self._ask("GET", f"/branches/{self.branch}")).data)

    async def head(self, tag: str = "") -> tuple[str, str] | None:
        """The branch's head and the tag to ask with next time; None when it is as `tag` has it."""
        headers = {"If-None-Match": tag} if tag else None
        reply = await self._ask("GET", f"/git/ref/heads/{self.branch}", headers=headers)
        if reply.status == 304:  # noqa: PLR2004 - HTTP's "not modified"
            return None
        return str(reply.data["object"]["sha"]), reply.headers.get("etag", "")

    async def commit(self, sha: str) -> Commit:
        """A commit by its id."""
        return _commit(await self._object(f"/git/commits/{sha}"))

    async def relation(self, ours: str, theirs: str) -> str:
        """How their commit stands to ours: ahead, behind, diverged, identical; missing when one is gone."""
        try:
            return str((await self._ask("GET", f"/compare/{ours}...{theirs}")).data["status"])
        except RepositoryTrouble as error:
            if error.kind != "missing":
                raise
            return "missing"

    async def tree(self, sha: str, *, whole: bool = False) -> Sequence[Node] | None:
        """The names in a tree, with all below it when `whole`; None when GitHub would not list it whole."""
        data = await self._object(f"/git/trees/{sha}{'?recursive=1' if whole else ''}")
        if data.get("truncated"):
            return None
        return [_node(one) for one in data["tree"] if not (whole and one["type"] == "tree")]

    async def blob(self, sha: str) -> bytes:
        """The bytes of a blob."""
        return base64.b64decode((await self._object(f"/git/blobs/{sha}"))["content"])

    async def tarball(self, sha: str) -> dict[str, tuple[str, bytes]]:
        """Every plain file of a commit by its path, with git's mode; links and special files are left out."""
        packed = await self.wire.fetch(f"/repos/{self.full_name}/tarball/{sha}")
        try:
            with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
                return {
                    one.name.partition("/")[2]: ("100755" if one.mode & stat.S_IXUSR else PLAIN, found.read())
                    for one in tar
                    if one.isfile() and (found := tar.extractfile(one))
                }
        except (tarfile.TarError, EOFError, OSError) as error:
            raise RepositoryTrouble("again", "the archive is damaged") from error

    async def push(self, parent: Commit, changes: Mapping[str, bytes | None], title: str, body: str) -> Commit:
        """Commit on top of `parent`, which must be the head: GraphQL, else REST.

        Nothing is retried. After `offline` or `again` the commit may stand all the same.
        """
        size = sum(len(data) for data in changes.values() if data is not None)
        if self.graphql and size <= GRAPH_MOST:
            try:
                return await self._mutate(parent, changes, title, body)
            except RepositoryTrouble as error:
                if error.kind not in {"unknown", "large"}:
                    raise
                self.graphql = self.graphql and error.kind != "unknown"
        return await self._rest(parent, changes, title, body)

    async def begin(self, path: str, data: bytes, title: str) -> Commit:
        """The first commit of an empty repository; raises stale when somebody was faster."""
        text = base64.b64encode(data).decode()
        asked = {"message": title, "content": text, "branch": self.branch}
        return _commit((await self._ask("PUT", f"/contents/{path}", asked)).data["commit"])

    async def point(self, ref: str) -> str | None:
        """What another ref (`heads/x`) points at, None when there is none."""
        try:
            return str((await self._ask("GET", f"/git/ref/{ref}")).data["object"]["sha"])
        except RepositoryTrouble as error:
            if error.kind not in {"missing", "empty"}:
                raise
            return None

    async def message(self, sha: str) -> str:
        """The message of a commit."""
        return str((await self._object(f"/git/commits/{sha}"))["message"])

    async def write_commit(self, tree: str, parents: Sequence[str], message: str) -> str:
        """A commit that no ref points at yet; its id."""
        asked = {"message": message, "tree": tree, "parents": list(parents)}
        return str((await self._ask("POST", "/git/commits", asked)).data["sha"])

    async def make_ref(self, ref: str, sha: str) -> None:
        """Create a ref; raises stale when it exists."""
        await self._ask("POST", "/git/refs", {"ref": f"refs/{ref}", "sha": sha})

    async def move_ref(self, ref: str, sha: str) -> None:
        """Move a ref forward; raises stale when that is no step forward."""
        await self._ask("PATCH", f"/git/refs/{ref}", {"sha": sha, "force": False})

    async def write_blob(self, data: bytes) -> str:
        """A blob that no tree holds yet; its id."""
        asked = {"content": base64.b64encode(data).decode(), "encoding": "base64"}
        return str((await self._ask("POST", "/git/blobs", asked)).data["sha"])

    async def _object(self, path: str) -> Any:
        """An object of git, which never changes: the last ones are remembered, so that asking again costs nothing."""
        if path not in self._known:
            self._known[path] = (await self._ask("GET", path)).data
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return self._known[path]

    async def _mutate(self, parent: Commit, changes: Mapping[str, bytes | None], title: str, body: str) -> Commit:
        additions = [
            {"path": path, "contents": base64.b64encode(data).decode()}
            for path, data in changes.items()
            if data is not None
        ]
        wish = {
            "branch": {"repositoryNameWithOwner": self.full_name, "branchName": self.branch},
            "message": {"headline": title, "body": body} if body else {"headline": title},
            "fileChanges": {
                "additions": additions,
                "deletions": [{"path": path} for path, data in changes.items() if data is None],
            },
            "expectedHeadOid": parent.sha,
        }
        reply = await self.wire.mutate(_MUTATION, {"input": wish})
        made = check_mutation(reply, self._clock.now().timestamp())["createCommitOnBranch"]["commit"]
        return Commit(made["oid"], made["tree"]["oid"], (parent.sha,))

    async def _rest(self, parent: Commit, changes: Mapping[str, bytes | None], title: str, body: str) -> Commit:
        entries = [await self._element(path, data) for path, data in changes.items()]
        asked = {"base_tree": parent.tree, "tree": entries}
        tree = str((await self._ask("POST", "/git/trees", asked)).data["sha"])
        made = await self.write_commit(tree, [parent.sha], "\n\n".join(filter(None, (title, body))))
        await self.move_ref(f"heads/{self.branch}", made)
        return Commit(made, tree, (parent.sha,))

    async def _element(self, path: str, data: bytes | None) -> dict[str, object]:
        """A file for a new tree: text goes along, other bytes as a blob of their own."""
        plain: dict[str, object] = {"path": path, "mode": "100644", "type": "blob"}
        if data is None:
            return {**plain, "sha": None}
        try:
            return {**plain, "content": data.decode()}
        except UnicodeDecodeError:
            return {**plain, "sha": await self.write_blob(data)}

    async def _ask(
        self, method: str, path: str, data: object = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        reply = await self.wire.ask(method, f"/repos/{self.full_name}{path}", data, headers)
        check(reply, self._clock.now().timestamp())
        if reply.status not in BARE and not reply.data:
            raise RepositoryTrouble("again", "what answered is not GitHub")  # a gate of a hotel, say
        return reply


def _commit(data: Any) -> Commit:
    return Commit(data["sha"], data["tree"]["sha"], tuple(one["sha"] for one in data["parents"]))


def _node(data: Any) -> Node:
    mode = str(data["mode"]).lstrip("0")
    return Node(data["path"], data["type"] == "tree", data["sha"], entry_of(mode, data["sha"]))
