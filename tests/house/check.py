"""What must hold of memory, chat and journal whenever a story has been told (reliability 2.1: P1-P4, P6)."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from core.journal.codec import decode as decode_record
from core.journal.codec import payload_of
from core.journal.records import PATH
from core.journal.state import State
from core.slices.codec import decode, is_torn
from core.slices.filed import links
from core.slices.messages import decode_messages
from core.slices.model import AGENT, USER
from tests.doubles.chat import STATUS
from tests.house.person import PICTURE
from tests.house.projected import untrue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.slices.model import Slice, Turn
    from tests.house.life import Lives
    from tests.house.person import Person

TOKEN = re.compile(r"<(\w+)>")
ANSWER = re.compile(r"answer to «(.*?)»", re.DOTALL)


def faults(lives: Lives) -> list[str]:
    """What is wrong, in words; nothing when all is well."""
    tree, person = lives.disk.tree(), lives.person
    pieces = slices_of(tree)
    turns = [turn for piece in pieces.values() for turn in piece.turns]
    wrong = list(lives.broken)
    wrong += _stored(person, turns) + _answered(person, turns)
    wrong += [flaw for piece in pieces.values() for flaw in _phantoms(piece)]
    wrong += torn(tree) + _filed(tree, pieces) + _structure(tree, pieces) + untrue(tree) + _journal(tree)
    return wrong


def orphans(person: Person) -> int:
    """Status messages that nothing became of: allowed, and counted."""
    return sum(text == STATUS for text in person.messages.values())


def slices_of(tree: dict[str, bytes]) -> dict[str, Slice]:
    """Every slice in a tree by its path, oldest first; raises when one cannot be read."""
    return {path: _slice(path, data) for path, data in sorted(tree.items()) if path.endswith("/core.md")}


@lru_cache(4_096)
def _slice(path: str, data: bytes) -> Slice:
    return decode(data, path)


def torn(tree: dict[str, bytes]) -> list[str]:
    """Files of memory that are half written, also between a crash and the next start (P3)."""
    return [flaw for path, data in tree.items() if path.startswith("memory/") for flaw in _torn(path, data)]


@lru_cache(4_096)
def _torn(path: str, data: bytes) -> tuple[str, ...]:
    if path.endswith(".tmp"):
        return ()
    if "/files/" in path or path.endswith(".json"):
        whole = _is_json(data) if path.endswith(".json") else data == PICTURE
        return () if whole else (f"{path} is torn",)
    if not data.endswith(b"\n") or b"\x00" in data:
        return (f"{path} is torn",)
    if path.endswith("/core.md") and is_torn(decode(data, path)):
        return (f"{path} breaks off",)
    if path.endswith("messages.jsonl") and decode_messages(data).skipped:
        return (f"{path} has torn lines",)
    return ()


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _stored(person: Person, turns: Sequence[Turn]) -> list[str]:
    """Every message once (P1, P2), in the order in which it was said (P6)."""
    found = [token for turn in turns if turn.role == USER for token in TOKEN.findall(turn.text)]
    count = Counter(found)
    wanted = [*person.order, *person.edited.values()]
    wrong = [f"<{token}> is stored {count[token]} times" for token in wanted if count[token] != 1]
    said = [token for token in found if token in person.order]
    if not wrong and said != person.order:
        wrong.append(f"stored in the order {said}")
    return wrong


def _answered(person: Person, turns: Sequence[Turn]) -> list[str]:
    """Every message once, in order, whole, and with the words that are stored (P2, P6)."""
    stored = [turn.text for turn in turns if turn.role == AGENT]
    shown = [text for _, text in sorted(person.messages.items()) if text.startswith("answer")]
    wrong = [f"stored answer is not whole: {text!r}" for text in stored if not ANSWER.fullmatch(text)]
    wrong += [f"shown is what was not stored: {text!r}" for text in shown if not text.startswith(tuple(stored) or ".")]
    for where, texts in (("stored", stored), ("shown", shown)):
        found = [token for text in texts for token in TOKEN.findall(text)]
        count = Counter(found)
        expected = [token for token in person.order if token not in person.hushed]
        twice = [f"<{token}> is answered {count[token]} times ({where})" for token in expected if count[token] != 1]
        if not twice and [token for token in found if token in expected] != expected:
            twice.append(f"answers {where} in the order {found}")
        wrong += twice
    return wrong


def _phantoms(piece: Slice) -> list[str]:
    """Turns that nobody said."""
    said = {turn.label for turn in piece.turns if turn.role == USER}
    wrong = [f"{piece.id} holds an empty turn {turn.label}" for turn in piece.turns if not turn.text.strip()]
    for turn in piece.turns:
        if turn.role == AGENT and turn.label not in said:
            wrong.append(f"{piece.id} answers {turn.label}, which nobody said")
        if turn.role == USER and not TOKEN.search(turn.text):
            wrong.append(f"{piece.id} holds a phantom: {turn.text!r}")
    return wrong


def _structure(tree: dict[str, bytes], pieces: dict[str, Slice]) -> list[str]:
    wrong = []
    for path, piece in pieces.items():
        keys = Counter((turn.label, turn.role) for turn in piece.turns)
        wrong += [f"{path} holds {key} {count} times" for key, count in keys.items() if count > 1]
        if not piece.start or (piece.closed and not piece.end):
            wrong.append(f"{path} lacks its times")
        if not piece.turns:
            wrong.append(f"{path} is a slice without a word")
    for path, data in tree.items():
        wrong += [f"{path} was left behind"] if path.endswith(".tmp") else []
        wrong += [f"{path}: there was no edit by hand"] if ".conflict" in path else []
        wrong += _repeated(path, data)
    active = [path for path, piece in pieces.items() if not piece.closed]
    return [*wrong, f"open at once: {active}"] if len(active) > 1 else wrong


@lru_cache(4_096)
def _repeated(path: str, data: bytes) -> list[str]:
    if path.endswith("messages.jsonl"):
        seen = Counter((entry.key, entry.role) for entry in decode_messages(data).entries)
        return [f"{path} notes {key} {count} times" for key, count in seen.items() if count > 1]
    if path.endswith("agent.md"):
        blocks = Counter(re.findall(r"^## Cognition (\S+)", data.decode(), re.MULTILINE))
        return [f"{path} logs {turn} {count} times" for turn, count in blocks.items() if count > 1]
    return []


def _filed(tree: dict[str, bytes], pieces: dict[str, Slice]) -> list[str]:
    """Every link leads to a file, every file is linked to, and none has two names."""
    found = [path for path in tree if "/files/" in path]
    linked = [
        f"{path.removesuffix('/timeline/core.md')}/files/{name}"
        for path, piece in pieces.items()
        for turn in piece.turns
        if turn.role == USER
        for _, name in links(turn.text)
    ]
    lost = [turn.text for piece in pieces.values() for turn in piece.turns if "(not kept" in turn.text]
    wrong = [f"a file was not kept: {text!r}" for text in lost]
    return wrong if sorted(found) == sorted(linked) else [*wrong, f"linked are {linked}, kept are {found}"]


def _journal(tree: dict[str, bytes]) -> list[str]:
    """After an orderly stop nothing is open, and the file is one line of state and the mark of the stop."""
    lines = tree[PATH].split(b"\n")[:-1]
    payloads = [payload for line in lines if (payload := payload_of(line)) is not None]
    state = State()
    for payload in payloads:
        state.apply(decode_record(payload))
    wrong = [] if state.idle and not state.parked else [f"the journal is not idle: {state}"]
    if len(lines) != len(payloads):
        wrong.append("the journal has torn lines")
    if len(lines) != 2:
        wrong.append(f"the journal has {len(lines)} lines after an orderly stop")
    wrong += [f"{path} says that the journal was damaged" for path in tree if path.startswith("state/quarantine")]
    return wrong
