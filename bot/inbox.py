"""The single door from all platforms: what comes in is durable before a platform may forget it (R1)."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.zoning import placed
from core.clock import iso
from core.journal.records import In, Placeholder
from core.masking import MASK, masked
from core.slices.text import encodable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.settling import Settle
    from core.clock import Clock
    from core.conversation import Incoming
    from core.journal.journal import Journal

COMMAND: Final = re.compile(r"/([^\s/@]{1,24})(?:@\w+)?(?:\s+(.*))?\Z", re.DOTALL)
"""A stroke and a name: in any script, so that a slip such as `/99` is answered and not remembered."""


LONGEST: Final = 255
"""Characters of a name, its beginning and its last `ENDING`, which tell what kind of file it is."""

ENDING: Final = 12
_ODD: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def is_command(update: Incoming) -> bool:
    """Whether an update is a command: the person's own words, beginning with a slash and a name."""
    return update.kind == "message" and not update.forwarded and COMMAND.match(update.text.strip()) is not None


class Door:
    """Takes updates in. `talk` and `asked` are set when talk or commands may have come."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        gone: Callable[[], frozenset[str]] = frozenset,
        settle: Settle | None = None,
    ) -> None:
        """`gone` are the keys of messages that were forgotten: they are taken from the platform and not kept.

        `settle` waits until messages are where they last, on hosts whose disk does not.
        """
        self._journal = journal
        self._clock = clock
        self._gone = gone
        self._settle = settle
        self.talk = asyncio.Event()
        self.asked = asyncio.Event()

    async def accept(self, updates: Sequence[Incoming]) -> None:
        """Make new updates durable, in one write; raises `StorageError` when that was not possible.

        Raises `Unsettled` when they are kept here and the platform must keep them, too, for a while.
        """
        now, state = self._clock.now(), self._journal.state
        at = iso(now)
        gone = self._gone()
        updates = [placed(one, state, now) for one in updates]
        new = [one for one in updates if one.key not in gone and self._journal.state.is_new(one)]
        fresh = [_clean(one) for one in new]
        if fresh:
            self._tell_of_masks(new, fresh)
            self._journal.append(*(In(update, at, command=is_command(update)) for update in fresh))
            self.wake()
        said = [one for one in updates if one.kind == "message" and one.key not in gone and not is_command(one)]
        if self._settle and said:
            await self._settle(self._journal.state, said)

    def _tell_of_masks(self, new: Sequence[Incoming], fresh: Sequence[Incoming]) -> None:
        """The person hears once for each message that a secret in it was not kept (reliability 3.5)."""
        pairs = ((a, b) for old, clean in zip(new, fresh, strict=True) for a, b in _texts(old, clean))
        notice: tuple[str, dict[str, str]] = ("turn.masked", {})
        if any(b.count(MASK) > a.count(MASK) for a, b in pairs) and notice not in self._journal.notices:
            self._journal.notices.append(notice)

    def wake(self) -> None:
        """Have both queues looked at."""
        self.talk.set()
        self.asked.set()


def _texts(old: Incoming, clean: Incoming) -> tuple[tuple[str, str], ...]:
    return (old.text, clean.text), (old.foreign, clean.foreign)


def _clean(update: Incoming) -> Incoming:
    """The update without passwords and keys: nothing behind the door ever sees them (reliability 3.5).

    Names, which strangers may have chosen, are made such that they can be kept and read (reliability 4.6).
    """
    files = tuple(replace(one, name=_named(one.name), media=_named(one.media)) for one in update.attachments)
    cleaned = replace(
        update,
        text=masked(update.text),
        foreign=masked(update.foreign),
        forwarded=_named(update.forwarded),
        quoted=_named(update.quoted),
        attachments=files,
    )
    return update if cleaned == update else cleaned


def _named(name: str) -> str:
    """A name in one line, of whole characters, in its own direction, and no longer than a disk would take."""
    plain = masked(_ODD.sub(" ", encodable(name)))
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - ENDING]}{plain[-ENDING:]}"


class Journalled:
    """The outbox: what was sent stands in the journal (R8)."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def sent(self, turn: str, part: int) -> str | None:
        """The platform's id of that part, if one was recorded."""
        return self._journal.state.opened(turn).message(part)

    async def note(self, turn: str, part: int, message: str) -> None:
        """Record durably that the part is the platform's message with that id."""
        self._journal.append(Placeholder(turn, part, message))
