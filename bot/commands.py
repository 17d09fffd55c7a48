"""What a person may type after a slash: pages made of memory alone, and the two commands that close a slice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.conversation import Paged
from core.document import Document, Items, Text, Title
from core.errors import Malformed, NotAFile, NotFound
from core.journal.records import Done, Try
from core.relative import slice_instant
from core.slices.model import CARD_PATH, is_slice_id
from core.turn.place import Placing
from core.views.card import card_page
from core.views.find import find_page, hits
from core.views.reader import Reader, one_line, title_of
from core.views.slice import slice_page
from core.views.timeline import timeline

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.arrival import Arrivals
    from core.conversation import Presenter
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.turn.parts import Parts


@dataclass(frozen=True, slots=True)
class Asked:
    """A command as it was typed: what follows its name, the turn that it is journalled under, and who reads."""

    argument: str
    turn: str
    reader: Reader


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as help and completion list it: name, whether it takes an argument, whether it writes."""

    name: str
    argument: bool = False
    writes: bool = False


LISTED: Final = (
    Listed("timeline", argument=True),
    Listed("slice", argument=True),
    Listed("card"),
    Listed("find", argument=True),
    Listed("briefing"),
    Listed("close", writes=True),
    Listed("start", writes=True),
    Listed("help"),
)


_PAGE: Final = re.compile(r"[0-9]{1,3}\Z")
"""A page number; four digits are a year."""


class Commands:
    """Answers commands. `writing` names those that change memory and therefore wait for a running turn."""

    writing: Final = frozenset(one.name for one in LISTED if one.writes)

    def __init__(self, parts: Parts, arrivals: Arrivals) -> None:
        self._parts = parts
        self._arrivals = arrivals
        self._placing = Placing(parts.slices, parts.storage)
        self._answers: dict[str, Callable[[Asked], Awaitable[Document]]] = {
            "timeline": self._timeline,
            "slice": self._slice,
            "card": self._card,
            "find": self._find,
            "briefing": self._briefing,
            "close": self._close,
            "start": self._start,
            "help": self._help,
        }

    async def run(self, name: str, argument: str, begun: OpenTurn, presenter: Presenter) -> None:
        """Answer the command and close it in the journal; an unknown one is answered with what there is."""
        if begun.command is None:
            return
        preferences = await self._parts.config.load()
        update = begun.command.update
        words = self._parts.words_for(update, preferences)
        reader = Reader(words, self._parts.zone_of(update, preferences), self._parts.clock.now())
        answer = self._answers.get(name)
        asked = Asked(argument.strip(), begun.turn, reader)
        page = await answer(asked) if answer else help_page(words, words("help.unknown", name=name))
        await presenter.show(Paged(page))
        self._parts.journal.append(Done(begun.turn))

    async def known(self, name: str) -> Sequence[str]:
        """Arguments of a command that exist, newest first, for completion."""
        ids = list(reversed(await self._parts.slices.ids()))
        if name == "slice":
            return ids
        if name == "timeline":
            return list(dict.fromkeys(part for one in ids for part in (one[:10], one[:7])))
        return ()

    async def _timeline(self, asked: Asked) -> Document:
        argument, page = paged(asked.argument)
        heads = await self._parts.slices.heads()
        return timeline(heads, argument, page, asked.reader, self._parts.slices.unreadable)

    async def _slice(self, asked: Asked) -> Document:
        wanted, page = paged(asked.argument)
        words = asked.reader.words
        slice_id = wanted.replace("/", "-")
        if not is_slice_id(slice_id) or slice_instant(slice_id) is None:
            return Document((Text(words("slice.how")),))
        try:
            piece = (await self._parts.slices.load(slice_id)).slice
        except NotFound:
            return Document((Text(words("slice.missing", slice=slice_id)),))
        except (Malformed, NotAFile) as error:
            why = error.why if isinstance(error, Malformed) else str(error)
            return Document((Text(words("slice.unreadable", slice=slice_id, why=why)),))
        return slice_page(piece, page, await self._parts.slices.ids(), asked.reader)

    async def _card(self, asked: Asked) -> Document:
        return card_page(await self._text(CARD_PATH), asked.reader)

    async def _find(self, asked: Asked) -> Document:
        found = []
        for slice_id in await self._parts.slices.ids() if asked.argument else ():
            try:
                piece = (await self._parts.slices.load(slice_id)).slice
            except (NotFound, NotAFile, Malformed):
                continue  # what cannot be read is reported by the timeline
            excerpts = hits(piece, asked.argument)
            if excerpts:
                found.append((piece, excerpts))
        return find_page(asked.argument, found, asked.reader)

    async def _briefing(self, asked: Asked) -> Document:
        return await self._arrivals.page(asked.reader)

    async def _close(self, asked: Asked) -> Document:
        words = asked.reader.words
        closed = await self._closed(asked, "user_explicit")
        if not closed:
            return Document((Text(words("close.nothing")),))
        piece = (await self._parts.slices.load(closed)).slice
        note = one_line(piece.summary) if piece.focus else ""
        return Document((Title(title_of(piece, words), eyebrow=words("close.done"), note=note),))

    async def _start(self, asked: Asked) -> Document:
        """A fresh start on a surface is the seeds' context loss; a start with a code closes nothing (DESIGN 7)."""
        if asked.argument:
            return await self._help(asked)
        closed = await self._closed(asked, "context_lost")
        return await self._arrivals.page(asked.reader, short=bool(closed))

    async def _closed(self, asked: Asked, signal: str) -> str:
        """Close what is open; the slice that was closed, also by an earlier try of the same command, or ""."""
        journal = self._parts.journal
        again = bool(journal.state.opened(asked.turn).tries)
        operations = await self._placing.close(self._parts.clock.now(), signal)
        if operations:
            journal.append(Try(asked.turn, 1))
            await self._parts.keeper.keep(asked.turn, "care", operations)
        latest = await self._parts.slices.latest()
        if not latest or not (operations or (again and latest.slice.closed)):
            return ""
        await self._parts.closing.mark([latest.slice.id])
        return latest.slice.id

    async def _help(self, asked: Asked) -> Document:
        return help_page(asked.reader.words)

    async def _text(self, path: str) -> str:
        try:
            return (await self._parts.storage.read(path)).data.decode(errors="replace")
        except (NotFound, NotAFile):
            return ""


def help_page(words: Words, lead: str = "") -> Document:
    """What the bot is, and its commands."""
    lines = (
        f"`/{one.name}{words(f'help.{one.name}.argument') if one.argument else ''}` {words(f'help.{one.name}')}"
        for one in LISTED
    )
    return Document((Title(words("help.title")), Text(lead or words("help.about")), Items(tuple(lines))))


def paged(argument: str) -> tuple[str, int]:
    """An argument and the page after it, counted from 0 (it is typed from 1), as `Address.command` writes them."""
    wanted, page, *_ = (*argument.split(), "", "")
    if not page and _PAGE.match(wanted):
        wanted, page = "", wanted
    return wanted, max(int(page) - 1, 0) if _PAGE.match(page) else 0
