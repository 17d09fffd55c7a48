"""What must be mended in a Markdown text before telegramify-markdown sets it, so that nothing of it is lost.

The library drops HTML, renumbers lists, reads prices as formulas and swallows footnotes (measured in ux.md 3). Where
something stands is asked of its own parser, so that code is never touched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from adapters.telegram.emphasis import jointed
from adapters.telegram.markdown import JOINT, Seen, seen
from adapters.telegram.tables import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Edit = tuple[int, int, str]

ROUNDS: Final = 12
"""How often the text is looked at anew: what is mended uncovers what stood behind it."""

_CONTROLS: Final = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e{JOINT}]")
_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_OPENING: Final = re.compile(r"[ \t>]*<")
_NUMBER: Final = re.compile(r"[ \t]*(\d{1,9})[.)]", re.ASCII)
_PRICE: Final = re.compile(r"\$\d(?:[^\\^=_{}]|(?<=\d)_(?=\d)|\\\$)*\$\Z", re.ASCII | re.DOTALL)
_DEFINITION: Final = re.compile(r"^([ \t>]{0,12})(\[([^\]\n]{1,200})\]:[ \t]*\n?[ \t]*(\S*))", re.MULTILINE)
_LINKED: Final = re.compile(r"<?(?:https?|mailto|tg|tel):", re.IGNORECASE)
_ROUND: Final = re.compile(r"(?<!\\)\\\((.{1,500}?)\\\)")
_SQUARE: Final = re.compile(r"(?<!\\)\\\[(.{1,2000}?)\\\]", re.DOTALL)
_IMAGE: Final = re.compile(r"(?<!\\)!\[")
_UNNAMED: Final = re.compile(r"\[[ \t]*+\]\([ \t]*+<?([^()\s<>]*+)>?(?:[ \t]++[\"'][^\"'\n]*+[\"'])?[ \t]*+\)")
_DEEP: Final = re.compile(
    r"^((?:[ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t]++){7})(?=[-*+\d])(?![-*+ \t]*$)(\d{0,9}+)", re.MULTILINE
)
_MAIL: Final = re.compile(r"(?<!\\)<(?=[^\s<>@]+@[^\s<>@]+>)")
_SPOILER: Final = re.compile(r"(?<!\\)\|\|")


def prepared(markdown: str) -> str:
    """The text, mended. It always comes back as Markdown that the library can set."""
    text = _DEEP.sub(r"\1\2\\", clean(markdown).replace(JOINT, ""))  # each level would be a line, farther in
    for _ in range(ROUNDS):
        edits = _edits(text)
        if not edits:
            break
        text = _edited(text, edits)
    text = _outside(text, _definitions)
    return _outside(text, _prose)


def clean(text: str) -> str:
    """The text without what no message may hold: half surrogates, controls, overrides of the direction."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _CONTROLS.sub("", whole.replace("\r\n", "\n").replace("\r", "\n"))


def _edits(text: str) -> list[Edit]:
    """What to mend at once, in order and apart."""
    found = seen(text)
    edits = [*_tags(text, found), *_numbers(text, found), *_prices(text, found)]
    tables = [(one.start, one.end, _table(one, text)) for one in found if _is_free(one, text)]
    inside = [edit for edit in edits if not any(start <= edit[0] < end for start, end, _ in tables)]
    return sorted({*inside, *tables})


def _edited(text: str, edits: list[Edit]) -> str:
    parts, at = [], 0
    for start, end, other in edits:
        if start >= at:
            parts += [text[at:start], other]
            at = end
    return "".join((*parts, text[at:]))


def _tags(text: str, found: list[Seen]) -> Iterator[Edit]:
    """A stroke before every `<` that would begin HTML, which the library drops."""
    for one in found:
        if one.kind == "tag":
            yield one.start, one.start, "\\"
        elif one.kind == "block":
            yield from _block(text, one)


def _block(text: str, block: Seen) -> Iterator[Edit]:
    at = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        if _FENCE.match(line):
            return
        opening = _OPENING.match(line)
        if opening:
            yield at + opening.end() - 1, at + opening.end() - 1, "\\"
        at += len(line)


def _numbers(text: str, found: list[Seen]) -> Iterator[Edit]:
    """A stroke into the number of an item that the library would count otherwise: `2019.` then `2021.`."""
    lists: list[tuple[int | None, int]] = []
    for one in found:
        if one.kind == "list":
            lists.append((one.number, 0))
        elif one.kind == "end":
            lists.pop()
        elif one.kind == "item" and lists:
            first, before = lists[-1]
            lists[-1] = (first, before + 1)
            number = _NUMBER.match(text, one.start)
            if first is not None and number and not _counts(int(number[1]), first, before):
                yield number.end() - 1, number.end() - 1, "\\"


def _counts(number: int, first: int, before: int) -> bool:
    return number == first + before or number == first <= 1


def _prices(text: str, found: list[Seen]) -> Iterator[Edit]:
    """A stroke before both dollars of two prices that would be one formula, or the first when the second is in code."""
    for one in found:
        whole = text[one.start : one.end]
        if one.kind == "formula" and ("`" in whole or _PRICE.match(whole)):
            yield one.start, one.start, "\\"
            if "`" not in whole:
                yield one.end - 1, one.end - 1, "\\"


def _is_free(one: Seen, text: str) -> bool:
    """Whether it is a table that stands in no list and no quote."""
    line = text.rfind("\n", 0, one.start) + 1
    return one.kind == "table" and not text[line : one.start].strip() and not text[one.start : one.end].startswith(">")


def _table(one: Seen, text: str) -> str:
    """It in other Markdown, as far in as it stood."""
    indent = text[text.rfind("\n", 0, one.start) + 1 : one.start]
    first, *lines = readable(text[one.start : one.end]).split("\n")
    return "\n".join((first, *(f"{indent}{line}" if line else line for line in lines)))


def _outside(text: str, change: Callable[[str], str]) -> str:
    """The text changed wherever it is not code."""
    parts, at = [], 0
    for one in seen(text):
        if one.kind == "code" and one.start >= at:
            parts += [change(text[at : one.start]), text[one.start : one.end]]
            at = one.end
    return "".join((*parts, change(text[at:])))


def _prose(text: str) -> str:
    text = _SQUARE.sub(r"$$\1$$", _ROUND.sub(r"$\1$", text))
    text = _UNNAMED.sub(_named, _IMAGE.sub("[", text))
    return jointed(_SPOILER.sub(r"\\|\\|", _MAIL.sub(r"\\<", text)))


def _named(found: re.Match[str]) -> str:
    """A link without a name is called by its address."""
    address = found[1]
    return f"<{address}>" if _LINKED.match(address) else f"`{address}`" if address else f"\\{found[0]}"


def _definitions(text: str) -> str:
    """A stroke before `[^1]: note` and `[Note]: something`, which would be definitions that nobody sees."""

    def kept(found: re.Match[str]) -> str:
        label, target = found[3], found[4]
        used = text.casefold().count(f"[{label.casefold()}]") > 1
        hidden = not label.startswith("^") and used and bool(_LINKED.match(target))
        return found[0] if hidden else f"{found[1]}\\{found[2]}"

    return _DEFINITION.sub(kept, text)
