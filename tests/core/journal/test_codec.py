from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import datetime
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation import Attachment, Incoming
from core.errors import Malformed
from core.journal.codec import decode, encode, payload_of
from core.journal.records import In, Plan, Record, Snap, Try
from tests.core.journal.given import AT, NOON, records, update


def read_back(record: Record) -> Record:
    payload = payload_of(encode([record]).removesuffix(b"\n"))
    assert payload is not None
    return decode(payload)


def checked(raw: object) -> bytes:
    payload = json.dumps(raw).encode()
    return b"%08x %b\n" % (crc32(payload), payload)


@given(records)
@settings(max_examples=150)
def test_every_record_reads_back_as_it_was_written(record: Record) -> None:
    assert read_back(record) == record


@given(records)
@settings(max_examples=40)
def test_a_record_is_one_line_of_ascii(record: Record) -> None:
    line = encode([record])

    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


@given(st.binary(max_size=60))
def test_bytes_that_are_no_line_are_told_apart(noise: bytes) -> None:
    assert payload_of(noise) is None or decode_or_refuse(noise)


def decode_or_refuse(noise: bytes) -> bool:
    payload = payload_of(noise)
    return payload is not None and noise[:8] == b"%08x" % crc32(payload)


_names = st.sampled_from(["t", "turn", "n", "update", "open", "ops", "keys", "phase"])
_junk = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=4),
    max_leaves=8,
)
_tags = ["in", "try", "plan", "applied", "ph", "step", "sent", "done", "dead", "shown", "snap", "hello", "other"]


def outcome(payload: bytes) -> Record | Malformed:
    try:
        return decode(payload)
    except Malformed as refusal:
        return refusal


@given(st.dictionaries(_names, _junk, max_size=4), st.sampled_from(_tags))
def test_a_checked_line_of_any_json_is_read_or_refused_and_nothing_else(raw: dict[str, object], tag: str) -> None:
    found = outcome(json.dumps({**raw, "t": tag}).encode())

    assert found.where == "state/journal.jsonl" if isinstance(found, Malformed) else read_back(found) == found


@given(records, st.data())
@settings(max_examples=60)
def test_a_line_with_any_one_bit_turned_is_not_believed(record: Record, data: st.DataObject) -> None:
    line = bytearray(encode([record]).removesuffix(b"\n"))
    at = data.draw(st.integers(0, len(line) * 8 - 1))

    line[at // 8] ^= 1 << at % 8

    assert payload_of(bytes(line)) is None


def test_every_field_of_an_update_is_kept() -> None:
    full = Incoming(
        "tg:7:1", "discord", "7", NOON, "text", kind="edit", edited="1", locale="zh", zone="Asia/Shanghai", group="g",
        forwarded="from A", quoted="of B", foreign="> b", reply_to="tg:7:0", replaces="9", away=True,
        attachments=(Attachment("a.png", "image/png", 3, "ref"),),
    )  # fmt: skip

    back = read_back(In(full, AT))

    kept = [one for one in fields(Incoming) if one.name != "place"]  # the door has made words of it
    assert isinstance(back, In)
    assert all(getattr(back.update, one.name) == getattr(full, one.name) for one in kept)
    assert all(getattr(full, one.name) != one.default for one in kept)


def test_the_instant_of_a_message_keeps_microseconds_and_becomes_utc() -> None:
    sent = datetime.fromisoformat("2026-03-09T08:00:00.123456+08:00")

    back = read_back(In(replace(update(), sent=sent), AT))

    assert isinstance(back, In)
    assert back.update.sent == sent
    assert back.update.sent.isoformat() == "2026-03-09T00:00:00.123456+00:00"


def test_lone_surrogates_survive() -> None:
    record = In(update(text="a\ud83d b\udc00"), AT)

    assert read_back(record) == record


def test_fields_that_are_not_known_are_passed_over() -> None:
    payload = payload_of(checked({"t": "try", "turn": "abc", "n": 2, "mood": "good"}).removesuffix(b"\n"))

    assert payload is not None
    assert decode(payload) == Try("abc", 2)


@pytest.mark.parametrize(
    "raw",
    [
        {"t": "dream", "turn": "abc"},
        {"turn": "abc", "n": 1},
        {"t": 5},
        {"t": "snap", "version": 2},
        {"t": "snap", "version": 1, "open": [{"t": "dream"}]},
        {"t": "plan", "turn": "abc", "phase": "encore"},
        {"t": "try", "turn": "abc", "n": "1"},
        {"t": "try", "turn": "abc", "n": True},
        {"t": "in", "at": AT, "update": {"key": "k", "surface": "telex", "chat": "", "sent": AT, "text": ""}},
        {"t": "in", "at": AT, "update": {"key": "k", "surface": "telegram", "chat": "", "sent": "soon", "text": ""}},
        ["t", "try"],
    ],
)
def test_what_this_version_does_not_understand_is_refused_not_dropped(raw: object) -> None:
    with pytest.raises(Malformed):
        decode(json.dumps(raw).encode())


def test_a_record_that_nests_without_end_is_refused() -> None:
    with pytest.raises(Malformed):
        decode(b'{"t":' + b"[" * 200_000)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1}, object()])
def test_operations_without_a_json_form_are_refused_before_anything_is_written(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON|form"):
        encode([Plan("abc", "words", ops=({"op": value},))])  # type: ignore[dict-item]  # that is the point


def test_defaults_take_no_place_in_the_file() -> None:
    assert (
        encode([Plan("abc", "answer"), Snap()])
        .split(b" ", 1)[1]
        .startswith(b'{"phase":"answer","t":"plan","turn":"abc"}\n')
    )
