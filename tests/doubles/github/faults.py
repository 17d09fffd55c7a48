"""What goes wrong between a client and the double: by script, or by a seeded plan for storms."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Literal

Act = Literal["status", "drop", "after", "delay"]


@dataclass
class Fault:
    """A fault for requests whose `METHOD path` contains `where`, the next `times` of them.

    `drop` closes the connection before anything happened, `after` when the request was carried out (a lost answer),
    `delay` answers late; `status` answers that status without carrying it out.
    """

    act: Act
    where: str = ""
    times: int = 1
    status: int = 500
    message: str = "Server Error"
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def body(self) -> bytes:
        return json.dumps({"message": self.message, "documentation_url": "https://docs.github.com/rest"}).encode()


def rate_limited(*, where: str = "", times: int = 1, retry_after: int | None = None, status: int = 403) -> Fault:
    """The secondary limit, as GitHub tells it."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    text = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    return Fault("status", where, times, status, text, headers)


def forbidden(where: str = "", times: int = 1) -> Fault:
    """A token without the permission."""
    return Fault("status", where, times, 403, "Resource not accessible by personal access token")
