"""The demo's people as choices: whoever is chosen is on at once, and nothing of what was said before is left."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from bot.house import Given, build
from bot.people import Cast
from core.slices.codec import encode
from core.slices.model import CARD_PATH, Slice, Turn, core_path
from core.storage.ram_disk import RamDisk
from tests.bot.living import WORDS, Worker
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bot.house import House

AT = "2026-03-01T09:00:00.000Z"
PEOPLE = {"mara": "Mara Sequeira", "lin": "林晓雨", "personal_02": "Ada Byron", "personal_14": "Caleb Stone"}


def memory(name: str) -> dict[str, bytes]:
    """A person of whom a card and one slice are kept, all under the same id."""
    piece = Slice(
        "2026-03-01-0900", "closed", AT, AT, focus=f"The harbour of {name}", summary="s",
        turns=(Turn("abcdef", AT, "user", f"a boat for {name}"), Turn("abcdef", AT, "agent", "Good.")),
    )  # fmt: skip
    card = f"# Previously On\n\n## Identity\n\n- Name: {name}\n"
    return {CARD_PATH: card.encode(), core_path(piece.id): encode(piece).encode()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with our people, and the original's folder beside it."""
    for one, name in PEOPLE.items():
        ours = not one.startswith("personal")
        folder = tmp_path / ("checkout/identity/personas" if ours else "benchmark-data") / one
        for path, data in memory(name).items():
            place = folder / (path if ours else path.removeprefix("memory/"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    (tmp_path / "benchmark-data/notes.txt").write_text("no folder")
    return tmp_path / "checkout"


class Demo:
    """A running demo and the chat in front of it."""

    def __init__(self, house: House, world: World) -> None:
        self.house = house
        self.world = world

    async def say(self, text: str) -> str:
        """What the chat shows after that was said."""
        self.world.clock.shift(40)
        self.world.say(text)
        async with asyncio.timeout(10):
            while self.world.queue or not self.house.parts.journal.state.idle:  # noqa: ASYNC110
                await asyncio.sleep(0.001)  # noqa: TID251 - a real server may be asked meanwhile
        return self.world.finals()[-1]


@asynccontextmanager
async def demo(root: Path, address: str | None = None) -> AsyncIterator[Demo]:
    world, disk = World(ManualClock(instant=True)), RamDisk()
    world.reopen()
    disk.make_folder("state")
    cast = Cast(root, "en", address, world.clock)
    given = Given(
        disk, cast.storage, world.clock, EchoModel(), WORDS, "UTC", worker=Worker(), demo=True, cast=cast
    )  # fmt: skip
    house, chat = build(given), Chat(world)
    house.queues.join({"double": chat})
    async with asyncio.TaskGroup() as group:
        await house.recover()
        tasks = [group.create_task(house.queues.serve()), group.create_task(chat.serve(house.door))]
        yield Demo(house, world)
        for task in tasks:
            task.cancel()
    house.shut()


async def test_everybody_beside_us_and_our_own_can_be_chosen(root: Path) -> None:
    async with demo(root) as one:
        page = await one.say("/demo")

    assert [line for line in page.split("\n") if line.startswith("(")] == [
        "(林晓雨)", "(Mara Sequeira)", "(Ada Byron)", "(Caleb Stone)",
    ]  # fmt: skip
    assert "nothing is kept" in page


@pytest.mark.parametrize("chosen", ["personal_02", "ada byron"])
async def test_whoever_is_chosen_is_on_and_what_was_said_is_gone(root: Path, chosen: str) -> None:
    async with demo(root) as one:
        assert "Caleb" in await one.say("/card")
        assert "1 slice" in await one.say("/find boat")
        await one.say("I keep a green parrot.")
        assert "green parrot" in await one.say("/find parrot")

        briefing = await one.say(f"/demo {chosen}")

        assert "The harbour of Ada Byron" in briefing
        assert "nothing said here is kept" in briefing
        assert "Ada Byron" in await one.say("/card")
        assert "a boat for Ada Byron" in await one.say("/slice 2026-03-01-0900")
        assert "Ada Byron" in await one.say("/find boat")
        assert "green parrot" not in await one.say("/find parrot")
        assert "The harbour of Ada Byron" in await one.say("/timeline 2026-03")
        assert "answer to" in await one.say("Now I talk to somebody else.")
        assert "Caleb" not in "".join(one.world.finals()[5:])


async def test_a_fresh_start_begins_anew_on_the_same_person(root: Path) -> None:
    async with demo(root) as one:
        await one.say("I keep a green parrot.")

        briefing = await one.say("/start")

        assert "The harbour of Caleb Stone" in briefing
        assert "nothing said here is kept" in briefing
        assert "green parrot" not in await one.say("/find parrot")


@pytest.mark.parametrize("wanted", ["nobody", "../benchmark-data/personal_02", "personal_02/..", "."])
async def test_somebody_unknown_changes_nothing(root: Path, wanted: str) -> None:
    async with demo(root) as one:
        await one.say("I keep a green parrot.")

        assert "There is nobody called" in await one.say(f"/demo {wanted}")

        assert "green parrot" in await one.say("/find parrot")


@asynccontextmanager
async def far() -> AsyncIterator[tuple[str, asyncio.Event]]:
    """The original's people at an address, and what breaks it."""
    broken = asyncio.Event()
    files = memory("Edda")
    tree: dict[str, object] = {}
    for path in files:
        at = tree
        *folders, name = path.removeprefix("memory/").split("/")
        for folder in folders:
            at = at.setdefault(folder, {})  # type: ignore[assignment]
        at.setdefault("_files", []).append(name)  # type: ignore[attr-defined]
    manifest = json.dumps(
        {"personas": {"personal_14": {"name": "Nobody", "tree": {}}, "personal_07": {"name": "Edda", "tree": tree}}}
    )

    async def answer(request: web.Request) -> web.Response:
        data = files.get("memory/" + request.path.removeprefix("/personal_07/"))
        found = manifest.encode() if request.path == "/manifest.json" else data
        return web.Response(status=500 if broken.is_set() else 200 if found else 404, body=found)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", broken
    finally:
        await runner.cleanup()


async def test_the_people_of_an_address_can_be_chosen(root: Path) -> None:
    async with far() as (address, _), demo(root, address) as one:
        assert "(Edda)" in await one.say("/demo")

        assert "The harbour of Edda" in await one.say("/demo personal_07")


async def test_an_address_that_falls_silent_leaves_our_own(root: Path) -> None:
    async with far() as (address, broken), demo(root, address) as one:
        await one.say("I keep a green parrot.")
        broken.set()
        one.world.clock.shift(4_000)

        page = await one.say("/demo")

        assert "does not answer" in page
        assert "(Mara Sequeira)" in page
        assert "There is nobody called" in await one.say("/demo personal_07")
        assert "The harbour of Mara Sequeira" in await one.say("/demo mara")
