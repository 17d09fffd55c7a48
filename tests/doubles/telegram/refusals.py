"""How the Bot API says no."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Refusal(Exception):
    """An answer with `ok: false`."""

    code: int
    description: str
    retry_after: int = 0

    def body(self) -> dict[str, object]:
        body: dict[str, object] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.retry_after:
            body["parameters"] = {"retry_after": self.retry_after}
        return body


def bad(description: str) -> Refusal:
    return Refusal(400, f"Bad Request: {description}")


def flood(seconds: int) -> Refusal:
    return Refusal(429, f"Too Many Requests: retry after {seconds}", seconds)


BLOCKED = Refusal(403, "Forbidden: bot was blocked by the user")
TOO_OLD = bad("query is too old and response timeout expired or query ID is invalid")
NOT_MODIFIED = bad(
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)
TERMINATED = Refusal(
    409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
)
HOOKED = Refusal(
    409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
