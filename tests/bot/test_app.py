"""The real process: piped, killed, started again, told to end, refused its home; with the model that needs no key."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.clock import iso
from core.slices.codec import decode, encode
from core.slices.model import Slice, Turn, core_path

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", *arguments]


def environment(**more: str) -> dict[str, str]:
    plain = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Europe/Lisbon", "HOME": "/nonexistent"}
    return plain | more


def told(lines: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The process after it was fed these lines."""
    return subprocess.run(
        command(*arguments), input=lines, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, cwd=ROOT,
        env=environment(**more), check=False,
    )  # fmt: skip


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process that waits for lines; it is gone afterwards."""
    with subprocess.Popen(
        command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding="utf-8", cwd=ROOT, env=environment(),
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(line + "\n")
    process.stdin.flush()


def stored(home: Path) -> list[str]:
    """All turns in the home, oldest first."""
    files = sorted(home.rglob("core.md"))
    return [turn.text for file in files for turn in decode(file.read_bytes(), str(file)).turns]


def wait_for(home: Path, text: str) -> None:
    """Wait until a turn holds the text."""
    for _ in range(LIMIT * 20):
        if any(text in one for one in stored(home)):
            return
        time.sleep(0.05)  # noqa: TID251 - another process is waited for
    raise AssertionError(f"{text!r} was never stored")


def test_ten_messages_from_a_file_show_briefing_dated_answers_and_pages(tmp_path: Path) -> None:
    talk = ("hello", "What did I say about Portalegre?", "When is the concert?", "What about the zyzzyva trade?")
    pages = ("/timeline", "/timeline 2026-11", "/slice 2026-11-11-1902", "/card", "/help", "/find concert")
    script = tmp_path / "lines"
    script.write_text("\n".join((*talk, *pages)) + "\n", encoding="utf-8")

    done = told(script.read_text(encoding="utf-8"))

    assert (done.returncode, done.stderr) == (0, "")
    assert "PREVIOUSLY ON\nMara Sequeira" in done.stdout
    assert "nothing said here is kept" in done.stdout
    assert re.search(r"Nov(?:ember)? 2026|2026-11", answers_in(done.stdout))
    assert "Portalegre" in answers_in(done.stdout)
    assert "Board! Two Christmas courses" in done.stdout
    assert "I find nothing about that in your memory" in done.stdout
    assert "38 slices" in done.stdout
    assert "Identity" in done.stdout


def answers_in(output: str) -> str:
    """What was answered before the first page."""
    return output.partition("No model is configured")[2].partition("\nTimeline\n")[0]


def test_the_shortest_use_ends_well() -> None:
    done = told("hello\n/timeline\n")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Timeline\n" in done.stdout


def test_no_lines_at_all_end_well() -> None:
    done = told("")

    assert (done.returncode, done.stderr) == (0, "")
    assert "PREVIOUSLY ON" in done.stdout


def test_what_was_said_before_a_kill_is_quoted_after_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running("--home", str(home)) as process:
        for line in ("My bakery is called Sete Pães.", "It opens at six.", "The kiln is cold."):
            say(process, line)
        wait_for(home, "The kiln is cold.")
        process.kill()
        process.wait()

    done = told("What is my bakery called?\n", "--home", str(home))

    assert (done.returncode, done.stderr) == (0, "")
    assert "Sete Pães" in done.stdout.partition("PREVIOUSLY ON")[2]
    said = [text for text in stored(home) if not text.startswith("[")]
    assert said[0] == "My bakery is called Sete Pães."
    assert len([text for text in said if text == "The kiln is cold."]) == 1


def test_a_kill_after_a_silence_is_quoted_with_its_date(tmp_path: Path) -> None:
    at = "2026-03-09T18:42:07.113Z"
    piece = Slice("2026-03-09-1842", start=at, turns=(Turn("abcdef", at, "user", "My bakery is called Sete Pães."),))
    file = tmp_path / core_path(piece.id)
    file.parent.mkdir(parents=True)
    file.write_text(encode(piece), encoding="utf-8")

    done = told("What is my bakery called?\n", "--home", str(tmp_path))

    assert done.returncode == 0
    assert "Sete Pães" in done.stdout
    assert re.search(r"2026-03-09|9 March 2026|09 Mar 2026|Mar 9", done.stdout)
    closed = decode(file.read_bytes(), str(file))
    assert (closed.status, closed.end, closed.closed_by) == ("closed", at, "time_silence")


def test_messages_after_a_briefing_get_their_answers_in_a_pipe(tmp_path: Path) -> None:
    at = "2026-03-09T18:42:07.113Z"
    piece = Slice("2026-03-09-1842", "closed", at, at, focus="The kiln", turns=(Turn("abcdef", at, "user", "cold"),))
    file = tmp_path / core_path(piece.id)
    file.parent.mkdir(parents=True)
    file.write_text(encode(piece), encoding="utf-8")

    done = told("first\nsecond\n", "--home", str(tmp_path))

    assert done.returncode == 0
    assert [text for text in stored(tmp_path) if text in {"first", "second"}] == ["first", "second"]
    assert len(stored(tmp_path)) == 5


def test_a_second_process_is_refused_and_names_the_first(tmp_path: Path) -> None:
    with running("--home", str(tmp_path)) as first:
        say(first, "hello")
        wait_for(tmp_path, "hello")

        second = told("hi\n", "--home", str(tmp_path))

        assert second.returncode == 1
        assert str(first.pid) in second.stderr
        assert "Traceback" not in second.stderr


def test_being_told_to_end_ends_in_order_within_five_seconds(tmp_path: Path) -> None:
    with running("--home", str(tmp_path)) as process:
        say(process, "hello there")
        wait_for(tmp_path, "hello there")
        began = time.monotonic()  # noqa: TID251 - a real process is measured
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=10)
        took = time.monotonic() - began  # noqa: TID251 - likewise

    assert (process.returncode, errors) == (0, "")
    assert took < 5
    assert (tmp_path / "state/journal.jsonl").read_text(encoding="utf-8").rstrip().endswith("}")
    assert stored(tmp_path)[0] == "hello there"


def test_a_home_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    done = told("hello\n", "--home", str(tmp_path / "file" / "home"))

    assert done.returncode in {1, 2}
    assert done.stderr.startswith("previously: ")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_said_in_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    done = told("hello\n", "--home", str(tmp_path / "home"))

    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("--home", ""), ("--locale", "fr"), ("--fly",)])
def test_a_wrong_argument_ends_with_code_two(arguments: tuple[str, ...]) -> None:
    assert told("", *arguments).returncode == 2


def test_a_wrong_setting_ends_with_code_two_and_names_it(tmp_path: Path) -> None:
    done = told("", "--home", str(tmp_path), STORAGE="cloud")

    assert done.returncode == 2
    assert "STORAGE" in done.stderr


def test_in_chinese_everything_is_chinese() -> None:
    done = told("你好\n/timeline\n奶奶的录音到第几段了？\n/help\n", "--locale", "zh")

    assert (done.returncode, done.stderr) == (0, "")
    assert "前情提要\n林知夏" in done.stdout
    assert "时间线" in done.stdout
    assert "十四段" in done.stdout
    assert not re.search(r"\b(?:Timeline|Last topic|Open loops|You were)\b", done.stdout)


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_text_survives_an_old_locale(tmp_path: Path, locale: str) -> None:
    done = told("⋯ 你好 🎩\n", "--home", str(tmp_path), LC_ALL=locale, LANG=locale, PYTHONUTF8="0")

    assert (done.returncode, done.stderr) == (0, "")
    assert stored(tmp_path)[0] == "⋯ 你好 🎩"


@pytest.mark.parametrize(("zone", "offset"), [("Asia/Shanghai", "08"), ("America/Lima", "-5")])
def test_the_zone_of_the_machine_is_that_of_the_slice(tmp_path: Path, zone: str, offset: str) -> None:
    del offset

    told("hello\n", "--home", str(tmp_path), TZ=zone)

    (file,) = tmp_path.rglob("core.md")
    assert decode(file.read_bytes(), str(file)).timezone == zone


def test_a_start_within_the_silence_goes_on_in_the_open_slice(tmp_path: Path) -> None:
    told("one\n", "--home", str(tmp_path))
    done = told("two\n", "--home", str(tmp_path))

    assert len(list(tmp_path.rglob("core.md"))) == 1
    assert re.search(r"PREVIOUSLY ON — .*one.* \(1 min ago\)", done.stdout)


def test_a_slice_left_open_days_ago_is_closed_at_the_start(tmp_path: Path) -> None:
    for name in ("2026-03-01-0900", "2026-03-04-0900"):
        at = iso(datetime(2026, 3, int(name[8:10]), 9, tzinfo=UTC))
        file = tmp_path / core_path(name)
        file.parent.mkdir(parents=True)
        file.write_text(encode(Slice(name, start=at, turns=(Turn("abcdef", at, "user", "old"),))), encoding="utf-8")

    told("hello\n", "--home", str(tmp_path))

    pieces = [decode(file.read_bytes(), str(file)) for file in sorted(tmp_path.rglob("core.md"))]
    assert [piece.status for piece in pieces] == ["closed", "closed", "active"]
    assert all(piece.focus for piece in pieces[:2])


def test_a_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    before = sorted((ROOT / "identity").rglob("*.md"))

    told("remember me\n", HOME=str(tmp_path))

    assert sorted((ROOT / "identity").rglob("*.md")) == before
    assert list(tmp_path.iterdir()) == []
