"""A platform-neutral page: a few typed blocks, and the address by which a page is found again.

Running text inside a block is Markdown, since models and people write it. Renderers in `adapters/` turn a document
into what their platform shows. An address is short enough for a button of any platform (at most 60 bytes) and
versioned, so that a button of an old message still works after a restart or says that it is too old (DESIGN 7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

ADDRESS_LIMIT: Final = 60
_ADDRESS: Final = re.compile(r"1/([a-z]{1,12})/([A-Za-z0-9_.:-]{0,40})/([0-9]{1,4})\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a page is: its `view` ("timeline", "slice", ...), what of it (`argument`), which part (`page`, from 0)."""

    view: str
    argument: str = ""
    page: int = 0

    def encode(self) -> str:
        """The address as button data, at most 60 bytes; raises ValueError when it does not fit the grammar."""
        text = f"1/{self.view}/{self.argument}/{self.page}"
        if not _ADDRESS.match(text) or len(text) > ADDRESS_LIMIT:
            raise ValueError(f"no page has the address {text!r}")
        return text

    @classmethod
    def decode(cls, text: str) -> Address | None:
        """The address in that button data, or None when it is of another version or malformed."""
        found = _ADDRESS.match(text)
        return cls(found[1], found[2], int(found[3])) if found and len(text) <= ADDRESS_LIMIT else None

    @property
    def command(self) -> str:
        """The same address as a typed command, for instance `/timeline 2026-03`."""
        return " ".join(
            part for part in (f"/{self.view}", self.argument, str(self.page + 1) if self.page else "") if part
        )


@dataclass(frozen=True, slots=True)
class Title:
    """A heading; `eyebrow` is the small line above it ("PREVIOUSLY ON"), `note` the small line below."""

    text: str
    eyebrow: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Running text in Markdown."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Items:
    """A short list under an optional label; each item is one line of inline Markdown."""

    items: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said: who (already in the reader's words), when (local text), and the Markdown text.

    `moment` is the instant behind `when` as a POSIX time in seconds, 0 when nobody knows it: a platform that can shows
    it on the reader's own clock.
    """

    who: str
    when: str
    markdown: str
    moment: int = 0


@dataclass(frozen=True, slots=True)
class Fold:
    """Detail that is shown folded: a one-line `label` and Markdown behind it."""

    label: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: either a page to open (`address`) or a message that is sent as the person's own (`say`)."""

    label: str
    address: Address | None = None
    say: str = ""
    typed: tuple[str, ...] = ()
    """Words that pick it where choices are typed, apart from its number."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Buttons, or numbered choices where there are none."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Download:
    """A file to take away: a plain file `name`, and its bytes, which are within what the surface can carry.

    A platform sends it as a document; a terminal writes it beside and says where.
    """

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of how much was said: `days` with their counts, oldest first, each day as `YYYY-MM-DD`.

    `caption` says the same in words, for those who do not see it; a surface without pictures draws it with signs.
    """

    days: tuple[tuple[str, int], ...]
    caption: str
    kind: Literal["heatmap"] = "heatmap"


Block = Title | Text | Items | Utterance | Fold | Choices | Download | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """A page; `address` when it can be opened again.

    `unknown` are web addresses in its text that nobody gave: they are shown, but never as a link to tap on.
    """

    blocks: tuple[Block, ...] = field(default=())
    address: Address | None = None
    unknown: frozenset[str] = frozenset()
