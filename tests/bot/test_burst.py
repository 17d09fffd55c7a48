"""Which messages make one turn, how long is waited for more, and how they read as one text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.burst import ALBUM, CHARACTERS, MOST, PASTE, SEVERAL, SINGLE, SPAN, after, gather
from core.clock import iso
from core.conversation import Attachment, Incoming
from core.journal.open_turn import Waiting
from core.journal.records import In
from core.turn.burst import PIECE, Burst, stored
from tests.bot.living import living
from tests.doubles.echo_model import EchoModel

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def waiting(number: int, text: str = "hi", at: float = 0, **more: object) -> Waiting:
    sent = NOON + timedelta(seconds=at)
    update = Incoming(f"tg:1:{number}", "telegram", "1", sent, text)
    return Waiting(In(replace(update, **more), iso(sent)))  # type: ignore[arg-type]


def lines(count: int, pause: float) -> list[Waiting]:
    return [waiting(n, f"line {n}", at=n * pause) for n in range(count)]


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("messages", "window"),
    [
        ([waiting(1)], SINGLE),
        ([waiting(1, forwarded="Ann", foreign="x")], SEVERAL),
        ([waiting(1, "x" * PASTE)], SEVERAL),
        ([waiting(1), waiting(2)], SEVERAL),
        ([waiting(1, group="album")], ALBUM),
        ([waiting(1, surface="terminal")], 0.0),
    ],
    ids=["single", "forward", "paste", "second", "album", "terminal"],
)
def test_the_quiet_that_is_awaited_depends_on_what_came(messages: list[Waiting], window: float) -> None:
    assert gather(messages, NOON).wait == pytest.approx(window)


def test_after_the_quiet_the_burst_is_complete() -> None:
    assert gather([waiting(1)], later(SINGLE)).wait == 0


def test_a_long_trickle_ends_after_the_span() -> None:
    trickle = lines(10, 0.9)

    assert gather(trickle[:9], later(7.5)).wait == pytest.approx(SPAN - 7.5)
    assert gather(trickle[:9], later(SPAN)).wait == 0


def test_a_clock_that_was_set_back_never_waits_longer_than_the_span() -> None:
    assert gather([waiting(1)], NOON - timedelta(days=1)).wait == SPAN


def test_messages_of_two_chats_are_two_turns() -> None:
    mine, other = waiting(1), waiting(2, chat="2")

    assert gather([mine, other], later(60)).messages == (mine,)


def test_a_pause_longer_than_the_span_parts_two_turns_at_once() -> None:
    first, second = waiting(1), waiting(2, at=SPAN + 1)

    gathered = gather([first, second], later(SPAN + 1))

    assert (gathered.messages, gathered.wait) == ((first,), 0.0)


def test_a_turn_takes_at_most_sixty_messages_and_waits_no_more() -> None:
    many = lines(MOST + 40, 0.01)

    gathered = gather(many, later(1))

    assert (gathered.messages, gathered.wait) == (tuple(many[:MOST]), 0.0)


def test_a_thousand_long_messages_are_parted_in_order_and_none_is_lost() -> None:
    left = [waiting(n, "x" * 4_000, at=n / 1000) for n in range(1_000)]
    turns = []
    while left:
        turns.append(gather(left, later(60)).messages)
        left = left[len(turns[-1]) :]

    assert len(turns) == 67
    assert all(sum(len(stored(one)) for one in turn) <= CHARACTERS for turn in turns)
    assert [one.update.key for turn in turns for one in turn] == [f"tg:1:{n}" for n in range(1_000)]


def test_one_message_beyond_the_limit_is_still_a_turn() -> None:
    huge = waiting(1, "x" * (CHARACTERS + 1))

    assert gather([huge, waiting(2)], later(60)).messages == (huge,)


@pytest.mark.parametrize(("key", "other", "is_after"), [("tg:1:10", "tg:1:9", True), ("tg:1:9", "tg:1:10", False)])
def test_messages_of_one_chat_are_ordered_by_number(key: str, other: str, is_after: bool) -> None:
    one, two = waiting(1, key=key).first, waiting(2, key=other).first

    assert after(one, two) is is_after


def test_messages_of_two_chats_are_ordered_by_when_they_came() -> None:
    early, late = waiting(99).first, waiting(1, at=1, key="dc:7:1").first

    assert after(late, early)
    assert not after(early, late)


def test_a_paste_split_at_the_limit_is_joined_exactly() -> None:
    paste = "".join(f"word{n} " for n in range(1_500))[:9_000]
    pieces = [waiting(n, paste[n * PIECE : (n + 1) * PIECE]) for n in range(3)]

    assert Burst("t", tuple(pieces)).text == paste.strip("\n")


def test_a_quote_is_on_file_but_not_among_the_own_words() -> None:
    message = waiting(1, "I agree", quoted="Ann\n## Turn", foreign="let us go\n\ntomorrow")
    burst = Burst("t", (message,))

    assert burst.text == "> [quoted: Ann ## Turn]\n> let us go\n>\n> tomorrow\n\nI agree"
    assert burst.own == "I agree"


async def test_fifty_forwards_make_one_turn_in_order() -> None:
    async with living(EchoModel()) as home:
        for number in range(50):
            home.world.say("", forwarded="Ann", foreign=f"line {number}")
        await home.idle()

        (said,) = [turn.text for turn in home.turns() if turn.role == "user"]

    assert [line for line in said.splitlines() if "line" in line] == [f"> line {n}" for n in range(50)]


async def test_an_album_and_its_caption_are_one_turn() -> None:
    async with living(EchoModel()) as home:
        for number in range(3):
            photo = Attachment(f"{number}.jpg", "photo", ref=f"p{number}")
            home.world.files[f"p{number}"] = b"picture"
            home.world.say("our trip" if not number else "", group="g", attachments=(photo,))
        await home.idle()

    turn = home.turns()[0]
    first, second, third = (f"[photo: {number}.jpg](files/{turn.label}-{number + 1}.jpg)" for number in range(3))
    assert turn.text == f"{first}\n\nour trip\n\n{second}\n\n{third}"
    assert len(home.turns()) == 2


async def test_a_paste_in_three_updates_is_one_turn_with_one_reply() -> None:
    paste = "All work and no play. " * 410
    async with living(EchoModel()) as home:
        for at in range(0, len(paste), PIECE):
            home.world.say(paste[at : at + PIECE])
        await home.idle()

    assert home.turns()[0].text == paste
    assert len(home.world.finals()) == 1


async def test_two_quick_messages_are_both_stored_in_order() -> None:
    async with living(EchoModel()) as home:
        home.world.say("first")
        home.world.clock.shift(0.02)
        home.world.say("second")
        await home.idle()

    assert home.texts()[0] == ("user", "first\n\nsecond")
