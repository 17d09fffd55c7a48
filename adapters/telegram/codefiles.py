"""Code that is too long to read in a chat, as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from adapters.telegram.parting import clipped
from adapters.telegram.rendered import NamedFile
from adapters.telegram.styled import Span, Styled, marked
from adapters.telegram.units import units

if TYPE_CHECKING:
    from core.i18n import Words

LONG: Final = 6000
"""UTF-16 units from which a block of code is sent as a file (ux.md 3)."""
HEAD: Final = 700
"""Units of it that are shown all the same."""
_ENDINGS: Final = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "rust": "rs",
    "bash": "sh",
    "shell": "sh",
    "markdown": "md",
    "kotlin": "kt",
    "ruby": "rb",
    "csharp": "cs",
    "c++": "cpp",
    "haskell": "hs",
    "": "txt",
}


def without_long_code(styled: Styled, words: Words, first: int = 1) -> tuple[Styled, tuple[NamedFile, ...]]:
    """The text with the head of every long block of code, and the whole of it as files, numbered from `first`."""
    found = [span for span in styled.spans if span.kind == "pre" and units(styled.text[span.start : span.end]) >= LONG]
    files: list[NamedFile] = []
    for number, span in enumerate(sorted(found, key=lambda one: one.start), first):
        files.append(_file(styled.text[span.start : span.end], number, span.language))
    for span, file in reversed(list(zip(sorted(found, key=lambda one: one.start), files, strict=True))):
        styled = styled.replaced(span.start, span.end, _head(styled.text[span.start : span.end], span, file, words))
    return styled, tuple(files)


def _file(code: str, number: int, language: str) -> NamedFile:
    ending = _ENDINGS.get(language, language if language.isalnum() else "txt")
    return NamedFile(f"code-{number}.{ending}", f"{code}\n".encode())


def _head(code: str, span: Span, file: NamedFile, words: Words) -> Styled:
    head = clipped(Styled(code, (Span("pre", 0, len(code)),)), HEAD)
    shown = Styled(head.text, (Span("pre", 0, len(head.text), language=span.language),))
    return shown + Styled("\n") + marked(words("telegram.code", name=file.name, n=code.count("\n") + 1), "italic")
