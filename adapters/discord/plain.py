"""Documents as plain content: what can be copied and searched. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, assert_never

from adapters.prose import split, untapped
from core.document import Choices, Download, Fold, Items, Picture, Text, Title, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.document import Block, Document

CONTENT: Final = 2000

_ROW: Final = re.compile(r"[ \t]*\|?.*\|.*")
_RULE: Final = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_DEEP: Final = re.compile(r"#{4,6}[ \t]+(.*?)[ \t#]*")
_ADDRESS: Final = re.compile(r"https?://[^\s<>`\"'()\[\]]+")


def answer(document: Document) -> list[str]:
    """The texts of an answer in parts of at most 2000 characters; what is folded or to be chosen is left out."""
    text = "\n\n".join(found for block in document.blocks if (found := block_text(block)))
    return split(untapped(readable(text), document.unknown), CONTENT)


def streamed(text: str) -> list[str]:
    """An answer that is still written, in the parts in which it stays; no address is known yet to be a given one."""
    return split(untapped(readable(text), set(_ADDRESS.findall(text))), CONTENT)


def block_text(block: Block) -> str:
    """A block as Markdown; "" for what is no text."""
    match block:
        case Title(text=text, eyebrow=eyebrow, note=note):
            lines = (f"-# {eyebrow}" if eyebrow else "", f"## {text}", f"-# {note}" if note else "")
            return "\n".join(line for line in lines if line)
        case Text(markdown=markdown):
            return markdown
        case Items(items=items, label=label):
            return "\n".join((*((f"**{label}**",) if label else ()), *(f"- {item}" for item in items)))
        case Utterance(who=who, when=when, markdown=markdown):
            return f"**{who}** · {when}\n{markdown}"
        case Picture(caption=caption):
            return f"-# {caption}"
        case Fold() | Choices() | Download():
            return ""
        case _:
            assert_never(block)


def readable(markdown: str) -> str:
    """Markdown as Discord can show it: tables are set as code, deep headings in bold."""
    return "\n".join(_lines(markdown.replace("\r\n", "\n").split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    at, fence = 0, ""
    while at < len(lines):
        line = lines[at]
        found = _FENCE.match(line)
        if found:
            marks = found[0].strip()
            fence = "" if fence and marks.startswith(fence) else fence or marks
        end = _table_end(lines, at) if not fence else at
        if end > at:
            yield from ("```", *lines[at:end], "```")
            at = end
            continue
        deep = None if fence else _DEEP.fullmatch(line)
        yield f"**{deep[1]}**" if deep and deep[1] else line
        at += 1


def _table_end(lines: list[str], at: int) -> int:
    """The line behind the table that begins there; `at` when there is none."""
    if at + 1 >= len(lines) or not _ROW.fullmatch(lines[at]) or "|" not in lines[at + 1]:
        return at
    if not _RULE.fullmatch(lines[at + 1]):
        return at
    end = at + 2
    while end < len(lines) and lines[end].strip() and _ROW.fullmatch(lines[end]):
        end += 1
    return end
