"""Talk of elsewhere becomes slices: dated, marked, once, going on where it was left; others' words are no evidence."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from core.card.evidence import words_of
from core.clock import instant
from core.journal.journal import Journal
from core.keeper.keeper import Keeper
from core.owning.archive import opened
from core.owning.importing import Importer, source_of
from core.owning.slicing import bursts
from core.owning.talks import Said, Talk
from core.slices.policy import Thresholds
from core.slices.store import Slices
from core.storage.local import LocalStorage
from core.timeline.projections import Projections
from tests.bot.living import WORDS
from tests.core.owning import given as made
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import Killed
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from pathlib import Path

    from core.owning.talks import Source
    from core.slices.model import Slice

THRESHOLDS = Thresholds()


class Desk:
    """An importer on a disk."""

    def __init__(self, disk: SimDisk | None = None) -> None:
        self.disk = disk or SimDisk()
        self.clock = ManualClock("2026-03-09T19:00:00Z")
        self.journal = Journal.open(self.disk, self.clock)
        storage = LocalStorage(self.disk)
        self.slices = Slices(storage)
        self.keeper = Keeper(self.journal, storage, self.clock)
        self.projections = Projections(storage, self.slices, self.clock)
        self.importer = Importer(self.slices, self.keeper, self.projections, self.clock, WORDS)
        self.seen: list[tuple[int, int]] = []

    async def run(self, source: Source) -> int:
        await self.keeper.remember()
        return await self.importer.run(source, THRESHOLDS, "UTC", lambda done, of: self.seen.append((done, of)))

    async def all(self) -> list[Slice]:
        return [(await self.slices.load(one)).slice for one in await self.slices.ids()]


def source(tmp_path: Path, value: object, name: str = "conversations.json", me: str = "") -> Source:
    now = instant("2026-03-09T19:00:00Z")
    assert now
    with opened(made.put(tmp_path / name, value)) as found:
        return source_of(found, now, me)


async def test_telegram_becomes_slices_cut_by_silence(tmp_path: Path) -> None:
    desk = Desk()

    assert await desk.run(source(tmp_path, made.TELEGRAM, "result.json")) == 2

    first, second = await desk.all()
    assert (first.id, first.status, first.closed_by, first.end) == (
        "2024-03-01-0901", "closed", "time_silence", "2024-03-01T09:02:00.000Z",
    )  # fmt: skip
    assert [(turn.role, turn.text) for turn in first.turns] == [
        ("user", "I live in Porto now."),
        ("user", "> [forwarded: Nadia]\n> Ada is a pilot!"),
    ]
    assert [turn.text for turn in second.turns] == ["[photo]"]
    assert first.focus
    assert first.summary


async def test_what_others_wrote_is_history_and_no_evidence(tmp_path: Path) -> None:
    desk = Desk()
    await desk.run(source(tmp_path, made.TELEGRAM, "result.json"))

    said = words_of((piece, piece.turns) for piece in await desk.all())

    assert "I live in Porto now." in said
    assert "pilot" not in said


@pytest.mark.parametrize("me", ["Nadia", "user4242", "4242"])
async def test_the_person_may_be_named(tmp_path: Path, me: str) -> None:
    found = source(tmp_path, made.TELEGRAM, "result.json", me)

    assert [one.mine for talk in found.talks for one in talk.messages] == [False, True, False]


async def test_a_whole_telegram_account_knows_who_it_belongs_to(tmp_path: Path) -> None:
    group = {**made.TELEGRAM, "type": "private_group", "id": 99}
    value = {"personal_information": {"user_id": 7}, "chats": {"list": [made.TELEGRAM, group]}}

    found = source(tmp_path, value, "result.json")

    assert [one.mine for talk in found.talks for one in talk.messages] == [True, False, True] * 2


async def test_chatgpt_is_read_along_the_branch_that_goes_on(tmp_path: Path) -> None:
    desk = Desk()
    await desk.run(source(tmp_path, made.CHATGPT))

    (piece,) = await desk.all()
    assert piece.focus == "Porto trams"
    assert [(turn.role, turn.text) for turn in piece.turns] == [
        ("user", "Which tram goes to Foz?"), ("agent", "Line 1."), ("user", "Thanks."),
    ]  # fmt: skip
    assert piece.turns[0].label == piece.turns[1].label != piece.turns[2].label


async def test_claude_is_read_from_a_zip_too(tmp_path: Path) -> None:
    path = made.zipped(tmp_path / "data.zip", {"export/conversations.json": json.dumps(made.CLAUDE).encode()})
    desk, now = Desk(), instant("2026-03-09T19:00:00Z")
    assert now
    with opened(path) as found:
        await desk.run(source_of(found, now))

    (piece,) = await desk.all()
    assert [turn.text for turn in piece.turns] == ["Name a good bakery.", "Confeitaria."]


async def test_the_preview_counts_and_writes_nothing(tmp_path: Path) -> None:
    desk = Desk()
    before = desk.disk.tree()

    coming = await desk.importer.coming(source(tmp_path, made.TELEGRAM, "result.json"), THRESHOLDS)

    assert (coming.talks, coming.messages, coming.passed, coming.slices, coming.there) == (1, 3, 1, 2, 0)
    assert coming.first
    assert coming.last
    assert (coming.first.isoformat(), coming.last.isoformat()) == (
        "2024-03-01T09:01:00+00:00", "2024-03-01T11:00:00+00:00",
    )  # fmt: skip
    assert desk.disk.tree() == before


async def test_done_twice_it_writes_nothing_more(tmp_path: Path) -> None:
    desk = Desk()
    found = source(tmp_path, made.CHATGPT)
    await desk.run(found)
    before = {path: data for path, data in desk.disk.tree().items() if path.startswith("memory/")}

    assert await desk.run(found) == 0
    assert await Desk(desk.disk).run(found) == 0
    assert (await desk.importer.coming(found, THRESHOLDS)).there == 1
    assert {path: data for path, data in desk.disk.tree().items() if path.startswith("memory/")} == before


async def test_slices_of_one_minute_both_live_and_are_known_again(tmp_path: Path) -> None:
    other = [
        {
            **made.CHATGPT[0],
            "mapping": {"z": made.node("z", None, "user", "Also then.", 1709283661.0)},
            "current_node": "z",
        }
    ]
    desk = Desk()
    await desk.run(source(tmp_path, made.CHATGPT))

    assert await desk.run(source(tmp_path, other)) == 1
    assert await desk.run(source(tmp_path, [*other, *made.CHATGPT])) == 0
    assert await desk.slices.ids() == ["2024-03-01-0901", "2024-03-01-0902"]


async def test_it_goes_on_where_it_was_left(tmp_path: Path) -> None:
    found, whole = source(tmp_path, made.TELEGRAM, "result.json"), Desk()
    await whole.run(found)
    wanted = {path: data for path, data in whole.disk.tree().items() if path.endswith(("core.md", "messages.jsonl"))}

    for k in range(1, whole.disk.operations, 7):
        disk = SimDisk()
        disk.fail_at(k)
        with suppress(Killed):
            await Desk(disk).run(found)
        again = Desk(disk.kill_image())
        await again.keeper.finish()
        await again.run(found)
        tree = again.disk.tree()
        assert {p: d for p, d in tree.items() if p.endswith(("core.md", "messages.jsonl"))} == wanted, k


async def test_progress_is_told(tmp_path: Path) -> None:
    desk = Desk()
    await desk.run(source(tmp_path, made.TELEGRAM, "result.json"))

    assert desk.seen == [(1, 2), (2, 2)]


async def test_imported_slices_are_listed_and_found(tmp_path: Path) -> None:
    desk = Desk()
    await desk.run(source(tmp_path, made.CHATGPT))

    assert [entry.focus for entry in await desk.projections.entries()] == ["Porto trams"]
    assert len(desk.journal.state.care) == 0


def test_a_long_talk_is_cut_by_the_cap_too() -> None:
    start = instant("2024-01-01T00:00:00Z")
    assert start
    talk = Talk("", tuple(Said(f"k{n}", start + n * timedelta(minutes=1), str(n), mine=True) for n in range(45)))

    assert [(len(one.turns), one.signal) for one in bursts(talk, THRESHOLDS)] == [
        (20, "capacity"), (20, "capacity"), (5, "time_silence"),
    ]  # fmt: skip
