from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.buttons import Do, Shelf, page_of
from adapters.discord.plain import answer
from adapters.discord.render import pages
from core.document import (
    Address,
    Block,
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
from tests.adapters.discord.host import WORDS
from tests.doubles.discord.rules import faults
from tests.doubles.discord.world import V2, walk

if TYPE_CHECKING:
    from adapters.discord.render import Page

WAYS = (Choice("‹ Feb", Address("timeline", "2026-02")), Choice("All months", Address("timeline")))


def drawn(picture: Picture) -> bytes:
    return b"png"


def laid(*blocks: Block, address: Address | None = None, unknown: frozenset[str] = frozenset()) -> list[Page]:
    return pages(Document(blocks, address, unknown), WORDS["en"], Shelf(), "turn01", drawn)


def sent(page: Page) -> dict[str, Any]:
    return {"components": page.layout.to_components(), "flags": V2}  # type: ignore[no-untyped-call]


def wrong(made: list[Page]) -> list[str]:
    return [fault for page in made for fault in faults(sent(page), None, tuple(one.name for one in page.files))]


def said(made: list[Page]) -> str:
    every = [one for page in made for one in walk(sent(page)["components"])]
    return "\n\n".join(one["content"] for one in every if one["type"] == 10)


def labels(made: list[Page]) -> list[str]:
    return [one["label"] for page in made for one in walk(sent(page)["components"]) if one["type"] == 2]


async def test_a_page_is_a_container_with_its_texts_and_a_row_of_ways() -> None:
    made = laid(Title("March 2026", "Timeline", "3 slices"), Items(("one", "two"), "Mar 9"), Choices(WAYS))

    assert wrong(made) == []
    assert said(made) == "-# Timeline\n## March 2026\n-# 3 slices\n\n**Mar 9**\n- one\n- two"
    assert labels(made) == ["‹ Feb", "All months"]


async def test_a_slice_of_a_day_has_its_button_beside_it() -> None:
    lines = Items(("**The hall**",), "18:42 · 2026-03-09-1842")
    choice = Choice("18:42 The hall", Address("slice", "2026-03-09-1842"))

    made = laid(lines, Choices((choice, *WAYS)))

    sections = [one for one in walk(sent(made[0])["components"]) if one["type"] == 9]
    assert [one["accessory"]["custom_id"] for one in sections] == ["1/slice/2026-03-09-1842/0"]
    assert labels(made) == ["Open", "‹ Feb", "All months"]


async def test_many_days_stand_in_menus_and_the_ways_around_stay_buttons() -> None:
    days = [Choice(f"Mar {day}", Address("timeline", f"2026-03-{day:02d}")) for day in range(1, 32)]

    made = laid(Title("March"), Choices((*days, *WAYS)))

    menus = [one for one in walk(sent(made[0])["components"]) if one["type"] == 3]
    assert wrong(made) == []
    assert [len(one["options"]) for one in menus] == [25, 3]
    assert menus[0]["options"][0] == {"label": "Mar 1", "value": "1/timeline/2026-03-01/0", "default": False}
    assert labels(made)[-2:] == ["‹ Feb", "All months"]


async def test_two_ways_to_one_page_have_two_ids_that_lead_there() -> None:
    twice = (Choice("All", Address("timeline")), Choice("Months", Address("timeline")))

    made = laid(Text("x"), Choices(twice))

    ids = [one["custom_id"] for one in walk(sent(made[0])["components"]) if one["type"] == 2]
    assert wrong(made) == []
    assert [page_of(one) for one in ids] == [Address("timeline"), Address("timeline")]


async def test_the_instant_of_a_slice_is_told_by_the_readers_own_client() -> None:
    made = laid(Title("The hall"), address=Address("slice", "2026-03-09-1842"))

    assert "<t:1773081720:F> · <t:1773081720:R>" in said(made)


async def test_a_heat_map_is_a_picture_with_its_words() -> None:
    made = laid(Title("Timeline"), Picture((("2026-03-09", 3),), "Busiest: March 9, 3 slices"))

    gallery = next(one for one in walk(sent(made[0])["components"]) if one["type"] == 12)
    assert wrong(made) == []
    assert gallery["items"][0]["description"] == "Busiest: March 9, 3 slices"
    assert "Busiest: March 9, 3 slices" in said(made)
    assert [one.data for one in made[0].files] == [b"png"]


async def test_a_file_to_take_away_goes_with_the_page() -> None:
    made = laid(Text("Your memory:"), Download("my memory.zip", b"zip"))

    assert wrong(made) == []
    assert [(one.name, one.data) for one in made[0].files] == [("my_memory.zip", b"zip")]


async def test_a_timeline_offers_to_go_to_a_date() -> None:
    made = laid(Title("Timeline"), Choices(WAYS), address=Address("timeline"))

    assert labels(made)[-1] == "Go to a date"


async def test_a_long_page_goes_over_several_messages_and_loses_nothing() -> None:
    turns = [Utterance("You" if n % 2 else "Previously", "18:42", f"{n} " + "wort " * 150) for n in range(30)]

    made = laid(Title("Long"), *turns, Fold("What was thought", "so"), Choices(WAYS))

    assert wrong(made) == []
    assert len(made) > 4
    assert said(made).count("wort") == 30 * 150
    assert labels(made)[-2:] == ["‹ Feb", "All months"]


async def test_an_address_that_nobody_gave_is_no_link_on_a_page_either() -> None:
    made = laid(Text("see https://bad.example/x"), unknown=frozenset({"https://bad.example/x"}))

    assert said(made) == "see `https://bad.example/x`"


async def test_a_long_saying_is_remembered_and_a_short_one_is_its_own_id() -> None:
    shelf = Shelf()
    long = "Let's continue with this: " + "the concert dress " * 20

    short_id, long_id = shelf.say_id("What is open?"), shelf.say_id(long)

    assert (short_id, len(long_id) <= 100) == ("say/What is open?", True)
    assert [shelf.saying(one) for one in (short_id, long_id)] == ["What is open?", long]
    assert [Shelf().saying(one) for one in (short_id, long_id)] == ["What is open?", None]


@pytest.mark.parametrize("text", ["2/timeline//0", "do/forget//0", "1/timeline/a b/0", "", "do/fold/turn01"])
async def test_an_id_of_another_version_is_no_page_and_no_deed(text: str) -> None:
    assert page_of(text) is None
    assert Do.decode(text) is None


def many(count: int) -> Choices:
    return Choices(tuple(Choice(f"c{number}", Address("slice", f"x{number % 30}")) for number in range(count)))


TEXTS = st.text(alphabet=st.sampled_from("ab .\n*_`[]()|~#>-字。<@"), min_size=1, max_size=300)
BLOCKS = st.one_of(
    st.builds(Title, TEXTS, TEXTS),
    st.builds(Text, TEXTS.map(lambda text: text * 8)),
    st.builds(Items, st.lists(TEXTS, max_size=20).map(tuple), TEXTS),
    st.builds(Utterance, TEXTS, TEXTS, TEXTS),
    st.builds(Fold, TEXTS, TEXTS),
    st.builds(
        lambda n: Choices(tuple(Choice(f"c{i}", Address("slice", f"x{i % 30}")) for i in range(n))), st.integers(0, 90)
    ),
)


@given(st.lists(BLOCKS, max_size=25))
async def test_no_page_and_no_answer_is_over_a_limit(blocks: list[Block]) -> None:
    made = laid(*blocks, address=Address("timeline"))

    assert wrong(made) == []
    assert all(len(text) <= 2000 for text in answer(Document(tuple(blocks))))
