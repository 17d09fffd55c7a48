"""From updates to what the conversation knows, where the facts of Telegram are odd."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from adapters.telegram.buttons import LIMIT, meant, packed
from adapters.telegram.intake import in_order
from adapters.telegram.rendered import Button
from adapters.telegram.translate import message_of
from core.document import Address
from tests.adapters.telegram.stand import MARA, WORDS, Said

MARA_FACE = {"id": MARA, "is_bot": False, "first_name": "Mara", "last_name": "Sequeira", "language_code": "en"}
CHANNEL = {"id": -2, "type": "channel", "title": "News\nNow"}
CHAT = {"id": MARA, "type": "private", "first_name": "Mara"}


def read(kind: str = "message", **more: Any) -> Any:
    message = {"message_id": 7, "date": 1_773_000_000, "chat": CHAT, "from": MARA_FACE} | more
    return message_of(Update.de_json({"update_id": 1, kind: message}, None), WORDS)


@pytest.mark.parametrize("date", [0, 1, 4_102_444_800])
def test_odd_dates_are_taken(date: int) -> None:
    said = read(text="x", date=date)
    assert said.sent.timestamp() == date


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        ({"type": "user", "sender_user": MARA_FACE, "date": 1_773_000_000}, "Mara Sequeira, 2026-03-08"),
        ({"type": "hidden_user", "sender_user_name": "Ann", "date": 1_773_000_000}, "Ann, 2026-03-08"),
        ({"type": "chat", "sender_chat": {"id": -1, "type": "group", "title": "Flat"}, "date": 1}, "Flat, 1970-01-01"),
        (
            {
                "type": "channel",
                "chat": {"id": -2, "type": "channel", "title": "News\nNow"},
                "message_id": 3,
                "date": 1,
            },
            "News Now, 1970-01-01",
        ),
    ],
)
def test_a_forward_names_its_origin_in_one_line(origin: dict[str, Any], line: str) -> None:
    said = read(text="they said", forward_origin=origin)
    assert (said.forwarded, said.foreign, said.text) == (line, "they said", "")


def test_what_the_owner_forwards_of_their_own_is_still_a_forward() -> None:
    origin = {"type": "user", "sender_user": MARA_FACE, "date": 1}
    assert read(text="x", forward_origin=origin).forwarded


def test_a_quote_from_elsewhere_is_foreign_text() -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Ann", "date": 1_773_000_000}
    said = read(text="hm", external_reply={"origin": origin}, quote={"text": "the rent", "position": 0})
    assert (said.text, said.foreign, said.quoted) == ("hm", "the rent", "Ann, 2026-03-08")


def test_an_animation_is_one_file() -> None:
    file = {"file_id": "f", "file_unique_id": "u", "file_size": 5}
    shape = {"width": 1, "height": 1, "duration": 1}
    said = read(animation=file | shape, document=file | {"file_name": "a.gif"})
    assert [one.name for one in said.attachments] == ["animation-7.mp4"]


def test_a_live_location_that_moves_says_nothing() -> None:
    place = {"latitude": 1.0, "longitude": 2.0, "live_period": 900}
    assert read("edited_message", location=place, edit_date=1_773_000_010) is None


def test_messages_are_put_in_order_and_all_else_keeps_its_place() -> None:
    first, second = read(text="a"), read(text="b", message_id=6)
    edit = read("edited_message", text="c", edit_date=1_773_000_010)
    assert in_order([first, edit, second]) == [second, edit, first]


@pytest.mark.parametrize("say", ["yes", "ß" * 40, "线" * 21, "a" * 61, "🎩" * 16])
def test_what_a_button_says_fits_or_is_found_again(say: str) -> None:
    kept = Said()
    data = packed(Button("label", say=say), kept)
    assert 1 <= len(data.encode()) <= LIMIT
    assert meant(data, {}, kept) == say


def test_a_button_whose_saying_is_kept_no_more_says_its_label() -> None:
    data = packed(Button("label", say="a" * 61), Said())
    assert meant(data, {data: "label"}, Said()) == "label"


def test_a_button_opens_its_page_and_an_unknown_one_nothing() -> None:
    address = Address("slice", "2026-03-09-0900", 2)
    assert meant(packed(Button("x", data=address.encode()), Said()), {}, Said()) == "/slice 2026-03-09-0900 3"
    assert meant("2/slice/x/0", {}, Said()) == meant("noop", {}, Said()) == ""
