"""Updates, records and strategies that the journal's tests share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from hypothesis import strategies as st

from core.conversation import Attachment, Incoming
from core.journal.ids import turn_id
from core.journal.records import (
    Applied,
    Bye,
    Dead,
    Done,
    Guarded,
    Hello,
    In,
    Kept,
    Placeholder,
    Plan,
    Ran,
    Record,
    Sent,
    Shown,
    Snap,
    Step,
    Try,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.journal.records import Json

NOON = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
AT = "2026-03-09T12:00:00.000Z"

Kind = Literal["message", "edit", "deletion"]


def update(key: str = "tg:7:1", text: str = "hello", kind: Kind = "message", edited: str = "") -> Incoming:
    return Incoming(key, "telegram", "7", NOON, text, kind=kind, edited=edited)


def said(number: int, text: str = "hello") -> In:
    return In(update(f"tg:7:{number}", text), AT)


def edit(number: int, text: str, mark: str) -> In:
    return In(update(f"tg:7:{number}", text, "edit", mark), AT)


def deletion(number: int) -> In:
    return In(update(f"tg:7:{number}", "", "deletion"), AT)


def merge(slice_id: str, label: str, text: str) -> Mapping[str, Json]:
    return {
        "op": "merge_turns",
        "slice": slice_id,
        "turns": [{"label": label, "role": "user", "at": AT, "text": text}],
    }


def talk(number: int) -> list[tuple[Record, ...]]:
    """One whole turn about message `number`, as the batches that a process appends."""
    turn = turn_id(f"tg:7:{number}")
    op = merge("2026-03-09-1200", turn, f"words {number} 你好")
    return [
        (said(number, f"words {number} 你好"),),
        (Try(turn, 1),),
        (Plan(turn, "words", (f"tg:7:{number}",), (op,)),),
        (Applied(turn, "words"), Placeholder(turn, 0, f"ph-{number}")),
        (Step(turn, 0, "recall", "nothing"),),
        (Plan(turn, "answer", reply=(f"answer {number}",)),),
        (Applied(turn, "answer"), Sent(turn, 0, f"ph-{number}"), Done(turn)),
    ]


def conversation() -> Sequence[tuple[Record, ...]]:
    """Three turns with a burst, edits before and after, a command, a briefing; idle between them."""
    command = In(update("tg:7:50", "/timeline"), AT, command=True)
    care = turn_id("tg:7:1#e9")
    second = [(said(2, "half"), said(3, "other half"), edit(2, "half, mended", "5")), *talk(2)[1:]]
    plan = Plan(turn_id("tg:7:2"), "words", ("tg:7:2#e5", "tg:7:3"), ({"op": "append", "text": "二"},))
    second[2] = (plan,)
    return [
        (Shown("2026-03-08-0900", AT),),
        *talk(1),
        (edit(1, "words 1, once more", "9"),),
        *second,
        (Plan(care, "care", ("tg:7:1#e9",), ({"op": "annotate", "key": "tg:7:1"},)),),
        (Applied(care, "care"),),
        (command,),
        (Done(turn_id("tg:7:50")),),
        *talk(60),
    ]


def _short() -> Sequence[tuple[Record, ...]]:
    first, *rest = talk(1)
    rest[1] = (Plan(turn_id("tg:7:1"), "words", ("tg:7:1#e3",), ({"op": "append", "text": "一"},)),)
    return [first, (edit(1, "words 1, mended", "3"),), *rest, *talk(2)]


SHORT = _short()
"""Two turns and an edit, idle after each, for tests that go through many crashes."""

hostile = st.text(
    st.one_of(st.characters(), st.sampled_from('\n\r\x00\u2028\u2029\x85\ufeff\u202e\ud800\udfff"\\ 你好👩‍👩‍👧')),
    max_size=24,
)
_small = st.integers(0, 9)
_zones = st.integers(-720, 840).map(lambda minutes: timedelta(minutes=minutes))
_instants = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
_attachments = st.builds(Attachment, hostile, hostile, st.integers(0, 2**53), hostile)
anything = st.builds(
    Incoming,
    key=hostile,
    surface=st.sampled_from(["terminal", "telegram", "discord", "double"]),
    chat=hostile,
    sent=_instants,
    text=hostile,
    kind=st.sampled_from(["message", "edit", "deletion"]),
    edited=hostile,
    locale=hostile,
    zone=hostile,
    group=hostile,
    forwarded=hostile,
    quoted=hostile,
    foreign=hostile,
    attachments=st.lists(_attachments, max_size=2).map(tuple),
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | hostile,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile, inner, max_size=3),
    max_leaves=6,
)
_ops = st.lists(st.dictionaries(hostile, _json, max_size=3), max_size=2).map(tuple)
_texts = st.lists(hostile, max_size=3).map(tuple)
_phases = st.sampled_from(["words", "answer", "care"])

_plain_records: st.SearchStrategy[Record] = st.one_of(
    st.builds(In, anything, hostile, st.booleans()),
    st.builds(Try, hostile, _small),
    st.builds(Plan, hostile, _phases, _texts, _ops, _texts, st.dictionaries(hostile, _json, max_size=2)),
    st.builds(Applied, hostile, _phases),
    st.builds(Placeholder, hostile, _small, hostile),
    st.builds(Step, hostile, _small, hostile, hostile),
    st.builds(Sent, hostile, _small, hostile),
    st.builds(Done, hostile),
    st.builds(Dead, hostile, hostile, _texts),
    st.builds(Shown, hostile, hostile, hostile, hostile, hostile, hostile),
    st.builds(Ran, hostile, hostile),
    st.builds(Hello, hostile),
    st.just(Bye()),
)
_kept = st.builds(Kept, hostile, hostile, hostile, hostile)
records: st.SearchStrategy[Record] = _plain_records | st.builds(
    Snap,
    seen=_texts,
    cursors=st.dictionaries(hostile, hostile, max_size=2),
    guard=st.lists(st.builds(Guarded, hostile, st.lists(_kept, max_size=2).map(tuple), hostile), max_size=2).map(tuple),
    shown=st.none() | st.builds(Shown, hostile, hostile),
    heard=_texts,
    ran=st.dictionaries(hostile, hostile, max_size=2),
    open=st.lists(_plain_records, max_size=3).map(tuple),
)
"""Any record at all, with the most hostile text."""

_keys = st.integers(1, 5).map(lambda n: f"tg:7:{n}")
_marks = st.sampled_from(["1", "2"])
_tags = st.lists(
    _keys | st.builds("{}#e{}".format, _keys, _marks) | _keys.map("{}#d".format), max_size=3, unique=True
).map(tuple)
_turns = _keys.map(turn_id)
_slices = st.sampled_from(["2026-03-09-1200", "2026-03-09-1300"])
_slice_ops = st.one_of(
    st.builds(lambda slice_id, label: merge(slice_id, label, "text"), _slices, _turns),
    st.builds(lambda slice_id: {"op": "close_slice", "slice": slice_id, "at": AT}, _slices),
)
plausible: st.SearchStrategy[Record] = st.one_of(
    st.builds(lambda key, command: In(update(key), AT, command), _keys, st.sampled_from([False, False, False, True])),
    st.builds(lambda key, mark: In(update(key, f"edit {mark}", "edit", mark), AT), _keys, _marks),
    st.builds(lambda key: In(update(key, "", "deletion"), AT), _keys),
    st.builds(Try, _turns, _small),
    st.builds(Plan, _turns, _phases, _tags, st.lists(_slice_ops, max_size=2).map(tuple)),
    st.builds(Applied, _turns, _phases),
    st.builds(Placeholder, _turns, st.integers(0, 1), st.sampled_from(["a", "b"])),
    st.builds(Sent, _turns, st.integers(0, 1), st.sampled_from(["a", "b"])),
    st.builds(Step, _turns, st.integers(0, 1), st.just("call"), st.just("result")),
    st.builds(Done, _turns),
    st.builds(Dead, _turns, st.just("why"), _tags),
    st.builds(Shown, st.sampled_from(["g", "h"]), st.just(AT)),
    st.builds(Ran, st.sampled_from(["nudge", "nightly"]), st.just(AT)),
)
"""Records about a few messages and turns, so that they meet."""
