"""Which commands there are, which of them write, and the page that lists them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from core.document import Address, Document, Items, Text, Title
from core.views.settings import split_typed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.i18n import Words
    from core.views.reader import Reader


@dataclass(frozen=True, slots=True)
class Asked:
    """A command as it was typed: what follows its name, the turn that it is journalled under, and who reads.

    `at` is the ISO instant at which it was received, the same when it is tried again; `surface` is where.
    """

    argument: str
    turn: str
    reader: Reader
    at: str = ""
    surface: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as help and completion list it: its name, and whether it takes an argument."""

    name: str
    argument: bool = False


LISTED: Final = (
    Listed("timeline", argument=True),
    Listed("slice", argument=True),
    Listed("card", argument=True),
    Listed("find", argument=True),
    Listed("strands"),
    Listed("strand", argument=True),
    Listed("loops"),
    Listed("briefing"),
    Listed("close"),
    Listed("retry", argument=True),
    Listed("model", argument=True),
    Listed("think", argument=True),
    Listed("effort", argument=True),
    Listed("settings", argument=True),
    Listed("quiet", argument=True),
    Listed("timezone", argument=True),
    Listed("language", argument=True),
    Listed("why"),
    Listed("offrecord", argument=True),
    Listed("forget", argument=True),
    Listed("export"),
    Listed("import"),
    Listed("status"),
    Listed("start"),
    Listed("help"),
)
BESIDE: Final = ("retry", "export")
"""Commands that make no page of their own."""
NEAR: Final = 3
QUIT: Final = "quit"
TYPED: Final = "terminal"
"""The surface that is left by a command."""
UNDO: Final = "undo"
HISTORY: Final = "history"
ASK: Final = "ask"


def writes(name: str, argument: str) -> bool:
    """Whether a command changes memory and therefore waits for a running turn."""
    if name in {"quiet", "timezone", "language", "demo"}:
        return bool(argument.strip())
    if name == "card":
        return argument.replace(":", " ").split()[:1] == [UNDO]
    if name in {"model", "think", "effort"}:
        return bool(argument.strip()) and not argument.strip().isdigit()
    return name in {"close", "start", "retry", "forget", "offrecord"} or (
        name == "settings" and bool(split_typed(argument)[1])
    )


def near(name: str, known: Iterable[str]) -> list[str]:
    """The commands that somebody who typed that name may have meant: those that begin so, else the likest."""
    names = sorted({*known, *BESIDE})
    plain = name.casefold()
    return [one for one in names if one.startswith(plain)][:NEAR] or get_close_matches(plain, names, 1)


def unknown_page(name: str, known: Iterable[str], surface: str, words: Words) -> Document:
    """That there is no such command, and which was meant, in one line."""
    leave = (QUIT,) if surface == TYPED else ()
    meant = words("mark.and").join(f"/{one}" for one in near(name, (*known, *leave)))
    return Document((Text(words("help.near" if meant else "help.unknown", name=name, near=meant)),))


def help_page(words: Words, surface: str = "") -> Document:
    """What the bot is, and its commands; on the terminal also how to leave."""
    lines = (
        f"`/{one.name}{words(f'help.{one.name}.argument') if one.argument else ''}` {words(f'help.{one.name}')}"
        for one in LISTED
    )
    leave = (f"`/{QUIT}` {words('terminal.quit')}",) if surface == TYPED else ()
    return Document((Title(words("help.title")), Text(words("help.about")), Items((*lines, *leave))), Address("help"))
