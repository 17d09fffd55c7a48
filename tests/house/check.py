"""What must hold of memory and chat whenever a story has been told (reliability 2.1, P1-P3)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from core.slices.codec import decode
from core.slices.messages import decode_messages
from core.slices.model import USER

if TYPE_CHECKING:
    from core.slices.model import Slice
    from tests.house.life import Lives

TOKEN = re.compile(r"<\w+>")


def slices_of(tree: dict[str, bytes]) -> dict[str, Slice]:
    """Every slice in a tree by its path; raises when one is torn."""
    return {path: decode(data, path) for path, data in sorted(tree.items()) if path.endswith("/core.md")}


def faults(lives: Lives, *, unanswered: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong, in words; nothing when all is well.

    Every message of the story holds one token like `<m1>`; tokens in `unanswered` were taken back or only edited in.
    """
    tree = lives.disk.tree()
    pieces = slices_of(tree)
    turns = [turn for piece in pieces.values() for turn in piece.turns]
    stored = Counter(token for turn in turns if turn.role == USER for token in TOKEN.findall(turn.text))
    answers = "\n".join(text for text in lives.world.finals() if text.startswith("answer to"))
    answered = Counter(TOKEN.findall(answers))
    wrong = []
    for token in sorted(lives.tokens):
        if stored[token] != 1:
            wrong.append(f"{token} is stored {stored[token]} times")
        if token not in unanswered and answered[token] != 1:
            wrong.append(f"{token} is answered {answered[token]} times")
    wrong += _structure(tree, pieces)
    return wrong


def _structure(tree: dict[str, bytes], pieces: dict[str, Slice]) -> list[str]:
    wrong = []
    for path, piece in pieces.items():
        keys = Counter((turn.label, turn.role) for turn in piece.turns)
        wrong += [f"{path} holds {key} {count} times" for key, count in keys.items() if count > 1]
        if not piece.start or (piece.closed and not piece.end):
            wrong.append(f"{path} lacks its times")
    for path, data in tree.items():
        if path.endswith("messages.jsonl"):
            read = decode_messages(data)
            seen = Counter((entry.key, entry.role) for entry in read.entries)
            wrong += [f"{path}: {read.skipped} lines are torn"] if read.skipped else []
            wrong += [f"{path} notes {key} {count} times" for key, count in seen.items() if count > 1]
        if path.endswith("agent.md"):
            blocks = Counter(re.findall(r"^## Cognition (\S+)", data.decode(), re.MULTILINE))
            wrong += [f"{path} logs {turn} {count} times" for turn, count in blocks.items() if count > 1]
        if path.endswith(".tmp"):
            wrong.append(f"{path} was left behind")
    active = [path for path, piece in pieces.items() if not piece.closed]
    if len(active) > 1:
        wrong.append(f"open at once: {active}")
    return wrong
