"""Every page over the demo people, as text: `python -m tests.core.views.pages` writes the golden files anew."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from bot.helping import help_page
from core.clock import instant
from core.document import Choice, Choices, Document, Download, Fold, Items, Picture, Text, Title, Utterance
from core.identity import person_of
from core.views.asked import asked_for
from core.views.briefing import briefing
from core.views.calendar import Calendar
from core.views.find import find_page, hits
from core.views.reader import Reader
from core.views.slice import slice_page
from core.views.status import Status, status_page
from core.views.timeline import how
from core.views.timeline import timeline as days_page
from tests.core.llm.demo import ROOT, WORDS, memory_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from core.slices.model import Slice
    from core.slices.store import Slices

GOLDEN = ROOT / "tests" / "golden" / "views"
PEOPLE = {"en": ("mara", "Europe/Lisbon", "concert"), "zh": ("lin", "Asia/Shanghai", "奶奶")}
NAMES = (
    "briefing", "briefing-line", "welcome", "months", "month", "day", "day-empty", "timeline-empty", "timeline-how",
    "slice", "slice-last", "find", "find-nothing", "find-how", "help", "status",
)  # fmt: skip


def at(text: str) -> datetime:
    moment = instant(text)
    assert moment
    return moment


NOW = at("2026-12-02T20:15:00Z")
STATUS = Status(
    version="9.9",
    model="",
    worker="",
    slices=1234,
    unmarked=2,
    place="/home/ana/previously",
    last=at("2026-12-02T19:58:00Z"),
    waiting=1,
    open_turns=1,
    parked=1,
    journal=48_000,
    unreadable={"2026-01-07-0900": "no front matter"},
    heard={"telegram": at("2026-12-02T20:14:00Z"), "discord": None},
    models=("`deepseek-v4-pro`", "$0.42 / $2.00"),
    copy=("github.com/ana/memory",),
)


def timeline(
    heads: Sequence[Slice], argument: str, page: int, reader: Reader, unreadable: Mapping[str, str] | None = None
) -> Document:
    """The page that somebody who typed this would see."""
    wanted, _ = asked_for(argument, reader.today)
    if wanted is None and argument:
        return how(reader)
    return days_page(Calendar.of(heads, reader.zone), wanted, page, reader, unreadable)


async def page(name: str, locale: str) -> str:  # noqa: PLR0911 - a table of pages
    persona, zone, query = PEOPLE[locale]
    reader = Reader(WORDS[locale], zone, NOW)
    slices = memory_of(persona)
    ids = await slices.ids()
    heads = await slices.heads()
    newest = list(reversed(heads))[:6]
    last = (await slices.load(ids[-1])).slice
    match name:
        case "briefing":
            return dump(briefing(newest, await called(slices, persona), reader))
        case "briefing-line":
            return dump(briefing(newest, await called(slices, persona), reader, short=True))
        case "welcome":
            return dump(briefing([], "", reader))
        case "months":
            return dump(timeline(heads, "", 0, reader)) + "\n" + dump(timeline(heads, "", 1, reader))
        case "month":
            return dump(timeline(heads, reader.day(last).isoformat()[:7], 0, reader))
        case "day":
            return dump(timeline(heads, reader.day(last).isoformat(), 0, reader))
        case "day-empty":
            return dump(timeline(heads, "2024-02-29", 0, reader))
        case "timeline-empty":
            return dump(timeline([], "", 0, reader))
        case "timeline-how":
            return dump(timeline(heads, "last blue moon", 0, reader, {"2026-01-01-0900": "no front matter"}))
        case "slice":
            return dump(slice_page((await slices.load(ids[3])).slice, 0, ids, reader))
        case "slice-last":
            return dump(slice_page(last, 99, ids, reader))
        case "find":
            return dump(find_page(query, await found(slices, query), reader))
        case "find-nothing":
            return dump(find_page("zyzzyva", [], reader))
        case "find-how":
            return dump(find_page(" ", [], reader))
        case "help":
            return dump(help_page(WORDS[locale]))
        case "status":
            return dump(status_page(STATUS, reader))
        case _:
            raise KeyError(name)


async def called(slices: Slices, persona: str) -> str:
    del slices
    card = (ROOT / "identity" / "personas" / persona / "memory/episodic/current-previously.md").read_text()
    person = person_of(card)
    return person.name if person else ""


async def found(slices: Slices, query: str) -> list[tuple[Slice, list[str]]]:
    pieces = [(await slices.load(slice_id)).slice for slice_id in await slices.ids()]
    return [(piece, list(excerpts)) for piece in pieces if (excerpts := hits(piece, query))]


def dump(page: Document) -> str:
    """The page as text, with the address behind everything that can be opened."""
    lines = [f"@ {page.address.encode()}" if page.address else "@"]
    for block in page.blocks:
        match block:
            case Title(text=text, eyebrow=eyebrow, note=note):
                lines += [part for part in (eyebrow, f"# {text}", note) if part]
            case Text(markdown=markdown):
                lines.append(markdown)
            case Items(items=items, label=label):
                lines += [f"{label}:", *(f"- {item}" for item in items)]
            case Utterance(who=who, when=when, markdown=markdown):
                lines += [f"{who} {when}", markdown]
            case Fold(label=label, markdown=markdown):
                lines += [f"[{label}]", markdown]
            case Choices(choices=choices):
                lines += map(_choice, choices)
            case Download(name=name):
                lines.append(f"[file {name}]")
            case Picture(days=days, caption=caption):
                lines += [caption, "[picture]", *(f"{day} {count}" for day, count in days if count)]
            case _:
                assert_never(block)
        lines.append("")
    return "\n".join(lines)


def _choice(choice: Choice) -> str:
    where = f"{choice.address.encode()} = {choice.address.command}" if choice.address else f"« {choice.say}"
    return f"({choice.label}) {where}"


async def every() -> dict[str, str]:
    return {f"{name}-{locale}.txt": await page(name, locale) for locale in PEOPLE for name in NAMES}


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file, text in asyncio.run(every()).items():
        (GOLDEN / file).write_text(text, encoding="utf-8")
