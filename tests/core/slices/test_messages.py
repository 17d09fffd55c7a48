from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.slices.messages import Message, Messages, decode_messages, encode_messages, merge_messages

USER = Message("q1W-_A", "user", "tg:7:41", "2026-03-09T18:42:07.113Z")
PART = Message("q1W-_A", "agent", "tg:7:42", part=0)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
entries = st.builds(
    Message, texts, st.sampled_from(["user", "agent"]), texts, st.just("") | texts, st.none() | st.integers(0, 9),
    st.just("") | texts, st.just("") | texts,
)  # fmt: skip


def test_a_line_has_its_fields_in_a_fixed_order_and_empty_ones_left_away() -> None:
    assert (
        encode_messages([USER, PART, replace(USER, edited="[edited 18:45] 你好", deleted="2026")])
        == (
            '{"turn":"q1W-_A","role":"user","key":"tg:7:41","at":"2026-03-09T18:42:07.113Z"}\n'
            '{"turn":"q1W-_A","role":"agent","key":"tg:7:42","part":0}\n'
            '{"turn":"q1W-_A","role":"user","key":"tg:7:41","at":"2026-03-09T18:42:07.113Z",'
            '"edited":"[edited 18:45] 你好","deleted":"2026"}\n'
        ).encode()
    )


def test_lines_that_are_not_understood_are_skipped_and_counted() -> None:
    good = encode_messages([USER, PART])
    bad = [b"{", b"[]", b'{"turn":1,"role":"user","key":"k"}', b'{"turn":"a","role":"user"}', b"\xff", b'"x"']
    bad += [b'{"turn":"a","role":"user","key":"k","part":true}', b'{"turn":"a","role":"user","key":"k","part":"1"}']
    torn = good[:30]

    found = decode_messages(b"\xef\xbb\xbf" + b"\n".join(bad) + b"\n\r\n" + good + torn)

    assert found == Messages((USER, PART), len(bad) + 1)


def test_ours_complete_theirs_and_new_ones_come_behind() -> None:
    theirs = [USER, PART]
    ours = [
        replace(USER, edited="[edited 18:45] x", at="other"),
        replace(PART, key="tg:7:99"),
        Message("b", "user", "k"),
    ]

    merged = merge_messages(theirs, ours)

    assert merged == (replace(USER, edited="[edited 18:45] x"), replace(PART, key="tg:7:99"), Message("b", "user", "k"))


def test_a_deletion_outlives_an_older_copy_of_the_entry() -> None:
    assert merge_messages([replace(USER, deleted="2026")], [USER]) == (replace(USER, deleted="2026"),)


@given(st.lists(entries))
def test_entries_come_back_from_their_file(written: list[Message]) -> None:
    assert decode_messages(encode_messages(written)) == Messages(tuple(written), 0)


@given(st.lists(entries), st.lists(entries))
def test_merging_messages_again_changes_nothing(theirs: list[Message], ours: list[Message]) -> None:
    once = merge_messages(theirs, ours)

    assert merge_messages(once, ours) == once


@given(st.binary())
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    assert decode_messages(data).skipped >= 0
