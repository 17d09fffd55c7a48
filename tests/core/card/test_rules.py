from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.card.model import Entry
from tests.core.card.work import REF, full, session


@pytest.mark.parametrize("refs", [[], None, ""])
def test_without_evidence_nothing_is_written(refs: object) -> None:
    work = session()

    reply = work.call("addNow", {"text": "x", "refs": refs})

    assert reply.startswith("REJECTED")
    assert ("refs are required" in reply) is (refs != "")
    assert work.card.now == ()


@pytest.mark.parametrize(
    "ref",
    [
        "yesterday",
        "2026/08/30",
        " 2026/08/30/0700 ",
        "2026/99/99/0700",
        "2026-02-30-0700",
        "2026/08/30/0700-a b",
        "[x]",
        "２０２６/08/30/0700",
    ],
)
def test_a_malformed_ref_is_named(ref: str) -> None:
    work = session()

    reply = work.call("addNow", {"text": "x", "refs": [REF, ref]})

    assert "malformed ref" in reply
    assert ref in reply
    assert work.card.now == ()


@pytest.mark.parametrize(
    ("ref", "stored"),
    [
        ("2026/08/30/0700", "2026/08/30/0700"),
        ("2026/08/30/0700-T13", "2026/08/30/0700-T13"),
        ("2026/08/30/0700-q1W-_A", "2026/08/30/0700-q1W-_A"),
        (" 2026-08-30-0700 ", "2026/08/30/0700"),
        ("2026-08-30-0700-q1W-_A", "2026/08/30/0700-q1W-_A"),
    ],
)
def test_a_ref_is_stored_in_slash_form(ref: str, stored: str) -> None:
    work = session()

    work.call("addPastAnchor", {"text": "x", "refs": [ref, stored]})

    assert work.card.anchors == (Entry("x", (stored,)),)


def test_a_ref_that_points_nowhere_is_refused() -> None:
    work = session(missing=("2026/08/30/0701",))

    reply = work.call("addNow", {"text": "x", "refs": ["2026-08-30-0701"]})

    assert reply.startswith("REJECTED")
    assert "2026/08/30/0701" in reply
    assert work.card.now == ()


@pytest.mark.parametrize(
    ("tool", "section", "more"),
    [
        ("addPastAnchor", "anchors", {"refs": [REF]}),
        ("addNow", "now", {"refs": [REF]}),
        ("addHorizon", "horizon", {"refs": [REF], "by": "2026-10-01"}),
        ("addSelfModel", "self_model", {}),
    ],
)
def test_the_same_text_in_another_case_is_already_there(tool: str, section: str, more: dict[str, Any]) -> None:
    work = session()
    work.call(tool, {"text": "Oven Repair", **more})

    reply = work.call(tool, {"text": " oven repair ", **more})

    assert "already on the card" in reply
    assert len(getattr(work.card, section)) == 1


@pytest.mark.parametrize(
    ("tool", "section", "cap", "way_out", "more"),
    [
        ("addPastAnchor", "anchors", 8, "remove an anchor", {"refs": [REF]}),
        ("addNow", "now", 5, "promote", {"refs": [REF]}),
        ("addHorizon", "horizon", 5, "resolve", {"refs": [REF], "by": "2026-10-01"}),
        ("addSelfModel", "self_model", 10, "remove a lesson", {}),
    ],
)
def test_a_full_section_takes_no_more_and_tells_the_way_out(
    tool: str, section: str, cap: int, way_out: str, more: dict[str, Any]
) -> None:
    work = session(full(section, cap))

    reply = work.call(tool, {"text": "one more", **more})

    assert f"full ({cap} of {cap})" in reply
    assert way_out in reply
    assert len(getattr(work.card, section)) == cap


@pytest.mark.parametrize(
    ("tool", "limit", "more"),
    [
        ("addPastAnchor", 300, {"refs": [REF]}),
        ("addNow", 300, {"refs": [REF]}),
        ("addHorizon", 200, {"refs": [REF], "by": "2026-10-01"}),
        ("addSelfModel", 300, {}),
    ],
)
def test_every_entry_has_its_limit(tool: str, limit: int, more: dict[str, Any]) -> None:
    work = session()

    assert f"{limit + 1} characters, limit {limit}" in work.call(tool, {"text": "花" * (limit + 1), **more})
    assert work.call(tool, {"text": "花" * limit, **more}).startswith("OK")


def test_the_checks_come_in_the_order_of_text_refs_duplicate_date_room() -> None:
    work = session(replace(full("horizon", 4), horizon=(*full("horizon", 4).horizon, Entry("dup"))), missing=(REF,))
    other = "2026/08/30/0800"
    calls: list[tuple[dict[str, object], str]] = [
        ({"text": "", "refs": ["bad"], "by": "x"}, "empty"),
        ({"text": "x" * 201, "refs": ["bad"], "by": "x"}, "limit 200"),
        ({"text": "dup", "refs": [], "by": "x"}, "refs are required"),
        ({"text": "dup", "refs": ["bad"], "by": "x"}, "malformed ref"),
        ({"text": "dup", "refs": [REF], "by": "x"}, "no 2026/08/30/0700"),
        ({"text": "dup", "refs": [other], "by": "x"}, "already"),
        ({"text": "new", "refs": [other], "by": "x"}, "real date"),
        ({"text": "new", "refs": [other], "by": "2026-10-01"}, "full"),
    ]

    for arguments, said in calls:
        assert said in work.call("addHorizon", arguments)


@pytest.mark.parametrize("by", ["soon", "", "2026-99-99", "2026-02-30", "2026-9-1", "01.10.2026"])
def test_a_commitment_needs_a_real_date(by: str) -> None:
    work = session()

    assert "real date" in work.call("addHorizon", {"text": "x", "refs": [REF], "by": by})
    assert work.call("addHorizon", {"text": "x", "refs": [REF], "by": "2026-10-01"}).startswith("OK")
    assert work.card.horizon == (Entry("x", (REF,), by="2026-10-01"),)


def test_a_hook_without_a_date_is_since_today() -> None:
    for since in (None, ""):
        work = session()

        work.call("addNow", {"text": "x", "refs": [REF], "since": since})

        assert work.card.now[0].since == "2026-09-01"


def test_a_hook_needs_a_real_date_too() -> None:
    assert "since must be a real date" in session().call("addNow", {"text": "x", "refs": [REF], "since": "spring"})
