"""SIGTERM at every phase of a turn, to real processes: gone in time, what was said is kept, the next start goes on."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.bot.test_app import ROOT, command, environment, say, stored
from tests.doubles.model_server import KEY, ModelServer, Say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from aiohttp import web

    from tests.doubles.model_server import Fail, Shape

LIMIT = 60.0
SOON = 5.0


class Provider(ModelServer):
    """A provider whose answers follow its script, while work inside gets a useless answer at once."""

    async def _play(self, shape: Shape, request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        if "tool_choice" in body:
            return await self._say(shape, request, body["model"], Say("no"))
        return await super()._play(shape, request)


@contextmanager
def provider(*script: Say | Fail) -> Iterator[Provider]:
    """A provider in a thread of its own."""
    server = Provider(script=list(script), models={"openai": ["double-1"]})
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@contextmanager
def process(home: Path, server: Provider | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process that is talked to over a pipe."""
    more = {"PREVIOUSLY_API_BASE": server.base("openai"), "PREVIOUSLY_API_KEY": KEY} if server else {}
    with subprocess.Popen(
        command("--home", str(home)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding="utf-8", cwd=ROOT, env=environment(**more),
    ) as running:  # fmt: skip
        try:
            yield running
        finally:
            running.kill()


def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    began = time.monotonic()  # noqa: TID251 - real processes are waited for
    while not true():
        assert time.monotonic() - began < LIMIT, "it never came to be"  # noqa: TID251
        time.sleep(0.02)  # noqa: TID251


def end(running: subprocess.Popen[str]) -> float:
    """Tell it to end; how many seconds that took."""
    began = time.monotonic()  # noqa: TID251 - a real process is measured
    running.send_signal(signal.SIGTERM)
    _, errors = running.communicate(timeout=20)
    took = time.monotonic() - began  # noqa: TID251 - likewise
    assert "Traceback" not in errors
    assert running.returncode == 0
    return took


def talk(home: Path, server: Provider | None, line: str, reply: str) -> str:
    """The next start: it says a line and waits for the reply; all that stood on its screen."""
    with process(home, server) as running:
        say(running, line)
        until(lambda: any(reply in text for text in stored(home)))
        output, errors = running.communicate(timeout=LIMIT)
    assert errors == ""
    return output


def report(phase: str, took: float, record: Callable[[str, object], None]) -> None:
    record(phase, round(took, 2))
    print(f"{phase}: gone {took:.2f} s after SIGTERM")  # noqa: T201 - the figure for the note
    assert took < SOON


def test_told_to_end_while_a_page_is_shown(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with process(tmp_path) as running:
        say(running, "/timeline")
        until((tmp_path / "state/journal.jsonl").exists)
        report("page", end(running), record_property)

    talk(tmp_path, None, "two", "two")
    assert stored(tmp_path)[0] == "two"


def test_told_to_end_when_the_answer_is_kept_answers_once(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with process(tmp_path) as running:
        say(running, "My bakery is called Sete.")
        until(lambda: len(stored(tmp_path)) > 1)
        report("answer kept", end(running), record_property)

    talk(tmp_path, None, "It opens at six.", "It opens at six.")

    texts = stored(tmp_path)
    assert texts.count("My bakery is called Sete.") == texts.count("It opens at six.") == 1


@pytest.mark.long
def test_told_to_end_while_the_model_has_said_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with provider(Say(act="hang"), Say("The answer at last.")) as server:
        with process(tmp_path, server) as running:
            say(running, "What is my bakery called?")
            until(lambda: bool(server.asked))
            report("words kept, model silent", end(running), record_property)
        assert stored(tmp_path) == ["What is my bakery called?"]

        talk(tmp_path, server, "And the kiln?", "And the kiln?")

    texts = stored(tmp_path)
    assert texts[:2] == ["What is my bakery called?", "The answer at last."]
    assert texts.count("And the kiln?") == 1


@pytest.mark.long
def test_told_to_end_while_the_model_streams_keeps_the_part(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with provider(Say(("Your bakery ", "is called"), act="stall"), Say("Sete.")) as server:
        with process(tmp_path, server) as running:
            say(running, "What is my bakery called?")
            until(lambda: bool(server.asked))
            time.sleep(4.0)  # noqa: TID251 - the parts are on their way through the library
            report("model streams", end(running), record_property)
        assert stored(tmp_path) == ["What is my bakery called?", "[partial] Your bakery is called"]

        talk(tmp_path, server, "And then?", "Sete.")

    assert stored(tmp_path)[1:] == ["[partial] Your bakery is called", "And then?", "Sete."]


@pytest.mark.long
def test_told_to_end_between_tools_goes_on_with_their_results(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    look = Say(calls=[("currentTime", "{}")], finish="tool_calls")
    with provider(look, Say(act="hang"), Say("Nothing yet.")) as server:
        with process(tmp_path, server) as running:
            say(running, "What do you have?")
            until(lambda: len(server.asked) > 1)
            report("tools", end(running), record_property)

        talk(tmp_path, server, "And now?", "And now?")

    assert stored(tmp_path)[:2] == ["What do you have?", "Nothing yet."]
    told = [message["role"] for message in server.asked[2][1]["messages"]]
    assert told.count("tool") == 1, "the call that had run is not asked for again"


@pytest.mark.long
def test_told_to_end_while_a_library_is_imported(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with provider(Say("Hello.")) as server, process(tmp_path, server) as running:
        say(running, "hello")
        until(lambda: stored(tmp_path) == ["hello"])
        report("models imported", end(running), record_property)


@pytest.mark.long
def test_told_to_end_at_any_moment_of_the_start(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    worst = 0.0
    for pause in (0.05, 0.3, 0.6, 0.9, 1.2, 1.5):
        with process(tmp_path) as running:
            time.sleep(pause)  # noqa: TID251 - a moment of a real start
            began = time.monotonic()  # noqa: TID251
            running.send_signal(signal.SIGTERM)
            _, errors = running.communicate(timeout=20)
            worst = max(worst, time.monotonic() - began)  # noqa: TID251
            assert running.returncode in {0, -signal.SIGTERM}
            assert not re.search("Traceback", errors)
    report("start", worst, record_property)
    talk(tmp_path, None, "hello", "hello")
