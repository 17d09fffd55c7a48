"""Documents as Discord's pages: containers with texts, sections, menus and buttons, within its limits. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import discord

from adapters.discord.buttons import ACROSS, Do, button, plain_button, unique
from adapters.discord.outlet import Attached
from adapters.discord.plain import block_text, readable
from adapters.prose import split, untapped
from core.document import Choices, Download, Fold, Items, Picture, Title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapters.discord.buttons import Shelf
    from core.document import Choice, Document
    from core.i18n import Words

COMPONENTS: Final = 40
TEXT: Final = 4000
ROOM: Final = 3600
"""Characters of text on one message, so that a section's text never passes Discord's limit."""

PIECES: Final = 34
"""Components inside the container of one message, menus and buttons excepted."""

FEW: Final = 10
"""Up to so many choices are buttons; of more, all but the last five (the ways around) stand in menus."""

MENU: Final = 25
MENUS: Final = 4
OPTION: Final = 100

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]")
"""What Discord would change in the name of a file, so that its component no longer meant it."""

Draw = Callable[[Picture], bytes]
Component = discord.ui.Item[discord.ui.LayoutView]


@dataclass(frozen=True, slots=True)
class Page:
    """One message of a page, and the files that go with it."""

    layout: discord.ui.LayoutView
    files: tuple[Attached, ...] = ()


@dataclass(slots=True)
class _Sheet:
    """What stands on one message: components, how many they are with all inside, and characters of text."""

    items: list[Component] = field(default_factory=list)
    files: list[Attached] = field(default_factory=list)
    count: int = 0
    length: int = 0
    texts: list[str] = field(default_factory=list)

    def flush(self) -> None:
        """Set the texts that wait as one component."""
        if self.texts:
            self.items.append(discord.ui.TextDisplay("\n\n".join(self.texts)))
            self.texts.clear()
            self.count += 1


def pages(document: Document, words: Words, shelf: Shelf, turn: str, draw: Draw | None = None) -> list[Page]:
    """The page as messages, each with at most 40 components and 4000 characters; choices stand on the last.

    `draw` makes the bytes of a PNG; without it a picture is its caption.
    """
    choices = [one for block in document.blocks if isinstance(block, Choices) for one in block.choices]
    shelf.put(turn, [block for block in document.blocks if isinstance(block, Fold)])
    sheets, choices = _sheets(document, choices, words, shelf, turn, draw)
    for row in _rows(choices, words, shelf, document):
        taken = 1 + len(row.children)
        if sheets[-1].count + taken + 1 > COMPONENTS:
            sheets.append(_Sheet())
        sheets[-1].items.append(row)
        sheets[-1].count += taken
    made = [_page(sheet) for sheet in sheets]
    return [page for page in made if page.layout.children]


def _sheets(
    document: Document, choices: list[Choice], words: Words, shelf: Shelf, turn: str, draw: Draw | None
) -> tuple[list[_Sheet], list[Choice]]:
    """The blocks on sheets, and the choices that found no place beside what they are about."""
    sheets, folds = [_Sheet()], 0

    def room(count: int, length: int) -> _Sheet:
        sheet = sheets[-1]
        if sheet.count + bool(sheet.texts) + count > PIECES or sheet.length + length > ROOM:
            sheet.flush()
            sheets.append(_Sheet())
        return sheets[-1]

    for block in document.blocks:
        if isinstance(block, Fold):
            sheet = room(4, len(block.label))
            sheet.flush()
            sheet.items.append(_folded(block, Do("fold", turn, folds), words))
            sheet.count, sheet.length, folds = sheet.count + 3, sheet.length + len(block.label) + 2, folds + 1
        elif isinstance(block, Download) or (isinstance(block, Picture) and draw):
            sheet = room(3, 1024)
            sheet.flush()
            _carry(sheet, block, draw)
        elif isinstance(block, Items) and (choice := _about(block, choices)):
            choices = [one for one in choices if one is not choice]
            text = _shown(block_text(block), document)[:ROOM]
            sheet = room(4, len(text))
            sheet.flush()
            opener = button(choice, shelf)
            opener.label = words("discord.open")
            sheet.items.append(discord.ui.Section(discord.ui.TextDisplay(text), accessory=opener))
            sheet.count, sheet.length = sheet.count + 3, sheet.length + len(text)
        elif text := block_text(block):
            text = f"{text}{_when(block, document)}"
            for part in split(_shown(text, document), ROOM):
                sheet = room(1, len(part) + 2)
                sheet.texts.append(part)
                sheet.length += len(part) + 2
    sheets[-1].flush()
    return sheets, choices


def _shown(text: str, document: Document) -> str:
    return untapped(readable(text), document.unknown)


def _when(block: object, document: Document) -> str:
    """The instant of a slice, which every client shows in its own zone and language."""
    address = document.address
    if not isinstance(block, Title) or address is None or address.view != "slice":
        return ""
    try:
        born = datetime.strptime(address.argument, "%Y-%m-%d-%H%M").replace(tzinfo=UTC)
    except ValueError:
        return ""
    return f"\n-# <t:{int(born.timestamp())}:F> · <t:{int(born.timestamp())}:R>"


def _folded(block: Fold, deed: Do, words: Words) -> Component:
    text = discord.ui.TextDisplay[discord.ui.LayoutView](f"▸ {' '.join(block.label.split())[:200]}")
    return discord.ui.Section(text, accessory=plain_button(words("discord.show"), deed.encode()))


def _carry(sheet: _Sheet, block: Picture | Download, draw: Draw | None) -> None:
    if isinstance(block, Download):
        name = _UNSAFE.sub("_", block.name) or "file"
        sheet.files.append(Attached(name, block.data))
        sheet.items.append(discord.ui.File(f"attachment://{name}"))
        sheet.count += 1
    elif draw:
        _draw(sheet, block, draw(block))


def _draw(sheet: _Sheet, block: Picture, picture: bytes) -> None:
    name = f"days-{len(sheet.files)}.png"
    sheet.files.append(Attached(name, picture, block.caption[:1024]))
    sheet.items.append(
        discord.ui.MediaGallery(
            discord.MediaGalleryItem(f"attachment://{name}", description=block.caption[:1024] or None)
        )
    )
    sheet.texts.append(f"-# {block.caption}"[:1024])
    sheet.count, sheet.length = sheet.count + 1, sheet.length + len(block.caption) + 3


def _about(block: Items, choices: Sequence[Choice]) -> Choice | None:
    """The choice that opens the slice which the lines are about."""
    slices = (one for one in choices if one.address and one.address.view == "slice")
    return next((one for one in slices if one.address and one.address.argument in block.label), None)


def _rows(
    choices: Sequence[Choice], words: Words, shelf: Shelf, document: Document
) -> Iterator[discord.ui.ActionRow[discord.ui.LayoutView]]:
    many = [one for one in choices if one.address] if len(choices) > FEW else []
    many = many[:-ACROSS][: MENU * MENUS]
    for number in range(0, len(many), MENU):
        yield discord.ui.ActionRow(_menu(many[number : number + MENU], number // MENU, words))
    rest = [one for one in choices if one not in many]
    made = [button(one, shelf) for one in rest]
    if document.address and document.address.view == "timeline":
        made.append(plain_button(words("discord.jump"), Do("jump").encode()))
    for one, custom_id in zip(made, unique(str(one.custom_id) for one in made), strict=True):
        one.custom_id = custom_id
    for number in range(0, len(made), ACROSS):
        yield discord.ui.ActionRow(*made[number : number + ACROSS])


def _menu(choices: Sequence[Choice], number: int, words: Words) -> discord.ui.Select[discord.ui.LayoutView]:
    values = unique(one.address.encode() if one.address else "" for one in choices)
    options = [
        discord.SelectOption(label=(" ".join(one.label.split()) or "›")[:OPTION], value=value)
        for one, value in zip(choices, values, strict=True)
    ]
    return discord.ui.Select(custom_id=f"menu/{number}", placeholder=words("discord.choose"), options=options)


def _page(sheet: _Sheet) -> Page:
    layout = discord.ui.LayoutView(timeout=None)
    if sheet.items:
        layout.add_item(discord.ui.Container(*sheet.items))
    layout.stop()  # the ids say it all: nothing has to be remembered for a button to work
    return Page(layout, tuple(sheet.files))


def row(document: Document, words: Words, shelf: Shelf, turn: str, *, failed: bool) -> discord.ui.View | None:
    """The buttons below an answer: what is folded, what can be chosen, and asking again."""
    folds = [block for block in document.blocks if isinstance(block, Fold)]
    shelf.put(turn, folds)
    made = [plain_button(fold.label, Do("fold", turn, n).encode()) for n, fold in enumerate(folds[: ACROSS * 2])]
    made += [button(one, shelf) for block in document.blocks if isinstance(block, Choices) for one in block.choices]
    style = discord.ButtonStyle.primary if failed else discord.ButtonStyle.secondary
    made.append(plain_button(words("discord.retry"), "1/retry//0", style))
    return _view(made[: ACROSS * ACROSS])


def stopping(words: Words) -> discord.ui.View:
    """The button below an answer that is being written."""
    return _view([plain_button(words("discord.stop"), Do("stop").encode(), discord.ButtonStyle.danger)])


def _view(made: Sequence[discord.ui.Button[discord.ui.LayoutView]]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for one, custom_id in zip(made, unique(str(one.custom_id) for one in made), strict=True):
        one.custom_id = custom_id
        view.add_item(one)
    view.stop()
    return view
