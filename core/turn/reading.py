"""Reading what stands beside the slices: the card as it is or was, the cognition log, and the clock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.card.codec import encode
from core.card.legacy import format_of, read_card
from core.clock import instant, iso
from core.errors import Malformed, StorageError
from core.relative import anchors, annotate_card, local_time, slice_instant
from core.slices.cognition import readable
from core.slices.model import CARD_PATH, agent_path, is_slice_id, snapshot_path

if TYPE_CHECKING:
    from core.turn.desk import Desk

NO_CARD: Final = "(there is no card yet: nothing is known of the person beyond what was said)"
NO_COPY: Final = "(no card was kept with slice {slice_id}; readPreviously without an id reads today's)"
OLD: Final = "*(kept in an older format; shown as a card of today)*"
STRANGE: Final = "*(no card that can be understood; the file as it stands)*"
_BLOCK: Final = re.compile(r"^(## Cognition \S+ — )(\S+)$", re.MULTILINE)
_MINUTE: Final = 60


async def card(desk: Desk, slice_id: str) -> str:
    """The live card (`slice_id` ""), or the one kept with a slice under the slice's banner (original.md 2.12, B19)."""
    if slice_id and not is_slice_id(slice_id):
        return _no_id(slice_id)
    text = await desk.text(snapshot_path(slice_id) if slice_id else CARD_PATH)
    if text is None or not text.strip():
        return NO_COPY.format(slice_id=slice_id) if slice_id else NO_CARD
    body = annotate_card(_today(text), desk.today(), desk.words)
    return f"{desk.banner(slice_id)}\n\n{body}" if slice_id else body


async def cognition(desk: Desk, slice_id: str) -> str:
    """What the assistant thought and did in a slice, each block with its local time."""
    if not is_slice_id(slice_id):
        return _no_id(slice_id)
    text = await desk.text(agent_path(slice_id))
    if text is None or not text.strip():
        return f"ERROR: slice {slice_id} has no cognition log"
    dated = _BLOCK.sub(lambda found: f"{found[0]}{desk.note(found[2])}", text)
    return f"{desk.banner(slice_id)}\n\n{readable(dated)}"


async def now(desk: Desk) -> str:
    """The person's clock, how long this slice has run, and the dates that spare arithmetic."""
    moment = desk.clock.now()
    local = local_time(moment, desk.zone, desk.words)
    lines = [f"local: {local.text} ({local.zone}, {local.offset or 'UTC'})", f"utc: {iso(moment)}"]
    began = await _began(desk)
    if began is not None:
        lines.append(f"this slice has run for: {max(0, began)} min")
    return "\n".join([*lines, *anchors(moment, desk.zone, desk.words)])


async def _began(desk: Desk) -> int | None:
    """How many minutes ago the slice being written began; None when nobody knows."""
    try:
        found = await desk.load(desk.current)
    except StorageError:
        return None
    start = instant(found.start) if not isinstance(found, str) else None
    began = start or slice_instant(desk.current)
    return int((desk.clock.now() - began).total_seconds() // _MINUTE) if began else None


def _today(text: str) -> str:
    """The card's text; an older format as a card, what is neither as it stands."""
    if format_of(text) in {"card", "blank"}:
        return text
    try:
        return f"{OLD}\n\n{encode(read_card(text))}"
    except Malformed:
        return f"{STRANGE}\n\n{text}"


def _no_id(slice_id: str) -> str:
    return f"ERROR: {slice_id[:60]!r} is not a slice id (YYYY-MM-DD-HHMM)"
