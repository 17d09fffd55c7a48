"""One pass over the card: what the worker is shown, what counts, and how large its requests may grow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.card.codec import decode
from core.card.evidence import evidence, refs_of
from core.card.evolve import GROWTH, Evolution, Occasion, evolve, room_for
from core.errors import Malformed, OverBudget, Unavailable
from core.llm.size import size, tokens
from core.slices.model import Slice, Turn
from tests.bot.living import WORDS
from tests.core.card.work import REF
from tests.doubles.model import ScriptedModel, calls, says

BASE = """# Previously On

_Active slice: 2026-08-30-0700 | Format: user card v2 | Updated: 2026-08-30T07:00:00.000Z_

## Past

Bakes bread.

- Opened the bakery — refs: [2026/08/30/0700]

## Now

- Looks for an oven — refs: [2026/08/30/0700] | since: 2026-08-01

## Horizon

- Pay the guild — refs: [2026/08/30/0700] — by: 2026-08-20
"""
OCCASION = Occasion("2026-09-01-0800", "2026-09-01T08:00:00.000Z", "2026-09-01", "[…] the person:\nhi", lambda _: True)
FINISH = ("finish", {"summary": "Noted."})


async def passing(*script: object, base: str = BASE, occasion: Occasion = OCCASION, most: int = 16_000) -> Evolution:
    return await evolve(ScriptedModel(list(script)), base, occasion, (), WORDS["en"], most=most)  # type: ignore[arg-type]


def adding(text: str) -> tuple[str, object]:
    return ("addNow", {"text": text, "refs": [REF]})


async def test_a_clean_pass_has_the_new_card_a_sentence_and_a_log() -> None:
    found = await passing(calls(adding("A new oven")), calls(FINISH))

    assert (found.outcome, found.summary, found.partial) == ("changed", "Noted.", False)
    assert [entry.text for entry in decode(found.text).now] == ["A new oven", "Looks for an oven"]
    assert found.log == ("addNow: A new oven",)
    assert any("A new oven" in line for line in found.diff.added)
    assert "Active slice: 2026-09-01-0800" in found.text


async def test_finish_beside_the_last_edit_ends_the_pass_too() -> None:
    found = await passing(calls(adding("A new oven"), FINISH))

    assert (found.outcome, found.partial) == ("changed", False)


@pytest.mark.parametrize("script", [[calls(FINISH)], [says("Nothing to do.")], [calls(adding("")), calls(FINISH)]])
async def test_a_pass_without_an_edit_changes_nothing(script: list[object]) -> None:
    assert await passing(*script) == Evolution("unchanged", BASE)


@pytest.mark.parametrize("error", [Unavailable("down"), OverBudget("spent"), ValueError("a bug")])
async def test_a_pass_that_never_came_about_has_failed_and_may_be_tried_again(error: Exception) -> None:
    found = await passing(error)

    assert (found.outcome, found.text, found.down) == ("failed", BASE, True)


@pytest.mark.parametrize("end", [Unavailable("gone"), says("That is all."), ValueError("a bug")])
async def test_a_pass_without_an_end_keeps_its_edits(end: object) -> None:
    found = await passing(calls(adding("A new oven")), end)

    assert (found.outcome, found.partial, found.summary) == ("changed", True, "")
    assert "A new oven" in found.text


async def test_thirty_steps_are_enough_for_any_pass() -> None:
    script = [calls(("resolveHorizon", {"match": f"no such {n}"})) for n in range(40)]
    model = ScriptedModel(list(script))

    found = await evolve(model, BASE, OCCASION, (), WORDS["en"])

    assert len(model.asked) <= 30
    assert found.outcome == "unchanged"


async def test_a_refused_pass_cannot_be_tried_again() -> None:
    entries = "\n".join(f"- Anchor {n} — refs: [2026/08/30/0700]" for n in range(6))
    base = BASE.replace("- Opened the bakery — refs: [2026/08/30/0700]", entries)

    found = await passing(
        calls(*(("removePastAnchor", {"match": f"Anchor {n}"}) for n in range(6))), calls(FINISH), base=base
    )

    assert (found.outcome, found.text, found.down) == ("failed", base, False)
    assert "without resolving" in found.why


async def test_the_worker_sees_card_evidence_wish_age_and_what_is_overdue() -> None:
    model = ScriptedModel([calls(FINISH)])
    await evolve(model, BASE, replace(OCCASION, focus="call me Mo", language="zh"), (), WORDS["en"])

    text = model.asked[0][0][1].text
    for part in (
        "Today is 2026-09-01",
        "Chinese",
        "- Looks for an oven (since 2026-08-01)",
        "- Pay the guild (by 2026-08-20)",
        "carry it out: call me Mo",
        BASE.strip(),
        "the person:\nhi",
    ):
        assert part in text


async def test_the_task_is_the_same_for_every_pass() -> None:
    models = [ScriptedModel([calls(FINISH)]) for _ in range(2)]
    for number, model in enumerate(models):
        await evolve(model, BASE, replace(OCCASION, evidence=f"other words {number}"), (), WORDS["en"])

    assert models[0].asked[0][0][0] == models[1].asked[0][0][0]


async def test_what_is_no_card_is_malformed() -> None:
    with pytest.raises(Malformed):
        await passing(base="a shopping list\n")


# -- size --------------------------------------------------------------------------------------------------------------


def talk(count: int, text: str) -> Slice:
    turns = tuple(
        Turn(f"t{n // 2:05d}", "2026-08-30T07:00:00.000Z", "user" if n % 2 == 0 else "agent", f"{n} {text}")
        for n in range(count)
    )
    return Slice("2026-08-30-0700", "closed", turns=turns)


@pytest.mark.parametrize("sign", ["bread and oven ", "面包和烤箱"])
@pytest.mark.parametrize("most", [16_000, 8_000, 4_000])
async def test_no_request_of_a_pass_is_larger_than_it_may_be(sign: str, most: int) -> None:
    base = BASE.replace("Bakes bread.", sign * (2_000 // len(sign)))
    piece = talk(400, sign * 40)
    shown = evidence([(piece, piece.turns)], sign * 5_000, room_for(base, most))
    steps = [calls(adding(f"{n} " + sign * 30)) for n in range(40)]
    model = ScriptedModel([*steps])

    await evolve(model, base, replace(OCCASION, evidence=shown), (), WORDS["en"], most=most)

    assert model.asked
    assert all(size(messages) <= most for messages, _ in model.asked)
    assert "399 " in model.asked[0][0][1].text


async def test_a_card_that_a_hand_made_far_too_long_is_shown_from_its_beginning() -> None:
    base = BASE + "\n## Mine\n\n" + "- a line of mine\n" * 20_000
    model = ScriptedModel([calls(adding("A new oven"), ("removeNow", {"match": "Looks for"})), calls(FINISH)])

    found = await evolve(model, base, OCCASION, (), WORDS["en"])

    assert size(model.asked[0][0]) <= 16_000
    assert "the card goes on" in model.asked[0][0][1].text
    assert found.text.count("- a line of mine\n") == 20_000


def test_evidence_is_whole_turns_from_the_newest_back() -> None:
    piece = talk(50, "bread " * 20)
    shown = evidence([(piece, piece.turns)], "", 1_000)

    assert shown.startswith("[2026/08/30/0700-t")
    assert "49 bread" in shown
    assert "\n0 bread" not in shown
    assert tokens(shown) <= 1_000


def test_one_turn_beyond_all_room_is_shown_by_its_end() -> None:
    piece = talk(1, "x" * 100_000 + " the end")

    assert evidence([(piece, piece.turns)], "", 500).endswith(" the end")


def test_thoughts_are_named_as_ours_and_kept_short() -> None:
    piece = talk(2, "bread")
    shown = evidence([(piece, piece.turns)], "thought " * 5_000, 4_000)

    assert "The assistant's thoughts (evidence for Self-model only):" in shown
    assert tokens(shown) <= 4_000
    assert "0 bread" in shown


def test_without_turns_there_is_no_evidence() -> None:
    assert evidence([(talk(0, ""), ())], "thoughts", 4_000) == ""


def test_refs_point_to_turns_with_any_letters() -> None:
    piece = Slice("2026-08-30-0700", turns=(Turn("q1W-_A", "", "user", "x"),))

    assert refs_of([(piece, piece.turns)]) == {"2026/08/30/0700-q1W-_A"}


def test_a_full_card_leaves_room_for_evidence() -> None:
    assert room_for(BASE, 16_000) > 10_000
    assert room_for("花" * 8_192, 16_000) > GROWTH
