"""What an answer rests on: by its steps, in the cognition log, on the page of /why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.run import Outcome, Step
from core.document import Choices, Items, Text, Title
from core.llm.base import ToolCall, Usage
from core.slices import cognition
from core.turn.sources import Account, Sources, account_in, sources, summed
from core.turn.why import why_page
from tests.bot.living import living
from tests.core.llm.demo import WORDS
from tests.doubles.model import ScriptedModel, calls, says

ONE, TWO = "2026-03-09-1842", "2026-05-02-1300"
HITS = json.dumps({"hits": [{"slice_id": TWO}, {"slice_id": ONE}, {"slice_id": "odd"}, 7]})


def step(tool: str, arguments: object, result: str = "text", outcome: Outcome = "completed") -> Step:
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Step(0, ToolCall("c", tool, raw), result, outcome)


def log(account: Account, turn: str = "abcdeA") -> str:
    return cognition.block(turn, "2026-07-15T12:00:00.000Z", ["thought"], []) + account.section()


def test_pointed_and_read_slices_are_named_once_in_order() -> None:
    steps = [
        step("recall", {"query": "x"}, HITS),
        step("readSlice", {"sliceId": ONE}),
        step("readSliceSummary", {"slice_id": TWO.replace("-", "/")}),
        step("readSlice", {"sliceId": ONE, "range": {"mode": "last"}}),
    ]

    assert sources(steps) == Sources((TWO, ONE), (ONE, TWO))


@pytest.mark.parametrize(
    "bad",
    [
        step("readSlice", {"sliceId": ONE}, "ERROR: there is no slice"),
        step("readSlice", {"sliceId": ONE}, outcome="error"),
        step("readSlice", {"sliceId": "yesterday"}),
        step("readSlice", "{"),
        step("readSlice", "[]"),
        step("recall", {"query": "x"}, HITS[:20]),
        step("recall", {"query": "x"}, "[]"),
        step("webFetch", {"id": ONE}),
    ],
)
def test_what_failed_or_is_no_reading_is_no_source(bad: Step) -> None:
    assert sources([bad]) == Sources()


def test_usage_is_summed_and_an_unknown_cost_stays_unknown() -> None:
    assert summed([Usage(10, 2, 3, 0.5), Usage(1, 1, 0, None)]) == Usage(11, 3, 3, 0.5)
    assert summed([Usage(1, 1)]).cost is None
    assert summed([]) == Usage()


ACCOUNT = Account("deepseek-v4", 14.2, Usage(1200, 56, 1000, 0.0012), Sources((TWO, ONE), (ONE,)))


@pytest.mark.parametrize(
    "account",
    [
        ACCOUNT,
        Account("offline", 0.1),
        Account("m", 3.0, Usage(5, 6), Sources((), (ONE,))),
        Account("m", 3.0, Usage(5, 6, 0, 0.0)),
    ],
)
def test_an_account_comes_back_from_the_log(account: Account) -> None:
    assert account_in(log(account)) == ("2026-07-15T12:00:00.000Z", account)


def test_the_account_of_a_turn_or_of_the_last_is_found() -> None:
    other = Account("other", 1.0)
    whole = cognition.append_block(log(ACCOUNT), "fghijA", log(other, "fghijA"))

    assert account_in(whole) == ("2026-07-15T12:00:00.000Z", other)
    assert account_in(whole, "abcdeA") == ("2026-07-15T12:00:00.000Z", ACCOUNT)
    assert account_in(whole, "nobody") is None


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_name_and_no_log_breaks_it(model: str, text: str) -> None:
    assert account_in(text) is None or "### Answer" in text
    found = account_in(log(Account(f"m{model}", 1.0, sources=Sources((ONE,)))))

    assert found is not None
    assert found[1].sources.pointed == (ONE,)


def test_the_page_names_what_was_read_with_local_days_and_opens_it() -> None:
    page = why_page(log(ACCOUNT), WORDS["en"], "Europe/Paris")

    title, took, pointed, read, choices = page.blocks
    assert title == Title("Why I said that", note="15 Jul 2026, 14:00")
    assert took == Items(
        ("Model: `deepseek-v4`", "Time: 14.2 s", "Tokens: 1200 in (1000 from the cache), 56 out", "Cost: about $0.0012")
    )
    assert pointed == Items(
        ("02 May 2026, 15:00 (2026-05-02-1300)", "09 Mar 2026, 19:42 (2026-03-09-1842)"), "Recall pointed at"
    )
    assert read == Items(("09 Mar 2026, 19:42 (2026-03-09-1842)",), "I read")
    assert isinstance(choices, Choices)
    assert [choice.address.command for choice in choices.choices if choice.address] == ["/slice 2026-03-09-1842"]


def test_an_answer_without_sources_and_a_log_without_accounts_say_so() -> None:
    bare = why_page(log(Account("offline", 0.1)), WORDS["zh"], "UTC")
    unknown = why_page("", WORDS["en"], "UTC")

    assert bare.blocks[-1] == Text(WORDS["zh"]("why.nothing"))
    assert unknown.blocks == (Text(WORDS["en"]("why.unknown")),)


async def test_a_turn_of_the_house_keeps_its_account_and_the_block_once() -> None:
    model = ScriptedModel([calls(("readSlice", {"sliceId": TWO}), ("readSlice", {"sliceId": ONE})), says("Well.")])

    async with living(model) as home:
        await home.say("What was that?")
        kept = home.file("agent.md")

    found = account_in(kept)
    assert found is not None
    assert (found[1].model, found[1].sources) == ("scripted", Sources((), (ONE,)))
    assert kept.count("## Cognition ") == kept.count("### Answer") == 1


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_search_that_found_nothing_is_told_as_one(locale: str) -> None:
    found = sources([step("recall", {"query": "x"}, json.dumps({"hits": []}))])
    page = why_page(log(Account(model="m", sources=found)), WORDS[locale], "UTC")

    assert found == Sources(searched=True)
    assert Text(WORDS[locale]("why.searched")) in page.blocks
    assert Text(WORDS[locale]("why.nothing")) not in page.blocks
