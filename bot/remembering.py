"""What a fresh disk knows again from the repository: which messages were seen, and which still wants its answer.

With a webhook the platform forgets a message once its words are pushed (DESIGN 5.9). A machine that is lost between
that and the answer leaves words without an answer behind, and nobody but memory itself can bring them back.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from core.clock import instant
from core.conversation import Incoming
from core.errors import PreviouslyError
from core.journal.ids import is_later, stream_of
from core.journal.records import Applied, In, Plan, Snap
from core.keeper.operations import MergeTurns, to_json
from core.slices import cognition
from core.slices.foreign import written
from core.slices.messages import OFF, Message, decode_messages
from core.slices.model import AGENT, USER, Slice, Turn, agent_path, messages_path
from core.turn.place import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from bot.house import House
    from core.conversation import Surface
    from core.journal.records import Record

RECENT: Final = 12
"""How many of the newest slices tell which messages were seen already, on a disk that has forgotten it."""
OWED: Final = timedelta(days=1)
"""How old words may be that are still answered by themselves: later the person has asked again or given up."""
_SURFACES: Final[dict[str, Surface]] = {PREFIXES[one]: one for one in ("telegram", "discord", "double")}
"""Where an answer is awaited without anybody typing again; the terminal is gone with its machine."""


async def remember(house: House) -> None:
    """Know the messages of the newest slices as seen: the platform may deliver them again (DESIGN 5.6).

    The newest turn is open again when it has words and no answer: the queue answers it as after any death.
    """
    slices, now = await house.parts.slices.newest(RECENT), house.parts.clock.now()
    keys: dict[str, None] = {}
    opened: tuple[Record, ...] = ()
    for slice_id in slices:
        with suppress(PreviouslyError):
            entries = await _messages(house, slice_id)
            keys |= dict.fromkeys(one.key for one in entries if one.role in {USER, OFF})
            if slice_id == max(slices):
                piece = (await house.parts.slices.load(slice_id)).slice
                opened = unanswered(piece, entries, await _log(house, slice_id), now)
    if keys:
        house.parts.journal.append(Snap(seen=tuple(keys), cursors=_cursors(keys), open=opened))


def unanswered(piece: Slice, entries: Iterable[Message], log: str, now: datetime) -> tuple[Record, ...]:
    """The records that open the newest turn of a slice as one whose words are stored; none when nothing is owed.

    Nothing is owed when the slice is closed, when the turn has an answer or its cognition log says why not, when it
    came over no platform, or is a day old.
    """
    turn = piece.turns[-1] if piece.turns else None
    name = turn.id if turn else None
    if piece.closed or turn is None or name is None or turn.role != USER or not _fresh(turn, now):
        return ()
    if name in cognition.turns_of(log) or any(one.turn == name and one.role == AGENT for one in entries):
        return ()
    lines = [one for one in entries if one.turn == name and one.role == USER and not one.deleted]
    if not lines or any(one.surface not in _SURFACES for one in lines):
        return ()
    taken = [_received(one, turn, piece, now, first=one is lines[0]) for one in lines]
    merge = MergeTurns(piece.id, (turn,), piece.start, piece.timezone)
    plan = Plan(name, "words", keys=tuple(one.key for one in lines), ops=(to_json(merge),))
    return (*taken, plan, Applied(name, "words"))


def _fresh(turn: Turn, now: datetime) -> bool:
    at = instant(turn.at)
    return at is not None and abs(now - at) <= OWED


def _received(line: Message, turn: Turn, piece: Slice, now: datetime, *, first: bool) -> In:
    """The message as far as memory knows it: what the turn says stands in its first one, foreign text as foreign."""
    at, own = line.at or turn.at, written(turn.text)
    update = Incoming(
        key=line.key,
        surface=_SURFACES[line.surface],
        chat=stream_of(line.key).partition(":")[2],
        sent=instant(at) or now,
        text=own if first else "",
        quoted=turn.id or "" if first and not own else "",
        foreign=turn.text if first and not own else "",
        zone=piece.timezone,
    )
    return In(update, turn.at)


def _cursors(keys: Iterable[str]) -> dict[str, str]:
    cursors: dict[str, str] = {}
    for key in keys:
        if is_later(key, cursors.get(stream_of(key), "")):
            cursors[stream_of(key)] = key
    return cursors


async def _messages(house: House, slice_id: str) -> Sequence[Message]:
    return decode_messages((await house.parts.storage.read(messages_path(slice_id))).data).entries


async def _log(house: House, slice_id: str) -> str:
    """The cognition log, "" when there is none."""
    with suppress(PreviouslyError):
        return (await house.parts.storage.read(agent_path(slice_id))).text
    return ""
