"""The briefing on one screen, what is found, thoughts below answers, and pages over a house."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.render import Look, render
from bot.catalog import SMALL, Catalog
from bot.helping import Asked
from bot.pages import Pages
from bot.topics import Topics
from core.card.model import Entry
from core.document import Fold, Utterance
from core.slices.codec import encode
from core.slices.model import Turn
from core.slices.store import changes
from core.timeline.codec import INDEX_PATH
from core.views.briefing import briefing
from core.views.find import excerpt, hits, may_hold
from core.views.reader import fit, width
from core.views.slice import slice_page
from tests.core.views.across import answering
from tests.core.views.given import commands, items, piece, reader, texts

LONG = st.text(st.sampled_from("ab 字é👩‍👩‍👧.*_\n"), min_size=1, max_size=400)
LOG = """## Cognition abcdef — 2026-03-09T09:01:00.000Z

### Thinking
First thought.
#\\# Cognition is a word of mine.

### Tools
- `recall`(query: "bread") → ok

### Answer
- model: m
"""


@pytest.mark.parametrize("locale", ["en", "zh"])
@given(focus=LONG, name=LONG, loops=st.lists(LONG, max_size=8), due=st.lists(LONG, max_size=8))
def test_a_briefing_takes_at_most_one_screen(
    locale: str, focus: str, name: str, loops: list[str], due: list[str]
) -> None:
    horizon = [Entry(" ".join(text.split()) or "x", by="2026-03-10") for text in due]
    recent = [
        piece("2026-03-09T09:00:00Z", focus, open_loops=tuple(loops)),
        piece("2026-03-08T09:00:00Z", focus + "!"),
    ]

    shown = render(briefing(recent, name, reader(locale), horizon=horizon), Look(width=80))

    assert len(shown.split("\n")) <= 24


@given(LONG, st.integers(4, 90))
def test_a_fitted_text_takes_no_more_cells_than_there_are(text: str, cells: int) -> None:
    assert width(fit(text, cells)) <= cells or "\u200d" in text


def test_a_briefing_names_what_is_over_or_due_and_no_loop_that_was_settled() -> None:
    last = piece("2026-03-09T09:00:00Z", open_loops=("Call Ana", "Buy salt"), decisions=("call ana.",))
    horizon = [
        Entry(text, by=by)
        for text, by in (("late", "2026-03-01"), ("today", "2026-03-16"), ("soon", "2026-03-17"), ("far", "2026-03-18"))
    ]

    page = briefing([last], "Ana", reader(), horizon=[*horizon, Entry("undated")])

    assert items(page, "Open loops") == ("↗ Buy salt",)
    assert items(page, "Due") == ("↗ soon — due tomorrow", "↗ today — due today", "↗ late — 2 weeks overdue")


def test_the_full_previously_is_the_card_of_the_last_slice() -> None:
    assert "/card 2026-03-09" in commands(briefing([piece("2026-03-09T09:00:00Z")], "Ana", reader()))


@given(st.text(max_size=120), st.text(max_size=120), st.text(min_size=1, max_size=12))
def test_a_file_that_says_the_words_is_never_passed_over(before: str, after: str, query: str) -> None:
    said = f"{before}{query}{after}"
    turn = Turn("abcdef", "2026-03-09T09:00:00Z", "user", said)
    one = piece("2026-03-09T09:00:00Z", " ".join(said.split()), summary=said, turns=(turn,))
    file = encode(one).encode("utf-8", "replace").decode()

    if hits(one, query):
        assert may_hold(file, query)


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("a ﬃ ligature", "FFI", "a ﬃ ligature"),
        ("x" * 100 + "ＢＲＯＴ" + "y" * 100, "brot", "…" + "x" * 60 + "ＢＲＯＴ" + "y" * 60 + "…"),
        ("Cafe\u0301 Straße", "café", "Cafe\u0301 Straße"),
    ],
)
def test_an_excerpt_is_in_the_letters_that_were_written(text: str, query: str, found: str) -> None:
    assert excerpt(text, query) == found


def test_thoughts_stand_folded_below_the_answer_that_they_led_to() -> None:
    at = "2026-03-09T09:01:00.000Z"
    one = piece(at, turns=(Turn("abcdef", at, "user", "hi"), Turn("abcdef", at, "agent", "yes")))

    page = slice_page(one, 0, [one.id], reader(), LOG)

    kinds = [type(block) for block in page.blocks[1:4]]
    fold = next(block for block in page.blocks if isinstance(block, Fold))
    assert kinds == [Utterance, Utterance, Fold]
    assert fold.label == "Thoughts"
    assert fold.markdown == (
        'First thought.\n\n## Cognition is a word of mine.\n\n**Tools**\n\n- `recall`(query: "bread") → ok'
    )


def test_what_was_deleted_is_not_shown_again() -> None:
    at = "2026-03-09T09:01:00.000Z"
    said = (Turn("abcdef", at, "user", "[deleted] a secret\n\nkept"), Turn("ghijkl", at, "user", "[deleted] all"))

    page = slice_page(piece(at, turns=said), 0, [], reader())

    shown = [block.markdown for block in page.blocks if isinstance(block, Utterance)]
    gone = "*(Something that stood here was deleted.)*"
    assert shown == [f"kept\n\n{gone}", gone]


async def test_a_day_with_one_slice_opens_it_and_one_with_several_shows_them() -> None:
    home = await answering("en")

    one, several, none = [await home.ask(f"/slice {day}") for day in ("2026-11-11", "2024-04-17", "2026-11-12")]

    assert one.address
    assert one.address.command == "/slice 2026-11-11-1902"
    assert several.address
    assert several.address.command == "/timeline 2024-04-17"
    assert texts(none) == ["No slices here."]


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("strand", "courses"),
        ("slice", "2026-11-11"),
        ("timeline", "2026-11"),
        ("card", "history"),
        ("settings", "bot.timezone"),
    ],
)
async def test_completion_knows_what_there_is(command: str, known: str) -> None:
    home = await answering("en")

    assert known in await home.house.commands.known(command)


async def test_every_button_of_every_page_opens_a_page() -> None:
    home = await answering("zh")
    asked, left = set[str](), ["/timeline", "/strands", "/loops", "/status", "/card history", "/briefing"]
    while left and len(asked) < 60:
        command = left.pop()
        if command in asked or command == "/card undo":
            continue
        asked.add(command)
        page = await home.ask(command)
        assert page.blocks
        assert page.address is None or page.address.view in command
        left += commands(page)

    assert len(asked) == 60


@pytest.mark.parametrize("woven", [False, True])
async def test_a_long_archive_is_read_from_its_catalog_and_shows_the_same(*, woven: bool) -> None:
    home = await answering("en")
    parts = home.house.parts
    if woven:
        await parts.projections.weave(force=True)
    pages = []
    for small in (SMALL, 3):
        catalog = Catalog(parts, small)
        time, topics = Pages(parts, catalog), Topics(catalog)
        for answer, argument in (
            *((time.timeline, argument) for argument in ("", "2026-11", "2026-11-11", "2025")),
            *((topics.strands, ""), (topics.strand, "courses"), (topics.loops, "")),
        ):
            pages.append(await answer(Asked(argument, "abcdef", reader(now="2026-12-02T20:15:00Z"))))

    half = len(pages) // 2
    assert pages[:half] == pages[half:]


async def test_a_hand_edit_of_a_long_archive_is_seen_on_the_page_of_its_day() -> None:
    home = await answering("en")
    parts = home.house.parts
    await parts.projections.weave(force=True)
    loaded = await parts.slices.load("2026-11-11-1902")
    await parts.storage.commit(changes(loaded, replace(loaded.slice, focus="Mended by hand")), "by hand")

    page = await Pages(parts, Catalog(parts, 3)).timeline(Asked("2026-11-11", "abcdef", reader()))

    assert items(page)[0] == "**Mended by hand**"


async def test_looking_at_pages_writes_nothing() -> None:
    home = await answering("en", changed=False)
    storage = home.house.parts.storage
    before = await storage.read(INDEX_PATH)

    for command in ("/timeline", "/strands", "/loops", "/status", "/card history", "/settings", "/find choir"):
        await home.ask(command)

    assert await storage.read(INDEX_PATH) == before
    assert not home.house.parts.projections.woven
