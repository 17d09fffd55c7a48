from __future__ import annotations

import pytest

from adapters.terminal.offers import Offers
from core.document import Choice, Choices, Document, Fold, Text

DOCUMENT = Document(
    (
        Choices((Choice("a"), Choice("b"))),
        Fold("thought", "long"),
        Text("."),
        Choices((Choice("c"),)),
        Fold("recall", ""),
    )
)


@pytest.mark.parametrize(
    ("typed", "label"),
    [("1", "a"), (" 3 ", "c"), ("２", "b"), ("0", None), ("4", None), ("/1", None), ("1 2", None), ("", None)],
)
def test_a_number_picks_the_choice_that_is_on_offer(typed: str, label: str | None) -> None:
    choice = Offers.of(DOCUMENT).choice(typed)

    assert (choice.label if choice else None) == label


@pytest.mark.parametrize(("typed", "label"), [("Yes", "go"), (" 是 ", "go"), ("no", "stay"), ("yes please", None)])
def test_a_choice_that_can_be_said_is_picked_by_its_word(typed: str, label: str | None) -> None:
    asked = Choices((Choice("go", typed=("yes", "是")), Choice("stay", typed=("no",))))
    choice = Offers.of(Document((asked,))).choice(typed)

    assert (choice.label if choice else None) == label


@pytest.mark.parametrize(
    ("typed", "label"), [("/1", "thought"), ("/2", "recall"), ("/3", None), ("/0", None), ("1", None), ("/1x", None)]
)
def test_a_stroke_and_a_number_open_the_fold_that_is_on_offer(typed: str, label: str | None) -> None:
    fold = Offers.of(DOCUMENT).fold(typed)

    assert (fold.label if fold else None) == label
