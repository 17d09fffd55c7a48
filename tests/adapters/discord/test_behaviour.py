"""What a person meets, by an independent simulation of Discord (simcord) around the unmodified library.

It checks what our own double does not model: who sees a command, whether it was registered, double answers.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import simcord

from adapters.discord.client import Discord
from core.conversation import Finished, Paged
from core.document import Address, Choice, Choices, Document, Fold, Text, Title
from tests.adapters.discord.host import COMMANDS, WORDS, Kept, Owned
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PAGE = Document((Title("March"), Choices((Choice("April ›", Address("timeline", "2026-04")),))))


@dataclass
class Scene:
    """The bot, its owner and somebody else."""

    platform: Discord
    kept: Kept
    mara: Any
    eve: Any

    async def page(self, turn: str, page: Document = PAGE) -> None:
        """Answer the newest update with a page."""
        update = self.kept.updates[-1]
        await self.platform.presenter(update.chat, turn, self.kept, update.replaces).show(Paged(page))


@asynccontextmanager
async def simulated() -> AsyncIterator[Scene]:
    kept, owned = Kept(), Owned(None)

    async def known(name: str) -> list[str]:
        return ["2026-03", "2026-03-09", "2025-12"]

    async def stop() -> bool:
        return True

    async def tell(text: str) -> None:
        raise AssertionError(text)

    platform = Discord(
        token="token",
        owners=owned,
        words=WORDS,
        clock=ManualClock("2026-01-01T00:00:00+00:00"),
        stop=stop,
        known=known,
        last=kept.last,
        commands=COMMANDS,
        tell=tell,
        introduce=lambda name: None,
        beat=lambda: None,
        welcome=lambda person, words: Document((Text("welcome"),)),
    )
    platform._presses.inbox = kept
    client, tree = platform.made()
    client.tree = tree  # type: ignore[attr-defined] # where the simulation looks for holders of its transport
    async with simcord.run(client) as env:
        guild = env.create_guild()
        mara, eve = env.create_user("mara"), env.create_user("eve")
        for person in (mara, eve):
            guild.add_member(person)
        owned.person = str(mara.id)
        await tree.register()
        async with asyncio.TaskGroup() as group:
            receiving = group.create_task(platform._intake.run(kept))
            yield Scene(platform, kept, mara, eve)
            receiving.cancel()


async def test_a_command_of_the_direct_message_is_deferred_and_answered_in_its_place() -> None:
    async with simulated() as scene:
        assert {"timeline", "help", "stop"} <= set(scene.mara.available_commands())
        result = await scene.mara.slash("timeline", what="2026-03")
        assert result.deferred
        await scene.kept.until(1)
        await scene.page("turn01")

        assert scene.kept.texts == ["/timeline 2026-03"]
        assert result.response.id == int(scene.kept.updates[0].replaces)


async def test_a_button_of_a_page_is_acknowledged_once_and_its_page_stands_in_place() -> None:
    async with simulated() as scene:
        result = await scene.mara.slash("timeline")
        await scene.kept.until(1)
        await scene.page("turn01")
        pressed = await scene.mara.click(result.response, label="April ›")
        await scene.kept.until(2)
        await scene.page("turn02", Document((Title("April"),)))

        assert pressed.acknowledged
        assert scene.kept.texts[1] == "/timeline 2026-04"
        assert scene.mara.dm_channel.last_message.id == result.response.id


async def test_what_is_folded_is_seen_by_the_owner_alone() -> None:
    async with simulated() as scene:
        await scene.mara.send_dm("why?")
        [update] = await scene.kept.until(1)
        document = Document((Text("Because."), Fold("Thought · 3 s", "hm")))
        await scene.platform.presenter(update.chat, "turn01", scene.kept).show(Finished(document))
        pressed = await scene.mara.click(scene.mara.dm_channel.last_message, label="Thought · 3 s")

        assert pressed.ephemeral
        assert pressed.response.content == "**Thought · 3 s**\nhm"


async def test_dates_are_offered_to_the_owner_and_nothing_to_others() -> None:
    async with simulated() as scene:
        mine = await scene.mara.autocomplete("timeline", "what", "2026")
        others = await scene.eve.autocomplete("timeline", "what", "2026")

        assert [one["value"] for one in mine] == ["2026-03", "2026-03-09"]
        assert others == []


async def test_a_stranger_is_met_with_silence() -> None:
    async with simulated() as scene:
        await scene.eve.send_dm("hello")
        result = await scene.eve.slash("help")
        await scene.mara.send_dm("mine")
        await scene.kept.until(1)

        assert not result.acknowledged
        assert scene.kept.texts == ["mine"]
