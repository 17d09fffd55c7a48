from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.journal.ids import turn_id
from core.journal.records import Applied, Dead, Done, In, Placeholder, Plan, Ran, Record, Sent, Shown, Step, Try
from core.journal.state import SEEN_KEPT, State
from tests.core.journal.given import AT, deletion, edit, plausible, records, said, talk, update

ONE = turn_id("tg:7:1")


def folded(*given_records: Record) -> State:
    state = State()
    for record in given_records:
        state.apply(record)
    return state


def unstored(state: State) -> set[str]:
    """Keys of the messages whose words no applied plan has stored."""
    keys = set(state.waiting) | set(state.parked)
    for turn in state.turns.values():
        if "words" not in turn.applied:
            keys |= {message.first.update.key for message in turn.taken}
    return keys


@given(st.lists(plausible, max_size=25))
@settings(max_examples=120)
def test_the_snapshot_builds_the_same_state(history: list[Record]) -> None:
    state = folded(*history)

    again = folded(state.snapshot())

    assert again == state
    assert again.snapshot() == state.snapshot()


@given(st.lists(plausible, max_size=20), st.lists(plausible, max_size=8))
@settings(max_examples=60)
def test_what_comes_after_a_snapshot_means_the_same(before: list[Record], after: list[Record]) -> None:
    whole = folded(*before, *after)

    resumed = folded(folded(*before).snapshot(), *after)

    assert resumed == whole


@given(st.lists(records, max_size=5))
@settings(max_examples=50)
def test_no_record_makes_the_fold_fail(history: list[Record]) -> None:
    state = folded(*history)

    assert folded(state.snapshot()).idle == state.idle


@given(st.lists(plausible, max_size=25))
def test_a_message_stays_until_an_applied_plan_has_stored_it(history: list[Record]) -> None:
    received: set[str] = set()
    stored: set[str] = set()
    state = State()

    for record in history:
        before = dict(state.turns)
        state.apply(record)
        if isinstance(record, In) and record.update.kind == "message" and not record.command:
            received.add(record.update.key)
        if isinstance(record, Applied) and record.phase == "words" and record.turn in before:
            turn = state.turns[record.turn]
            stored |= {message.first.update.key for message in turn.taken} if turn.words else set()
        commands = {one.command.update.key for one in state.turns.values() if one.command}
        assert received - stored - commands <= unstored(state) | commanded(history)


def commanded(history: list[Record]) -> set[str]:
    return {one.update.key for one in history if isinstance(one, In) and one.command}


@given(st.lists(plausible, max_size=20))
@settings(max_examples=50)
def test_receiving_everything_twice_changes_nothing(history: list[Record]) -> None:
    state = folded(*history)
    twice = folded(*history, *(one for one in history if isinstance(one, In)))

    assert twice == state


def test_a_turn_takes_its_messages_from_those_that_wait() -> None:
    state = folded(said(1, "a"), said(2, "b"), said(3, "c"), Try(ONE, 1), Plan(ONE, "words", ("tg:7:1", "tg:7:2")))

    assert list(state.waiting) == ["tg:7:3"]
    assert [one.text for one in state.turns[ONE].updates] == ["a", "b"]
    assert state.turns[ONE].tries == 1


def test_an_edit_replaces_the_text_of_a_message_that_waits() -> None:
    state = folded(said(1, "first"), edit(1, "second", "5"), edit(1, "third", "6"))

    message = state.waiting["tg:7:1"]

    assert message.update.text == "third"
    assert message.update.kind == "message"
    assert message.tag == "tg:7:1#e6"
    assert not state.late


def test_a_deletion_marks_a_message_that_waits() -> None:
    state = folded(said(1), deletion(1))

    assert state.waiting["tg:7:1"].deleted
    assert state.waiting["tg:7:1"].update.text == "hello"


def test_an_edit_that_arrives_while_the_plan_is_made_is_not_lost_with_the_plan_s_older_text() -> None:
    state = folded(said(1, "first"), edit(1, "second", "5"), edit(1, "third", "6"), Plan(ONE, "words", ("tg:7:1#e5",)))

    assert state.turns[ONE].updates[0].text == "second"
    assert list(state.late) == ["tg:7:1#e6"]


def test_an_edit_of_a_stored_message_waits_for_care() -> None:
    care = turn_id("tg:7:1#e9")
    state = folded(*(one for batch in talk(1) for one in batch), edit(1, "late", "9"), deletion(1))

    state.apply(Plan(care, "care", ("tg:7:1#e9",), ({"op": "annotate"},)))

    assert list(state.late) == ["tg:7:1#d"]
    assert state.care[care].keys == ("tg:7:1#e9",)
    assert not state.idle

    state.apply(Applied(care, "care"))

    assert not state.care


def test_a_care_plan_that_comes_before_the_last_is_applied_joins_it() -> None:
    first = Plan(ONE, "care", ("a#e1",), ({"op": "x"},))
    second = Plan(ONE, "care", ("a#e2",), ({"op": "y"},))

    state = folded(first, second)

    assert state.care[ONE] == Plan(ONE, "care", ("a#e1", "a#e2"), ({"op": "x"}, {"op": "y"}))


def test_an_edit_that_overtakes_its_message_is_joined_to_it() -> None:
    state = folded(edit(1, "mended", "5"), said(1, "first"))

    assert state.waiting["tg:7:1"].update.text == "mended"
    assert not state.late


@pytest.mark.parametrize("again", [said(1, "hello"), edit(1, "x", "5"), deletion(1)])
def test_what_is_delivered_twice_is_received_once(again: In) -> None:
    first = folded(said(1), edit(1, "x", "5"), deletion(1))

    assert not first.is_new(again.update)
    assert folded(said(1), edit(1, "x", "5"), deletion(1), again) == first


def test_the_same_number_in_two_chats_is_two_messages() -> None:
    other = In(update("tg:8:1"), AT)

    state = folded(said(1), other)

    assert list(state.waiting) == ["tg:7:1", "tg:8:1"]


def test_the_last_2000_keys_are_remembered() -> None:
    state = State()
    for number in range(1, SEEN_KEPT + 51):
        key = f"tg:7:{number}"
        state.apply(said(number))
        state.apply(Plan(turn_id(key), "words", (key,)))
        state.apply(Applied(turn_id(key), "words"))
        state.apply(Done(turn_id(key)))

    assert len(state.seen) <= SEEN_KEPT + 1
    assert not state.is_new(update(f"tg:7:{SEEN_KEPT + 50}"))
    assert not state.is_new(update("tg:7:60"))
    assert state.is_new(update("tg:7:1"))


def test_a_message_that_waits_is_never_forgotten() -> None:
    state = folded(*(said(number) for number in range(SEEN_KEPT + 500)))

    assert not state.is_new(update("tg:7:0"))
    assert len(state.waiting) == SEEN_KEPT + 500


def test_the_cursor_of_a_chat_is_its_highest_message() -> None:
    discord = In(update("dc:4:9"), AT)

    state = folded(said(9), said(10), said(2), discord, edit(99, "x", "1"))

    assert state.cursors == {"tg:7": "tg:7:10", "dc:4": "dc:4:9"}


def test_a_command_is_open_until_it_is_done_and_never_waits_for_a_turn() -> None:
    command = In(update("tg:7:1", "/timeline"), AT, command=True)
    state = folded(command, Placeholder(ONE, 0, "m1"))

    assert not state.waiting
    assert state.turns[ONE].command == command
    assert state.turns[ONE].message(0) == "m1"

    state.apply(Done(ONE))

    assert state.idle


def test_a_turn_is_not_done_while_a_plan_is_not_applied() -> None:
    state = folded(said(1), Plan(ONE, "words", ("tg:7:1",)), Done(ONE))

    assert state.turns[ONE].pending == (Plan(ONE, "words", ("tg:7:1",)),)

    state.apply(Applied(ONE, "words"))
    state.apply(Done(ONE))

    assert state.idle


def test_a_dead_turn_parks_the_messages_that_were_not_stored() -> None:
    state = folded(said(1), said(2), said(3), Try(ONE, 3), Dead(ONE, "it fell three times", ("tg:7:2",)))

    assert list(state.parked) == ["tg:7:1", "tg:7:2"]
    assert list(state.waiting) == ["tg:7:3"]
    assert state.parked["tg:7:1"].why == "it fell three times"


def test_a_dead_turn_whose_words_are_stored_parks_nothing() -> None:
    state = folded(said(1), Plan(ONE, "words", ("tg:7:1",)), Applied(ONE, "words"), Dead(ONE, "no answer"))

    assert state.idle
    assert not state.parked


def test_a_parked_message_may_be_taken_by_a_later_plan() -> None:
    state = folded(said(1), Dead(ONE, "why"), Plan(ONE, "words", ("tg:7:1",)))

    assert not state.parked
    assert state.turns[ONE].updates[0].key == "tg:7:1"


def test_a_turn_remembers_steps_placeholders_and_what_was_sent() -> None:
    state = folded(Try(ONE, 1), Placeholder(ONE, 0, "m1"), Placeholder(ONE, 1, "m2"), Sent(ONE, 0, "m3"))
    state.apply(Step(ONE, 0, "recall x", "two hits"))

    turn = state.turns[ONE]

    assert (turn.message(0), turn.message(1), turn.message(2)) == ("m3", "m2", None)
    assert turn.steps[0].result == "two hits"


def test_news_of_a_turn_that_is_closed_does_not_open_it_again() -> None:
    assert folded(Sent(ONE, 0, "m"), Placeholder(ONE, 0, "m"), Applied(ONE, "words")).idle


def test_the_gap_whose_briefing_was_shown_is_kept() -> None:
    assert folded().shown_gap == ""
    assert folded(Shown("a", AT), Shown("b", AT)).shown_gap == "b"


def test_where_the_newest_message_came_from_is_known_over_a_compaction() -> None:
    state = folded(said(1), In(replace(update("dc:9:4"), surface="discord", chat="9"), AT), edit(1, "mended", "2"))

    assert state.heard == ("discord", "9", "")
    assert folded(state.snapshot()).heard == ("discord", "9", "")


def test_a_button_is_heard_too_and_a_message_that_came_before_is_not() -> None:
    state = folded(said(2), In(replace(update("dcq:9:4"), surface="discord", chat="9"), AT, command=True), said(1))

    assert state.heard == ("discord", "9", "")


def test_when_a_job_ran_last_is_known_over_a_compaction() -> None:
    state = folded(Ran("nightly", "a"), Ran("nudge", AT), Ran("nightly", "b"))

    assert folded(state.snapshot()).ran == {"nightly": "b", "nudge": AT}
