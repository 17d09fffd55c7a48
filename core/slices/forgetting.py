"""Taking talk out of files: pure functions from the bytes that stand there to bytes without it (pains P065).

Everything that is not named keeps its bytes. Each function may be repeated: what is gone is gone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.slices.cognition import block_of
from core.slices.messages import decode_messages

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from core.slices.model import Slice

_REFS: Final = re.compile(r"\s*— refs:\s*((?:\[[^\[\]]*\][,;\uff0c\u3001\s]*)+)")
_REF: Final = re.compile(r"\[\s*([^\[\]]*?)\s*\]")
_FENCE: Final = "---\n"
_HEAD: Final = re.compile(r"(\w+): (.*)\Z", re.DOTALL)
_STRUCTURE: Final = ("#", "_Active slice", "<!--")


@dataclass(frozen=True, slots=True)
class Trace:
    """By what a line of a card is known to rest on what was forgotten.

    `slices` are paths `YYYY/MM/DD/HHMM` that are gone, `touched` those that lost turns: a line that points to one of
    them as a whole cannot be told to rest on what is left. `refs` are single turns `YYYY/MM/DD/HHMM-turn`, `lines`
    whole lines (of what a pass over a forgotten slice has written), `words` are found anywhere in a line.
    """

    slices: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def holds(self, ref: str) -> bool:
        """Whether a ref points to what was forgotten."""
        rel = ref.partition("-")[0]
        return rel in self.slices or ref in self.touched or ref in self.refs


def folded(text: str) -> str:
    """A text as words are looked for in it: NFKC, case folded, blanks run together."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def without_turns(found: Slice, labels: Collection[str]) -> Slice:
    """The slice without the turns of these labels, and without its marks, which are made anew from what is left."""
    turns = tuple(turn for turn in found.turns if turn.label not in labels)
    return replace(
        found,
        turns=turns,
        focus="",
        summary="",
        open_loops=(),
        decisions=(),
        tags=(),
        loops=(),
        emotional_tone="",
        evolution_summary="",
    )


def without_messages(data: bytes, turns: Collection[str]) -> bytes | None:
    """`messages.jsonl` without the lines of these turns; None when nothing is left. Foreign lines stay."""
    kept = [
        line
        for line in data.split(b"\n")
        if line.strip() and not any(one.turn in turns for one in decode_messages(line).entries)
    ]
    return b"".join(line + b"\n" for line in kept) or None


def without_thoughts(text: str, turns: Collection[str]) -> str:
    """`agent.md` without the blocks of these turns."""
    for turn in turns:
        found = block_of(text, turn)
        if found:
            place = text.find(found.rstrip())
            text = text[:place] + text[place + len(found.rstrip()) :].lstrip("\n")
    return text if text.strip() else ""


def without_facts(text: str, trace: Trace) -> tuple[str, tuple[str, ...]]:
    """A card's text without the lines that rest only on what was forgotten, and those lines.

    A line that rests on something else, too, loses the refs alone.
    """
    kept: list[str] = []
    gone: list[str] = []
    for raw in re.findall(r"[^\n]*\n|[^\n]+\Z", text):
        line = raw.strip()
        left = _left(raw, line, trace)
        if left is None:
            gone.append(line)
        else:
            kept.append(left)
    return "".join(kept), tuple(gone)


def card_without(text: str, trace: Trace) -> str:
    """A card's text without such lines."""
    return without_facts(text, trace)[0]


def without_record(text: str, trace: Trace) -> str:
    """The record of a change of the card without such lines, in what came, what went, and the card as it was before.

    Its sentence goes with any of them, for it may say the same in other words.
    """
    opened, *rest = text.split(_FENCE, 2)
    if opened or len(rest) != 2:  # noqa: PLR2004 - head and body
        return without_facts(text, trace)[0]
    before, gone = without_facts(rest[1], trace)
    head = [_head(line, trace) for line in rest[0].split("\n") if line]
    touched = bool(gone) or any(changed for _, changed in head)
    lines = "".join(_quiet(line, touched=touched) + "\n" for line, _ in head)
    return f"{_FENCE}{lines}{_FENCE}{before}"


def without_names(data: bytes, names: Collection[str]) -> bytes | None:
    """The merges of strands without those that name one of these; None when nothing is left. Raises ValueError."""
    found: Mapping[str, str] = json.loads(data)
    kept = {source: target for source, target in found.items() if source not in names and target not in names}
    if kept == found:
        return data
    return json.dumps(kept, ensure_ascii=False, indent=2).encode() if kept else None


def _left(raw: str, line: str, trace: Trace) -> str | None:
    """What is left of a line of a card; None when it goes."""
    if not line or line.startswith(_STRUCTURE):
        return raw
    if line in trace.lines or _says(line, trace.words):
        return None
    found = _REFS.search(raw)
    if not found:
        return raw
    refs = _REF.findall(found[1])
    kept = [ref for ref in refs if not trace.holds(ref)]
    if len(kept) == len(refs):
        return raw
    if not kept:
        return None
    blank = found[1][len(found[1].rstrip()) :]
    written = f" — refs: {', '.join(f'[{ref}]' for ref in kept)}{blank}"
    return raw[: found.start()] + written + raw[found.end() :]


def _says(line: str, words: Sequence[str]) -> bool:
    return bool(words) and any(word in folded(line) for word in words)


def _head(line: str, trace: Trace) -> tuple[str, bool]:
    """A line of a record's head without the lines that go, and whether that changed it."""
    found = _HEAD.match(line)
    try:
        value = json.loads(found[2]) if found else None
    except ValueError:
        return line, False
    if not found or not isinstance(value, list):
        return line, isinstance(value, str) and _says(value, trace.words)
    kept = [one for one in value if _left(f"{one}\n", str(one).strip(), trace) == f"{one}\n"]
    return f"{found[1]}: {json.dumps(kept, ensure_ascii=False)}", len(kept) != len(value)


def _quiet(line: str, *, touched: bool) -> str:
    return 'summary: ""' if touched and line.startswith("summary: ") else line
