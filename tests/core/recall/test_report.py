from __future__ import annotations

import math

import pytest

from core.recall.report import Report, narrowed

HITS = [{"slice_id": "a", "relevance": 0.9}, {"slice_id": "b", "relevance": 0.5}]


@pytest.mark.parametrize(
    ("given", "read"),
    [(0.5, 0.5), ("0.75", 0.75), (7, 1.0), (-1, 0.0), (math.nan, 0.0), (None, 0.0), ("much", 0.0), ([], 0.0)],
)
def test_numbers_are_read_leniently_between_nothing_and_one(given: object, read: float) -> None:
    report = Report.model_validate({"hits": [{"slice_id": "a", "relevance": given}], "confidence": given})

    assert (report.hits[0].relevance, report.confidence) == (read, read)


def test_a_bad_priority_is_medium_and_entries_without_an_id_are_dropped() -> None:
    report = Report.model_validate(
        {
            "hits": [{"relevance": 1}, {"slice_id": 7}, {"slice_id": " "}, "a", {"slice_id": "a", "reason": None}],
            "recommended_reads": [
                {"slice_id": "a", "priority": "urgent", "note": None},
                {"slice_id": "b", "priority": "high"},
                {"priority": "low"},
            ],
        }
    )

    assert [hit.slice_id for hit in report.hits] == ["a"]
    assert [(read.slice_id, read.priority, read.note) for read in report.recommended_reads] == [
        ("a", "medium", ""), ("b", "high", ""),
    ]  # fmt: skip


def test_a_missing_confidence_is_a_half_and_missing_lists_are_empty() -> None:
    assert Report.model_validate({}) == Report(hits=(), confidence=0.5, reasoning="", recommended_reads=())
    assert Report.model_validate({"hits": None, "recommended_reads": "none"}).hits == ()


def test_the_current_slice_is_left_out_and_that_is_said() -> None:
    report = Report.model_validate({"hits": HITS, "confidence": 0.8, "reasoning": "Both speak of it."})

    narrow = narrowed(report, "a", frozenset({"a", "b"}))

    assert [hit.slice_id for hit in narrow.hits] == ["b"]
    assert narrow.confidence == 0.8
    assert narrow.reasoning.startswith("Both speak of it. [")


def test_nothing_but_the_current_slice_is_nothing() -> None:
    report = Report.model_validate({"hits": HITS[:1], "confidence": 0.8})

    assert narrowed(report, "a", None).confidence == 0.0


def test_unknown_ids_are_dropped_unless_nobody_knows() -> None:
    report = Report.model_validate({"hits": HITS, "recommended_reads": [{"slice_id": "b"}, {"slice_id": "z"}]})

    narrow = narrowed(report, "", frozenset({"b"}))

    assert [hit.slice_id for hit in narrow.hits] == ["b"]
    assert [read.slice_id for read in narrow.recommended_reads] == ["b"]
    assert len(narrowed(report, "", None).hits) == 2


def test_at_most_five_of_each_remain() -> None:
    many = [{"slice_id": f"s{n}"} for n in range(12)]

    narrow = narrowed(Report.model_validate({"hits": many, "recommended_reads": many}), "", None)

    assert (len(narrow.hits), len(narrow.recommended_reads)) == (5, 5)
