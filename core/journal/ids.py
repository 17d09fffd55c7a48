"""Names derived from a platform's own ids, so that a turn that is done again gets the same ones (DESIGN 5.3)."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.conversation import Incoming

TURN_ID_LENGTH: Final = 6


def turn_id(key: str) -> str:
    """The id of the turn that begins with the message of that key: 6 base64url characters (reliability 2.7)."""
    digest = sha256(key.encode("utf-8", "surrogatepass")).digest()
    return urlsafe_b64encode(digest)[:TURN_ID_LENGTH].decode("ascii")


def tag_of(update: Incoming) -> str:
    """What an update is deduplicated by and what a plan names it with (R7).

    A message's own key; for an edit the key with `#e` and the edit's mark; for a deletion the key with `#d`.
    """
    match update.kind:
        case "message":
            return update.key
        case "edit":
            return f"{update.key}#e{update.edited}"
        case "deletion":
            return f"{update.key}#d"


def stream_of(key: str) -> str:
    """The chat that a key belongs to, without its last part: `dc:<channel>` of `dc:<channel>:<id>`."""
    return key.rpartition(":")[0]


def is_later(key: str, other: str) -> bool:
    """Whether the message of a key came after another of the same chat: by number where both have one."""
    mine, theirs = key.rpartition(":")[2], other.rpartition(":")[2]
    if mine.isascii() and theirs.isascii() and mine.isdigit() and theirs.isdigit():
        return (len(mine.lstrip("0")), mine.lstrip("0")) > (len(theirs.lstrip("0")), theirs.lstrip("0"))
    return mine > theirs
