from __future__ import annotations

import asyncio

import pytest

from core.agent.loop import Answer, Limits, answer
from core.agent.run import Step
from core.agent.stop import Stop
from core.conversation import ThinkingAdded, ToolChanged
from core.errors import DiskLost, DiskTrouble, OverBudget, Refused, TryAgain, Unavailable
from core.llm.base import ChatModel, Message, ToolCall
from tests.core.agent.given import WORDS, LookTool, Watcher
from tests.doubles.model import EndlessModel, ScriptedModel, calls, says

ASKED = [Message("user", "What is under the stone?")]


async def ask(model: ChatModel, *tools: LookTool, watcher: Watcher | None = None, **more: object) -> Answer:
    watcher = watcher or Watcher()
    return await answer(model, ASKED, tools, on_event=watcher.show, words=WORDS["en"], **more)  # type: ignore[arg-type]


async def test_an_answer_without_tools_is_the_text_as_it_was_streamed() -> None:
    watcher = Watcher()

    found = await ask(ScriptedModel([says("A beetle.\nAnd moss.", "I know.")]), watcher=watcher)

    assert (found.text, found.finish, found.reasoning) == ("A beetle.\nAnd moss.", "stop", "I know.")
    assert watcher.text == found.text
    assert watcher.events[0] == ThinkingAdded("I know.")


async def test_a_tool_runs_and_the_model_hears_its_result() -> None:
    look, watcher = LookTool(), Watcher()
    model = ScriptedModel([calls(("look", {"stone": "the grey one"})), says("A beetle.")])

    found = await ask(model, look, watcher=watcher)

    assert look.seen == [{"stone": "the grey one"}]
    assert model.asked[1][0][-1] == Message("tool", "a beetle", call_id="c0", name="look")
    assert watcher.tools == [("running", "Looking under the grey one"), ("completed", "Looked under the grey one")]
    assert isinstance(watcher.events[1], ToolChanged)
    assert watcher.events[1].detail == "found a beetle"
    assert found.steps == (Step(0, ToolCall("c0", "look", '{"stone": "the grey one"}'), "a beetle"),)


async def test_texts_between_tool_calls_are_parted_by_a_blank_line_as_streamed() -> None:
    watcher = Watcher()
    model = ScriptedModel([calls(("look", {}), text="Let me look."), says("\n\nA beetle.")])

    found = await ask(model, LookTool(), watcher=watcher)

    assert found.text == "Let me look.\n\nA beetle."
    assert watcher.text == found.text


async def test_tools_of_one_step_run_together_and_are_told_in_the_order_of_the_calls() -> None:
    quick = LookTool("quick", result="ants")
    slow = LookTool("slow", after=quick.begun)
    model = ScriptedModel([calls(("slow", {}), ("quick", {})), says("Done.")])

    found = await asyncio.wait_for(ask(model, slow, quick), 5)

    assert [step.result for step in found.steps] == ["ants", "a beetle"]
    assert [message.text for message in model.asked[1][0][-2:]] == ["a beetle", "ants"]


@pytest.mark.parametrize(
    ("trouble", "state"),
    [
        (TryAgain("no such stone"), "error"),
        (Refused("that stone is private"), "denied"),
        (DiskTrouble("stones", 5, "I/O error"), "error"),
        (Unavailable("the worker is down"), "error"),
    ],
)
async def test_trouble_of_a_tool_is_told_to_the_model_and_shown(trouble: Exception, state: str) -> None:
    watcher = Watcher()
    model = ScriptedModel([calls(("look", {})), says("I could not look.")])

    found = await ask(model, LookTool(trouble=trouble), watcher=watcher)

    assert str(trouble) in model.asked[1][0][-1].text
    assert watcher.tools[-1][0] == state
    assert found.steps[0].outcome == state
    assert found.text == "I could not look."


@pytest.mark.parametrize("trouble", [DiskLost("fsync failed"), ZeroDivisionError("a fault of ours")])
async def test_what_no_tool_raises_on_purpose_goes_through(trouble: Exception) -> None:
    model = ScriptedModel([calls(("look", {}))])

    with pytest.raises(type(trouble)):
        await ask(model, LookTool(trouble=trouble))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("dig", "{}"), "no such tool; there are: look"),
        (("look", '{"stone": '), "not valid JSON"),
        (("look", '["stone"]'), "must be a JSON object"),
        (("look", '"stone"'), "must be a JSON object"),
        (("look", '{"stone": "' + "x" * 1_000_000 + '"}'), "too long"),
        (("look", "[" * 60_000), "not valid JSON"),
    ],
    ids=["unknown tool", "truncated", "list", "string", "a megabyte", "deep nesting"],
)
async def test_a_call_that_cannot_run_is_told_and_never_carried_on(call: tuple[str, str], told: str) -> None:
    look = LookTool()
    model = ScriptedModel([calls(call), says("Sorry.")])

    await ask(model, look)

    carried = model.asked[1][0]
    assert look.seen == []
    assert told in carried[-1].text
    assert carried[-2].calls[0].arguments == "{}"
    assert sum(len(message.text) for message in carried) < 1_000


async def test_a_raw_tool_name_is_never_shown() -> None:
    watcher = Watcher()

    await ask(ScriptedModel([calls(("digDeeper", "{}")), says("No.")]), watcher=watcher)

    assert watcher.tools == [("error", WORDS["en"]("tool.misunderstood"))]


async def test_of_two_hundred_parallel_calls_sixteen_run_and_the_model_is_told() -> None:
    look = LookTool()
    model = ScriptedModel([calls(*[("look", {})] * 200), says("Enough.")])

    await ask(model, look)

    carried = model.asked[1][0]
    assert len(look.seen) == 16
    assert len(carried[1].calls) == 16
    assert "184 further calls" in carried[-1].text


async def test_ids_that_are_missing_odd_or_taken_are_replaced() -> None:
    odd = tuple(ToolCall(name, "look", "{}") for name in ("", "same", "same", "a b\n", "x" * 500))
    model = ScriptedModel([Message("assistant", "", calls=odd, finish="tools"), says("Done.")])

    await ask(model, LookTool())

    carried = model.asked[1][0]
    ids = [call.id for call in carried[1].calls]
    assert ids == ["call-0-0", "same", "call-0-2", "call-0-3", "call-0-4"]
    assert [message.call_id for message in carried[2:]] == ids


async def test_a_name_that_no_provider_takes_is_not_carried_on() -> None:
    model = ScriptedModel([calls(("rm -rf /", {})), says("No.")])

    await ask(model, LookTool())

    assert model.asked[1][0][1].calls[0].name == "unknown"


async def test_the_twentieth_step_is_the_last_and_the_model_is_told_before() -> None:
    look = LookTool()
    model = ScriptedModel([calls(("look", {})) for _ in range(30)])

    found = await ask(model, look)

    assert len(model.asked) == 20
    assert len(look.seen) == 19
    assert found.finish == "error"
    assert "limit of steps" in model.asked[-1][0][-1].text
    assert "limit of steps" not in model.asked[-2][0][-1].text


async def test_a_model_that_says_nothing_ends_in_error() -> None:
    assert (await ask(ScriptedModel([says("  \n")]))).finish == "error"


async def test_an_answer_cut_for_length_says_so() -> None:
    assert (await ask(ScriptedModel([Message("assistant", "So", finish="length")]))).finish == "length"


@pytest.mark.parametrize("trouble", [Unavailable("down"), OverBudget("spent")])
async def test_trouble_of_the_model_is_for_the_caller(trouble: Exception) -> None:
    with pytest.raises(type(trouble)):
        await ask(ScriptedModel([trouble]))


async def test_a_long_result_is_cut_and_says_how_much_is_missing() -> None:
    model = ScriptedModel([calls(("look", {})), says("Long.")])

    await ask(model, LookTool(result="x" * 500), limits=Limits(result_characters=100))

    assert model.asked[1][0][-1].text == "x" * 100 + "\n[cut: 400 more characters]"


async def test_stopping_while_the_model_speaks_keeps_the_part() -> None:
    model, stop, watcher = EndlessModel("A bee"), Stop(), Watcher()

    async with asyncio.TaskGroup() as group:
        running = group.create_task(ask(model, watcher=watcher, stop=stop))
        await model.silent.wait()
        stop.set()
    found = running.result()

    assert (found.text, found.finish) == ("A bee", "interrupted")
    assert watcher.text == "A bee"


async def test_stopping_while_a_tool_runs_shows_it_interrupted() -> None:
    look, stop, watcher = LookTool(hangs=True), Stop(), Watcher()
    model = ScriptedModel([calls(("look", {"stone": "it"}), text="Let me look.")])

    async with asyncio.TaskGroup() as group:
        running = group.create_task(ask(model, look, watcher=watcher, stop=stop))
        await look.begun.wait()
        stop.set()
    found = running.result()

    assert (found.text, found.finish, found.steps) == ("Let me look.", "interrupted", ())
    assert watcher.tools == [("running", "Looking under it"), ("interrupted", "Looking under it")]


async def test_a_stop_that_was_asked_before_asks_no_model() -> None:
    model, stop = ScriptedModel([says("Too late.")]), Stop()
    stop.set()

    found = await ask(model, stop=stop)

    assert (found.finish, found.text, model.asked) == ("interrupted", "", [])


async def test_cancellation_is_passed_on() -> None:
    model = EndlessModel("A bee")

    async with asyncio.TaskGroup() as group:
        running = group.create_task(ask(model))
        await model.silent.wait()
        running.cancel()

    assert running.cancelled()


async def test_finished_steps_are_kept_before_the_model_hears_of_them() -> None:
    order: list[str] = []

    async def keep(step: Step) -> None:
        order.append(f"kept {step.n} {step.call.name}")

    def hears(messages: object) -> Message:
        order.append("model")
        return says("Done.")

    await ask(ScriptedModel([calls(("look", {}), ("look", {})), hears]), LookTool(), keep_step=keep)

    assert order == ["kept 0 look", "kept 0 look", "model"]


async def test_steps_of_an_earlier_process_are_not_run_again() -> None:
    look = LookTool()
    kept = [
        Step(1, ToolCall("b", "look", "{}"), "ERROR: gone", "error"),
        Step(0, ToolCall("a", "look", "{}"), "a beetle"),
    ]
    model = ScriptedModel([says("As I saw: a beetle.")])

    found = await ask(model, look, steps=kept)

    sent = model.asked[0][0]
    assert look.seen == []
    assert [(m.role, m.text or m.calls[0].id) for m in sent[1:]] == [
        ("assistant", "a"), ("tool", "a beetle"), ("assistant", "b"), ("tool", "ERROR: gone"),
    ]  # fmt: skip
    assert len(found.steps) == 2


async def test_what_was_added_to_the_conversation_is_in_the_answer() -> None:
    found = await ask(ScriptedModel([calls(("look", {})), says("A beetle.")]), LookTool())

    assert [message.role for message in found.messages] == ["assistant", "tool", "assistant"]


async def test_a_tool_that_hangs_is_an_error_for_the_model_and_the_answer_goes_on() -> None:
    watcher, other = Watcher(), LookTool("other")
    model = ScriptedModel([calls(("look", {"stone": "the grey one"}), ("other", {})), says("I go on without it.")])

    found = await answer(
        model, ASKED, [LookTool(hangs=True), other], on_event=watcher.show, words=WORDS["en"],
        limits=Limits(tool_seconds=0.02),
    )  # fmt: skip

    assert (found.text, found.finish) == ("I go on without it.", "stop")
    assert {step.call.name: step.outcome for step in found.steps} == {"look": "error", "other": "completed"}
    assert "broken off" in next(step.result for step in found.steps if step.call.name == "look")
    assert ("error", "Looked under the grey one") in watcher.tools
