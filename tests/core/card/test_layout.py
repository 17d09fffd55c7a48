from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from core.card.codec import decode, encode
from core.card.model import Card, Entry

LOVED = """# Previously On

_Active slice: 2026-03-09-1842 | Format: user card v2 | Updated: 2026-03-09T19:00:00.000Z_

Written with care, please keep.

## Identity

- Name: Odile
* Locale: fr

## Past

Odile bakes.

- Shop opened 2019 — refs: [2026/03/01/0700]
- Second oven 2024 — refs: [2026/03/02/0700]

A note of mine below the facts.

## Recipes

- Brioche: 82 %

## Now

_No active hooks._

## Horizon

- Pay invoice — by: 2026-03-20 — refs: [2026/03/09/1842]
  - the big one
"""
BARE = "_Format: user card v2_\n"


def changed(text: str, **parts: object) -> str:
    card = decode(text)
    return encode(replace(card, **parts))  # type: ignore[arg-type]


def test_the_first_entry_takes_the_placeholders_place() -> None:
    written = changed(LOVED, now=(Entry("Oven repair", since="2026-03-08"),))

    assert written == LOVED.replace("_No active hooks._", "- Oven repair | since: 2026-03-08")


def test_a_removed_entry_takes_its_line_along_and_nothing_else() -> None:
    written = changed(LOVED, anchors=(Entry("Second oven 2024", ("2026/03/02/0700",)),))

    assert written == LOVED.replace("- Shop opened 2019 — refs: [2026/03/01/0700]\n", "")


def test_a_new_anchor_stands_behind_its_neighbours_and_before_the_persons_note() -> None:
    card = decode(LOVED)

    written = encode(replace(card, anchors=(*card.anchors, Entry("Third oven"))))

    assert written == LOVED.replace("[2026/03/02/0700]\n", "[2026/03/02/0700]\n- Third oven\n")


def test_a_rewritten_profile_leaves_the_note_below_the_anchors_alone() -> None:
    written = changed(LOVED, profile="She bakes and teaches.")

    assert written == LOVED.replace("Odile bakes.", "She bakes and teaches.")


@pytest.mark.parametrize("profile", ["Odile bakes.", ""])
def test_a_note_below_the_anchors_is_no_profile_even_when_all_of_them_went(profile: str) -> None:
    text = LOVED.replace("Odile bakes.\n\n", f"{profile}\n\n" if profile else "")

    bare = changed(text, anchors=())
    filled = changed(bare, anchors=(Entry("Third oven"),), profile="She bakes.")

    assert decode(bare).profile == profile
    assert "\nA note of mine below the facts.\n" in bare
    assert changed(bare, anchors=()) == bare
    assert (decode(filled).profile, decode(filled).anchors) == ("She bakes.", (Entry("Third oven"),))
    assert "\nA note of mine below the facts.\n" in filled
    assert changed(filled, anchors=()).count("<!-- notes -->") == 1


def test_a_new_section_stands_in_its_place() -> None:
    written = changed(LOVED, self_model=(Entry("Lead with numbers."),))

    assert written == LOVED + "\n## Self-model\n\n- Lead with numbers.\n"


def test_a_section_missing_in_the_middle_goes_behind_its_predecessor() -> None:
    text = BARE + "\n## Identity\n\n- Name: x\n\n## Zoo\n\n- mine\n\n## Horizon\n\n- h\n"

    written = changed(text, now=(Entry("n"),), profile="p")

    assert written == BARE + (
        "\n## Identity\n\n- Name: x\n\n## Past\n\np\n\n## Now\n\n- n\n\n## Zoo\n\n- mine\n\n## Horizon\n\n- h\n"
    )


def test_a_first_section_goes_before_its_successor_or_before_unknown_ones() -> None:
    with_now = BARE + "\n## Now\n\n- n\n"
    with_zoo = BARE + "\n## Zoo\n\n- mine\n"

    assert changed(with_now, identity=("Name: x",)) == BARE + "\n## Identity\n\n- Name: x\n\n## Now\n\n- n\n"
    assert changed(with_zoo, identity=("Name: x",)) == BARE + "\n## Identity\n\n- Name: x\n\n## Zoo\n\n- mine\n"
    assert changed(BARE, identity=("Name: x",)) == BARE + "\n## Identity\n\n- Name: x\n"


def test_a_section_whose_last_entry_went_goes_with_its_heading_unless_something_stands_there() -> None:
    text = BARE + "\n## Now\n\n- n\n\n## Horizon\n\n- h\n\nmy note\n\n## Self-model\n\n- s\n"

    written = changed(text, now=(), horizon=(), self_model=())

    assert written == BARE + "\n## Horizon\n\nmy note\n"


def test_a_heading_that_was_empty_from_the_start_stays() -> None:
    text = BARE + "\n## Now\n\n## Horizon\n\n- h\n"

    assert changed(text, horizon=(Entry("g"),)) == text.replace("- h", "- g")
    assert changed(text, now=(Entry("n"),)) == text.replace("## Now\n\n", "## Now\n\n- n\n\n")


def test_an_identity_line_is_replaced_where_it_stands() -> None:
    assert changed(LOVED, identity=("Name: Odette",)) == LOVED.replace("Odile\n* ", "Odette\n* ")


def test_a_stamp_is_rewritten_alone_and_put_below_the_title_where_there_was_none() -> None:
    without = LOVED.replace(LOVED.split("\n")[2] + "\n\n", "")
    stamp = "_Active slice: 2026-04-01-0800 | Format: user card v2 | Updated: now_"

    assert changed(LOVED, slice_id="2026-04-01-0800", updated="now") == LOVED.replace(LOVED.split("\n")[2], stamp)
    assert changed(without, slice_id="2026-04-01-0800", updated="now") == LOVED.replace(LOVED.split("\n")[2], stamp)


def test_a_file_without_a_last_line_end_gets_one_only_when_it_changes() -> None:
    text = BARE + "\n## Now\n\n- n"

    assert encode(decode(text)) == text
    assert changed(text, now=(Entry("n"), Entry("m"))) == text + "\n\n- m\n"


def test_entries_that_stand_close_stay_close() -> None:
    text = BARE + "\n## Now\n- a\n- b\n- c\n\n## Zoo\n- z\n"

    assert changed(text, now=(Entry("x"), Entry("a"), Entry("c"), Entry("y"))) == text.replace(
        "- a\n- b\n- c\n", "- x\n- a\n- c\n- y\n"
    )


def test_the_same_section_twice_is_one_section() -> None:
    text = BARE + "\n## Now\n\n- a\n\n## Zoo\n\n- z\n\n## Recent\n\n- b\n"

    card = decode(text)

    assert card.now == (Entry("a"), Entry("b"))
    assert encode(replace(card, now=(Entry("b"),))) == BARE + "\n## Now\n\n## Zoo\n\n- z\n\n## Now\n\n- b\n"


@pytest.mark.parametrize("line", ["_No open commitments._", "_None yet_", "_暂无_", "_无待办事项。_"])
def test_a_placeholder_in_either_language_gives_way(line: str) -> None:
    text = f"{BARE}\n## Horizon\n\n{line}\n"

    assert encode(decode(text)) == text
    assert changed(text, horizon=(Entry("h"),)) == BARE + "\n## Horizon\n\n- h\n"


def test_an_italic_remark_that_is_no_placeholder_stays() -> None:
    text = f"{BARE}\n## Horizon\n\n_Ask me before adding here._\n"

    assert "_Ask me before adding here._" in changed(text, horizon=(Entry("h"),))


def test_a_card_of_ones_own_making_has_no_layout_to_keep() -> None:
    assert Card().layout is None


def test_a_new_section_never_takes_entries_of_another_whatever_their_order_in_the_file() -> None:
    text = "# Previously On\n\n_Active slice: a | Format: user card v2 | Updated: b_\n\n{}\n"
    headings = ("## Identity", "## Past", "## Now", "## Horizon", "## Self-model")
    whole = Card(
        slice_id="a",
        updated="b",
        identity=("Name: Odile",),
        profile="Odile bakes.",
        anchors=(Entry("Shop"),),
        now=(Entry("Oven", since="2026-03-01"),),
        horizon=(Entry("Invoice", by="2026-03-20"),),
        self_model=(Entry("Be brief"),),
    )

    for order in (found for count in range(1, 5) for found in permutations(headings, count)):
        card = decode(text.format("\n\n".join(order)) + "## Now\n" * (len(order) == 1))
        written = encode(replace(whole, layout=card.layout))

        assert decode(written) == whole, order


@pytest.mark.parametrize("kept", [(), ("Third",), ("New",), ("New", "Third")])
def test_a_note_stays_a_note_when_all_anchors_above_it_went(kept: tuple[str, ...]) -> None:
    card = decode(LOVED.replace("facts.\n", "facts.\n\n- Third — refs: [2026/03/02/0700]\n"))
    anchors = tuple(Entry(text, ("2026/03/02/0700",)) for text in kept)

    again = decode(encode(replace(card, anchors=anchors)))

    assert again.profile == "Odile bakes."
    assert again.anchors == anchors
    assert "A note of mine below the facts.\n" in encode(again)
