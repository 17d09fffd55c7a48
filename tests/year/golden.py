"""Where the pages of the year are kept, and as what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.year.life import Year

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "year"


def texts(lived: Year) -> dict[str, str]:
    """Every page by the name of its file."""
    return {f"{name}.txt": text.rstrip("\n") + "\n" for name, text in lived.pages.items()}
