"""What an answer of GitHub means: one table from status, headers and words to what is done (reliability 3.3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from core.errors import RepositoryTrouble

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final = (
    "offline",  # no answer came: what was asked may have happened
    "again",  # 5xx: likewise
    "pause",  # a rate limit: nothing is asked until it is over
    "stale",  # the branch is not where we thought: read again, join, commit again
    "empty",  # the repository has no commit yet
    "secret",  # push protection found a secret in what was sent
    "large",  # the request or a file is too large
    "token",  # the token is wrong, expired or revoked
    "denied",  # the token may not do this
    "missing",  # there is no such thing, or the token may not see it
    "archived",  # the repository takes no writes
    "protected",  # rules of the branch refuse a push
    "unknown",  # GraphQL is not offered
    "fault",  # we asked for something that makes no sense
)
BRIEFLY: Final = frozenset({"offline", "again", "pause"})
"""Kinds that pass by themselves: the queue waits on the disk."""
UNSURE: Final = frozenset({"offline", "again"})
"""Kinds after which the write may have happened all the same."""

LONGEST: Final = 160


class Reply:
    """An answer: status, headers (names in lower case), and the body's text."""

    def __init__(self, status: int, headers: Mapping[str, Any], body: str) -> None:
        self.status = status
        self.headers = {name.lower(): str(value) for name, value in headers.items()}
        self.body = body

    @property
    def data(self) -> Any:
        """What the body's JSON says; an empty mapping when it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def said(self) -> str:
        """GitHub's own sentence."""
        data = self.data
        return str(data.get("message") or "") if isinstance(data, dict) else ""


def check(reply: Reply, now: float) -> Reply:
    """The reply, if it is a success (or 304); `now` is in seconds since 1970. Raises `RepositoryTrouble`."""
    if reply.status < 400:  # noqa: PLR2004 - HTTP's line between success and refusal
        return reply
    kind = _kind(reply)
    raise RepositoryTrouble(kind, _short(reply.said), _wait(reply, now) if kind in {"pause", "again"} else None)


def check_mutation(reply: Reply, now: float) -> dict[str, Any]:
    """What the mutation answered. Raises `RepositoryTrouble`; GraphQL puts its refusals into a success."""
    if reply.status in {400, 404, 405, 406, 415, 501}:
        raise RepositoryTrouble("unknown", _short(reply.said))
    data = check(reply, now).data
    errors = data.get("errors") if isinstance(data, dict) else None
    if errors:
        first = errors[0] if isinstance(errors[0], dict) else {}
        text = str(first.get("message") or "")
        raise RepositoryTrouble(
            _graph_kind(str(first.get("type") or ""), text.lower()), _short(text), _none_left(reply, now)
        )
    answer = data.get("data") if isinstance(data, dict) else None
    if not isinstance(answer, dict):
        raise RepositoryTrouble("unknown", "the answer holds no data")
    return answer


def _kind(reply: Reply) -> str:  # noqa: PLR0911, C901 - a table
    text, status = reply.said.lower(), reply.status
    if status >= 500:  # noqa: PLR2004
        return "again"
    match status:
        case 401:
            return "token"
        case 403 | 429 if status == 429 or _limited(reply, text):  # noqa: PLR2004
            return "pause"
        case 403 if "archived" in text:
            return "archived"
        case 451:
            return "archived"
        case 403:
            return "denied"
        case 404 | 410:
            return "missing"
        case 409 if "empty" in text:
            return "empty"
        case 409:
            return "stale"
        case 413:
            return "large"
        case 422:
            return _unprocessable(text)
        case _:
            return "fault"


def _unprocessable(text: str) -> str:
    if "secret" in text:
        return "secret"
    if "fast forward" in text or "fast-forward" in text or "reference already exists" in text:
        return "stale"
    if "rule violation" in text or "protected branch" in text:
        return "protected"
    return "large" if "too large" in text else "fault"


def _graph_kind(kind: str, text: str) -> str:  # noqa: PLR0911 - a table
    if kind == "STALE_DATA" or "expected branch to point to" in text:
        return "stale"
    if kind == "RATE_LIMITED" or "rate limit" in text:
        return "pause"
    if "archived" in text:
        return "archived"
    if kind == "FORBIDDEN":
        return "denied"
    if "no such branch" in text:
        return "empty"
    if kind == "NOT_FOUND":
        return "missing"
    found = _unprocessable(text)
    return "unknown" if found == "fault" else found


def _limited(reply: Reply, text: str) -> bool:
    none_left = reply.headers.get("x-ratelimit-remaining") == "0"
    return none_left or "retry-after" in reply.headers or "rate limit" in text or "abuse" in text


def _wait(reply: Reply, now: float) -> float | None:
    """Seconds that GitHub asks us to wait, if it says so."""
    after = reply.headers.get("retry-after", "")
    return float(after) if after.isdigit() else _none_left(reply, now)


def _none_left(reply: Reply, now: float) -> float | None:
    reset = reply.headers.get("x-ratelimit-reset", "")
    if reply.headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(float(reset) - now, 1.0)
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
