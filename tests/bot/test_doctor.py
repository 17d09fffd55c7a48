from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from bot.checkup import Checkup, Finding, home
from bot.doctor import Patient, doctor
from bot.house import ROOT
from bot.settings import load
from bot.tokens import questions, verdicts
from core.card import codec
from core.card.model import Card, Entry
from core.i18n import load_words
from core.slices.codec import encode
from core.slices.model import CARD_PATH, Slice, Turn, core_path
from core.slices.store import Slices
from core.storage.base import Write
from core.storage.demo import DemoStorage
from core.storage.memory import MemoryStorage
from core.timeline.projections import Projections
from tests.bot.test_app import told
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WORDS = load_words(ROOT / "locales")
TOKEN = "123456789:AAE-abcdefghijklmnopqrstuvwxyz_12345"
AT = "2026-03-01T09:00:00.000Z"


def piece(slice_id: str, text: str = "The kiln is cold.", status: str = "closed") -> bytes:
    at = f"{slice_id[:10]}T{slice_id[11:13]}:{slice_id[13:]}:00.000Z"
    end = at if status == "closed" else ""
    return encode(
        Slice(slice_id, status, at, end, focus="The kiln", tags=("kiln",), turns=(Turn("abcdef", at, "user", text),))
    ).encode()


def memory(**files: bytes) -> dict[str, bytes]:
    whole = {core_path(name): piece(name) for name in ("2026-03-01-0900", "2026-03-02-0900")}
    return whole | files


async def woven(files: dict[str, bytes]) -> MemoryStorage:
    """Memory with projections that agree."""
    storage = MemoryStorage(files)
    await Projections(storage, Slices(storage), ManualClock()).rebuild()
    return storage


async def found(storage: MemoryStorage, clock: ManualClock | None = None, locale: str = "en") -> list[Finding]:
    before = dict(storage.files) if hasattr(storage, "files") else None
    checkup = Checkup(storage, DemoStorage(storage), clock or ManualClock(), WORDS[locale])
    findings = await checkup.all()
    assert before is None or dict(storage.files) == before
    return findings


def bad(findings: list[Finding]) -> list[str]:
    return [one.text for one in findings if one.state == "bad"]


async def test_a_memory_that_is_whole_has_nothing_wrong() -> None:
    findings = await found(await woven(memory()))

    assert bad(findings) == []
    assert [one.state for one in findings] == ["well"] * 5


async def test_an_empty_memory_has_nothing_wrong() -> None:
    assert bad(await found(await woven({}))) == []


async def test_a_clock_that_cannot_be_right_is_told() -> None:
    storage = await woven(memory())

    assert "cannot be" in bad(await found(storage, ManualClock("1970-01-01T00:00:00+00:00")))[0]
    assert (
        "newest turn is from 2026-03-02 09:00" in bad(await found(storage, ManualClock("2026-02-01T00:00:00+00:00")))[0]
    )


async def test_a_slice_that_cannot_be_read_is_named() -> None:
    storage = await woven(memory())
    path = core_path("2026-03-01-0900")
    await storage.commit([Write(path, b"\xff\xfe", (await storage.read(path)).version)], "a hand")

    told_bad = bad(await found(storage))

    assert any("2026-03-01-0900 cannot be read" in text for text in told_bad)


async def test_a_timeline_that_says_otherwise_is_told_and_an_open_slice_is_not_taken_for_it() -> None:
    files = memory()
    storage = await woven(files)
    path = core_path("2026-03-02-0900")
    change = piece("2026-03-02-0900").replace(b"The kiln\n", b"Another focus\n")
    await storage.commit([Write(path, change, (await storage.read(path)).version)], "a hand")

    assert any("previously doctor --fix" in text for text in bad(await found(storage)))

    growing = await woven(files | {core_path("2026-03-03-0900"): piece("2026-03-03-0900", status="active")})
    path = core_path("2026-03-03-0900")
    more = piece("2026-03-03-0900", "More was said. And more.", status="active")
    await growing.commit([Write(path, more, (await growing.read(path)).version)], "a turn")
    assert bad(await found(growing)) == []


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize(("edited", "state"), [(2.0, "note"), (0.5, "bad")])
async def test_what_was_written_into_slices_after_the_catalog_is_no_fault(
    locale: str, edited: float, state: str
) -> None:
    storage = await woven(memory())
    path = core_path("2026-03-02-0900")
    change = piece("2026-03-02-0900").replace(b"The kiln\n", b"Another focus\n")
    await storage.commit([Write(path, change, (await storage.read(path)).version)], "a hand")

    def written(name: str) -> float:
        return edited if name == path else 1.0

    checkup = Checkup(storage, DemoStorage(storage), ManualClock(), WORDS[locale], written)
    (told,) = await checkup.projections()

    assert told.state == state
    assert ("--fix" in told.text) == (state == "bad")


async def test_references_of_the_card_that_point_nowhere_are_named() -> None:
    card = Card(
        slice_id="2026-03-02-0900",
        updated=AT,
        now=(
            Entry("Fires the kiln", ("2026/03/01/0900-abcdef",), since="2026-03-01"),
            Entry("Moves", ("2025/01/01/0000",)),
        ),
    )
    storage = await woven(memory(**{CARD_PATH: codec.encode(card).encode()}))

    told_bad = bad(await found(storage))

    assert len(told_bad) == 1
    assert "2025/01/01/0000" in told_bad[0]


async def test_attachments_that_are_gone_are_named() -> None:
    name = "2026-03-01-0900"
    text = "Look: [photo](files/abcdef-1.jpg) and [note](files/abcdef-2.pdf)"
    folder = core_path(name).removesuffix("/timeline/core.md")
    storage = await woven(memory(**{core_path(name): piece(name, text), f"{folder}/files/abcdef-1.jpg": b"x"}))

    told_bad = bad(await found(storage))

    assert len(told_bad) == 1
    assert "abcdef-2.pdf" in told_bad[0]


async def test_many_wrong_things_of_a_kind_are_counted() -> None:
    refs = tuple(f"2020/01/{day:02}/0000" for day in range(1, 29))
    card = Card(slice_id="2026-03-02-0900", updated=AT, self_model=(Entry("Works late", refs),))
    storage = await woven(memory(**{CARD_PATH: codec.encode(card).encode()}))

    told_bad = bad(await found(storage))

    assert len(told_bad) == 11
    assert told_bad[-1] == "and 18 more of this kind"


def test_a_home_that_others_may_write_is_told_with_the_command(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "state").mkdir(mode=0o700)
    assert [one.state for one in home(tmp_path, WORDS["en"])] == ["well"]

    tmp_path.chmod(0o777)
    (tmp_path / "state").chmod(0o755)
    texts = [one.text for one in home(tmp_path, WORDS["en"])]
    assert f"chmod go-w {tmp_path}" in texts[0]
    assert f"chmod go-rwx {tmp_path}/state" in texts[1]
    assert home(tmp_path / "none", WORDS["en"])[0].state == "note"


@asynccontextmanager
async def other_side(answers: dict[str, int], pause: float = 0) -> AsyncIterator[tuple[str, list[str]]]:
    """A server that gives each path a status."""
    heard: list[str] = []

    async def handle(request: web.Request) -> web.Response:
        heard.append(f"{request.path} {request.headers.get('Authorization', '')}".strip())
        if pause:
            await asyncio.sleep(pause)  # noqa: TID251 - a server that is slow
        status = answers.get(request.path, 500)
        return web.Response(status=status, headers={"Location": "/elsewhere"} if status == 302 else {})

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", heard
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, "good"),
        (401, "refused"),
        (404, "refused"),
        (403, "refused"),
        (500, "silent"),
        (429, "silent"),
        (302, "silent"),
    ],
)
async def test_the_other_side_is_asked_about_the_token(status: int, verdict: str) -> None:
    async with other_side({f"/bot{TOKEN}/getMe": status}) as (base, heard):
        settings = load({"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BASE_URL": base})

        assert await verdicts(questions(settings)) == [("TELEGRAM_BOT_TOKEN", verdict)]
        assert heard == [f"/bot{TOKEN}/getMe"]


async def test_each_token_goes_to_its_own_side_in_its_own_way() -> None:
    good = {f"/bot{TOKEN}/getMe": 200, "/users/@me": 200, "/repos/mara/memory": 200}
    async with other_side(good) as (base, heard):
        settings = load(
            {
                "TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BASE_URL": base, "DISCORD_BOT_TOKEN": "discord-token",
                "DISCORD_API_URL": base, "GITHUB_TOKEN": "github-token", "GITHUB_REPO_OWNER": "mara",
                "GITHUB_REPO_NAME": "memory", "GITHUB_API_URL": base,
            }
        )  # fmt: skip

        assert [verdict for _, verdict in await verdicts(questions(settings))] == ["good"] * 3
    assert sorted(heard) == [
        f"/bot{TOKEN}/getMe", "/repos/mara/memory Bearer github-token", "/users/@me Bot discord-token",
    ]  # fmt: skip


async def test_a_side_that_does_not_answer_is_not_waited_for() -> None:
    async with other_side({}, pause=5) as (base, _):
        settings = load({"DISCORD_BOT_TOKEN": "discord-token", "DISCORD_API_URL": base})

        assert await verdicts(questions(settings), 0.1) == [("DISCORD_BOT_TOKEN", "silent")]


def test_nobody_is_asked_about_what_is_not_set() -> None:
    assert questions(load({"GITHUB_TOKEN": "github-token"})) == []


async def test_what_is_told_shows_no_token() -> None:
    lines: list[str] = []
    async with other_side({f"/bot{TOKEN}/getMe": 401}) as (base, _):
        patient = Patient(load({"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BASE_URL": base}), WORDS["en"])

        code = await doctor(patient, lines.append)

    assert code == 1
    assert any(line.startswith("✗ TELEGRAM_BOT_TOKEN: ") for line in lines)
    assert TOKEN not in "".join(lines)
    assert lines[-1] == "1 thing is wrong"


@pytest.mark.parametrize(
    ("locale", "well", "wrong"), [("en", "Nothing is wrong", "1 thing is wrong"), ("zh", "一切正常", "有 1 处问题")]
)
def test_the_doctor_of_a_real_home_reads_alone_and_mends_when_asked(
    tmp_path: Path, locale: str, well: str, wrong: str
) -> None:
    home_folder = tmp_path / "home"
    told("The kiln is cold.\n/close\n", "--home", str(home_folder))
    before = {path: path.read_bytes() for path in home_folder.rglob("*") if path.is_file()}

    first = told("", "doctor", "--home", str(home_folder), "--locale", locale)

    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.rstrip().endswith(well)
    assert {path: path.read_bytes() for path in home_folder.rglob("*") if path.is_file()} == before
    if locale == "zh":
        assert not re.search(r"\b(?:slice|token|clock|Timeline|wrong)\b", first.stdout)

    index = home_folder / "memory/episodic/timeline/index.json"
    raw = json.loads(index.read_bytes())
    raw["slices"] = []
    index.write_text(json.dumps(raw), encoding="utf-8")
    second = told("", "doctor", "--home", str(home_folder), "--locale", locale)
    third = told("", "doctor", "--fix", "--home", str(home_folder), "--locale", locale)

    assert second.returncode == 1
    assert second.stdout.rstrip().endswith(wrong)
    assert (third.returncode, third.stderr) == (0, "")
    assert third.stdout.rstrip().endswith(well)
    assert json.loads(index.read_bytes())["slices"]
