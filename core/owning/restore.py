"""Putting back what was forgotten, into files that may have gone on since: pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.errors import Malformed
from core.slices import codec, cognition, merge
from core.slices.messages import decode_messages, encode_messages, merge_messages

if TYPE_CHECKING:
    from core.owning.bin import Binned

_BLOCK: Final = re.compile(r"^## Cognition (\S+) — ", re.MULTILINE)


def restored(path: str, kept: Binned, now: bytes | None, version: str | None) -> bytes | None:
    """The file as it is to stand, or None when it has changed in a way that nothing can be put back into."""
    if now == kept.data or version == kept.after:
        return kept.data
    if now is None:
        return kept.data
    if path.endswith("/core.md"):
        return _core(path, kept.data, now)
    if path.endswith("/messages.jsonl"):
        both = merge_messages(decode_messages(kept.data).entries, decode_messages(now).entries)
        return encode_messages(both)
    if path.endswith("/agent.md"):
        return _thoughts(kept.data, now)
    return None


def _core(path: str, before: bytes, now: bytes) -> bytes | None:
    """The slice as it was, with the turns that came since, in the order of their times; closed when it is by now."""
    try:
        was, present = codec.decode(before, path), codec.decode(now, path)
    except Malformed:
        return None
    both = merge.merge_turns(was, present.turns)
    turns = tuple(sorted(both.turns, key=lambda turn: turn.at))
    if present.closed and not was.closed:
        both = replace(both, status=present.status, end=present.end, closed_by=present.closed_by)
    return codec.encode(replace(both, turns=turns)).encode()


def _thoughts(before: bytes, now: bytes) -> bytes:
    text, later = before.decode(errors="surrogateescape"), now.decode(errors="surrogateescape")
    for found in _BLOCK.finditer(later):
        text = cognition.append_block(text, found[1], cognition.block_of(later, found[1]) or "")
    return text.encode(errors="surrogateescape")
