from __future__ import annotations

import asyncio
import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.logs import MASK, about, handler

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "123456789:AAE-abcdefghijklmnopqrstuvwxyz_12345"
KEY = "sk-0123456789abcdef"


def logger(stream: io.StringIO, *secrets: str) -> logging.Logger:
    log = logging.Logger("test", logging.INFO)  # noqa: LOG001  its own, outside the process's tree
    log.addHandler(handler(stream, secrets))
    return log


def refuse() -> None:
    raise ValueError(f"401 for https://host/bot{TOKEN}/getMe")


def process(code: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    whole = {"PATH": os.defpath, "PYTHONPATH": str(ROOT), **environ}
    return subprocess.run([sys.executable, "-c", code], env=whole, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("secrets", "message", "line"),
    [
        ((KEY,), f"calling with {KEY} now", f"calling with {MASK} now"),
        ((), f"POST /bot{TOKEN}/getMe", f"POST /bot{MASK}/getMe"),
        ((TOKEN,), f"POST /bot{TOKEN}/getMe", f"POST /bot{MASK}/getMe"),
        ((), f"POST /bot{quote(TOKEN)}/getMe", f"POST /bot{MASK}/getMe"),
        (("a/secret+of=mine",), f"?key={quote('a/secret+of=mine', safe='')}", f"?key={MASK}"),
        (("abcdefgh", "abcdefghijkl"), "abcdefghijkl abcdefgh", f"{MASK} {MASK}"),
        (("none",), "none was found", "none was found"),
        ((), "bot7:short is no token", "bot7:short is no token"),
    ],
)
def test_no_secret_stands_in_a_line(secrets: tuple[str, ...], message: str, line: str) -> None:
    stream = io.StringIO()

    logger(stream, *secrets).info("%s", message)

    assert stream.getvalue().endswith(f" INFO test: {line}\n")


@pytest.mark.parametrize(
    "token",
    [
        TOKEN,
        quote(TOKEN, safe=""),
        "MTE4NzY1NDMyMTA5ODc2NTQzMg.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB",
        "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
        "github_pat_11ABCDEFG0abcdefghijkl_0123456789abcdefghij",
        "sk-ant-api03-0123456789abcdefghij",
        "AIzaSyA0123456789abcdefghijklmnopqrstuvw",
        "gsk_0123456789abcdefghijklmnop",
    ],
)
def test_what_looks_like_a_token_is_masked_even_if_it_is_none_of_ours(token: str) -> None:
    stream = io.StringIO()

    logger(stream).info("401 for %s at host", token)

    assert stream.getvalue().endswith(f" INFO test: 401 for {MASK} at host\n")


@pytest.mark.parametrize(
    "plain", ["slice 2026-03-09-1842", "turn abcdef", "tg:123456789:4711", "12345678:short", "sk-short", "took 1.25 s"]
)
def test_ids_are_not_taken_for_tokens(plain: str) -> None:
    stream = io.StringIO()

    logger(stream).info("%s", plain)

    assert stream.getvalue().endswith(f" INFO test: {plain}\n")


def test_a_hostile_exception_neither_shows_a_token_nor_passes_for_a_record() -> None:
    stream = io.StringIO()
    forged = "2026-01-01T00:00:00.000Z INFO previously: all is well"

    def refuse_with(text: str) -> None:
        raise ValueError(text)

    try:
        refuse_with(f"bad\n{forged}\r\n{KEY} {TOKEN}\u2028{quote(TOKEN, safe='')}")
    except ValueError as error:
        logger(stream, KEY).exception("could not: %s", error)

    lines = stream.getvalue().splitlines()
    assert KEY not in stream.getvalue()
    assert TOKEN[10:] not in stream.getvalue()
    assert [line for line in lines if line.startswith("20")] == lines[:1]
    assert lines[0].endswith(rf"ERROR test: could not: bad\n{forged}\r\n{MASK} {MASK}\u{MASK}")


def test_a_line_names_the_turn_that_it_is_about() -> None:
    stream = io.StringIO()
    log = logger(stream)

    with about("aBc-_9"):
        log.info("answered")
    log.info("idle")

    assert [line.partition("Z ")[2] for line in stream.getvalue().splitlines()] == [
        "INFO test: turn=aBc-_9 answered",
        "INFO test: idle",
    ]


async def test_turns_that_run_at_once_do_not_mix() -> None:
    stream = io.StringIO()
    log = logger(stream)

    async def work(turn: str) -> None:
        with about(turn):
            await asyncio.sleep(0)  # noqa: TID251 - giving way
            log.info("from %s", turn)

    async with asyncio.TaskGroup() as group:
        group.create_task(work("one"))
        group.create_task(work("two"))

    assert stream.getvalue().count("turn=one from one") == stream.getvalue().count("turn=two from two") == 1


def test_a_traceback_is_masked_through_its_whole_chain() -> None:
    stream = io.StringIO()

    try:
        try:
            refuse()
        except ValueError as error:
            raise RuntimeError(f"gave up with {KEY}") from error
    except RuntimeError:
        logger(stream, KEY).exception("no answer")

    text = stream.getvalue()
    assert TOKEN not in text
    assert KEY not in text
    assert f"ValueError: 401 for https://host/bot{MASK}/getMe" in text
    assert f"RuntimeError: gave up with {MASK}" in text


def test_a_line_begins_with_its_instant_in_utc() -> None:
    stream = io.StringIO()
    record = logging.LogRecord("test", logging.INFO, __file__, 1, "hello", None, None)
    record.created, record.msecs = 1_772_000_000.25, 250.0

    handler(stream, ()).handle(record)

    assert stream.getvalue() == "2026-02-25T06:13:20.250Z INFO test: hello\n"


def test_a_record_that_cannot_be_formatted_shows_its_place_and_not_its_arguments() -> None:
    stream = io.StringIO()

    logger(stream).info("%d", KEY)

    assert stream.getvalue().startswith("A log line could not be written: test, line ")
    assert KEY not in stream.getvalue()


def test_a_gone_error_stream_ends_nothing() -> None:
    stream = io.StringIO()
    log = logger(stream)
    stream.close()

    log.info("to nobody")

    assert stream.closed


def test_the_error_that_ends_the_process_is_masked() -> None:
    code = f"from bot.logs import set_up; set_up(['{KEY}']); raise OSError('at ' + '{KEY}'[:3] + '{KEY[3:]}')"

    done = process(code)

    assert done.returncode == 1
    assert f"OSError: at {MASK}" in done.stderr.decode()
    assert KEY.encode() not in done.stderr
    assert done.stdout == b""


def test_the_error_that_ends_a_thread_is_masked() -> None:
    code = (
        f"import threading; from bot.logs import set_up; set_up(['{KEY}'])\n"
        f"def f(): raise OSError('{KEY}')\n"
        "t = threading.Thread(target=f); t.start(); t.join()"
    )

    done = process(code)

    assert f"OSError: {MASK}" in done.stderr.decode()
    assert KEY.encode() not in done.stderr


def test_an_interrupt_ends_the_process_without_a_traceback() -> None:
    done = process("from bot.logs import set_up; set_up([]); raise KeyboardInterrupt")

    assert b"Traceback" not in done.stderr


def test_the_http_clients_requests_are_not_logged_but_their_warnings_are() -> None:
    code = (
        "import logging; from bot.logs import set_up; set_up([])\n"
        "for name in ('httpx', 'httpcore.http11'):\n"
        "    logging.getLogger(name).info('request'); logging.getLogger(name).warning('trouble')\n"
        "import warnings; warnings.warn('old')"
    )

    lines = process(code).stderr.decode().splitlines()

    assert [line.split(" ", 1)[1] for line in lines if "trouble" in line] == [
        "WARNING httpx: trouble",
        "WARNING httpcore.http11: trouble",
    ]
    assert not [line for line in lines if "request" in line]
    assert [line for line in lines if "UserWarning: old" in line]


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C"}, {}]
)
def test_the_streams_are_utf8_whatever_the_locale_says(locale: dict[str, str]) -> None:
    code = (
        "import logging; from bot.logs import set_up, speak_utf8; speak_utf8(); set_up([])\n"
        f"print({'天气 👩‍🚀'!a}); print({chr(0xDCFF)!a}); logging.info({'天气'!a})"
    )

    done = process(code, **locale)

    assert done.returncode == 0
    assert done.stdout == "天气 👩‍🚀\n\\udcff\n".encode()
    assert done.stderr.decode().endswith("INFO root: 天气\n")
