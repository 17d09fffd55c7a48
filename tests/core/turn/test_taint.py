"""What a turn may do with other people's text, also after a restart, and what of it is evidence (reliability 4.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.agent.run import Step
from core.llm.base import Message, ToolCall
from core.llm.providers import Access
from core.slices.foreign import quote, written
from core.slices.model import Turn
from core.slices.taint import answering_foreign, tainted_in, without
from core.turn.browsing import Outside, web_tools
from core.turn.taint import FETCHES, Taint, taint_of
from core.web.outside import Web
from core.web.search import Searches
from tests.core.agent.given import WORDS
from tests.core.carded import DAY, WORTH, carded, watched
from tests.doubles.model import ScriptedModel, calls, says
from tests.doubles.scripted_model import QUIET, ScriptedWorker, edits
from tests.doubles.web import Pages

if TYPE_CHECKING:
    from collections.abc import Sequence

import pytest

from core.errors import Refused

USER = Message("user", "Look at http://a.test/ please")
LOG = (
    "## Cognition aaaaaa — 2026-03-09T18:42:00.000Z\n\n### Thinking\nplain\n\n### Tools\n"
    '- `recall`(query: "x") → ok\n\n'
    "## Cognition bbbbbb — 2026-03-09T18:43:00.000Z\n\n### Thinking\nfrom a page\n\n"
    '### Tools\n- `webFetch`(url: "u") → ok\n'
)


def begun(newest: str = "hello", steps: Sequence[Step] = (), log: str = "", *more: Message) -> Taint:
    return taint_of(written(newest), newest, [Message("system", "s"), *more, Message("user", newest)], log, steps)


def step(name: str, result: object, outcome: str = "completed") -> Step:
    text = result if isinstance(result, str) else json.dumps(result)
    return Step(0, ToolCall("c", name, "{}"), text, outcome)  # type: ignore[arg-type]


def test_a_plain_turn_is_not_tainted_and_knows_what_the_person_wrote() -> None:
    taint = begun("see http://b.test/x.", (), "", USER)

    assert not taint.tainted
    assert taint.known.knows("http://a.test/")
    assert taint.known.knows("http://b.test/x")


@pytest.mark.parametrize("kind", ["forwarded", "quoted"])
def test_passed_on_text_taints_and_names_no_address(kind: str) -> None:
    taint = begun(f"{quote(kind, 'Stranger', 'http://evil.test/')}\n\nwhat is it?")  # type: ignore[arg-type]

    assert taint.tainted
    assert taint.own == "what is it?"
    assert not taint.known.knows("http://evil.test/")


def test_a_file_taints_and_its_name_is_nobodys_word() -> None:
    taint = begun("[text/plain: http:__evil.test save to list.md]\n\nsee")

    assert (taint.tainted, taint.own) == (True, "see")


def test_a_slice_that_used_the_web_stays_tainted() -> None:
    assert begun("hello", (), LOG).tainted
    assert not begun("hello", (), without(LOG, frozenset({"bbbbbb"}))).tainted


def test_finished_steps_of_an_earlier_try_count_on() -> None:
    page = {"url": "http://a.test/", "links": ["http://a.test/next", "http://evil.test/"]}
    found = {"sources": [{"url": "http://c.test/"}]}
    steps = [step("webSearch", found), step("webFetch", page)]
    steps += [step("webFetch", "no", "denied"), step("webFetch", "", "error")]

    taint = begun("hello", steps)

    assert taint.tainted
    assert taint.fetched == 2
    assert taint.known.knows("http://c.test/")
    assert taint.known.knows("http://a.test/next")
    assert not taint.known.knows("http://evil.test/")


def test_an_old_talk_in_which_something_was_passed_on_taints() -> None:
    taint = begun()
    taint.note(step("readSlice", f"## Turn a — x (user)\n\n{quote('forwarded', 'S', 'obey')}\n"))

    assert taint.tainted


async def test_no_more_than_four_pages_are_fetched_in_a_turn() -> None:
    pages = Pages()
    await pages.start()
    taint = begun(" ".join(f"http://a.test/{n}" for n in range(9)))
    pages.pages = {f"a.test/{n}": "<p>page</p>" for n in range(9)}
    web = Web(pages.client(), Searches(pages.client(), Access()))
    (fetching,) = web_tools(Outside(web, taint, None, "2026-03-09", lambda _: None))

    try:
        for n in range(FETCHES):
            assert "page" in await fetching.run({"url": f"http://a.test/{n}"})
        with pytest.raises(Refused, match="were fetched"):
            await fetching.run({"url": "http://a.test/8"})
    finally:
        await pages.stop()
    assert len(pages.asked) == FETCHES
    for words in WORDS.values():
        assert "a.test" in fetching.running({"url": "http://a.test/8?q=1"}, words)
        assert "q=1" not in fetching.done({"url": "http://a.test/8?q=1"}, words)


def test_which_turns_rest_on_other_peoples_text() -> None:
    turns = [Turn("cccccc", "x", "user", quote("forwarded", "S", "y")), Turn("dddddd", "x", "user", "plain")]

    assert tainted_in(LOG) == {"bbbbbb"}
    assert answering_foreign(turns) == {"cccccc"}
    assert "from a page" not in without(LOG, frozenset({"bbbbbb"}))
    assert "plain" in without(LOG, frozenset({"bbbbbb"}))


async def test_an_answer_from_a_file_is_no_evidence_for_the_card() -> None:
    worker = ScriptedWorker([QUIET, QUIET, WORTH], passes=[edits()])
    model = ScriptedModel(
        [
            calls(("readFile", {"path": "memory/notes/n.md"})),
            says("The file says: always obey."),
            says("Plain answer."),
            says("Hi."),
        ]
    )
    async with watched(worker, carded(), model=model) as (home, _):
        await home.say("read my notes")
        await home.say("and now?")
        await home.say("hello", pause=DAY)

    (request,) = worker.requests("card")
    assert "and now?" in request
    assert "Plain answer." in request
    assert "always obey" not in request
