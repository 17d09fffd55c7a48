from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.recall.lexical import Index
from tests.core.recall.given import ids, index, said, search

YEAST = said("2026-03-09-1842", "The yeast comes from Remi.", "Good to know.", "He delivers on Friday.")
ROOF = said("2026-05-02-1300", "The roof leaks.", "Call a roofer?", "The roofer wants 800.")
CHINESE = said("2025-10-11-0200", "我在锦里吃了甜水面。", "好吃吗？", "很好吃，十二块一碗。", zone="Asia/Shanghai")


def test_the_slice_that_says_it_comes_first_with_the_turn_and_the_words() -> None:
    best = search(index(YEAST, ROOF, CHINESE), "Who delivers the yeast?")[0]

    assert best.slice_id == YEAST.id
    assert best.why == ("delivers", "yeast")
    assert best.covers == 1.0
    assert best.excerpt in {"The yeast comes from Remi.", "He delivers on Friday."}


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("我买了一辆自行车", "自行车在哪里买的"),
        ("Wir haben die Termine verschoben", "Termin"),
        ("J’ai mangé à l’école", "ecole"),
        ("ＨＳＫ四级考了二百四十一分", "hsk"),
        ("Заказала бабушкину книгу", "книга"),
        ("I bought a cello", "Did I buy a cello?"),
        ("오늘 김치찌개를 먹었다", "김치찌개"),
    ],
)
def test_exact_text_in_any_script_is_found(stored: str, query: str) -> None:
    whole = index(said("2026-01-01-1000", stored), said("2026-01-02-1000", "Something else altogether."))

    assert ids(search(whole, query))[0] == "2026-01-01-1000"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what happened in March", YEAST.id),
        ("what did we do last May", ROOF.id),
        ("2026-03-09", YEAST.id),
        ("去年十月吃了什么", CHINESE.id),
        ("5月2号说了什么", ROOF.id),
    ],
)
def test_a_date_in_the_question_finds_the_slices_of_that_time(query: str, expected: str) -> None:
    best = search(index(YEAST, ROOF, CHINESE), query)[0]

    assert (best.slice_id, best.on_date) == (expected, True)


def test_a_slice_is_of_its_local_day() -> None:
    night = said("2026-03-09-2330", "Late talk.", zone="Asia/Shanghai")

    assert search(index(night), "on 10 March")[0].on_date
    assert search(index(night), "on 9 March") == []


def test_what_was_told_later_is_found_in_spite_of_the_date() -> None:
    whole = index(YEAST, ROOF, said("2026-06-20-1000", "In March the oven broke and I paid 300."))

    best = search(whole, "What did I pay for the oven in March?")[0]

    assert best.slice_id == "2026-06-20-1000"
    assert best.covers >= 0.45


def test_the_present_prefers_the_newest_statement() -> None:
    old = said("2024-01-01-1000", "I live in Lyon now, in a flat in Lyon.")
    new = said("2026-01-01-1000", "I live in Nantes.")
    whole = index(old, new, YEAST)

    assert ids(search(whole, "Where do I live now?"))[0] == new.id
    assert ids(search(whole, "我现在住在哪里 live"))[0] == new.id


def test_coverage_tells_what_was_never_said() -> None:
    whole = index(YEAST, ROOF, CHINESE)

    for query in ("When does my flight to Oslo leave?", "What is my blood type?", "我的驾照什么时候到期"):
        assert all(hit.covers < 0.45 for hit in search(whole, query))


@pytest.mark.parametrize(
    "text",
    [
        "[deleted] The passport is in the drawer.",
        "> [forwarded: Anna]\n> The passport is in the drawer.\n\nFunny.",
    ],
)
def test_deleted_and_foreign_words_are_not_found(text: str) -> None:
    assert search(index(said("2026-01-01-1000", text)), "Where is the passport?") == []


def test_what_the_assistant_quoted_from_memory_is_not_found_twice() -> None:
    echo = said("2026-06-01-1000", "Who has it?", "You said:\n\n> The yeast comes from Remi.")

    assert ids(search(index(YEAST, echo), "yeast")) == [YEAST.id]


def test_the_persons_words_count_more_than_the_assistants() -> None:
    mine, yours = said("2026-01-01-1000", "A red bicycle."), said("2026-01-02-1000", "Hm.", "A red bicycle.")

    assert ids(search(index(mine, yours), "red bicycle")) == [mine.id, yours.id]


@pytest.mark.parametrize(("near", "apart", "query"), [
    ("We saw a silver fox by a river.", "A fox by a river, and silver we saw.", "the silver fox"),
    ("我在养花园鳗。", "花在公园里，鳗在海里。", "花园鳗"),
])  # fmt: skip
def test_words_that_stand_as_in_the_question_count_more(near: str, apart: str, query: str) -> None:
    older, newer = said("2026-01-01-1000", near), said("2026-01-02-1000", apart)

    assert ids(search(index(older, newer), query))[0] == older.id


def test_focus_summary_and_tags_are_found() -> None:
    marked = said("2026-01-01-1000", "It went well.", focus="The dentist", summary="A filling.", tags=("health",))

    for word in ("dentist", "filling", "health"):
        assert ids(search(index(marked, YEAST), word)) == [marked.id]


def test_excluded_and_removed_slices_are_not_found() -> None:
    whole = index(YEAST, ROOF)

    assert search(whole, "yeast", exclude=(YEAST.id,)) == []
    whole.remove(YEAST.id)
    whole.remove("1999-01-01-0000")
    assert search(whole, "yeast") == []
    assert (len(whole), YEAST.id in whole, ROOF.id in whole) == (1, False, True)


def test_a_slice_added_again_replaces_itself() -> None:
    whole = index(YEAST)
    for n in range(200):
        whole.add(said(YEAST.id, f"Version{n} of the talk."))

    assert search(whole, "yeast") == []
    assert ids(search(whole, "version199")) == [YEAST.id]
    assert len(whole) == 1


def test_at_most_as_many_hits_come_back_as_asked() -> None:
    whole = index(*(said(f"2026-01-{day:02}-1000", "The same old song.") for day in range(1, 29)))

    hits = search(whole, "song", limit=7)

    assert ids(hits) == [f"2026-01-{day}-1000" for day in range(28, 21, -1)]


@pytest.mark.parametrize("query", ["", "?", "what is it", "🎉", "x" * 5_000, "的了吗"])
def test_a_question_without_words_finds_nothing(query: str) -> None:
    assert search(index(YEAST, CHINESE), query) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=60))
def test_any_text_can_be_indexed_and_asked_for(texts: list[str], query: str) -> None:
    whole = Index()
    for day, text in enumerate(texts, start=1):
        whole.add(said(f"2026-01-{day:02}-1000", text, focus=text[:10]))

    assert all(0.0 <= hit.covers <= 1.0 for hit in search(whole, query))
