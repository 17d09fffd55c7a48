from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.card import rules
from core.card.codec import decode, encode
from core.card.model import Card, Entry
from core.card.session import specs
from tests.core.card.test_codec import GOLDEN
from tests.core.card.work import REF, full, session

LONG = {"text": "x" * 2500}


def test_the_same_refused_call_brakes_and_at_last_is_cut_to_fit() -> None:
    work = session()

    first, second, third = (work.call("updatePastProfile", LONG) for _ in range(3))

    assert first.startswith("REJECTED")
    assert "LOOP BRAKE" not in first
    assert second.startswith("REJECTED")
    assert "LOOP BRAKE (attempt 2)" in second
    assert "2400" in second
    assert "DELETE at least 100" in second
    assert third.startswith("OK — FORCED")
    assert len(work.card.profile) == 2400
    assert work.log[0].startswith("forced: updatePastProfile: x")


def test_case_and_white_space_do_not_make_another_call() -> None:
    work = session()

    work.call("addNow", {"text": "Oven", "refs": []})
    reply = work.call("addNow", {"text": "  oVEN ", "refs": []})

    assert "LOOP BRAKE (attempt 2)" in reply


def test_what_cannot_be_cut_is_skipped_from_the_third_time_on() -> None:
    work = session()

    replies = [work.call("addNow", {"text": "x", "refs": []}) for _ in range(4)]

    assert "LOOP BRAKE (attempt 3)" in replies[2]
    assert all("SKIPPED" in reply and "finish NOW" in reply for reply in replies[2:])
    assert work.card.now == ()


def test_a_forced_cut_still_has_to_pass_the_other_checks() -> None:
    work = session()

    replies = [work.call("addNow", {"text": "x" * 400, "refs": []}) for _ in range(3)]

    assert "refs are required" in replies[2]
    assert "SKIPPED" in replies[2]
    assert work.card.now == ()


def test_other_arguments_have_their_own_count() -> None:
    work = session()
    work.call("addNow", {"text": "x", "refs": []})

    assert "LOOP BRAKE" not in work.call("addNow", {"text": "y", "refs": []})
    assert "LOOP BRAKE" not in work.call("addPastAnchor", {"text": "x", "refs": []})


def test_a_call_that_has_become_right_is_carried_out_and_forgotten() -> None:
    work = session(full("now", 5))
    for _ in range(3):
        work.call("addNow", {"text": "x", "refs": [REF]})
    work.call("removeNow", {"match": "entry"})

    assert work.call("addNow", {"text": "x", "refs": [REF]}).startswith("OK")
    assert "LOOP BRAKE" not in work.call("addNow", {"text": "x", "refs": [REF]})


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("rewriteCard", {}, "there is no tool"),
        ("addNow", "{not json", "dictionary"),
        ("addNow", "[1]", "dictionary"),
        ("addNow", {}, "text"),
        ("addNow", {"text": 7}, "text"),
        ("addNow", {"text": "x", "refs": [7]}, "refs.0"),
        ("setIdentity", {"field": "shoe size", "value": "42"}, "field"),
        ("removeNow", {"match": None}, "match"),
    ],
)
def test_arguments_of_the_wrong_shape_are_refused_with_their_place(tool: str, arguments: object, said: str) -> None:
    work = session()

    reply = work.call(tool, arguments)  # type: ignore[arg-type]

    assert reply.startswith("REJECTED")
    assert said in reply
    assert work.log == ()


def test_arguments_may_be_json_text_and_one_ref_may_stand_alone() -> None:
    work = session()

    assert work.call("addNow", json.dumps({"text": "x", "refs": REF, "mood": "ignored"})).startswith("OK")
    assert work.card.now == (Entry("x", (REF,), since="2026-09-01"),)


def big(room: int) -> Card:
    """A card whose file, stamped by a session, has `room` characters left under the limit."""
    card = Card(layout=decode(GOLDEN + "\n## Mine\n\n\n").layout)
    stamped = session(replace(decode(GOLDEN), layout=card.layout)).card
    notes = "n" * (rules.TOTAL_CHARACTERS - len(encode(stamped)) - room - len("\n\n## Mine\n\n"))
    return decode(GOLDEN + "\n## Mine\n\n" + notes + "\n")


def test_an_edit_that_takes_the_card_over_its_total_is_refused_with_the_number() -> None:
    work = session(big(60))
    before = work.card

    reply = work.call("addSelfModel", {"text": "y" * 200})

    assert reply.startswith("REJECTED")
    assert "limit 8192" in reply
    assert work.card == before


def test_the_third_time_such_an_edit_is_cut_to_the_room_there_is() -> None:
    work = session(big(60))

    replies = [work.call("addSelfModel", {"text": "y" * 200}) for _ in range(3)]

    assert "DELETE at least" in replies[1]
    assert replies[2].startswith("OK — FORCED")
    assert len(encode(work.card)) == rules.TOTAL_CHARACTERS


def test_a_card_that_is_too_long_already_may_shrink_but_not_grow() -> None:
    base = decode(GOLDEN + "\n## Mine\n\n" + "n" * 9000 + "\n")
    work = session(base)

    assert "limit 8192" in work.call("addSelfModel", {"text": "more"})
    assert work.call("removeNow", {"match": "oven"}).startswith("OK")
    assert work.call("updatePastProfile", {"text": "Bakes."}).startswith("OK")
    assert "limit 8192" in work.call("updatePastProfile", {"text": "Bakes and sings and teaches."})


def test_a_pass_that_drops_a_quarter_and_more_than_two_is_refused() -> None:
    work = session(full("self_model", 10))
    for _ in range(2):
        work.call("removeSelfModel", {"match": "entry"})
    two = work.verdict()
    work.call("removeSelfModel", {"match": "entry"})
    three = work.verdict()

    assert two.refused == ""
    assert two.changed
    assert len(two.dropped) == 2
    assert "drops 3 of 10" in three.refused
    assert three.dropped == ("entry number 0", "entry number 1", "entry number 2")


def test_three_of_twelve_are_a_quarter_and_not_more() -> None:
    work = session(replace(full("self_model", 10), identity=("Name: x", "Alias: y")))

    for _ in range(3):
        work.call("removeSelfModel", {"match": "entry"})

    assert work.verdict().refused == ""


def test_what_was_resolved_promoted_or_rewritten_was_not_dropped() -> None:
    base = Card(
        now=(Entry("Oven repair", since="2026-08-01"), Entry("Flour prices", since="2026-08-01")),
        horizon=(Entry("Pay invoice", by="2026-08-01"), Entry("Call Remi", by="2026-08-01")),
    )
    work = session(base)

    work.call("promoteNowToPast", {"match": "oven"})
    work.call("removeNow", {"match": "flour"})
    work.call("addNow", {"text": "Flour prices are rising", "refs": [REF]})
    work.call("resolveHorizon", {"match": "pay", "note": "done"})
    work.call("resolveHorizon", {"match": "call", "note": "done"})
    verdict = work.verdict()

    assert verdict.changed
    assert verdict.dropped == ()
    assert verdict.refused == ""


def test_the_tools_are_offered_with_names_reasons_and_schemas() -> None:
    offered = {spec.name: spec for spec in specs()}

    assert set(offered) == {
        "setIdentity",
        "updatePastProfile",
        "addPastAnchor",
        "removePastAnchor",
        "addNow",
        "removeNow",
        "promoteNowToPast",
        "addHorizon",
        "resolveHorizon",
        "addSelfModel",
        "removeSelfModel",
    }
    assert all(spec.description and spec.schema["type"] == "object" for spec in offered.values())
    assert offered["addHorizon"].schema["properties"]["refs"]["items"] == {"type": "string"}
    assert offered["setIdentity"].schema["properties"]["field"]["enum"] == ["name", "address_as", "pronouns", "alias"]
    assert offered["addNow"].schema["required"] == ["text", "refs"]
    assert offered["addHorizon"].schema["required"] == ["text", "by", "refs"]
    assert offered["addSelfModel"].schema["required"] == ["text"]
    assert "YYYY/MM/DD/HHMM" in offered["addNow"].schema["properties"]["refs"]["description"]
    assert "title" not in json.dumps(offered["addNow"].schema)
