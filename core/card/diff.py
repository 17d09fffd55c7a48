"""What changed between two texts of a card: lines for the eye, and counters of what became of the entries.

Source: original.md 2.10 and 3.6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.card.codec import decode, is_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.card.model import Entry

SHOWN: Final = 12
"""How many lines of either side are shown."""
ALIKE: Final = 0.5
"""From this similarity on, a removed and an added entry count as one that was rewritten."""
_TOKEN: Final = re.compile(r"[぀-ヿ㐀-鿿豈-﫿]|[^\W_぀-ヿ㐀-鿿豈-﫿]+")


@dataclass(frozen=True, slots=True)
class LineDiff:
    """The lines that went and came, at most twelve of each; headings, stamps and comments do not count."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counters:
    """How many entries came, went, were rewritten; a rewritten profile is reinforced, an aged hook dropped demoted."""

    added: int = 0
    removed: int = 0
    superseded: int = 0
    reinforced: int = 0
    demoted: int = 0


def line_diff(old: str, new: str) -> LineDiff:
    """The lines by which two texts differ, indentation and repetition aside."""
    before, after = _lines(old), _lines(new)
    removed = [line for line in before if line not in after]
    added = [line for line in after if line not in before]
    return LineDiff(tuple(removed[:SHOWN]), tuple(added[:SHOWN]))


def _lines(text: str) -> dict[str, None]:
    stripped = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    return dict.fromkeys(line for line in stripped if line and not line.startswith(("#", "_", "<!--")))


def counters(old: str, new: str, *, demoted: int = 0) -> Counters:
    """What became of the entries between two cards; of texts that are no cards, the lines are counted."""
    if not (is_card(old) and is_card(new)):
        before, after = _lines(old), _lines(new)
        return Counters(added=len(after.keys() - before.keys()), removed=len(before.keys() - after.keys()))
    one, other = decode(old), decode(new)
    gone, come = _apart(_texts(one.identity, one.entries), _texts(other.identity, other.entries))
    rewritten = len(rewrites(gone, come))
    profile = (bool(one.profile), bool(other.profile)) if one.profile != other.profile else (False, False)
    return Counters(
        added=len(come) - rewritten + (profile == (False, True)),
        removed=max(0, len(gone) - rewritten + (profile == (True, False)) - demoted),
        superseded=rewritten,
        reinforced=int(profile == (True, True)),
        demoted=demoted,
    )


def _texts(lines: Iterable[str], entries: Iterable[Entry]) -> list[str]:
    return [*lines, *(entry.text for entry in entries)]


def _apart(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    return [text for text in before if text not in after], [text for text in after if text not in before]


def rewrites(gone: Sequence[str], come: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of a text that went and the text, like it, that came for it; each text at most once."""
    left = list(come)
    pairs: list[tuple[str, str]] = []
    for text in gone:
        best = max(left, key=lambda other: similarity(text, other), default=None)
        if best is not None and similarity(text, best) >= ALIKE:
            left.remove(best)
            pairs.append((text, best))
    return pairs


def similarity(one: str, other: str) -> float:
    """How alike two texts are, 0 to 1: the words (Chinese: characters) shared, of all or of the shorter text."""
    first, second = set(_TOKEN.findall(one.casefold())), set(_TOKEN.findall(other.casefold()))
    shared = len(first & second)
    return max(shared / len(first | second), shared / min(len(first), len(second))) if first and second else 0.0


def shown(diff: LineDiff) -> str:
    """The lines that went and came, as a diff in Markdown."""
    lines: Sequence[str] = [*(f"- {line}" for line in diff.removed), *(f"+ {line}" for line in diff.added)]
    return "\n".join(("```diff", *lines, "```")) if lines else ""
