"""A rendered page as readable text: entities as tags in ‹›, buttons in [], the size of every part.

`python -m tests.adapters.telegram.shown` writes the golden files anew.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.telegram.render import render
from core.document import Document, Text
from core.i18n import load_words
from tests.adapters.telegram.nasty import NASTY, UNKNOWN
from tests.core.views.across import PEOPLE, across
from tests.tree import ROOT

if TYPE_CHECKING:
    from adapters.telegram.rendered import Entity, Part, Rendered

GOLDEN = Path(__file__).parents[2] / "golden" / "telegram"
WORDS = load_words(ROOT / "locales")


def nasty(name: str) -> Rendered:
    """One of the nasty answers."""
    return render(Document((Text(NASTY[name]),), unknown=UNKNOWN.get(name, frozenset())), WORDS["en"])


def shown(page: Rendered) -> str:
    """The page for a golden file."""
    lines = []
    for part in page.parts:
        size = len(part.text.encode("utf-16-le")) // 2
        lines += [f"=== {size} units, {len(part.entities)} entities", tagged(part)]
    if page.picture:
        lines.append(f"=== picture of {len(page.picture.days)} days")
    for file in page.files:
        lines.append(f"=== file {file.name}, {len(file.data)} bytes")
    if page.keyboard:
        lines.append("=== buttons")
    for row in page.keyboard:
        lines.append("  ".join(f"[{button.label} → {button.data or f'« {button.say}'}]" for button in row))
    return "\n".join(lines) + "\n"


def tagged(part: Part) -> str:
    """The text with its entities as tags."""
    wide, marks = part.text.encode("utf-16-le"), []
    for number, entity in enumerate(part.entities):
        marks.append((entity.offset, 1, number, f"‹{_name(entity)}›"))
        marks.append((entity.offset + entity.length, 0, -number, f"‹/{entity.kind}›"))
    text, at = "", 0
    for offset, _, _, tag in sorted(marks):
        text += wide[2 * at : 2 * offset].decode("utf-16-le") + tag
        at = offset
    return text + wide[2 * at :].decode("utf-16-le")


def _name(entity: Entity) -> str:
    more = entity.url or entity.language or (f"{entity.unix}/{entity.format}" if entity.unix else "")
    return f"{entity.kind} {more}".strip()


PAGES = ("years", "year", "span", "slice", "card-history", "card-ask", "loops", "briefing")


async def paged(name: str, locale: str) -> Rendered:
    """One of the pages over a demo person."""
    return render(await across(name, locale), WORDS[locale])


async def pages() -> dict[str, str]:
    return {f"page-{name}-{locale}.txt": shown(await paged(name, locale)) for name in PAGES for locale in PEOPLE}


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file, page in asyncio.run(pages()).items():
        (GOLDEN / file).write_text(page, encoding="utf-8")
    for name in NASTY:
        (GOLDEN / f"{name}.txt").write_text(shown(nasty(name)), encoding="utf-8")
