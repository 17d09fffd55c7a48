"""Commands over a living house: pages of memory, in the person's language and zone, safe against odd arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bot.helping import LISTED
from core.slices.codec import encode
from core.slices.model import Slice, Turn, core_path
from tests.bot.living import WORDS, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from tests.bot.living import Living


def archive() -> SimDisk:
    disk = SimDisk()
    for day in ("2026-01-05", "2026-02-09", "2026-03-08"):
        at = f"{day}T23:30:00.000Z"
        piece = Slice(
            f"{day}-2330", "closed", at, at, focus=f"The kiln on {day}", summary="s",
            turns=(Turn("abcdef", at, "user", f"fired on {day}"), Turn("abcdef", at, "agent", "Good.")),
        )  # fmt: skip
        disk.plant(core_path(piece.id), encode(piece).encode())
    return disk


async def asked(home: Living, text: str) -> str:
    await home.say(text)
    return home.world.finals()[-1]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("/timeline", "Mar 2026 · 1)"),
        ("/timeline 2026-02", "The kiln on 2026-02-09"),
        ("/timeline 2026-02-09", "23:30 · 2026-02-09-2330"),
        ("/slice 2026-02-09-2330", "fired on 2026-02-09"),
        ("/slice 2026/02/09/2330", "fired on 2026-02-09"),
        ("/slice 2026-02-09-2330 1", "fired on 2026-02-09"),
        ("/slice 2026-02-09-2331", "There is no slice 2026-02-09-2331"),
        ("/slice ../../etc/passwd", "Which slice?"),
        ("/slice", "Which slice?"),
        ("/find 2026-02", "1 slice"),
        ("/find zyzzyva", "do not stand anywhere"),
        ("/find", "What shall I look for?"),
        ("/card", "There is no card yet"),
        ("/help", "/timeline"),
        ("/nosuch", "There is no command /nosuch"),
        ("/timeline@previously_bot 2026-02", "The kiln on 2026-02-09"),
        ("/briefing", "The kiln on 2026-03-08"),
    ],
)
async def test_a_command_shows_its_page(command: str, shown: str) -> None:
    async with living(EchoModel(), disk=archive()) as home:
        assert shown in await asked(home, command)


@pytest.mark.parametrize("command", [f"/{one.name}" for one in LISTED])
@pytest.mark.parametrize("argument", ["", "²", "9" * 5_000, "\u202e", "{0}", "a/b", "2026-02-30", "-1", "0", "1/x//0"])
async def test_no_argument_breaks_a_command(command: str, argument: str) -> None:
    async with living(EchoModel(), disk=archive()) as home:
        shown = await asked(home, f"{command} {argument}".rstrip())

    assert shown
    assert "kept aside" not in shown


@pytest.mark.parametrize(
    "command", ["/timeline", "/slice 2026-02-09-2330", "/find kiln", "/card", "/help", "/briefing"]
)
async def test_a_page_writes_nothing_into_memory(command: str) -> None:
    disk = archive()
    before = {path: data for path, data in disk.tree().items() if path.startswith("memory/")}
    async with living(EchoModel(), disk=disk) as home:
        await asked(home, command)

    assert {path: data for path, data in disk.tree().items() if path.startswith("memory/")} == before


async def test_a_command_and_its_page_never_become_a_turn() -> None:
    async with living(EchoModel()) as home:
        await home.say("hello")
        await home.say("/timeline")

    assert [text for _, text in home.texts()] == ["hello", "answer to «hello»"]


async def test_a_page_is_in_the_zone_of_the_message() -> None:
    async with living(EchoModel(), disk=archive()) as home:
        message = replace(home.world.say("/timeline 2026-02-10"), zone="Asia/Shanghai")
        home.world.queue[:] = [message]
        await home.idle()

    assert "07:30 · 2026-02-09-2330" in home.world.finals()[-1]


async def test_the_zone_of_the_settings_goes_before_that_of_the_message() -> None:
    disk = archive()
    disk.plant("memory/user/bot.json", b'{"timezone": "America/Lima"}')
    async with living(EchoModel(), disk=disk) as home:
        assert "18:30 · 2026-02-09-2330" in await asked(home, "/timeline 2026-02-09")


@pytest.mark.parametrize("locale", ["zh", "zh-CN", "ZH-Hant-TW"])
async def test_a_page_is_in_the_language_of_the_message(locale: str) -> None:
    async with living(EchoModel(), disk=archive()) as home:
        home.world.queue[:] = [replace(home.world.say("/timeline"), locale=locale)]
        await home.idle()

    assert home.world.finals()[-1].startswith(WORDS["zh"]("timeline.title"))


async def test_the_timeline_names_files_that_cannot_be_read() -> None:
    disk = archive()
    disk.plant(core_path("2026-02-10-0900"), b"---\nbroken")
    async with living(EchoModel(), disk=disk) as home:
        shown = await asked(home, "/timeline")
        page = await asked(home, "/slice 2026-02-10-0900")

    assert "The slice 2026-02-10-0900 cannot be read" in shown
    assert "Mar 2026 · 1)" in shown
    assert "cannot be read and was left untouched" in page


async def test_arguments_that_exist_are_offered_newest_first() -> None:
    async with living(EchoModel(), disk=archive()) as home:
        commands = home.house.commands

        assert (await commands.known("slice"))[0] == "2026-03-08-2330"
        assert list(await commands.known("timeline"))[:2] == ["2026-03-08", "2026-03"]
        assert list(await commands.known("help")) == []


async def test_every_listed_command_is_explained_in_both_languages() -> None:
    for words in WORDS.values():
        for one in LISTED:
            assert words(f"help.{one.name}")


async def test_no_command_breaks_on_an_argument_of_marks_and_numbers_alone(caplog: pytest.LogCaptureFixture) -> None:
    async with living(EchoModel(), disk=archive()) as home:
        for listed in LISTED:
            for argument in (":::::", "²", "0:0", "2026:99999999999999999999", "9999-12-31", "undo :", "\ud800\u202e"):
                await home.say(f"/{listed.name} {argument}", pause=1)
    assert [one.getMessage() for one in caplog.records if one.levelname == "ERROR"] == []
