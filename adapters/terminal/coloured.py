"""A document for a terminal with colours: Markdown set by rich, code blocks left as they are."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, ClassVar, Final, assert_never

from markdown_it import MarkdownIt
from rich.console import Console
from rich.markdown import Heading, Markdown
from rich.syntax import Syntax
from rich.text import Text as Styled

from adapters.terminal.fences import pieces
from adapters.terminal.heat import heat
from adapters.terminal.neutral import neutral, neutral_line
from adapters.terminal.offers import numbered
from core.document import Choices, Download, Fold, Items, Picture, Text, Title, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token
    from rich.console import JustifyMethod, RenderableType

    from core.document import Block, Document

_CODE_THEME: Final = "ansi_dark"
_PADDING: Final = re.compile(r" +$", re.MULTILINE)


def coloured(document: Document, width: int, style: str = "none") -> str:
    """The document's blocks in colour, at most `width` cells wide but for code lines; `style` colours its prose."""
    parts: list[RenderableType] = []
    for block, number in numbered(document):
        parts.extend(("", *_block(block, number, style)))
    return _ansi(parts[1:], width)


def coloured_fold(fold: Fold, width: int) -> str:
    """A fold, opened."""
    return _ansi([Styled(f"▾ {neutral_line(fold.label)}", "cyan"), *_markdown(fold.markdown, "none")], width)


def dim(text: str, width: int) -> str:
    """A short text that steps back."""
    return _ansi([Styled(neutral(text), "dim")], width)


def tail(text: str, width: int, height: int) -> list[str]:
    """The last `height` lines of such a text, each cut to `width` cells: what may be drawn over again."""
    lines = Styled.from_ansi(text).split("\n")[-height:]
    for line in lines:
        line.truncate(width)
    return [_ansi([line], width + 1) for line in lines]


def _ansi(parts: Iterable[RenderableType], width: int) -> str:
    return "\n".join(_print(part, width) for part in parts)


def _print(part: RenderableType, width: int) -> str:
    output = io.StringIO()
    console = Console(
        file=output,
        force_terminal=True,
        color_system="standard",
        width=max(width, 8),
        height=100,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    if isinstance(part, _Code):
        console.print(part, soft_wrap=True)
        return output.getvalue().removesuffix("\n")
    console.print(part)
    return _PADDING.sub("", output.getvalue()).strip("\n")


def _block(block: Block, number: int, style: str) -> Iterator[RenderableType]:  # noqa: C901 - a case per kind
    match block:
        case Title():
            yield from _title(block)
        case Text():
            yield from _markdown(block.markdown, style)
        case Items():
            if block.label:
                yield Styled(neutral_line(block.label), "bold")
            yield _Prose("\n".join(f"- {neutral_line(item)}" for item in block.items), style)
        case Utterance():
            head = Styled(neutral_line(block.who), "bold green")
            yield head.append(f" · {neutral_line(block.when)}" if block.when else "", "not bold dim")
            yield from _markdown(block.markdown, style)
        case Fold():
            yield Styled(f"▸ {neutral_line(block.label)}", "cyan").append(f"  /{number}", "dim")
        case Choices():
            for position, choice in enumerate(block.choices, number):
                yield Styled(f"[{position}] ", "bold cyan").append(neutral_line(choice.label), "not bold default")
        case Picture():
            yield Styled(neutral_line(block.caption))
            yield Styled("\n".join(("", *heat(block))), "green", no_wrap=True)
        case Download():
            yield Styled(f"⤓ {neutral_line(block.name)}", "cyan")
        case _:
            assert_never(block)


def _title(title: Title) -> Iterator[RenderableType]:
    if title.eyebrow:
        yield Styled(neutral_line(title.eyebrow), "dim cyan")
    yield Styled(neutral_line(title.text), "bold")
    if title.note:
        yield Styled(neutral_line(title.note), "dim")


def _markdown(markdown: str, style: str) -> Iterator[RenderableType]:
    for number, piece in enumerate(pieces(neutral(markdown))):
        if number:
            yield ""
        yield _Code(piece.body, piece.language) if piece.code else _Prose("\n".join(piece.lines), style)


class _Code:
    """A code block that is never wrapped or padded, so that it can be copied out of the terminal."""

    def __init__(self, code: str, language: str) -> None:
        self._text = Syntax("", language or "text", theme=_CODE_THEME).highlight(code)
        self._text.remove_suffix("\n")

    def __rich__(self) -> Styled:
        return self._text


class _Heading(Heading):
    """A heading at the left edge."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class _Prose(Markdown):
    """Markdown that keeps line breaks as written, shows HTML as text and links with their address."""

    elements: ClassVar = {**Markdown.elements, "heading_open": _Heading}

    def __init__(self, markup: str, style: str) -> None:
        super().__init__("", code_theme=_CODE_THEME, style=style, hyperlinks=False)
        parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
        self.parsed = parser.parse(markup)
        _clean(self.parsed)


def _clean(tokens: Iterable[Token]) -> None:
    """Keep line breaks, and make harmless what only an entity such as `&#x202E;` has put into the text."""
    for token in tokens:
        if token.type == "softbreak":
            token.type = "hardbreak"
        token.content = neutral(token.content)
        _clean(token.children or ())
