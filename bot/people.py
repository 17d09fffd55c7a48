"""The demo people: the original's where an address is named or their folder lies beside us, else two of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.storage.persona import PersonaStorage

if TYPE_CHECKING:
    from pathlib import Path

    from core.clock import Clock
    from core.storage.base import Storage

OURS: Final = {"en": "mara", "zh": "lin"}
"""Our demo person for each language of the program's own words."""
THEIRS: Final = "personal_14"
"""The original's person by default (original.md 2.16)."""
BESIDE: Final = "benchmark-data"


def person(root: Path, locale: str, address: str | None, clock: Clock) -> Storage:
    """A demo person, only for reading; `root` is where our folders are, `address` where the original's people are.

    Raises `DiskTrouble` when a folder cannot be opened.
    """
    if address:
        from core.storage.benchmark import BenchmarkStorage  # noqa: PLC0415 - its client is heavy and seldom wanted

        return BenchmarkStorage(address, THEIRS, clock)
    beside = root.parent / BESIDE / THEIRS
    return PersonaStorage(beside if beside.is_dir() else root / "identity" / "personas" / OURS[locale])
