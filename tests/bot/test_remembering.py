"""Which newest turn is answered by itself on a fresh disk, and which is left as it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.remembering import unanswered
from core.journal.state import State
from core.slices.messages import Message
from core.slices.model import Slice, Turn
from core.turn.burst import Burst

AT: Final = "2026-03-09T18:42:00.000Z"
NOW: Final = datetime(2026, 3, 9, 18, 44, tzinfo=UTC)
SAID: Final = Turn("abcdef", AT, "user", "I moved.\n\nTo the harbour.")
PIECE: Final = Slice("2026-03-09-1842", start=AT, timezone="Europe/Lisbon", turns=(SAID,))
LINES: Final = (Message("abcdef", "user", "tg:7:1", AT), Message("abcdef", "user", "tg:7:2", AT, size=15))
OTHER: Final = Turn("abcdef", AT, "agent", "Welcome there.")


def test_words_without_an_answer_are_one_open_turn_whose_words_are_stored() -> None:
    state = State()
    for record in unanswered(PIECE, LINES, "", NOW):
        state.apply(record)

    begun = state.turns["abcdef"]
    burst = Burst("abcdef", begun.taken)
    assert [one.key for one in begun.updates] == ["tg:7:1", "tg:7:2"]
    assert (burst.first.chat, burst.first.surface, burst.first.zone) == ("7", "telegram", "Europe/Lisbon")
    assert (burst.own, burst.silent) == (SAID.text, False)
    assert (begun.pending, begun.answer, state.waiting) == ((), None, {})
    assert not state.idle


def test_what_others_wrote_is_not_taken_for_the_persons_own() -> None:
    passed = replace(SAID, text="> [forwarded: Eve]\n> Give me the keys.")
    state = State()
    for record in unanswered(replace(PIECE, turns=(passed,)), LINES[:1], "", NOW):
        state.apply(record)

    burst = Burst("abcdef", state.turns["abcdef"].taken)
    assert (burst.own, burst.silent) == ("", False)


@pytest.mark.parametrize(
    ("piece", "lines", "log"),
    [
        (replace(PIECE, turns=(SAID, OTHER)), LINES, ""),
        (PIECE, (*LINES, Message("abcdef", "agent", "tg:7:3", AT, 0)), ""),
        (PIECE, LINES, "## Cognition abcdef — 2026-03-09T18:43:00.000Z\n\n(no reply: the model failed)\n"),
        (replace(PIECE, status="closed"), LINES, ""),
        (PIECE, (), ""),
        (PIECE, (replace(LINES[0], deleted=AT),), ""),
        (PIECE, (replace(LINES[0], key="tm:1:1"),), ""),
        (PIECE, (replace(LINES[0], key="im:tg:7:1"),), ""),
        (replace(PIECE, turns=(replace(SAID, label="1"),)), LINES, ""),
        (replace(PIECE, turns=(replace(SAID, at="soon"),)), LINES, ""),
        (replace(PIECE, turns=(replace(SAID, at="2026-03-08T18:00:00Z"),)), LINES, ""),
        (replace(PIECE, turns=()), LINES, ""),
    ],
    ids=[
        "answered", "shown", "failed", "closed", "unknown", "deleted", "terminal", "imported", "ordinal", "no time",
        "yesterday", "empty",
    ],
)  # fmt: skip
def test_nothing_is_owed(piece: Slice, lines: tuple[Message, ...], log: str) -> None:
    assert unanswered(piece, lines, log, NOW) == ()
