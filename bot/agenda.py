"""What is open in the journal, in the order in which it is to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.burst import after, gather
from bot.inbox import COMMAND
from core.journal.ids import turn_id
from core.turn.burst import Burst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bot.rests import Rests
    from core.clock import Clock
    from core.conversation import Incoming
    from core.journal.journal import Journal
    from core.journal.open_turn import OpenTurn, Waiting


class Agenda:
    """Looks at the journal and leaves out chats that rest. `writes` tells (name, argument) of a command that writes."""

    def __init__(self, journal: Journal, clock: Clock, rests: Rests, writes: Callable[[str, str], bool]) -> None:
        self._journal = journal
        self._clock = clock
        self._rests = rests
        self._writes = writes

    @property
    def care(self) -> bool:
        """Whether plans for memory itself are unfinished."""
        return bool(self._journal.state.care) and not self._rests.now(None)

    def late(self) -> Incoming | None:
        """The oldest change of a message that a turn has taken."""
        return next((one.update for one in self._journal.state.late.values() if not self._rests.now(one.update)), None)

    def asked(self, *, writing: bool) -> OpenTurn | None:
        """The oldest command that writes, or that does not."""
        for one in self._journal.state.turns.values():
            asked = one.command.update if one.command else None
            if asked and not self._rests.now(asked) and self._writes(*parsed(asked)) == writing:
                return one
        return None

    def begun(self) -> Burst | None:
        """A turn that an earlier try left open; one that had stored nothing gathers its messages anew."""
        return next(self._begun(), None)

    async def burst(self) -> Burst | None:
        """The next burst of what waits, after the quiet that it needs; none from behind a command that writes."""
        while ready := self._ready():
            gathered = gather(ready, self._clock.now())
            if not gathered.wait or self.asked(writing=True):
                return Burst(turn_id(gathered.messages[0].first.update.key), gathered.messages)
            await self._clock.sleep(gathered.wait)
        return None

    def _begun(self) -> Iterator[Burst]:
        ready = self._ready()
        for one in [one for one in self._journal.state.turns.values() if one.command is None]:
            place = next((at for at, message in enumerate(ready) if turn_id(message.update.key) == one.turn), None)
            if one.taken and not self._rests.now(one.taken[0].update):
                yield Burst(one.turn, one.taken)
            elif not one.taken and place is not None:
                yield Burst(one.turn, gather(ready[place:], self._clock.now()).messages)

    def _ready(self) -> Sequence[Waiting]:
        """What waits, in journal order, up to the next command that writes: it must find what was said before it."""
        fence = self.asked(writing=True)
        command = fence.command if fence else None
        waiting = [one for one in self._journal.state.waiting.values() if not self._rests.now(one.update)]
        return [one for one in waiting if command is None or not after(one.first, command)]


def parsed(update: Incoming) -> tuple[str, str]:
    """A command's name, and what follows it."""
    found = COMMAND.match(update.text.strip())
    return (found[1].lower(), found[2] or "") if found else ("", "")
