"""What a person may type after a slash: pages made of memory alone, and the few commands that change something."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from bot import VERSION
from bot.cards import Cards
from bot.catalog import Catalog
from bot.choosing import Choosing
from bot.copied import unknown
from bot.helping import HISTORY, UNDO, Asked, help_page, unknown_page
from bot.moments import Moments
from bot.pages import Pages
from bot.quieting import Quieting
from bot.skipping import Backlog
from bot.speaking import Speaking
from bot.steering import Steering
from bot.topics import Topics
from bot.zoning import Zoning
from core.agent.stop import Stop
from core.config.describe import described
from core.conversation import Paged
from core.document import Document, Text, Title
from core.errors import StorageError
from core.evolving import Reason
from core.journal.records import Done, Try
from core.slices import policy
from core.slices.model import CLOSED, agent_path
from core.turn.place import Placing
from core.turn.sources import account_in
from core.turn.why import why_page
from core.views.models import model_lines
from core.views.reader import Reader, one_line, title_of
from core.views.status import Status, status_page
from core.views.strands import by_last_seen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from bot.arrival import Arrivals
    from bot.copied import Copied
    from bot.owning import Owning
    from bot.staging import Staging
    from core.conversation import Presenter, Surface
    from core.i18n import Words
    from core.journal.open_turn import OpenTurn
    from core.turn.again import Again
    from core.turn.parts import Parts

    Owned = Callable[[Catalog], Owning]

NEWEST: Final = 500
"""How many slices completion offers, and days and months of as many."""

_log = logging.getLogger("previously.commands")


class Commands:
    """Answers commands; `again` answers talk once more, `owning` has the commands by which memory is owned.

    `place` is where memory stands, for `/status`; "" when it is gone with the process. `copied` knows its copy in
    a repository.
    """

    def __init__(
        self,
        parts: Parts,
        arrivals: Arrivals,
        place: str,
        again: Again,
        owning: Owned,
        copied: Copied | None = None,
        heard: Callable[[], Mapping[Surface, datetime | None]] = dict,
    ) -> None:
        self._heard = heard
        self._copied = copied
        self._staging: Staging | None = None
        self._again = again
        self._steering = steering = Steering(parts)
        self._parts = parts
        self._arrivals = arrivals
        self._place = place
        self._placing = Placing(parts.slices, parts.storage)
        self._catalog = catalog = Catalog(parts)
        self._owning = owning(catalog)
        self._moments = Moments(parts.storage)
        pages, topics = Pages(parts, catalog), Topics(catalog)
        self._answers: dict[str, Callable[[Asked], Awaitable[Document]]] = {
            "timeline": pages.timeline,
            "slice": pages.slice,
            "find": pages.find,
            "card": Cards(parts, catalog, copied.commit if copied else unknown).card,
            "strands": topics.strands,
            "strand": topics.strand,
            "loops": topics.loops,
            "settings": Choosing(parts).settings,
            "quiet": Quieting(parts).quiet,
            "timezone": Zoning(parts).timezone,
            "language": Speaking(parts).language,
            "model": steering.model,
            "think": steering.think,
            "effort": steering.effort,
            "status": self._status,
            "why": self._why,
            "briefing": self._briefing,
            "close": self._close,
            "start": self._start,
            "help": self._help,
            "skip": Backlog(parts).skip,
            **self._owning.answers,
        }

        if copied:
            self._answers["repository"] = copied.page

    def stage(self, staging: Staging) -> None:
        """This is the demo: `/demo` shows its people, and a fresh start begins anew."""
        self._staging = staging
        self._answers["demo"] = staging.page

    async def run(
        self, name: str, argument: str, begun: OpenTurn, presenter: Presenter, stop: Stop | None = None
    ) -> None:
        """Answer the command and close it in the journal; an unknown one is answered with what there is.

        `stop` ends an answer that a command asks for.
        """
        if begun.command is None:
            return
        preferences = await self._parts.config.load()
        update = begun.command.update
        words = self._parts.words_for(update, preferences)
        reader = Reader(words, self._parts.zone_of(update, preferences), self._parts.clock.now())
        answer = self._answers.get(name)
        asked = Asked(argument.strip(), begun.turn, reader, begun.command.at, update.surface)
        if name == "moment":
            await presenter.show(await self._moments.moment(asked))
            self._parts.journal.append(Done(begun.turn))
            return
        if name == "export":
            async for file in self._owning.export(asked):
                await presenter.show(Paged(file))
            self._parts.journal.append(Done(begun.turn))
            return
        if name == "retry":
            models = self._parts.models
            bare = asked.argument and not (models and models.configured)
            page = (
                Document((Text(words("again.bare")),))
                if bare
                else await self._again.run(begun, asked.argument, presenter, stop or Stop(), words)
            )
        else:
            page = await answer(asked) if answer else unknown_page(name, self._answers, asked.surface, words)
        if page is None:
            return
        await presenter.show(Paged(page))
        self._parts.journal.append(Done(begun.turn))

    async def known(self, name: str) -> Sequence[str]:
        """Arguments of a command that exist, newest first, for completion."""
        if name == "strand":
            return by_last_seen(await self._catalog.index())
        if name in {"model", "retry"}:
            return await self._steering.known()
        if name == "settings":
            return [one.key for one in described(await self._parts.config.load())]
        if name not in {"slice", "timeline", "card"}:
            return ()
        ids = list(reversed(await self._catalog.ids()))[:NEWEST]
        days = list(dict.fromkeys(one[:10] for one in ids))
        if name == "timeline":
            return list(dict.fromkeys(part for day in days for part in (day, day[:7])))
        return [*ids, *days] if name == "slice" else [HISTORY, UNDO, *days]

    async def _status(self, asked: Asked) -> Document:
        parts, state = self._parts, self._parts.journal.state
        pieces = await self._catalog.pieces()
        latest = await parts.slices.latest()
        status = Status(
            version=VERSION,
            model=parts.model.name,
            worker=parts.worker.name,
            slices=len(pieces),
            unmarked=sum(one.status == CLOSED and not one.focus and not one.summary for one in pieces),
            place=self._place,
            demo=parts.demo,
            last=policy.last_instant(latest.slice) if latest else None,
            waiting=len(state.waiting),
            open_turns=sum(one.turn != asked.turn for one in state.turns.values()),
            parked=len(state.parked),
            journal=parts.journal.size,
            unreadable=parts.slices.unreadable,
            copy=self._copied.lines(asked.reader) if self._copied else (),
            heard={str(surface): at for surface, at in self._heard().items()},
            models=await self._models(asked.reader.words),
        )
        return status_page(status, asked.reader)

    async def _models(self, words: Words) -> tuple[str, ...]:
        """What answers and what it costs; nothing where no model is set."""
        models = self._parts.models
        return tuple(model_lines(await models.describe(), words)) if models and models.configured else ()

    async def _why(self, asked: Asked) -> Document:
        """What the last answer rests on, from the cognition log of the newest slice."""
        latest = await self._parts.slices.latest()
        log = await self._catalog.text(agent_path(latest.slice.id)) if latest else ""
        open_ = bool(latest and not latest.slice.closed)
        found = account_in(log)
        again = await self._steering.again(found[1].model, asked.reader) if found and open_ else ()
        return why_page(log, asked.reader.words, asked.reader.zone, again=again)

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
        """A fresh start on a surface is the seeds' context loss; a start with a code closes nothing (DESIGN 7).

        In the demo everything begins anew.
        """
        if asked.argument:
            return await self._help(asked)
        if self._staging:
            await self._staging.restart()
            return await self._staging.opening(asked.reader)
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
        await self._parts.evolving.owe(Reason("slice_closed", latest.slice.id))
        await self._project(latest.slice.id)
        return latest.slice.id

    async def _project(self, closed: str) -> None:
        """List the slice as it now is; the timeline can always be rebuilt, so trouble with it stops nobody."""
        try:
            await self._parts.projections.after_turn([closed], closed=[closed])
        except StorageError as error:
            _log.warning("the timeline is not in line: %s", error)

    async def _help(self, asked: Asked) -> Document:
        return help_page(asked.reader.words, asked.surface)
