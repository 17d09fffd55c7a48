"""The REST calls of the double, one function a route."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final

from tests.doubles.github.answer import Answer, Refusal, demand, refused
from tests.doubles.github.store import EMPTY_TREE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tests.doubles.github.server import GitHubDouble

_SHA: Final = re.compile(r"[0-9a-f]{40}\Z")
_MOST_RECURSIVE: Final = 100_000
Query = dict[str, str]


def run(double: GitHubDouble, method: str, path: str, query: Query, data: Any) -> Answer:
    """Answer a request below the API's root."""
    if path == "/user" and method == "GET":
        return Answer(200, {"login": double.owner, "id": 1, "type": "User"})
    if path.startswith("/_codeload/"):
        sha = path.rpartition("/")[2]
        short = f"{double.owner}-{double.name}-{sha[:7]}"
        return Answer(200, raw=double.store.tarball(sha, short), headers={"Content-Type": "application/x-gzip"})
    root = f"/repos/{double.full_name}"
    if double.gone or (path != root and not path.startswith(f"{root}/")):
        raise Refusal(refused(404, "Not Found"))
    rest = path[len(root) :]
    for verb, pattern, route in _ROUTES:
        found = re.fullmatch(pattern, rest)
        if found and verb == method:
            if verb != "GET":
                _writable(double)
            return route(double, *found.groups(), query=query, data=data)
    raise Refusal(refused(404, "Not Found"), unsound=True)


def _writable(double: GitHubDouble) -> None:
    if double.archived:
        raise Refusal(refused(403, "Repository was archived so is read-only."))
    if not double.may_push:
        raise Refusal(refused(403, "Resource not accessible by personal access token"))


def _repo(double: GitHubDouble, *, query: Query, data: Any) -> Answer:
    return Answer(
        200,
        {
            "id": 7,
            "name": double.name,
            "full_name": double.full_name,
            "private": double.private,
            "archived": double.archived,
            "default_branch": double.default_branch,
            "permissions": {"admin": False, "push": double.may_push, "pull": True},
        },
    )


def _not_empty(double: GitHubDouble) -> str:
    """The head of the branch; refuses in an empty repository as all of GitHub's Git routes do."""
    head = double.head()
    if head is None and not double.store.git("for-each-ref", "refs/heads"):
        raise Refusal(refused(409, "Git Repository is empty."))
    return head or ""


def _branch(double: GitHubDouble, name: str, *, query: Query, data: Any) -> Answer:
    head = double.head(name)
    if head is None:
        raise Refusal(refused(404, "Branch not found"))
    return Answer(200, {"name": name, "commit": _commit_of(double, head), "protected": double.protected})


def _ref(double: GitHubDouble, name: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    sha = double.store.ref(f"refs/{name}")
    if sha is None:
        raise Refusal(refused(404, "Not Found"))
    return Answer(200, _ref_of(name, sha))


def _ref_of(name: str, sha: str) -> dict[str, Any]:
    return {"ref": f"refs/{name}", "object": {"type": "commit", "sha": sha}}


def _create_ref(double: GitHubDouble, *, query: Query, data: Any) -> Answer:
    _keys(data, {"ref", "sha"})
    _not_empty(double)
    demand(re.fullmatch(r"refs/[^/]+/.+", data["ref"]), "Reference name must start with 'refs/'")
    _object(double, data["sha"], "commit")
    if double.store.ref(data["ref"]):
        raise Refusal(refused(422, "Reference already exists"))
    double.store.set_ref(data["ref"], data["sha"])
    return Answer(201, _ref_of(data["ref"].removeprefix("refs/"), data["sha"]))


def _move_ref(double: GitHubDouble, name: str, *, query: Query, data: Any) -> Answer:
    _keys(data, {"sha"}, {"force"})
    old = double.store.ref(f"refs/{name}")
    if old is None:
        raise Refusal(refused(422, "Reference does not exist"))
    _object(double, data["sha"], "commit")
    if double.protected and name == f"heads/{double.default_branch}":
        raise Refusal(refused(422, "Repository rule violations found\n\nChanges must be made through a pull request."))
    if not data.get("force") and not double.store.is_ancestor(old, data["sha"]):
        raise Refusal(refused(422, "Update is not a fast forward"))
    double.store.set_ref(f"refs/{name}", data["sha"], old)
    return Answer(200, _ref_of(name, data["sha"]))


def _drop_ref(double: GitHubDouble, name: str, *, query: Query, data: Any) -> Answer:
    if double.store.ref(f"refs/{name}") is None:
        raise Refusal(refused(422, "Reference does not exist"))
    double.store.set_ref(f"refs/{name}", None)
    return Answer(204)


def _commit_of(double: GitHubDouble, sha: str) -> dict[str, Any]:
    commit = double.store.commit(sha)
    if commit is None:
        raise Refusal(refused(404, "Not Found"))
    return {
        "sha": sha,
        "message": commit.message,
        "tree": {"sha": commit.tree},
        "parents": [{"sha": one} for one in commit.parents],
    }


def _commit(double: GitHubDouble, sha: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    return Answer(200, _commit_of(double, sha))


def _create_commit(double: GitHubDouble, *, query: Query, data: Any) -> Answer:
    _keys(data, {"message", "tree"}, {"parents", "author", "committer"})
    _not_empty(double)
    demand(data["message"], "message must not be empty")
    _object(double, data["tree"], "tree")
    for one in data.get("parents", []):
        _object(double, one, "commit")
    sha = double.store.write_commit(data["tree"], data.get("parents", []), data["message"])
    return Answer(201, _commit_of(double, sha))


def _tree(double: GitHubDouble, sha: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    nodes = double.store.tree(sha)
    if nodes is None:
        raise Refusal(refused(404, "Not Found"))
    if query.get("recursive"):
        files = double.store.files(sha)
        listed = [{"path": path, "mode": mode, "type": "blob", "sha": one} for path, (mode, one) in files.items()]
        return Answer(200, {"sha": sha, "tree": listed[:_MOST_RECURSIVE], "truncated": len(listed) > _MOST_RECURSIVE})
    entries = [{"path": one.name, "mode": one.mode, "type": one.type, "sha": one.sha} for one in nodes]
    return Answer(200, {"sha": sha, "tree": entries, "truncated": False})


def _create_tree(double: GitHubDouble, *, query: Query, data: Any) -> Answer:
    _keys(data, {"tree"}, {"base_tree"})
    _not_empty(double)
    demand(data["tree"], "Invalid tree info")
    base = data.get("base_tree", "")
    if base:
        demand(double.store.kind(base) in {"tree", "commit"}, "base_tree is not a valid tree oid")
    changes: dict[str, tuple[str, str] | None] = {}
    for entry in data["tree"]:
        demand({"path", "mode", "type"} <= entry.keys(), "Must supply path, mode and type")
        demand(entry["mode"] in {"100644", "100755", "120000", "040000"}, "Must supply a valid tree.mode")
        demand(("content" in entry) != ("sha" in entry), "Must supply either tree.sha or tree.content, not both")
        demand(not entry["path"].startswith("/") and ".." not in entry["path"].split("/"), "tree.path is malformed")
        changes[entry["path"]] = _entry(double, entry)
    try:
        sha = double.store.edited_tree(base, changes)
    except KeyError:
        raise Refusal(refused(422, "GitRPC::BadObjectState")) from None
    return _tree(double, sha, query={}, data=None) if sha != EMPTY_TREE else Answer(201, {"sha": sha, "tree": []})


def _entry(double: GitHubDouble, entry: dict[str, Any]) -> tuple[str, str] | None:
    if "content" in entry:
        demand(isinstance(entry["content"], str), "tree.content must be text")
        return entry["mode"], double.store.write_blob(clean(double, entry["content"].encode()))
    if entry["sha"] is None:
        return None
    _object(double, entry["sha"], "blob" if entry["type"] == "blob" else "tree")
    return entry["mode"], entry["sha"]


def clean(double: GitHubDouble, data: bytes) -> bytes:
    """The bytes, unless push protection finds a secret in them."""
    if any(secret in data for secret in double.secrets):
        text = "Repository rule violations found\n\nSecret detected in content"
        raise Refusal(refused(422, text, metadata={"secret_scanning": {"bypass_placeholders": []}}))
    return data


def _blob(double: GitHubDouble, sha: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    found = double.store.blob(sha)
    if found is None:
        raise Refusal(refused(404, "Not Found"))
    text = base64.b64encode(found).decode()
    return Answer(200, {"sha": sha, "size": len(found), "encoding": "base64", "content": text})


def _create_blob(double: GitHubDouble, *, query: Query, data: Any) -> Answer:
    _keys(data, {"content"}, {"encoding"})
    _not_empty(double)
    coded = data.get("encoding", "utf-8") == "base64"
    raw = decoded(data["content"]) if coded else data["content"].encode()
    return Answer(201, {"sha": double.store.write_blob(clean(double, raw)), "url": ""})


def decoded(text: str) -> bytes:
    """What base64 stands for."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refusal(refused(422, "content is not valid Base64"), unsound=True) from None


def _contents(double: GitHubDouble, path: str, *, query: Query, data: Any) -> Answer:
    head = _not_empty(double)
    found = double.store.read(path) if head else None
    if found is None:
        raise Refusal(refused(404, "Not Found"))
    encoded = base64.b64encode(found).decode()
    return Answer(200, {"type": "file", "path": path, "encoding": "base64", "content": encoded, "size": len(found)})


def _put_contents(double: GitHubDouble, path: str, *, query: Query, data: Any) -> Answer:
    _keys(data, {"message", "content"}, {"sha", "branch"})
    branch = data.get("branch", double.default_branch)
    there = double.store.read(path, branch)
    sha = double.store.write_blob(there) if there is not None else None
    if there is not None and "sha" not in data:
        raise Refusal(refused(422, 'Invalid request.\n\n"sha" wasn\'t supplied.'))
    if data.get("sha") != sha:
        raise Refusal(refused(409, f"{path} does not match {data.get('sha')}"))
    commit = double.store.push({path: clean(double, decoded(data["content"]))}, data["message"], branch)
    return Answer(200 if there is not None else 201, {"content": {"path": path}, "commit": _commit_of(double, commit)})


def _compare(double: GitHubDouble, base: str, head: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    if double.store.commit(base) is None or double.store.commit(head) is None:
        raise Refusal(refused(404, "Not Found"))
    ahead, behind = double.store.is_ancestor(base, head), double.store.is_ancestor(head, base)
    status = "identical" if base == head else "ahead" if ahead else "behind" if behind else "diverged"
    return Answer(200, {"status": status, "files": [], "commits": []})


def _tarball(double: GitHubDouble, ref: str, *, query: Query, data: Any) -> Answer:
    _not_empty(double)
    sha = ref if double.store.commit(ref) else double.head(ref)
    if sha is None:
        raise Refusal(refused(404, "Not Found"))
    return Answer(302, headers={"Location": f"{double.url}/_codeload/{sha}"})


def _keys(data: Any, needed: set[str], allowed: Collection[str] = ()) -> None:
    demand(isinstance(data, dict), "Body should be a JSON object", 400)
    demand(needed <= data.keys(), f"missing: {sorted(needed - data.keys())}")
    demand(data.keys() <= needed | set(allowed), f"unknown: {sorted(data.keys() - needed)}")


def _object(double: GitHubDouble, sha: str, kind: str) -> None:
    demand(isinstance(sha, str) and _SHA.match(sha), f"{sha!r} is not an object id")
    if double.store.kind(sha) != kind:
        raise Refusal(refused(422, "Object does not exist"))


_ROUTES: Final[tuple[tuple[str, str, Callable[..., Answer]], ...]] = (
    ("GET", r"", _repo),
    ("GET", r"/branches/([^/]+)", _branch),
    ("GET", r"/git/ref/(.+)", _ref),
    ("POST", r"/git/refs", _create_ref),
    ("PATCH", r"/git/refs/(.+)", _move_ref),
    ("DELETE", r"/git/refs/(.+)", _drop_ref),
    ("GET", r"/git/commits/([0-9a-f]+)", _commit),
    ("POST", r"/git/commits", _create_commit),
    ("GET", r"/git/trees/([^/]+)", _tree),
    ("POST", r"/git/trees", _create_tree),
    ("GET", r"/git/blobs/([0-9a-f]+)", _blob),
    ("POST", r"/git/blobs", _create_blob),
    ("GET", r"/contents/(.+)", _contents),
    ("PUT", r"/contents/(.+)", _put_contents),
    ("GET", r"/compare/([0-9a-f]+)\.\.\.([0-9a-f]+)", _compare),
    ("GET", r"/tarball/(.+)", _tarball),
)
