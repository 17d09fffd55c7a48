"""How far the repository is behind, as it is told to the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Lag:
    """How far the repository is behind: files that wait and since when, what was wrong last, what stays here.

    `stopped` is why nothing is pushed until the owner decides ("" when all is well).
    """

    waiting: int = 0
    since: datetime | None = None
    trouble: str = ""
    stopped: str = ""
    kept: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
