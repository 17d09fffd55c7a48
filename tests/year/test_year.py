"""A year of 300 slices in two languages, lived once: its pages read as their golden files, and nothing was lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from core.card import rules
from core.card.codec import decode as decode_card
from core.card.model import overdue
from core.card.record import decode_record
from core.language.tongue import tongue_of
from core.slices.codec import decode
from core.slices.model import AGENT, CARD_PATH, USER, core_path, rel_of
from core.slices.notes import spoken
from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from core.strands.codec import ALIASES_PATH
from core.timeline.projections import Projections
from tests.doubles.clock import ManualClock
from tests.year.golden import GOLDEN, texts
from tests.year.life import GAPS, LOCALES, PAGES, Year, live

if TYPE_CHECKING:
    from core.slices.model import Slice
    from tests.year.story import Pass, Scene

NAMES = [f"{name}-{locale}" for name in (*(f"gap-{gap}" for gap in GAPS.values()), *PAGES) for locale in LOCALES]
README = Path(__file__).resolve().parents[2] / "README.md"
DERIVED = ("/strands.json", "/index.json", "/_index.json", "/timeline.md")


@pytest.fixture(scope="module")
def lived() -> Year:
    return asyncio.run(live())


def slices_of(lived: Year) -> list[Slice]:
    return [decode(data, path) for path, data in lived.memory.files.items() if path.endswith("/core.md")]


def passes(lived: Year) -> list[tuple[Scene, Pass]]:
    return [(scene, one) for scene in lived.scenes for one in (scene.closing, scene.wish) if one.changes]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_the_year_reads_as_its_golden_file(lived: Year, name: str) -> None:
    assert texts(lived)[f"{name}.txt"] == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_readme_shows_parts_of_these_pages() -> None:
    pages = [path.read_text(encoding="utf-8") for path in GOLDEN.iterdir()]
    readme = README.read_text(encoding="utf-8").partition("## A year, in a minute\n")[2].partition("\n## ")[0]

    shown = readme.split("```\n")[1::2]
    assert len(shown) == 3
    for part in shown:
        assert any(all(piece in page for piece in part.strip().split("\n\n")) for page in pages), part


def test_every_golden_file_of_the_year_is_a_page() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(NAMES)


def test_three_hundred_slices_stand_where_they_were_talked(lived: Year) -> None:
    pieces = slices_of(lived)

    assert [piece.id for piece in pieces] == [scene.id for scene in lived.scenes]
    assert len(pieces) == 300
    assert [piece.timezone for piece in pieces] == [scene.zone for scene in lived.scenes]


def test_all_slices_are_closed_but_the_last_and_each_by_its_signal(lived: Year) -> None:
    *closed, last = slices_of(lived)

    assert not last.closed
    assert all(piece.closed for piece in closed)
    assert Counter(piece.closed_by for piece in closed) == {"time_silence": 292, "user_explicit": 6, "capacity": 1}


def test_every_closed_slice_has_the_marks_of_the_worker_in_the_language_of_its_talk(lived: Year) -> None:
    for piece, scene in zip(slices_of(lived)[:-1], lived.scenes[:-1], strict=True):
        assert piece.focus == scene.focus
        assert piece.summary.startswith(scene.summary.rstrip(".。"))
        assert set(scene.tags) <= set(piece.tags)
        assert (len(piece.open_loops), len(piece.decisions)) == (len(scene.loops), len(scene.decisions))
        assert tongue_of(piece.focus) == tongue_of(" ".join(one.text for one in scene.exchanges))


def test_what_was_to_be_done_tomorrow_has_a_date(lived: Year) -> None:
    loops = [loop for piece in slices_of(lived) for loop in piece.open_loops]

    assert "C1 exam tomorrow (2026-06-13) at 8:45" in loops
    assert "明天（2026-04-21）等小棠的消息" in loops


def test_nothing_that_was_said_is_lost_and_every_message_has_its_answer(lived: Year) -> None:
    said = [one for scene in lived.scenes for one in scene.exchanges]
    turns = [turn for piece in slices_of(lived) for turn in piece.turns]

    mine = [turn.text for turn in turns if turn.role == USER]
    assert len(mine) == len(said)
    assert all(one.text in text for one, text in zip(said, mine, strict=True))
    assert [turn.text for turn in turns if turn.role == AGENT] == [one.answer for one in said]
    assert [one.text for one in lived.sent if not one.text.startswith("/") and one.kind == "message"] == [
        one.text for one in said
    ]


def test_what_was_edited_and_deleted_is_kept_and_no_longer_said(lived: Year) -> None:
    mine = {turn.text.partition("\n")[0]: turn.text for piece in slices_of(lived) for turn in piece.turns}

    edited = mine["The pull test is on Thursday at ten, Mirjam brings the rope."]
    (deleted,) = [text for text in mine.values() if "PIN 4471-0098" in text]
    assert spoken(edited).endswith("[edited 18:30] The pull test is on Friday at ten, Mirjam brings the rope.")
    assert spoken(deleted) == ""


def test_strands_and_timeline_are_what_a_rebuild_makes_of_the_slices(lived: Year) -> None:
    files = lived.memory.files
    shown = {path: data for path, data in files.items() if path.endswith(DERIVED)}
    rebuilt = MemoryStorage({path: data for path, data in files.items() if path not in shown})

    asyncio.run(_rebuild(rebuilt, ManualClock(stamp(files))))

    assert {path: data for path, data in rebuilt.files.items() if path.endswith(DERIVED)} == shown
    assert len(shown) == 16
    assert '"xiaoman": "小满"' in files[ALIASES_PATH].decode()
    assert lived.scribe.merged == 4


async def _rebuild(storage: MemoryStorage, clock: ManualClock) -> None:
    await Projections(storage, Slices(storage), clock).rebuild()


def stamp(files: dict[str, bytes]) -> str:
    lines = files["memory/episodic/timeline/index.json"].decode().split("\n")
    return next(line for line in lines if '"updated_at"' in line).split('"')[3]


def test_the_card_keeps_its_caps_and_rests_on_what_was_said(lived: Year) -> None:
    text = lived.memory.files[CARD_PATH].decode()
    card = decode_card(text)
    pieces = slices_of(lived)
    known = {f"{rel_of(piece.id)}-{turn.label}" for piece in pieces for turn in piece.turns if turn.role == USER}
    known |= {rel_of(piece.id) for piece in pieces}

    assert len(text) <= rules.TOTAL_CHARACTERS
    assert len(card.anchors) <= rules.ANCHORS
    assert len(card.now) <= rules.HOOKS
    assert len(card.horizon) <= rules.PLANS
    assert len(card.self_model) <= rules.LESSONS
    assert all(entry.refs and set(entry.refs) <= known for entry in card.entries)
    assert overdue(card, date(2027, 2, 3)) == ()


def test_every_change_of_the_card_is_on_record_with_its_sentence(lived: Year) -> None:
    files = lived.memory.files
    paths = [path for path in files if "/evolution-" in path and not path.endswith("-0.md")]
    told = [decode_record(files[path].decode(), path).summary for path in paths]

    wanted = [one.summary for _, one in passes(lived)]
    together = [sentence for sentence in told if sentence not in wanted]
    assert len(wanted) == 60
    assert len(together) == 2  # a wish carried out with what the slice before it had left
    assert sorted(one for sentence in told for one in wanted if one in sentence) == sorted(wanted)


def test_edits_that_the_card_refuses_say_why_and_change_nothing(lived: Year) -> None:
    refused = [reply for _, reply in lived.scribe.replies if reply.startswith("REJECTED")]

    edits = [edit for scene in lived.scenes for one in (scene.closing, scene.wish) for edit in one.edits]
    assert len(lived.scribe.replies) == len(edits)
    assert len(refused) == sum(edit.refused for edit in edits) == 9
    assert any("the section is full" in reply for reply in refused)
    assert any("refs are required" in reply for reply in refused)
    assert any("there is no 2026/07/31/1200 in memory" in reply for reply in refused)


def test_what_was_asked_to_be_remembered_stands_on_the_card_at_once(lived: Year) -> None:
    wishes = [scene for scene in lived.scenes if scene.wish.changes]

    assert len(wishes) == 7
    for scene in wishes:
        text = str(scene.wish.edits[0].arguments["text"])
        snapshot = lived.memory.files[core_path(scene.id).replace("timeline/core.md", "previously.md")].decode()
        assert text in snapshot


def test_questions_about_the_past_are_answered_from_the_slice_that_was_meant(lived: Year) -> None:
    wanted = [one.source for scene in lived.scenes for one in scene.exchanges if one.query]

    assert lived.talker.recalled == wanted
    assert len(wanted) == 4


@pytest.mark.parametrize(
    ("day", "clocks"),
    [("2026-03-29", ["01:35 CET", "03:10 CEST"]), ("2026-10-25", ["02:20 CEST", "02:20 CET"])],
)
def test_in_the_nights_of_the_clock_change_each_talk_has_its_own_slice(
    lived: Year, day: str, clocks: list[str]
) -> None:
    starts = [datetime.fromisoformat(piece.start) for piece in slices_of(lived)]
    local = [start.astimezone(ZoneInfo("Europe/Berlin")) for start in starts]

    assert [f"{one:%H:%M %Z}" for one in local if f"{one:%Y-%m-%d}" == day] == clocks


def test_a_message_is_said_once_so_that_the_script_can_be_followed(lived: Year) -> None:
    said = Counter(one.text for scene in lived.scenes for one in scene.exchanges)

    assert [text for text, count in said.items() if count > 1] == []
