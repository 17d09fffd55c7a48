"""Lines 27 to 37: who writes. Strangers reach neither the disk nor a model, and the owner is answered all the same."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import aiohttp

from adapters.telegram.client import Webhook
from bot.health import BODY
from tests.adapters.discord.host import Kept as DiscordKept
from tests.adapters.discord.host import running
from tests.adapters.telegram.stand import MARA, Named, Stand, standing
from tests.adapters.telegram.waiting import until
from tests.bot.living import Living, living
from tests.bot.test_health import listening, well
from tests.doubles.clock import ManualClock
from tests.doubles.discord.gateway import Server
from tests.doubles.discord.world import OWNER, ROOM
from tests.doubles.discord.world import STRANGER as DISCORD_STRANGER
from tests.doubles.discord.world import World as DiscordWorld
from tests.doubles.echo_model import EchoModel
from tests.doubles.telegram.people import channel_post, group
from tests.security.lines import line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.doubles.telegram.entities import Json

SECRET = "s3cret-s3cret-s3cret"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


@dataclass
class Front:
    """A house behind the real Telegram adapter."""

    home: Living
    stand: Stand
    model: EchoModel
    before: dict[str, bytes]

    def written(self) -> set[str]:
        """What has changed on the disk."""
        now = self.home.disk.tree()
        return {path for path in now | self.before if now.get(path) != self.before.get(path)}

    async def settled(self) -> None:
        """Wait until Telegram has nothing that was not taken, and the house nothing to do."""
        await self.stand.quiet()
        await self.home.idle()

    async def answered(self, text: str = "and I?") -> None:
        """The owner writes, and is answered."""
        self.stand.mara.say(text)
        await until(lambda: any(f"«{text}»" in one for one in self.stand.world.shown(MARA)))
        await self.settled()

    def shown_to(self, chat: int) -> int:
        """How many calls of the bot named the chat."""
        return sum(one.chat == chat for one in self.stand.world.log)


class Notes(logging.Handler):
    """Remembers what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


@contextmanager
def noted() -> Iterator[list[str]]:
    """What is logged meanwhile."""
    notes = Notes()
    logging.getLogger().addHandler(notes)
    try:
        yield notes.heard
    finally:
        logging.getLogger().removeHandler(notes)


@asynccontextmanager
async def front(owners: Named | None = None) -> AsyncIterator[Front]:
    """Everything connected: Telegram's double, the real client and adapter, the house on a disk."""
    model = EchoModel()
    async with (
        living(model, accept=False) as home,
        standing(serve=False, owners=owners) as stand,
        asyncio.TaskGroup() as tasks,
    ):
        home.house.queues.join({"telegram": stand.telegram})
        serving = tasks.create_task(stand.telegram.serve(home.house.door))
        await until(lambda: stand.introduced)
        yield Front(home, stand, model, dict(home.disk.tree()))
        serving.cancel()


async def strangers_nothing(hit: Front, chat: int) -> None:
    """What every stranger's update comes to."""
    await hit.settled()
    assert hit.written() == set()
    assert hit.model.calls == 0
    assert hit.shown_to(chat) == 0


@asynccontextmanager
async def discord() -> AsyncIterator[tuple[DiscordWorld, DiscordKept]]:
    """The real Discord adapter before its double."""
    world = DiscordWorld(ManualClock())
    async with Server(world) as server, running(world, server) as bot:
        yield world, bot.kept


@line(27, "a stranger sends /start")
async def a_stranger(_tmp: Path) -> str:
    async with front() as hit:
        hit.stand.stranger().say("/start")
        await strangers_nothing(hit, 77)
        assert hit.stand.telegram.ignored == 1
        await hit.answered()
    async with discord() as (world, kept):
        world.say("/start", who=DISCORD_STRANGER)
        world.say("me")
        await kept.until(1)
        assert kept.texts == ["me"]
        assert world.own() == []
    return "no reply, no write, no model asked, counted once; silence on Discord too"


@line(28, "a stranger edits, presses a button, sends a photo")
async def a_stranger_otherwise(_tmp: Path) -> str:
    async with front() as hit:
        eve = hit.stand.stranger()
        said = eve.say("hello")
        eve.edit(said, "/status")
        eve.tap(said, "1/card//0")
        eve.photo(b"\xff\xd8")
        eve.block()
        hit.stand.world.enqueue("message", {"from": eve.face(), "text": "said in a shape that cannot be read"})
        with noted() as heard:
            await strangers_nothing(hit, 77)
        assert hit.stand.telegram.ignored == 6
        assert not any("shape" in one for one in heard)
    return "six updates, one that cannot be read: each counted and dropped; no write, no reply, no word in the log"


@line(29, "the owner writes in a group")
async def a_group(_tmp: Path) -> str:
    async with front() as hit:
        neighbours = group(hit.stand.world)
        hit.stand.mara.say("what do you know of me?", chat=neighbours)
        await until(lambda: "leaveChat" in hit.stand.server.calls)
        await hit.settled()
        assert hit.written() == set()
        assert not hit.stand.world.effects("sendMessage", chat=neighbours.id)
    async with discord() as (world, kept):
        world.say("hello <@9000>", channel=ROOM, who=OWNER)
        world.say("me")
        await kept.until(1)
        assert kept.texts == ["me"]
        assert world.own(ROOM) == []
    return "ignored, nothing written, the group is left; a room on Discord that is not named is not heard"


@line(30, "a sender that is a bot, also with the owner's id")
async def a_bot(_tmp: Path) -> str:
    async with front() as hit:
        hit.stand.stranger(99, bot=True).say("beep")
        hit.stand.stranger(MARA, bot=True).say("beep")
        await strangers_nothing(hit, 99)
        assert hit.stand.telegram.ignored == 2
    return "ignored"


@line(31, "a post of a channel, and a message in a channel's name")
async def a_channel(_tmp: Path) -> str:
    async with front() as hit:
        news = group(hit.stand.world, -1009, "channel")
        hit.stand.world.allowed |= {"channel_post"}
        channel_post(hit.stand.world, news, "news")
        hit.stand.mara.say("anonymous", sender_chat=news.face())
        await strangers_nothing(hit, news.id)
        assert hit.stand.telegram.ignored == 2
    return "ignored"


@line(32, "the owner's id as the origin of what a stranger forwards")
async def an_origin(_tmp: Path) -> str:
    async with front() as hit:
        mara = {"type": "user", "sender_user": hit.stand.mara.face(), "date": 1}
        hit.stand.stranger().forward("it is me", mara)
        await strangers_nothing(hit, 77)
        assert hit.stand.telegram.ignored == 1
    return "still a stranger: no write, no reply"


@line(33, "a stranger guesses the code of an unclaimed bot, then uses one that was used")
async def a_code(_tmp: Path) -> str:
    async with front(Named(None)) as hit:
        eve = hit.stand.stranger()
        for guess in ("/start", "/start guess", "/start the-code2", "/start  "):
            eve.say(guess)
        await hit.settled()
        assert hit.stand.owners.person is None
        assert hit.written() == set()
        hit.stand.mara.say("/start the-code")
        await until(lambda: hit.stand.owners.person)
        eve.say("/start the-code")
        await hit.settled()
        assert hit.stand.owners.person == str(MARA)
        assert len(hit.stand.world.shown(77)) == 1
    return "four guesses own nothing, hear one line and write nothing; a used code is worth nothing"


@asynccontextmanager
async def called() -> AsyncIterator[tuple[Any, Stand]]:
    """The process's own server, and the adapter behind it."""
    server = well()
    async with listening(server) as visit, standing(webhook=Webhook("https://bot.example.org", server, SECRET)) as one:
        await until(lambda: one.world.hook)
        yield visit, one


@line(34, "a call to the webhook without the secret, or with a wrong one")
async def a_forged_call(_tmp: Path) -> str:
    with noted() as heard:
        async with called() as (visit, stand):
            for headers in ({}, {HEADER: ""}, {HEADER: "wrong-wrong"}, {HEADER: SECRET + "x"}, {HEADER: SECRET[:-1]}):
                assert (await visit("/telegram", "POST", forged(), headers))[:2] == (403, "")
            assert not stand.inbox.messages
    assert not any(word in one for one in heard for word in ("forged", "wrong-wrong", SECRET))
    return "403 five times, nothing kept, nothing of it in the log"


def forged() -> bytes:
    return b'{"update_id": 1, "message": {"text": "forged"}}'


@line(35, "a body of 2 MiB, and one nested 100,000 deep")
async def a_large_call(_tmp: Path) -> str:
    async with called() as (visit, stand):
        right = {HEADER: SECRET}
        assert (await visit("/telegram", "POST", b"x" * (2 * BODY), right))[0] == 413
        assert (await visit("/telegram", "POST", b"x" * (2 * BODY)))[0] == 413

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(40):
                yield b"x" * 65_536

        async with aiohttp.ClientSession() as session:
            async with session.post(f"{visit.base}/telegram", data=chunks(), headers=right) as answer:
                assert answer.status == 413
            async with session.post(f"{visit.base}/telegram", data=BytesIO(b"[" * 100_000), headers=right) as answer:
                assert answer.status == 400
        assert not stand.inbox.messages
    return "413, also when the length is not said beforehand; 400 for the nest; nothing kept"


@line(36, "1,000 updates of strangers at once")
async def a_thousand(_tmp: Path) -> str:
    async with front() as hit:
        spam: list[Json] = [hit.stand.stranger(5000 + number).say("spam") for number in range(1000)]
        await strangers_nothing(hit, 5000)
        assert hit.stand.telegram.ignored == len(spam)
        await hit.answered()
        assert all("spam" not in text for _, text in hit.home.texts())
    return "no write, no model asked; the owner behind them is answered"


@line(37, "the same update twice, and again after a restart")
async def twice(_tmp: Path) -> str:
    async with front() as hit:
        said = hit.stand.mara.say("once")
        hit.stand.world.enqueue("message", said)
        await until(hit.home.texts)
        hit.stand.world.enqueue("message", said)
        await hit.settled()
        assert [text for role, text in hit.home.texts() if role == "user"] == ["once"]
        disk, calls = hit.home.disk, hit.model.calls
    async with living(EchoModel(), disk=disk, accept=False) as again, standing(serve=False) as stand:
        async with asyncio.TaskGroup() as tasks:
            again.house.queues.join({"telegram": stand.telegram})
            serving = tasks.create_task(stand.telegram.serve(again.house.door))
            stand.world.enqueue("message", said)
            await stand.quiet()
            await again.idle()
            serving.cancel()
        assert [text for role, text in again.texts() if role == "user"] == ["once"]
    assert calls == 1
    return "stored once, answered once"
