"""A house over a demo person that answers commands, with a change of the card on record, at a fixed moment.

`python -m tests.core.views.across` writes its golden files anew.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.house import Given, House, build
from core.card.record import Record, encode_record
from core.clock import iso
from core.conversation import Incoming, Paged
from core.journal.records import In
from core.keeper.operations import NoteEvolution
from core.llm.offline.model import OfflineModel
from core.slices.model import CARD_PATH
from core.storage.demo import DemoStorage
from core.storage.persona import PersonaStorage
from core.storage.ram_disk import RamDisk
from tests.core.llm.demo import ROOT, WORDS
from tests.core.views.pages import dump
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from core.conversation import TurnEvent
    from core.document import Document

GOLDEN = ROOT / "tests" / "golden" / "across"
PEOPLE = {"en": ("mara", "Europe/Lisbon"), "zh": ("lin", "Asia/Shanghai")}
NOW = "2026-12-02T20:15:00+00:00"
CHANGES = {
    "en": ("Dona Odete's room has a price now.", "- Dona Odete's room costs 390 € — refs: [2026/11/08/1726-YOaatg]"),
    "zh": ("茶室的价钱定下来了。", "- 一壶四十五元 — refs: [2026/10/24/1255-HYuWng]"),
}
COMMANDS = {
    "years": ("/timeline", "/timeline"),
    "year": ("/timeline 2025", "/timeline 2025"),
    "span": ("/timeline last spring", "/timeline 今年春天"),
    "strands": ("/strands", "/strands"),
    "strand": ("/strand 晓雯", "/strand 奶奶"),
    "strand-unknown": ("/strand book", "/strand 水"),
    "loops": ("/loops", "/loops"),
    "loops-all": ("/loops all", "/loops all"),
    "card": ("/card", "/card"),
    "card-day": ("/card 2026-11-20", "/card 2026-11-20"),
    "card-history": ("/card history", "/card history"),
    "card-ask": ("/card ask", "/card ask"),
    "card-undo": ("/card undo", "/card undo"),
    "settings": ("/settings", "/settings"),
    "setting": ("/settings silence", "/settings bot.language"),
    "setting-set": ("/settings bot.briefing.mode:waiting", "/settings bot.timezone Asia/Tokyo"),
    "setting-wrong": ("/settings silence 500", "/settings silence 500"),
    "briefing": ("/briefing", "/briefing"),
    "slice": ("/slice 2022-12-11", "/slice 2024-08-24"),
    "slice-thoughts": ("/slice 2022-12-11-2105", "/slice 2024-08-24-0110"),
}


@dataclass
class Shown:
    """A presenter that keeps the last page."""

    pages: list[Document] = field(default_factory=list)

    async def show(self, event: TurnEvent) -> None:
        if isinstance(event, Paged):
            self.pages.append(event.document)


@dataclass
class Answering:
    """The house, asked command by command."""

    house: House
    locale: str
    zone: str
    asked: int = 0

    async def ask(self, text: str) -> Document:
        self.asked += 1
        now = self.house.parts.clock.now()
        update = Incoming(f"db:1:{self.asked}", "double", "1", now, text, locale=self.locale, zone=self.zone)
        received = In(update, iso(now), command=True)
        self.house.parts.journal.append(received)
        name, _, argument = text.removeprefix("/").partition(" ")
        begun = next(one for one in self.house.parts.journal.state.turns.values() if one.command == received)
        shown = Shown()
        await self.house.commands.run(name, argument, begun, shown)
        return shown.pages[-1]


async def answering(locale: str, *, changed: bool = True) -> Answering:
    """A house over the demo person of that language; `changed` puts a change of their card on record."""
    persona, zone = PEOPLE[locale]
    storage = DemoStorage(PersonaStorage(ROOT / "identity" / "personas" / persona))
    clock = ManualClock(NOW, instant=True)
    house = build(Given(RamDisk(), storage, clock, OfflineModel(WORDS), WORDS, zone, locale, demo=True))
    if changed:
        newest = (await house.parts.slices.ids())[-1]
        summary, line = CHANGES[locale]
        before = (await storage.read(CARD_PATH)).text + "\n- A line of before.\n"
        record = Record(
            f"{newest[:10]}T21:00:00.000Z", "slice_closed", summary, (line,), ("- A line of before.",), before
        )
        note = NoteEvolution(newest, 1, encode_record(record))
        await house.parts.keeper.keep("given", "care", [note])
    return Answering(house, locale, zone)


async def across(name: str, locale: str) -> Document:
    """The page of that name."""
    home = await answering(locale)
    try:
        return await home.ask(COMMANDS[name][list(PEOPLE).index(locale)])
    finally:
        home.house.shut()


async def every() -> dict[str, str]:
    return {f"{name}-{locale}.txt": dump(await across(name, locale)) for locale in PEOPLE for name in COMMANDS}


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file, text in asyncio.run(every()).items():
        (GOLDEN / file).write_text(text, encoding="utf-8")
