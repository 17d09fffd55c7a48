"""Which commands there are, which of them write, and the page that lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.document import Address, Document, Items, Text, Title
from core.views.settings import split_typed

if TYPE_CHECKING:
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


def help_page(words: Words, lead: str = "") -> Document:
    """What the bot is, and its commands."""
    lines = (
        f"`/{one.name}{words(f'help.{one.name}.argument') if one.argument else ''}` {words(f'help.{one.name}')}"
        for one in LISTED
    )
    return Document(
        (Title(words("help.title")), Text(lead or words("help.about")), Items(tuple(lines))), Address("help")
    )
