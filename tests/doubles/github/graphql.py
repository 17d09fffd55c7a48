"""The one mutation of GraphQL that memory uses: createCommitOnBranch, a true compare and swap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.doubles.github.answer import Answer, Refusal, demand, refused
from tests.doubles.github.rest import clean, decoded

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble


def run(double: GitHubDouble, method: str, data: Any) -> Answer:
    """Answer a mutation; errors come with status 200, as GitHub has it."""
    if not double.graphql:
        raise Refusal(refused(404, "Not Found"))
    demand(method == "POST" and isinstance(data, dict), "A query is needed", 400)
    demand("createCommitOnBranch" in data.get("query", ""), "Only createCommitOnBranch is known here", 400)
    wish = data.get("variables", {}).get("input", {})
    demand(wish.keys() == {"branch", "message", "fileChanges", "expectedHeadOid"}, f"input has {sorted(wish)}", 400)
    demand(wish["branch"].keys() == {"repositoryNameWithOwner", "branchName"}, "branch is wrong", 400)
    demand(wish["message"].keys() <= {"headline", "body"} and wish["message"].get("headline"), "message is wrong", 400)
    if double.gone or wish["branch"]["repositoryNameWithOwner"] != double.full_name:
        return _error("NOT_FOUND", f"Could not resolve to a Repository with the name {double.full_name!r}.")
    if double.archived:
        return _error("FORBIDDEN", "Repository was archived so is read-only.")
    if not double.may_push:
        return _error("FORBIDDEN", "Resource not accessible by personal access token")
    return _commit(double, wish)


def _commit(double: GitHubDouble, wish: dict[str, Any]) -> Answer:
    branch = wish["branch"]["branchName"]
    head = double.head(branch)
    if head is None:
        return _error("NOT_FOUND", f'No such branch "{branch}".')
    if double.protected:
        return _error("UNPROCESSABLE", "Repository rule violations found: changes must be made through a pull request.")
    if head != wish["expectedHeadOid"]:
        text = f'Expected branch to point to "{wish["expectedHeadOid"]}" but it did not. Pull and try again.'
        return _error("STALE_DATA", text)
    changes: dict[str, tuple[str, str] | None] = {}
    try:
        for one in wish["fileChanges"].get("additions", []):
            demand(one.keys() == {"path", "contents"}, "an addition has path and contents", 400)
            changes[one["path"]] = ("100644", double.store.write_blob(clean(double, decoded(one["contents"]))))
        for one in wish["fileChanges"].get("deletions", []):
            changes[one["path"]] = None
        tree = double.store.edited_tree(head, changes)
    except KeyError as error:
        return _error("BAD_REQUEST", f"A path was requested for deletion which does not exist as of {head}: {error}")
    except Refusal as error:
        if error.unsound:
            raise
        return _error("UNPROCESSABLE", error.answer.message)
    message = "\n\n".join(filter(None, (wish["message"]["headline"], wish["message"].get("body", ""))))
    sha = double.store.write_commit(tree, [head], message)
    double.store.set_ref(f"refs/heads/{branch}", sha, head)
    return Answer(200, {"data": {"createCommitOnBranch": {"commit": {"oid": sha, "tree": {"oid": tree}}}}})


def _error(kind: str, message: str) -> Answer:
    error = {"type": kind, "path": ["createCommitOnBranch"], "message": message}
    return Answer(200, {"data": {"createCommitOnBranch": None}, "errors": [error]})
