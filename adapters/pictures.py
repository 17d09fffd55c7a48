"""Pictures that platforms send: the one module that knows Pillow, which is imported when the first one is drawn."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from adapters.heat import levels, months

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from PIL.ImageDraw import ImageDraw

    from core.document import Picture

MONTHS: Final = 24
"""Months that one picture shows at most, the latest ones."""
SHADES: Final = ("#22303d", "#1d5a52", "#2a8a76", "#45bd97", "#9af0c3")
"""From a day without a word to the busiest, each brighter than the one before, so that no colour need be told apart."""
PAPER: Final = "#17212b"
INK: Final = "#8fa3b5"
CELL: Final = 28
GAP: Final = 4
LEFT: Final = 118
TOP: Final = 44
EDGE: Final = 18
_TEXT: Final = 18
_DAYS: Final = 31
_MARKED: Final = (1, 5, 10, 15, 20, 25, 30)


def drawn(picture: Picture) -> bytes:
    """The heat map as PNG: a row per month, a square per day, in digits only, so that every language reads it.

    The work is a few milliseconds. Raises ImportError where Pillow is not installed.
    """
    from PIL import Image, ImageDraw  # noqa: PLC0415 - heavy, and needed by pictures alone

    rows = months(levels(picture.days))[-MONTHS:]
    size = LEFT + _DAYS * (CELL + GAP) + EDGE, TOP + max(len(rows), 1) * (CELL + GAP) + EDGE
    image = Image.new("RGB", size, PAPER)
    _fill(ImageDraw.Draw(image), rows)
    output = io.BytesIO()
    image.save(output, "PNG", optimize=True)
    return output.getvalue()


def corner(row: int, day: int) -> tuple[int, int]:
    """The upper left pixel of a day's square."""
    return LEFT + (day - 1) * (CELL + GAP), TOP + row * (CELL + GAP)


def _fill(draw: ImageDraw, rows: Sequence[tuple[str, Sequence[tuple[date, int]]]]) -> None:
    from PIL import ImageFont  # noqa: PLC0415

    font = ImageFont.load_default(_TEXT)
    for marked in _MARKED:
        x, _ = corner(0, marked)
        draw.text((x + CELL / 2, TOP - 8), str(marked), INK, font, anchor="ms")
    for row, (month, days) in enumerate(rows):
        _, y = corner(row, 1)
        draw.text((LEFT - 14, y + CELL / 2), month, INK, font, anchor="rm")
        for day, level in days:
            x, y = corner(row, day.day)
            draw.rounded_rectangle((x, y, x + CELL - 1, y + CELL - 1), radius=5, fill=SHADES[level])
