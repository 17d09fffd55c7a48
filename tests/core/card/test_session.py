from __future__ import annotations

from dataclasses import replace

import pytest

from core.card.codec import decode, encode
from core.card.model import Card, Entry, same_substance
from tests.core.card.test_codec import GOLDEN, ODILE
from tests.core.card.test_layout import LOVED
from tests.core.card.work import REF, full, session


def test_the_copy_is_stamped_for_the_slice_at_hand_and_the_base_is_untouched() -> None:
    work = session(decode(GOLDEN))

    assert (work.card.slice_id, work.card.updated) == ("2026-09-01-0800", "2026-09-01T08:00:00.000Z")
    assert same_substance(work.card, ODILE)
    assert work.verdict().changed is False


def test_a_field_of_identity_has_one_line_with_the_last_value() -> None:
    work = session()

    work.call("setIdentity", {"field": "name", "value": "Odile"})
    work.call("setIdentity", {"field": "alias", "value": "小奥"})
    reply = work.call("setIdentity", {"field": "name", "value": " Odette "})

    assert reply.startswith("OK")
    assert work.card.identity == ("Name: Odette", "Alias: 小奥")


def test_a_label_in_another_case_is_the_same_field() -> None:
    work = session(Card(identity=("NAME: Odile", "Pronouns: she")))

    work.call("setIdentity", {"field": "name", "value": "Odette"})
    work.call("setIdentity", {"field": "address_as", "value": "you"})

    assert work.card.identity == ("Name: Odette", "Pronouns: she", "Address them as: you")


def test_a_ninth_identity_line_is_refused() -> None:
    work = session(Card(identity=tuple(f"Trait {n}: x" for n in range(8))))

    assert "full (8 of 8)" in work.call("setIdentity", {"field": "name", "value": "Odile"})
    assert len(work.card.identity) == 8


def test_an_identity_value_of_301_characters_is_refused_by_its_length() -> None:
    work = session()

    assert "301" in work.call("setIdentity", {"field": "name", "value": "x" * 301})
    assert work.call("setIdentity", {"field": "name", "value": "x" * 300}).startswith("OK")


def test_a_profile_within_its_limit_is_taken() -> None:
    work = session()

    assert work.call("updatePastProfile", {"text": "x" * 2400}).startswith("OK")
    assert work.card.profile == "x" * 2400


def test_a_profile_over_its_limit_is_refused_with_both_numbers() -> None:
    work = session(ODILE)

    reply = work.call("updatePastProfile", {"text": "x" * 2500})

    assert reply.startswith("REJECTED")
    assert "2500" in reply
    assert "2400" in reply
    assert work.card.profile == "Odile bakes."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a\nb", "several lines"),
        ("a\u2028b", "several lines"),
        ("a\ud800", "surrogate"),
    ],
)
def test_a_profile_cannot_be_emptied_or_broken_into_lines(text: str, said: str) -> None:
    work = session(ODILE)

    assert said in work.call("updatePastProfile", {"text": text})
    assert work.card.profile == "Odile bakes."


def test_a_hook_goes_to_the_front_and_is_since_today() -> None:
    work = session()

    work.call("addNow", {"text": "first", "refs": [REF]})
    work.call("addNow", {"text": " second ", "refs": ["2026-08-30-0700-a_-b"], "since": "2026-08-30"})

    assert work.card.now == (
        Entry("second", ("2026/08/30/0700-a_-b",), since="2026-08-30"),
        Entry("first", (REF,), since="2026-09-01"),
    )
    assert work.log == ("addNow: first", "addNow: second")


def test_a_miss_lists_what_there_is() -> None:
    work = session(Card(now=(Entry("Oven " + "x" * 80, since="2026-08-01"), Entry("花园", since="2026-08-01"))))

    reply = work.call("removeNow", {"match": "flour"})

    assert reply.startswith("REJECTED")
    assert "花园" in reply
    assert "Oven " + "x" * 55 in reply
    assert "x" * 56 not in reply
    assert "(none)" in work.call("removePastAnchor", {"match": "flour"})


@pytest.mark.parametrize("match", ["", "  "])
def test_a_blank_match_finds_nothing(match: str) -> None:
    work = session(ODILE)

    assert work.call("removeNow", {"match": match}).startswith("REJECTED")
    assert work.card.now == ODILE.now


def test_promoting_takes_text_and_refs_along() -> None:
    work = session(ODILE)

    reply = work.call("promoteNowToPast", {"match": "OVEN"})

    assert reply.startswith("OK")
    assert work.card.now == ()
    assert work.card.anchors[-1] == Entry("Oven repair", ("2026/03/09/1842", "2026/03/08/0900-Ab12Cd"))


def test_promoting_into_a_full_past_changes_nothing() -> None:
    work = session(replace(full("anchors", 8), now=ODILE.now))

    assert "full (8 of 8)" in work.call("promoteNowToPast", {"match": "oven"})
    assert work.card.now == ODILE.now
    assert len(work.card.anchors) == 8


def test_a_commitment_leaves_by_being_resolved_and_its_outcome_is_logged() -> None:
    work = session(ODILE)

    reply = work.call("resolveHorizon", {"match": "PAY", "note": "paid on time"})

    assert reply.startswith("OK")
    assert work.card.horizon == ()
    assert work.log == ("resolveHorizon: Pay invoice (paid on time)",)


@pytest.mark.parametrize(
    "text",
    [
        "Never use recall for small talk",
        "Do not call recall when she is tired",
        "Don't use the recall tool",
        "Never read memory before answering",
        "avoid opening old slices",
        "不要使用回忆",
        "以后别读记忆",
    ],
)
def test_a_lesson_against_the_directives_needs_the_persons_word(text: str) -> None:
    work = session()

    reply = work.call("addSelfModel", {"text": text})

    assert reply.startswith("REJECTED")
    assert "overrides" in reply
    assert work.call("addSelfModel", {"text": f"{text} (overrides: 'she said so')"}).startswith("OK")


@pytest.mark.parametrize(
    "text", ["Never ask her to recall the accident", "Do not read poems to him", "Use recall first"]
)
def test_a_lesson_that_only_sounds_alike_is_taken(text: str) -> None:
    assert session().call("addSelfModel", {"text": text}).startswith("OK")


def test_a_lesson_may_cite_refs_and_then_they_must_hold() -> None:
    work = session()

    assert "malformed ref" in work.call("addSelfModel", {"text": "x", "refs": ["bad"]})
    assert work.call("addSelfModel", {"text": "x", "refs": [REF]}).startswith("OK")
    assert work.card.self_model == (Entry("x", (REF,)),)


@pytest.mark.parametrize(
    ("tool", "section"), [("removePastAnchor", "anchors"), ("removeNow", "now"), ("removeSelfModel", "self_model")]
)
def test_removing_takes_the_first_that_contains_the_match(tool: str, section: str) -> None:
    work = session(full(section, 3))

    assert work.call(tool, {"match": "NUMBER"}).startswith("OK")
    assert [entry.text for entry in getattr(work.card, section)] == ["entry number 1", "entry number 2"]
    assert work.log == (f"{tool}: entry number 0",)


def test_what_a_session_wrote_reads_back() -> None:
    work = session()
    work.call("setIdentity", {"field": "name", "value": "Odile"})
    work.call("addNow", {"text": "Oven — refs: [odd] | since: 2020-01-01", "refs": [REF], "since": "2026-08-30"})

    card = decode(encode(work.card))

    assert card == work.card
    assert card.now == (Entry("Oven — refs: [odd] | since: 2020-01-01", (REF,), since="2026-08-30"),)


def test_an_edit_leaves_every_other_line_of_the_persons_file_alone() -> None:
    work = session(decode(LOVED))

    work.call("resolveHorizon", {"match": "invoice"})
    work.call("addPastAnchor", {"text": "Third oven", "refs": [REF]})

    left = encode(work.card).split("\n")
    for line in LOVED.split("\n"):
        if "invoice" not in line and "Active slice" not in line:
            assert line in left


def test_substance_ignores_stamps_and_sees_the_profile() -> None:
    assert same_substance(ODILE, replace(ODILE, slice_id="x", updated="y"))
    assert not same_substance(ODILE, replace(ODILE, profile="Odile sings."))
