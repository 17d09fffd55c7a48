"""The pages of forgetting: what it would be, what it was, and that it was taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Fold, Items, Text, Title
from core.views.reader import LINE, clip, one_line, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.i18n import Words
    from core.owning.forget import Preview, Receipt, Undone
    from core.views.reader import Piece, Reader

VIEW: Final = "forget"
YES: Final = "yes"
NOW: Final = "now"
NO: Final = "no"
UNDO: Final = "undo"
SHOWN: Final = 12
"""How many slices and how many lines of the card are listed."""
FIRST: Final = 60
"""How many characters of what was said are shown."""
_COUNTED: Final = ("slices", "parts", "exchanges", "facts", "copies", "briefings", "media")


def how_page(words: Words) -> Document:
    """How to have something forgotten."""
    return Document((Title(words("forget.title")), Text(words("forget.how"))), Address(VIEW))


def preview_page(
    preview: Preview, pieces: Sequence[Piece], said: Mapping[str, str], reader: Reader, *, typing: bool = False
) -> Document:
    """What would go, and the choices to say yes; nothing has happened yet.

    `said` are the first words of what goes, by slice; `typing` says that choices are typed, not pressed.
    """
    words, wanted = reader.words, preview.wanted
    named = [
        _named(piece, wanted.parts.get(piece.id), one_line(said.get(piece.id, "")), reader) for piece in pieces[:SHOWN]
    ]
    if len(pieces) > SHOWN:
        named.append(words("forget.more", n=len(pieces) - SHOWN))
    facts = [clip(line.removeprefix("- "), LINE) for line in preview.facts[:SHOWN]]
    if len(preview.facts) > SHOWN:
        facts.append(words("forget.more", n=len(preview.facts) - SHOWN))
    lists = [Items(tuple(named), words("forget.talk"))] if named else []
    lists += [Items(tuple(facts), words("forget.facts"))] if facts else []
    choices = Choices(
        (
            Choice(words("forget.yes"), _answer(preview.token, YES), typed=(YES, *words("forget.word.yes").split())),
            Choice(words("forget.now"), _answer(preview.token, NOW), typed=(NOW, *words("forget.word.now").split())),
            Choice(words("forget.no"), _answer(preview.token, NO), typed=(NO, *words("forget.word.no").split())),
        )
    )
    ask = words("forget.ask.typing" if typing else "forget.ask")
    counted = ", ".join(_counts(preview.tally, words))
    return Document((Title(words("forget.title"), note=counted), *lists, Text(ask), choices))


def receipt_page(receipt: Receipt, words: Words) -> Document:
    """What was touched, what still holds it, and how to take it back."""
    lists = Items(tuple(_counts(receipt.tally, words)), words("forget.touched"))
    kept = Text(words("forget.binned" if receipt.binned else "forget.gone"))
    choices = (
        (Choices((Choice(words("forget.undo"), Address(VIEW, f"{receipt.id}.{UNDO}")),)),) if receipt.binned else ()
    )
    held = Fold(words("forget.held"), words("forget.held.text"))
    return Document((Title(words("forget.done")), lists, kept, held, *choices))


def undone_page(undone: Undone, words: Words) -> Document:
    """What was put back, and what was left alone because it has changed since."""
    lines = Items(undone.left, words("forget.left")) if undone.left else None
    return Document(
        (Title(words("forget.undone"), note=words("forget.files", n=undone.files)), *([lines] if lines else []))
    )


def _named(piece: Piece, labels: Sequence[str] | None, said: str, reader: Reader) -> str:
    """A slice, how much of it goes, and the first words of that."""
    words = reader.words
    if labels is None:
        much = words("forget.whole")
    else:
        much = words("forget.part", n=len(labels)) if labels else words("forget.marks")
    first = words("forget.said", text=clip(said, FIRST)) if said else ""
    title = title_of(piece, words) if piece.focus or piece.summary or not first else ""
    return f"{reader.moment(piece)} · {' · '.join(filter(None, (title, first)))} ({much})"


def _counts(tally: Mapping[str, int], words: Words) -> list[str]:
    return [words(f"forget.count.{name}", n=tally[name]) for name in _COUNTED if tally.get(name)]


def _answer(token: str, said: str) -> Address:
    return Address(VIEW, f"{token}.{said}")
