"""What is looked at before memory is kept in a repository: each wrong thing has a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from core.errors import RepositoryTrouble

if TYPE_CHECKING:
    from core.clock import Clock
    from core.storage.github.repository import Repository
    from core.storage.github.verdict import Reply

SOON: Final = timedelta(days=14)
PROBE: Final = b"previously\n"


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for the owner: its key and fields. `refused` when the process must not start."""

    key: str
    refused: bool
    fields: dict[str, str | int]


async def inspect(repository: Repository, clock: Clock, *, public: bool = False) -> list[Remark]:
    """What is to be said of the repository and the token, refusals first.

    `public` allows a repository that everybody can read. Sets the repository's branch to the default one. Raises
    `RepositoryTrouble` when GitHub cannot be reached or asks to wait.
    """
    name = repository.full_name
    try:
        facts = await repository.facts()
    except RepositoryTrouble as error:
        return [_refusal(error, name)]
    data = facts.data
    repository.branch = str(data.get("default_branch") or "main")
    if data.get("archived"):
        return [Remark("github.start.archived", refused=True, fields={"repository": name})]
    if not data.get("private") and not public:
        return [Remark("github.start.public", refused=True, fields={"repository": name})]
    wrong = await _branch(repository) or await _may_write(repository, data)
    return wrong or _advice(facts, repository, clock)


async def _branch(repository: Repository) -> list[Remark]:
    """A branch whose rules refuse pushes, or that is not there; an empty repository has none yet."""
    fields: dict[str, str | int] = {"repository": repository.full_name, "branch": repository.branch}
    try:
        found = await repository.branch_facts()
    except RepositoryTrouble as error:
        if error.kind in {"missing", "empty"}:
            return []
        return [_refusal(error, repository.full_name)]
    return [Remark("github.start.protected", refused=True, fields=fields)] if found.get("protected") else []


async def _may_write(repository: Repository, data: dict[str, object]) -> list[Remark]:
    """Whether the token may write, proved by a blob that no commit will ever hold: tokens do not tell (3.5)."""
    permissions = data.get("permissions")
    if isinstance(permissions, dict) and permissions.get("push") is False:
        return [Remark("github.start.denied", refused=True, fields={"repository": repository.full_name})]
    try:
        await repository.write_blob(PROBE)
    except RepositoryTrouble as error:
        if error.kind == "empty":  # its first commit will prove it
            return []
        return [_refusal(error, repository.full_name)]
    return []


def _advice(facts: Reply, repository: Repository, clock: Clock) -> list[Remark]:
    remarks = []
    if repository.branch != "main":
        fields: dict[str, str | int] = {"branch": repository.branch}
        remarks.append(Remark("github.start.branch", refused=False, fields=fields))
    if "x-oauth-scopes" in facts.headers:
        remarks.append(Remark("github.start.classic", refused=False, fields={}))
    expires = expiry(facts)
    if expires and expires - clock.now() <= SOON:
        days = max((expires - clock.now()).days, 0)
        remarks.append(
            Remark("github.start.expiring", refused=False, fields={"n": days, "date": f"{expires:%Y-%m-%d}"})
        )
    return remarks


def expiry(reply: Reply) -> datetime | None:
    """When the token expires, as GitHub tells it: `2026-12-09 18:00:00 UTC` or with an offset."""
    text = reply.headers.get("github-authentication-token-expiration", "").strip()
    try:
        found = datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _refusal(error: RepositoryTrouble, name: str) -> Remark:
    """The sentence for a refusal; what passes by itself is raised on."""
    if error.kind not in {"token", "denied", "missing", "archived", "protected"}:
        raise error
    return Remark(f"github.start.{error.kind}", refused=True, fields={"repository": name})
