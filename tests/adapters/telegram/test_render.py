"""Pages on Telegram: golden files of fifty nasty answers, and what holds for every text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.blocks import body
from adapters.telegram.render import plainly, render
from adapters.telegram.rendered import ENTITIES, LIMIT, Part
from adapters.telegram.units import is_blank
from core.document import (
    Address,
    Choice,
    Choices,
    Document,
    Download,
    Fold,
    Items,
    Picture,
    Text,
    Title,
    Utterance,
)
from tests.adapters.telegram.nasty import FAMILY, FLAG, NASTY
from tests.adapters.telegram.rules import faults
from tests.adapters.telegram.shown import GOLDEN, WORDS, nasty, shown, tagged

if TYPE_CHECKING:
    from adapters.telegram.rendered import Rendered
    from core.document import Block

EN, ZH = WORDS["en"], WORDS["zh"]
MARKS = [
    *("**", "*", "_", "~~", "`", "```\n", "~~~py\n", "\n", "\n\n", "> ", "- ", "1. ", "    ", "# ", "|", "|-|-|\n"),
    *("$", "\\", "[a](https://e.x)", "[b](", "](c)", "<", ">", "<b>", "<div>\n", "&lt;", "\u202e", "\x07", "\ud83d"),
    *("\u0301", "\u200d", "重要：", "的", "（", "）", "“", "”", FAMILY, FLAG, "😀", "שלום", "word ", "2019. ", "[^1]"),
    *("[^1]: ", "||", "README.md "),
]  # fmt: skip
markdowns = st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=8)), max_size=60).map("".join)
long_texts = st.tuples(markdowns, st.integers(1, 120)).map(lambda pair: (pair[0] + " ") * pair[1])
short = st.text(max_size=40)
blocks = st.one_of(
    st.builds(Title, short, short, short),
    st.builds(Text, markdowns),
    st.builds(Items, st.lists(markdowns, max_size=3).map(tuple), short),
    st.builds(Utterance, short, short, markdowns, st.integers(0, 2**31)),
    st.builds(Fold, short, long_texts),
    st.builds(Picture, st.just((("2026-03-09", 2),)), short),
    st.builds(Choices, st.lists(st.builds(Choice, short, say=short), max_size=3).map(tuple)),
)


def page(*parts: Block) -> Rendered:
    return render(Document(parts), EN)


def said(markdown: str) -> str:
    return "\n".join(tagged(part) for part in page(Text(markdown)).parts)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_answer_reads_as_its_golden_file(name: str) -> None:
    assert shown(nasty(name)) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_answer_is_taken_by_telegram(name: str) -> None:
    assert [fault for part in nasty(name).parts for fault in faults(part)] == []


@settings(max_examples=150, deadline=None)
@given(st.lists(blocks, max_size=4).map(tuple))
def test_every_page_is_taken_by_telegram(parts: tuple[Block, ...]) -> None:
    rendered = page(*parts)

    assert rendered.parts
    assert [fault for part in rendered.parts for fault in faults(part)] == []


@settings(max_examples=60, deadline=None)
@given(long_texts)
def test_the_parts_of_a_long_text_give_back_the_whole_of_it(markdown: str) -> None:
    rendered = page(Text(markdown))
    whole = body(markdown).text

    if not rendered.files and not is_blank(whole):
        assert squeezed("".join(part.text for part in rendered.parts)) == squeezed(whole)
    for part in rendered.parts:
        assert len(part.text.encode("utf-16-le")) // 2 <= LIMIT
        assert len(part.entities) <= ENTITIES


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["word", "<b>", "<div>", "2019. one", "- two", "a|b", "List<T>", "$5", "\n", "\n\n"]),
        max_size=30,
    )
)
def test_no_word_and_no_tag_is_lost_whatever_stands_around_it(words: list[str]) -> None:
    markdown = " ".join(words)

    text = "".join(part.text for part in page(Text(markdown)).parts)

    wanted = re.findall(r"<\w+>|\w+", markdown)
    assert re.findall(r"<\w+>|\w+", text) == wanted


def test_angle_brackets_arrive_literally() -> None:  # P015
    assert said("From: Chad <c@x.com> uses List<int>") == "From: Chad <c@x.com> uses List<int>"


def test_nine_thousand_signs_arrive_whole_and_in_order() -> None:  # P017
    text = " ".join(f"word{n}" for n in range(1200))

    parts = page(Text(text)).parts

    assert len(parts) == 3
    assert " ".join(part.text for part in parts) == text


def test_a_fence_that_is_cut_goes_on_with_its_language_and_its_indentation() -> None:  # P019
    parts = nasty("45-long-fence-parts").parts

    assert len(parts) == 2
    assert [(one.kind, one.language, one.offset, one.length) for part in parts for one in part.entities] == [
        ("pre", "go", 0, len(part.text)) for part in parts
    ]
    assert all(part.text.startswith("\tline(") for part in parts)


@pytest.mark.parametrize(
    ("name", "whole"), [("40-flags-cut", FLAG), ("41-families-cut", FAMILY), ("16-emoji-flood", "😀")]
)
def test_no_sign_is_cut_in_two_between_parts(name: str, whole: str) -> None:
    parts = nasty(name).parts

    assert len(parts) > 1
    assert all(re.fullmatch(f"(?:{whole})+", part.text) for part in parts)


def test_what_grows_when_it_is_escaped_is_measured_as_it_is_shown() -> None:
    assert [len(part.text) for part in page(Text("&." * 2000)).parts] == [4000]


def test_a_paragraph_is_where_a_long_text_is_cut() -> None:
    parts = nasty("44-paragraphs").parts

    assert all(part.text.startswith("Paragraph") and part.text.endswith("go on.") for part in parts)


def test_more_than_a_hundred_entities_need_another_part() -> None:
    assert [len(part.entities) for part in nasty("29-two-hundred-entities").parts] == [100, 100]


def test_long_code_is_a_file_whose_head_is_shown() -> None:
    rendered = page(Text("```rust\n" + "let x = 1;\n" * 700 + "```"))

    (file,) = rendered.files
    assert (file.name, file.data) == ("code-1.rs", b"let x = 1;\n" * 700)
    assert "All 700 lines are in code-1.rs." in rendered.parts[-1].text
    assert len(rendered.parts) == 1


def test_a_download_is_a_file() -> None:
    rendered = page(Text("Here it is."), Download("memory.zip", b"zip"))

    assert [(file.name, file.data) for file in rendered.files] == [("memory.zip", b"zip")]


def test_a_page_of_nothing_still_has_a_part() -> None:
    assert page(Text(" \n")).parts == (Part("…"),)


def test_folds_stand_below_the_answer_each_in_a_quote_that_unfolds() -> None:
    rendered = page(Text("Yes."), Fold("Recall · 2", "**18 Nov** the flat\n> quoted"), Fold("Thought · 14 s", "hm"))

    assert tagged(rendered.parts[0]) == (
        "Yes.\n\n‹expandable_blockquote›‹bold›Recall · 2‹/bold›\n‹bold›18 Nov‹/bold› the flat\nquoted"
        "‹/expandable_blockquote›\n\n‹expandable_blockquote›‹bold›Thought · 14 s‹/bold›\nhm‹/expandable_blockquote›"
    )
    assert rendered.keyboard == ()


@pytest.mark.parametrize("size", [10, 3000, 4000, 4060, 4090, 4096, 9000])
def test_folds_never_push_an_answer_into_another_message_and_never_shorten_it(size: int) -> None:
    answer = ("word " * size)[: size - 1] + "."
    alone = page(Text(answer)).parts

    rendered = page(Text(answer), Fold("Recall", "found " * 400), Fold("Thought", "why " * 400))

    assert len(rendered.parts) == len(alone)
    assert rendered.parts[-1].text.startswith(alone[-1].text)
    assert [fault for part in rendered.parts for fault in faults(part)] == []
    assert [button.data for row in rendered.keyboard for button in row] == ["1/why//0"]


def test_a_fold_in_the_middle_of_a_page_stays_where_it_is() -> None:
    text = (
        page(Utterance("You", "18:42", "hello"), Fold("Thoughts", "hm"), Utterance("Bot", "18:43", "hi")).parts[0].text
    )

    assert text == "You · 18:42\nhello\n\nThoughts\nhm\n\nBot · 18:43\nhi"


def test_a_known_moment_is_a_time_on_the_readers_own_clock() -> None:
    part = page(Utterance("You", "18:42", "hello", 1_773_081_720)).parts[0]

    assert tagged(part) == "‹bold›You‹/bold› · ‹date_time 1773081720/t›18:42‹/date_time›\nhello"


def test_a_page_of_memory_has_its_title_lines_and_items() -> None:
    part = page(Title("Nora", "PREVIOUSLY ON", "three days ago"), Items(("call **her**", "1. x", "# y"), "Open")).parts[
        0
    ]

    assert tagged(part) == (
        "PREVIOUSLY ON\n‹bold›Nora‹/bold›\n‹italic›three days ago‹/italic›\n\n‹bold›Open‹/bold›\n• call "
        "‹bold›her‹/bold›\n• 1. x\n• # y"
    )


def test_a_picture_is_handed_on_and_said_in_words() -> None:
    picture = Picture((("2026-03-09", 2),), "Busiest: 9 March, 2 slices.")

    rendered = page(Title("2026"), picture)

    assert rendered.picture is picture
    assert "Busiest: 9 March, 2 slices." in rendered.parts[0].text


def test_the_last_resort_is_the_same_text_without_entities() -> None:
    part = page(Text("**a** b")).parts[0]

    assert plainly(part) == Part("a b")


def test_an_address_that_nobody_gave_is_shown_but_not_linked() -> None:
    document = Document(
        (Text("[here](https://made.up/x) or https://made.up/x"),), unknown=frozenset({"https://made.up/x"})
    )

    part = render(document, EN).parts[0]

    assert tagged(part) == "here (‹code›https://made.up/x‹/code›) or ‹code›https://made.up/x‹/code›"


def test_short_choices_share_a_row_and_long_ones_do_not() -> None:
    days = tuple(Choice(f"{day} · 3", Address("timeline", f"2026-03-{day:02}")) for day in range(1, 8))
    choices = Choices(
        (*days, Choice("‹ 2026-02-27", Address("timeline", "2026-02-27")), Choice("2026-04-02 ›", say="hi"))
    )

    rows = page(Choices((*choices.choices, Choice("The flat by the canal, again", say="Go on.")))).keyboard

    assert [len(row) for row in rows] == [3, 3, 1, 2, 1]
    assert [button.label[0] for button in rows[3]] == ["‹", "2"]
    assert rows[0][0].data == "1/timeline/2026-03-01/0"
    assert (rows[-1][0].data, rows[-1][0].say) == ("", "Go on.")


def test_wide_scripts_count_double_in_a_row_of_buttons() -> None:
    choices = Choices(
        tuple(Choice(label, Address("timeline")) for label in ("新加坡的公寓", "运河边那一套房", "再看看"))
    )

    assert [len(row) for row in render(Document((choices,)), ZH).keyboard] == [2, 1]


def test_no_message_has_more_buttons_than_telegram_takes() -> None:
    rows = page(Choices(tuple(Choice(str(n), Address("timeline", str(n))) for n in range(500)))).keyboard

    assert 90 <= sum(map(len, rows)) <= 100
    assert all(len(button.data.encode()) <= 64 for row in rows for button in row)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece", ["[](", "![](", "[x](y) ", "1. ", "- a\n  ", "\\(", "\\[", "$1 ", "**：**的", "<div>\n", "|a", "# a\n"]
)
def test_an_answer_that_repeats_one_mark_is_set_in_time_and_does_not_swell(piece: str) -> None:
    markdown = piece * (6000 // len(piece))

    parts = page(Text(markdown)).parts

    assert sum(len(part.text) for part in parts) <= 2 * len(markdown)


def test_addresses_are_shown_behind_the_names_they_belong_to() -> None:
    assert said("**[a](./x)** [b](./y)z [./w](./w)") == (
        "‹bold›a‹/bold› (‹code›./x‹/code›) b (‹code›./y‹/code›)z ‹code›./w‹/code›"
    )
