"""Two queues behind the door: pages are shown at once, talk and whatever else writes runs one at a time, oldest first.

Nothing is lost when something fails: a turn stays open in the journal and is tried again, three times at most, and the
queue goes on (P7). When the disk or a platform refuses, the chat rests for a while and the person is told.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.agenda import Agenda, parsed
from bot.guard import Guard
from bot.helping import writes
from bot.inbox import Journalled
from bot.reaching import reaches
from bot.rests import Rests
from bot.skipping import Backlog
from bot.unseen import Unseen
from bot.zoning import Zoning
from core.agent.stop import Stop
from core.errors import PlatformTrouble, Shut
from core.journal.records import Dead

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from bot.arrival import Arrivals
    from bot.commands import Commands
    from bot.inbox import Door
    from core.conversation import Attachment, Incoming, Platform, Presenter, Surface
    from core.journal.open_turn import OpenTurn
    from core.turn.burst import Burst
    from core.turn.late import Late
    from core.turn.parts import Parts
    from core.turn.pipeline import Turns

GRACE: Final = 4.0
"""Seconds that a process which must end gives the running turn to keep its part."""


class Queues:
    """Works off what the journal holds open."""

    def __init__(
        self, parts: Parts, door: Door, turns: Turns, late: Late, commands: Commands, arrivals: Arrivals
    ) -> None:
        self._parts = parts
        self._door = door
        self._turns = turns
        self._late = late
        self._commands = commands
        self._arrivals = arrivals
        self._zoning = Zoning(parts)
        self._outbox = Journalled(parts.journal)
        self._platforms: Mapping[Surface, Platform] = {}
        self._between: Callable[[], Coroutine[object, object, None]] = _nothing
        self._writing = asyncio.Lock()
        self._stop: Stop | None = None
        self._leaving = False
        self._backlog = Backlog(parts)
        self._rests = rests = Rests(parts.clock)
        self._agenda = Agenda(parts.journal, parts.clock, rests, writes)
        self._guard = Guard(parts, door, rests, self.presenter, self._give_up)

    def join(self, platforms: Mapping[Surface, Platform]) -> None:
        """The platforms on which answers are shown."""
        self._platforms = dict(platforms)

    def platform(self, surface: Surface) -> Platform | None:
        """The platform of that surface, if it is connected in this process."""
        return self._platforms.get(surface)

    async def fetch(self, update: Incoming, file: Attachment) -> bytes:
        """The bytes of a file that came with a message. Raises `PlatformTrouble`, and `TooLarge` for good."""
        platform = self._platforms.get(update.surface)
        if platform is None:
            raise PlatformTrouble(f"{update.surface} is not connected")
        return await platform.fetch(update.chat, file)

    def back(self, surface: Surface, chat: str) -> None:
        """The person of that chat is heard of: what they did not get while the bot was blocked is shown."""
        if self._rests.lift(surface, chat):
            self._door.wake()

    def between(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """What is done while nothing waits: it must bear being cancelled at any moment. It may raise `DiskLost`."""
        self._between = work

    def presenter(self, surface: Surface, chat: str, turn: str, replaces: str = "") -> Presenter:
        """A presenter for that turn; nobody sees it without a connection, or when the chat is not the owner's."""
        platform = self._platforms.get(surface)
        seen = platform is not None and reaches(platform, chat)
        return platform.presenter(chat, turn, self._outbox, replaces) if platform and seen else Unseen()

    async def stop(self) -> bool:
        """End the answer that is being written, keeping its part; whether there was one."""
        if self._stop is None or self._stop.asked:
            return False
        self._stop.set()
        return True

    async def leave(self, seconds: float = GRACE) -> None:
        """End the answer that is being written, and wait at most so long until its part is kept; begin nothing more.

        An answer without a word yet is left to the next start.
        """
        self._leaving = True
        if self._stop:
            self._stop.leave()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._writing:
                pass

    async def serve(self) -> None:
        """Work for ever; what an earlier process left open comes first. Raises `DiskLost`."""
        self._door.wake()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._serve_pages(group))
            group.create_task(self._serve_talk(group))

    async def _serve_pages(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self._door.asked.wait()
            self._door.asked.clear()
            while not self._leaving and (begun := self._agenda.asked(writing=False)) and begun.command:
                await self._guard.run(group, begun.turn, begun.command.update, self._command(begun))

    async def _serve_talk(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self._rested()
            self._door.talk.clear()
            while not self._leaving and await self._next(group):
                await self._parts.clock.sleep(0)

    async def _rested(self) -> None:
        """Wait for something to do; what there is to do between turns is broken off when it comes."""
        async with asyncio.TaskGroup() as group:
            between = group.create_task(self._between())
            await self._door.talk.wait()
            between.cancel()

    async def _next(self, group: asyncio.TaskGroup) -> bool:
        """Do one thing that is open; whether there was any."""
        agenda, run = self._agenda, self._guard.run
        if agenda.care:
            await run(group, "care", None, self._care())
        elif burst := agenda.begun():
            await run(group, burst.turn, burst.first, self._run(burst))
        elif late := agenda.late():
            await run(group, f"late-{late.key}", late, self._change(late))
        elif burst := await agenda.burst():
            await run(group, burst.turn, burst.first, self._run(burst))
        elif (begun := agenda.asked(writing=True)) and begun.command:
            await run(group, begun.turn, begun.command.update, self._write(begun))
        else:
            return False
        return True

    async def _run(self, burst: Burst) -> None:
        presenter = self.presenter(burst.first.surface, burst.first.chat, burst.turn)
        self._stop = Stop()
        try:
            async with self._writing:
                if not self._guard.crashed(burst.turn):
                    with suppress(Shut):  # the words are kept all the same
                        await self._arrivals.before(burst, presenter)
                        await self._backlog.tell(burst, presenter)
                await self._turns.run(burst, presenter, self._stop)
        finally:
            self._stop = None
        if not self._leaving:
            await self._zoning.ask(burst.first, self.platform(burst.first.surface))

    async def _write(self, begun: OpenTurn) -> None:
        self._stop = Stop()
        try:
            async with self._writing:
                await self._command(begun, self._stop)
        finally:
            self._stop = None

    async def _command(self, begun: OpenTurn, stop: Stop | None = None) -> None:
        if begun.command:
            update = begun.command.update
            name, argument = parsed(update)
            presenter = self.presenter(update.surface, update.chat, begun.turn, update.replaces)
            await self._commands.run(name, argument, begun, presenter, stop)

    async def _change(self, late: Incoming) -> None:
        async with self._writing:
            await self._late.run(late.key, self.presenter)

    async def _care(self) -> None:
        async with self._writing:
            await self._parts.keeper.finish()

    async def _give_up(self, name: str, update: Incoming | None) -> None:
        """Let go of it, so that the queue goes on; a message that is not stored stays in the journal."""
        if update is None:
            self._parts.keeper.abandon()
        elif name == f"late-{update.key}":
            await self._late.drop(update.key)
        else:
            self._parts.journal.append(Dead(name, "failed"))


async def _nothing() -> None:
    """There is nothing to do between turns."""
