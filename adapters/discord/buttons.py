"""The ids on buttons: page addresses as they are, what is said for the person, what the adapter does itself; pure."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import discord

from core.document import Address

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.document import Choice, Fold

LABEL: Final = 80
ID: Final = 100
ACROSS: Final = 5
KEPT: Final = 400
"""How many answers' folds and long sayings are remembered."""

PAGE: Final = re.compile(r"(1/[a-z]{1,12}/[A-Za-z0-9_.:-]{0,40}/[0-9]{1,4})(?:~\d+)?")
SAY: Final = re.compile(r"say[/#](.{1,96})", re.DOTALL)
DO: Final = re.compile(r"do/(stop|fold|jump)/([\w-]{0,12})/(\d{0,3})")
MENU: Final = re.compile(r"menu/\d{1,2}")

Deed = Literal["stop", "fold", "jump"]


@dataclass(frozen=True, slots=True)
class Do:
    """Something that the adapter does itself: `of` is a turn, `n` the number of one of its folds."""

    deed: Deed
    of: str = ""
    n: int = 0

    def encode(self) -> str:
        """The id of its button."""
        return f"do/{self.deed}/{self.of}/{self.n}"

    @classmethod
    def decode(cls, text: str) -> Do | None:
        """What the button of that id does; None when it is of another version."""
        found = DO.fullmatch(text)
        if not found:
            return None
        deeds: dict[str, Deed] = {"stop": "stop", "fold": "fold", "jump": "jump"}
        return cls(deeds[found[1]], found[2], int(found[3] or 0))


class Shelf:
    """What no button id can hold: the folds of an answer, and long sayings. It lasts as long as the process."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._folds: OrderedDict[str, tuple[Fold, ...]] = OrderedDict()
        self._said: OrderedDict[str, str] = OrderedDict()

    def put(self, turn: str, folds: Sequence[Fold]) -> None:
        """Keep the folds of a turn."""
        self._folds[turn] = tuple(folds)
        while len(self._folds) > self._kept:
            self._folds.popitem(last=False)

    def fold(self, turn: str, n: int) -> Fold | None:
        """One of the folds of a turn, None when it is not at hand any more."""
        folds = self._folds.get(turn, ())
        return folds[n] if n < len(folds) else None

    def say_id(self, text: str) -> str:
        """The id of a button that says this for the person; a long text is kept here under a short name."""
        plain = f"say/{text}"
        if len(plain) <= ID:
            return plain
        name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._said[name] = text
        while len(self._said) > self._kept:
            self._said.popitem(last=False)
        return f"say#{name}"

    def saying(self, custom_id: str) -> str | None:
        """What the button of that id says; None when it is not at hand any more."""
        found = SAY.fullmatch(custom_id)
        if not found:
            return None
        return found[1] if custom_id[3] == "/" else self._said.get(found[1])


def page_of(text: str) -> Address | None:
    """The page that the button or option of that id opens; None when it is of another version."""
    found = PAGE.fullmatch(text)
    return Address.decode(found[1]) if found else None


def button(choice: Choice, shelf: Shelf) -> discord.ui.Button[discord.ui.LayoutView]:
    """A choice as a button."""
    custom_id = choice.address.encode() if choice.address else shelf.say_id(choice.say or choice.label)
    return plain_button(choice.label, custom_id)


def plain_button(
    label: str, custom_id: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> discord.ui.Button[discord.ui.LayoutView]:
    """A button; a label that is too long is cut."""
    text = " ".join(label.split()) or "›"
    return discord.ui.Button(
        label=text if len(text) <= LABEL else f"{text[: LABEL - 1]}…", custom_id=custom_id, style=style
    )


def unique(ids: Iterable[str]) -> list[str]:
    """The ids, with a mark on those that stand twice: Discord refuses them, and two buttons may open one page."""
    seen: dict[str, int] = {}
    found = []
    for one in ids:
        seen[one] = seen.get(one, 0) + 1
        found.append(one if seen[one] == 1 else f"{one[: ID - 3]}~{seen[one]}")
    return found
