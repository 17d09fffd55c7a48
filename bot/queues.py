"""Two queues behind the door: commands run at once, talk runs one turn at a time, oldest first.

Nothing is lost when something fails: a turn stays open in the journal and is tried again, three times at most, and the
queue goes on (P7). When the disk or a platform refuses, the chat rests for a while and the person is told.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from bot.burst import gather
from bot.inbox import COMMAND, Journalled
from core.agent.stop import Stop
from core.conversation import Failed
from core.document import Document, Text
from core.errors import DiskLost, PlatformTrouble, StorageError
from core.journal.ids import turn_id
from core.journal.records import Dead
from core.turn.burst import Burst

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping

    from bot.arrival import Arrivals
    from bot.commands import Commands
    from bot.inbox import Door
    from core.conversation import Incoming, Platform, Presenter, Surface, TurnEvent
    from core.journal.open_turn import OpenTurn, Waiting
    from core.turn.late import Late
    from core.turn.parts import Parts
    from core.turn.pipeline import Turns

PAUSES: Final = (5.0, 15.0, 60.0)
"""Seconds that a chat rests after the disk or its platform refused, once, twice, and from then on."""

CRASHES: Final = 3
"""How often showing one thing may fail for no known reason before it is given up."""

_log = logging.getLogger("previously.queues")
Chat = tuple["Surface", str]


class Queues:
    """Works off what the journal holds open."""

    def __init__(
        self, parts: Parts, door: Door, turns: Turns, late: Late, commands: Commands, arrivals: Arrivals
    ) -> None:
        self._parts = parts
        self._journal = parts.journal
        self._door = door
        self._turns = turns
        self._late = late
        self._commands = commands
        self._arrivals = arrivals
        self._outbox = Journalled(parts.journal)
        self._platforms: Mapping[Surface, Platform] = {}
        self._writing = asyncio.Lock()
        self._stop: Stop | None = None
        self._failures: dict[str, int] = {}
        self._resting: dict[Chat, float] = {}

    def join(self, platforms: Mapping[Surface, Platform]) -> None:
        """The platforms on which answers are shown."""
        self._platforms = dict(platforms)

    async def stop(self) -> bool:
        """End the answer that is being written, keeping its part; whether there was one."""
        if self._stop is None or self._stop.asked:
            return False
        self._stop.set()
        return True

    async def serve(self) -> None:
        """Work for ever; what an earlier process left open comes first. Raises `DiskLost`."""
        self._door.wake()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._serve_commands(group))
            group.create_task(self._serve_talk(group))

    async def _serve_commands(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self._door.asked.wait()
            self._door.asked.clear()
            for begun in [one for one in self._journal.state.turns.values() if one.command]:
                if begun.command:
                    await self._guarded(group, begun.turn, begun.command.update, self._command(begun))

    async def _command(self, begun: OpenTurn) -> None:
        if begun.command is None:
            return
        update = begun.command.update
        found = COMMAND.match(update.text.strip())
        name, argument = (found[1], found[2] or "") if found else ("", "")
        presenter = self.presenter(update.surface, update.chat, begun.turn)
        if name not in self._commands.writing:
            await self._commands.run(name, argument, begun, presenter)
            return
        async with self._writing:
            await self._commands.run(name, argument, begun, presenter)

    async def _serve_talk(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self._door.talk.wait()
            self._door.talk.clear()
            while await self._next(group):
                await self._parts.clock.sleep(0)

    async def _next(self, group: asyncio.TaskGroup) -> bool:
        """Do one thing that is open, oldest first; whether there was any."""
        burst = next(self._begun(), None)
        if burst is None and self._journal.state.late:
            first = next(iter(self._journal.state.late.values())).update
            await self._guarded(group, "late", first, self._change())
            return not self._rests(first)
        burst = burst or await self._gather()
        if burst is None:
            return False
        await self._guarded(group, burst.turn, burst.first, self._run(burst))
        return True

    def _begun(self) -> Iterator[Burst]:
        """Turns that an earlier try left open; one that had stored nothing gathers its messages anew."""
        waiting = self._journal.state.waiting
        for one in [one for one in self._journal.state.turns.values() if one.command is None]:
            key = next((key for key in waiting if turn_id(key) == one.turn), None)
            if one.taken and not self._rests(one.taken[0].update):
                yield Burst(one.turn, one.taken)
            elif not one.taken and key is not None and not self._rests(waiting[key].update):
                yield Burst(one.turn, gather(_from(list(waiting.values()), key), self._parts.clock.now()).messages)

    async def _gather(self) -> Burst | None:
        """The next burst of what waits, after the quiet that it needs."""
        while True:
            ready = [one for one in self._journal.state.waiting.values() if not self._rests(one.update)]
            if not ready:
                return None
            gathered = gather(ready, self._parts.clock.now())
            if not gathered.wait:
                return Burst(turn_id(gathered.messages[0].first.update.key), gathered.messages)
            await self._parts.clock.sleep(gathered.wait)

    async def _run(self, burst: Burst) -> None:
        presenter = self.presenter(burst.first.surface, burst.first.chat, burst.turn)
        self._stop = Stop()
        try:
            async with self._writing:
                await self._arrivals.before(burst, presenter)
                await self._turns.run(burst, presenter, self._stop)
        finally:
            self._stop = None

    async def _change(self) -> None:
        async with self._writing:
            await self._late.run(self.presenter)

    def presenter(self, surface: Surface, chat: str, turn: str) -> Presenter:
        """A presenter for that turn; nobody sees it when the platform is not connected in this process."""
        platform = self._platforms.get(surface)
        return platform.presenter(chat, turn, self._outbox) if platform else Unseen()

    async def _guarded(
        self, group: asyncio.TaskGroup, name: str, update: Incoming, work: Coroutine[object, object, None]
    ) -> None:
        """Do the work; what fails stays open, and the queue goes on."""
        try:
            await work
        except DiskLost:
            raise
        except (StorageError, PlatformTrouble) as error:
            _log.warning("%s waits: %s", name, error)
            await self._rest(group, name, update, tell=isinstance(error, StorageError))
        except Exception:  # noqa: BLE001 - one bad message must not stop the queue; logged with its traceback
            _log.exception("%s failed", name)
            self._failures[name] = self._failures.get(name, 0) + 1
            if self._failures[name] > CRASHES:
                await self._give_up(name, update)
        else:
            self._failures.pop(name, None)

    async def _give_up(self, name: str, update: Incoming) -> None:
        self._failures.pop(name, None)
        if name == "late":
            await self._late.drop()
        else:
            self._journal.append(Dead(name, "failed"))
        await self._tell(update, name, "turn.given_up")

    async def _rest(self, group: asyncio.TaskGroup, name: str, update: Incoming, *, tell: bool) -> None:
        count = self._failures.get(name, 0)
        self._failures[name] = count + 1
        pause = PAUSES[min(count, len(PAUSES) - 1)]
        self._resting[_chat(update)] = self._parts.clock.monotonic() + pause
        if tell and not count:
            await self._tell(update, name, "turn.disk")
        group.create_task(self._wake_after(pause))

    async def _wake_after(self, seconds: float) -> None:
        await self._parts.clock.sleep(seconds)
        self._door.wake()

    def _rests(self, update: Incoming) -> bool:
        return self._resting.get(_chat(update), 0.0) > self._parts.clock.monotonic()

    async def _tell(self, update: Incoming, name: str, key: str) -> None:
        """Tell the person, as far as the platform lets us."""
        words = self._parts.words[self._parts.locale]
        try:
            sentence = Failed(Document((Text(words(key)),)))
            await self.presenter(update.surface, update.chat, name).show(sentence)
        except (PlatformTrouble, StorageError) as error:
            _log.warning("%s could not be told: %s", name, error)


class Unseen:
    """Shows nothing: the answer of a turn whose platform is not connected is found on the timeline."""

    async def show(self, event: TurnEvent) -> None:
        """Let it pass."""


def _chat(update: Incoming) -> Chat:
    return update.surface, update.chat


def _from(waiting: list[Waiting], key: str) -> list[Waiting]:
    place = next(place for place, one in enumerate(waiting) if one.first.update.key == key)
    return waiting[place:]
