from __future__ import annotations

import pytest
from hypothesis import given

from core.journal.ids import is_later, stream_of, tag_of, turn_id
from tests.core.journal.given import hostile, update


@given(hostile)
def test_a_turn_id_is_six_base64url_characters_and_always_the_same(key: str) -> None:
    assert turn_id(key) == turn_id(key)
    assert len(turn_id(key)) == 6
    assert set(turn_id(key)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_a_turn_id_is_the_start_of_the_key_s_sha256() -> None:
    assert turn_id("tg:7:1") == "LfgZ9P"


def test_an_edit_and_a_deletion_have_tags_of_their_own() -> None:
    tags = {
        tag_of(update()),
        tag_of(update(kind="edit", edited="1")),
        tag_of(update(kind="edit", edited="2")),
        tag_of(update(kind="deletion")),
    }

    assert tags == {"tg:7:1", "tg:7:1#e1", "tg:7:1#e2", "tg:7:1#d"}


@pytest.mark.parametrize(
    ("key", "other", "later"),
    [
        ("tg:7:10", "tg:7:9", True),
        ("tg:7:9", "tg:7:10", False),
        ("tg:7:9", "tg:7:9", False),
        ("tg:7:010", "tg:7:9", True),
        ("tg:7:1", "", True),
        ("term:b", "term:a", True),
        ("dc:1:1354000000000000001", "dc:1:1354000000000000000", True),
        ("tg:7:" + "9" * 5000, "tg:7:1", True),
    ],
)
def test_later_goes_by_number(key: str, other: str, later: bool) -> None:
    assert is_later(key, other) is later


def test_a_stream_is_the_key_without_its_last_part() -> None:
    assert stream_of("dc:42:99") == "dc:42"
