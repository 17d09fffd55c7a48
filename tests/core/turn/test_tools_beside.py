"""Reading the card, the cognition log and the clock; the recall tool as its two sides see it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.agent.loop import answer
from core.conversation import ToolChanged
from core.llm.base import Message
from core.recall.atlas import Atlas
from core.recall.finder import Finder
from core.recall.limits import Limits
from core.recall.scan import Recall
from core.slices.codec import encode
from core.slices.model import CARD_PATH, Slice, Turn, agent_path, core_path, snapshot_path
from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from core.turn.tools import NOTHING, memory_tools
from tests.core.llm.demo import WORDS
from tests.core.recall.scouts import Failing, looks, report, worker
from tests.doubles.clock import ManualClock
from tests.doubles.model import ScriptedModel, calls, says

if TYPE_CHECKING:
    from core.agent.tool import Tool
    from core.conversation import TurnEvent
    from core.llm.base import ChatModel

OLD = Slice(
    "2026-03-09-1842", "closed", "2026-03-09T18:42:07.000Z", "2026-03-09T19:10:30.000Z", "Europe/Paris",
    focus="Yeast", closed_by="time_silence",
    turns=(Turn("aaaaaA", "2026-03-09T18:42:07.000Z", "user", "The yeast comes from Remi."),),
)  # fmt: skip
CURRENT = Slice(
    "2026-07-15-1100", start="2026-07-15T11:00:00.000Z",
    turns=(Turn("dddddA", "2026-07-15T11:00:00.000Z", "user", "Who brings yeast?"),),
)  # fmt: skip
CARD = """\
# Previously On

_Active slice: 2026-03-09-1842 | Updated: 2026-03-09T19:10:30.000Z_

## Identity

- Name: Ada

## Now

- Bakes bread | since: 2026-07-08 | refs: 2026/03/09/1842
"""
V1 = "# User memory\n\n## User identity\n- **Is called Ada**\n\n## Current context\n- **Bakes bread**\n"
LOG = '## Cognition aaaaaA — 2026-03-09T18:43:00.000Z\n\n### Tools\n- `recall`(query: "yeast") → ok\n'


def tools(model: ChatModel | None = None, files: dict[str, str] | None = None, locale: str = "en") -> dict[str, Tool]:
    """The tools on 15 July 2026 at 14:30 in Paris."""
    stored = {core_path(one.id): encode(one).encode() for one in (OLD, CURRENT)}
    stored |= {path: text.encode() for path, text in (files or {}).items()}
    storage, clock = MemoryStorage(stored), ManualClock("2026-07-15T12:30:00+00:00")
    slices = Slices(storage)
    recall = Recall(slices, clock)
    finder = Finder(recall, Atlas(slices, storage), model, clock, Limits(seconds=5))
    made = memory_tools(
        slices, recall, clock, "Europe/Paris", WORDS[locale], CURRENT.id, finder=finder, storage=storage
    )
    return {tool.spec.name: tool for tool in made}


async def run(name: str, files: dict[str, str] | None = None, **arguments: object) -> str:
    return await tools(files=files)[name].run(arguments)


async def test_without_an_id_the_live_card_is_read_with_distances() -> None:
    text = await run("readPreviously", {CARD_PATH: CARD})

    assert text.startswith("# Previously On")
    assert "since: 2026-07-08 (7 days ago)" in text


@pytest.mark.parametrize("text", [None, "", "  \n"])
async def test_a_card_that_is_not_there_is_a_polite_text(text: str | None) -> None:
    found = await run("readPreviously", {CARD_PATH: text} if text is not None else None)

    assert found.startswith("(there is no card yet")


async def test_the_card_of_a_slice_stands_under_its_local_banner() -> None:
    text = await run("readPreviously", {snapshot_path(OLD.id): CARD}, sliceId="2026/03/09/1842")

    assert text.splitlines()[0].startswith("> [time] 09 Mar 2026, 19:42 local (Europe/Paris, UTC+01:00)")
    assert "Name: Ada" in text


async def test_a_slice_without_a_card_says_so_and_a_bad_id_is_an_error() -> None:
    assert (await run("readPreviously", sliceId=OLD.id)).startswith("(no card was kept with slice 2026-03-09-1842")
    assert (await run("readPreviously", sliceId="../user")).startswith("ERROR: ")


async def test_an_old_format_is_shown_as_a_card_and_a_strange_file_as_it_stands() -> None:
    old = await run("readPreviously", {CARD_PATH: V1})
    strange = await run("readPreviously", {CARD_PATH: "just words"})

    assert "# Previously On" in old
    assert "Bakes bread" in old
    assert old.startswith("*(kept in an older format")
    assert strange.endswith("just words")


async def test_the_cognition_log_has_local_times_under_the_banner() -> None:
    text = await run("readAgentTimeline", {agent_path(OLD.id): LOG}, sliceId=OLD.id)

    assert text.splitlines()[0].startswith("> [time] 09 Mar 2026, 19:42 local")
    assert "## Cognition aaaaaA — 2026-03-09T18:43:00.000Z (local 19:43 · 18 weeks ago)" in text
    assert '`recall`(query: "yeast") → ok' in text


@pytest.mark.parametrize("slice_id", ["", "yesterday", "2020-01-01-0000", OLD.id])
async def test_no_cognition_log_is_an_error_text(slice_id: str) -> None:
    assert (await run("readAgentTimeline", sliceId=slice_id)).startswith("ERROR: ")


async def test_the_clock_tells_local_and_utc_how_long_the_slice_runs_and_the_anchors() -> None:
    lines = (await run("currentTime")).splitlines()

    assert lines[:3] == [
        "local: 15 Jul 2026, 14:30 (Europe/Paris, UTC+02:00)",
        "utc: 2026-07-15T12:30:00.000Z",
        "this slice has run for: 90 min",
    ]
    assert any("2026-07-13" in line for line in lines[3:])


async def test_without_a_slice_the_clock_tells_only_the_time() -> None:
    storage, clock = MemoryStorage({}), ManualClock("2026-07-15T12:30:00+00:00")
    slices = Slices(storage)
    made = memory_tools(slices, Recall(slices, clock), clock, "Nowhere/Land", WORDS["en"], "not an id")

    text = await next(tool for tool in made if tool.spec.name == "currentTime").run({})

    assert "2026-07-15T12:30:00.000Z" in text
    assert "has run" not in text


@pytest.mark.parametrize(
    ("locale", "name", "arguments", "running", "done"),
    [
        ("en", "readPreviously", {}, "Reading the card …", "Read the card"),
        ("en", "readPreviously", {"sliceId": OLD.id}, "Reading the card of 09 Mar 2026, 19:42 …",
         "Read the card of 09 Mar 2026, 19:42"),
        ("zh", "readPreviously", {}, "正在翻阅前情提要……", "翻阅了前情提要"),
        ("en", "readAgentTimeline", {"sliceId": OLD.id}, "Viewing my thoughts of 09 Mar 2026, 19:42 …",
         "Viewed my thoughts of 09 Mar 2026, 19:42"),
        ("en", "currentTime", {}, "Looking at the clock …", "Looked at the clock"),
        ("zh", "currentTime", {}, "正在看时间……", "看了时间"),
    ],
)  # fmt: skip
def test_labels_name_the_object(locale: str, name: str, arguments: dict[str, object], running: str, done: str) -> None:
    tool = tools(locale=locale)[name]

    assert tool.running(arguments, WORDS[locale]) == running
    assert tool.done(arguments, WORDS[locale]) == done


async def test_the_steps_of_a_recall_are_states_of_its_one_call() -> None:
    scout = worker(looks(("searchTimeline", {"query": "yeast"})), looks(report(OLD.id)))
    main = ScriptedModel([calls(("recall", {"query": "Who brings yeast?"})), says("Remi.")])
    events: list[TurnEvent] = []

    async def see(event: TurnEvent) -> None:
        events.append(event)

    await answer(main, [Message("user", "?")], list(tools(scout).values()), on_event=see, words=WORDS["en"])

    changes = [(one.call, one.state, one.label) for one in events if isinstance(one, ToolChanged)]
    assert changes == [
        ("c0", "running", "Recalling “Who brings yeast?” …"),
        ("c0", "running", "Searching for “yeast” …"),
        ("c0", "running", "Weighing what was found …"),
        ("c0", "completed", "Recalled “Who brings yeast?”"),
    ]


async def test_the_model_hears_hits_with_local_times_and_the_person_sees_how_they_were_found() -> None:
    reads = [{"slice_id": OLD.id, "priority": "high", "reason": "r", "note": "the name"}]
    scout = worker(looks(("searchTimeline", {"query": "yeast"})), looks(report(OLD.id, recommended_reads=reads)))
    tool = tools(scout)["recall"]

    text = await tool.run({"query": "yeast"})

    raw = json.loads(text)
    when = "09 Mar 2026, 19:42 · 18 weeks ago"
    assert raw["hits"] == [
        {"slice_id": OLD.id, "relevance": 0.9, "reason": "it says so", "date": "2026-03-09", "when": when}
    ]
    assert raw["recommended_reads"][0] | {"when": when} == raw["recommended_reads"][0]
    assert (raw["found_by"], "note" in raw) == ("worker", False)
    assert tool.detail(text, WORDS["en"]) == (
        f"- **{OLD.id}** · {when} · 90 % · it says so\n\n*By their lines.* (80 % sure)"
    )


async def test_the_same_query_again_asks_nobody() -> None:
    scout = worker(looks(("searchTimeline", {"query": "yeast"})), looks(report(OLD.id)))
    tool = tools(scout)["recall"]

    first = await tool.run({"query": "Yeast  supplier"})

    assert await tool.run({"query": "yeast supplier"}) is first
    assert len(scout.asked) == 2


async def test_a_definitive_nothing_and_a_worker_that_is_down_are_told() -> None:
    nothing = json.loads(await tools(worker(looks(("searchTimeline", {"query": "x"})), looks(report())))["recall"].run(
        {"query": "Heidi"}))  # fmt: skip
    down = json.loads(await tools(Failing())["recall"].run({"query": "yeast"}))

    assert nothing["note"] == NOTHING
    assert down["note"].startswith("The worker could not be had (failed)")
    assert [hit["slice_id"] for hit in down["hits"]] == [OLD.id]
