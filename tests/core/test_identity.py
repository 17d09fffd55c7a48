from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Malformed
from core.identity import Person, bare, introduction, load_identity, person_of

FOLDER = Path(__file__).parents[2] / "identity"


def test_the_constitution_is_short_and_names_its_tools() -> None:
    identity = load_identity(FOLDER)

    assert 600 < len(identity.soul.encode()) < 1500
    assert 2000 < len(identity.directives.encode()) <= 6144
    for tool in ("readSlice", "readSliceSummary", "recall", "thinkDeep"):
        assert f"`{tool}`" in identity.directives


def test_a_constitution_without_a_part_is_malformed(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("soul", encoding="utf-8")
    with pytest.raises(Malformed, match="DIRECTIVES"):
        load_identity(tmp_path)

    (tmp_path / "DIRECTIVES.md").write_text(" \n", encoding="utf-8")
    with pytest.raises(Malformed, match="empty"):
        load_identity(tmp_path)

    (tmp_path / "DIRECTIVES.md").write_bytes(b"\xff")
    with pytest.raises(Malformed):
        load_identity(tmp_path)


CARD = """# Previously On

_Active slice: x | Format: user card v2 | Updated: y_

## Identity

- Name: Odile Martin (the baker)
- Address them as: you
- Pronouns: she/her
- Alias: 小奥、Odi, O.M.，奥
- Locale: fr

## Past

- Name: not this one
"""


def test_a_card_introduces_the_person() -> None:
    assert person_of(CARD) == Person(
        name="Odile Martin",
        address="you",
        pronouns="she/her",
        aliases=("小奥", "Odi", "O.M.", "奥"),
        body=(
            "Name: Odile Martin (the baker)",
            "Address them as: you",
            "Pronouns: she/her",
            "Alias: 小奥、Odi, O.M.，奥",
            "Locale: fr",
        ),
    )


def test_a_card_with_a_byte_order_mark_and_windows_line_ends_does_too() -> None:
    assert person_of("\ufeff" + CARD.replace("\n", "\r\n")) == person_of(CARD)


def test_the_identity_of_v3_is_read_without_its_meta_lines() -> None:
    card = (
        "## User profile\n\n### Identity & background\n\n- Name: Odile（店主）\n  refs: [2026/01/01/0800] | obs: 3\n"
        "- Address them as: you\n  refs: [x]\n\n### Cognitive style\n\n- Pronouns: not here\n"
    )

    assert person_of(card) == Person(name="Odile", address="you", body=("Name: Odile（店主）", "Address them as: you"))


@pytest.mark.parametrize("heading", ["## User identity", "### User identity"])
def test_the_identity_of_older_cards_is_read(heading: str) -> None:
    person = person_of(f"{heading}\n\n- 用户自称小艾，住在上海\n- 可用“你”称呼\n\n## User patterns\n\n- Name: no\n")

    assert person is not None
    assert (person.name, person.address) == ("小艾", "你")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("叫：阿明", "阿明"),
        ("用户叫阿明（常用名）", "阿明"),
        ("姓名：阿明", "阿明"),
        ("NAME: Odile", "Odile"),
        ("Username: x", ""),
        ("Her name: x", ""),
        ("Likes the name: Bob", ""),
        ("叫外卖很多", ""),
        ("Name:", ""),
        ("Name: (unknown)", ""),
    ],
)
def test_only_a_label_that_begins_its_line_gives_a_name(line: str, name: str) -> None:
    person = person_of(f"## Identity\n\n- {line}\n")

    assert person is not None
    assert person.name == name


def test_the_first_of_two_names_counts() -> None:
    person = person_of("## Identity\n- Name: A\n- Name: B\n")

    assert person is not None
    assert person.name == "A"


def test_also_known_as_is_a_list_of_aliases() -> None:
    person = person_of("## Identity\n- Also known as: Odi, The Baker\n")

    assert person is not None
    assert person.aliases == ("Odi", "The Baker")


@pytest.mark.parametrize(
    "card", ["", "# Previously On\n", "## Identity\n\n## Past\n\n- x\n", "## Identity\n* Name: x\n"]
)
def test_a_card_without_identity_introduces_nobody(card: str) -> None:
    assert person_of(card) is None


def test_a_heading_that_only_contains_the_word_is_no_identity_section() -> None:
    assert person_of("## Identity theft\n\n- Name: x\n") is None


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("Name: Odile (the baker)", "Name: Odile"),
        ("Name: 小奥（店主）", "Name: 小奥"),
        ("Name: Odile", "Name: Odile"),
        ("Name: Odile (a) （b） (c)", "Name: Odile"),
        ("Alias: O (rare)", "Alias: O (rare)"),
        ("Also known as: O (rare)", "Also known as: O (rare)"),
        ("Lives (now) in Lille", "Lives (now) in Lille"),
        ("(all of it)", "(all of it)"),
    ],
)
def test_remarks_in_parentheses_at_the_end_are_stripped_but_not_from_aliases(line: str, shorter: str) -> None:
    assert bare(line) == shorter


def test_the_introduction_says_what_is_known_and_then_every_line() -> None:
    person = person_of(CARD)
    assert person is not None

    text = introduction(person, "Europe/Paris")

    assert text.startswith(
        "# Who you assist\n\nName: Odile Martin\nAlso called: 小奥, Odi, O.M., 奥\nAddress them as: you\n"
    )
    assert "Time zone: Europe/Paris\n\n- Name: Odile Martin (the baker)\n" in text
    assert text.endswith("- Locale: fr")


@given(st.text() | st.text().map("## Identity\n- {}".format))
def test_no_card_makes_reading_fail(card: str) -> None:
    person = person_of(card)

    assert person is None or person.body
