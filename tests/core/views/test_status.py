"""`/status`: the facts, in both languages, and from a house."""

from __future__ import annotations

from dataclasses import replace

from bot import VERSION
from core.slices.model import core_path
from core.storage.base import ABSENT, Write
from core.views.status import Status, status_page
from tests.core.views.across import answering
from tests.core.views.given import at, items, reader

FULL = Status(
    version="9.9",
    model="deepseek-v4-pro",
    worker="deepseek-v4-flash",
    slices=1234,
    unmarked=2,
    place="/home/ana/previously",
    last=at("2026-03-16T11:00:00Z"),
    waiting=1,
    open_turns=3,
    parked=1,
    journal=2_500_000,
    unreadable={f"2026-01-0{n}-0900": "no front matter" for n in range(1, 8)},
)


def test_the_facts_are_all_named() -> None:
    lines = items(status_page(FULL, reader(zone="Europe/Lisbon")))

    for fact in (
        *("In /home/ana/previously", "1234 slices", "2 closed slices without marks", "2026-03-16 Mon 11:00 · today"),
        *("deepseek-v4-pro", "deepseek-v4-flash", "1 message waits", "3 turns are open", "2.4 MB"),
        *("Europe/Lisbon", "Previously 9.9", "1 message could not be stored"),
    ):
        assert any(fact in line for line in lines), fact


def test_unreadable_slices_are_counted_and_the_newest_five_named_with_the_reason() -> None:
    page = status_page(FULL, reader())

    named = items(page, "7 slices cannot be read")
    assert len(named) == 5
    assert named[0] == "The slice 2026-01-07-0900 cannot be read and was left untouched: no front matter."


def test_each_platform_is_told_with_when_it_was_last_heard_of() -> None:
    heard = {"telegram": at("2026-03-16T10:58:00Z"), "discord": None}

    lines = items(status_page(replace(FULL, heard=heard), reader()))

    assert "Discord: no answer yet" in lines
    assert any(line.startswith("Telegram: last answer 2026-03-16 Mon 10:58") for line in lines)
    assert not any("answer" in line for line in items(status_page(FULL, reader())))


def test_what_models_cost_stands_in_place_of_their_bare_names() -> None:
    lines = items(status_page(replace(FULL, models=("Answers: deepseek-v4-pro", "Today: about $0.10")), reader()))

    assert "Today: about $0.10" in lines
    assert not any("worker" in line for line in lines)


def test_an_empty_memory_says_so_in_chinese() -> None:
    bare = Status(version="1", model="offline", worker="offline", slices=0, unmarked=0, demo=True)

    lines = items(status_page(bare, reader("zh")))

    assert "还没有说过话" in lines
    assert "存放在：本进程的内存 （演示，不会保存）" in lines


async def test_the_house_tells_how_it_is() -> None:
    home = await answering("en")
    await home.house.parts.storage.commit([Write(core_path("2026-11-12-0900"), b"---\nbroken", ABSENT)], "plant")

    page = await home.ask("/status")

    lines = items(page)
    assert "37 slices" in lines
    assert "Last turn: 2026-11-11 Wed 19:06 · 3 weeks ago" in lines
    assert "0 turns are open" in lines
    assert f"Previously {VERSION}" in lines
    assert len(items(page, "1 slice cannot be read")) == 1
