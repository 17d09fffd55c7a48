"""The parts of the house, put together by constructor arguments; whoever builds it chooses disk, storage and model."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.arrival import Arrivals
from bot.commands import Commands
from bot.copied import Copied, unknown
from bot.inbox import Door
from bot.lapse import Lapse
from bot.owning import Owning
from bot.posting import Posting
from bot.queues import Queues
from bot.rounds import Rounds
from bot.sayings import Sayings
from bot.schedule import Hook, Schedule
from bot.staging import Staging
from core.closing import Closing
from core.config import Config
from core.errors import StorageError
from core.evolving import Evolving
from core.identity import load_identity
from core.journal.journal import Journal
from core.keeper.keeper import Keeper
from core.maintenance import Maintenance
from core.owning.forget import Forgetting
from core.recall.atlas import Atlas
from core.recall.finder import Finder
from core.recall.scan import Recall
from core.slices.store import Slices
from core.timeline.projections import Projections
from core.turn.budget import Budget
from core.turn.late import Late
from core.turn.parts import PATIENCE, Parts
from core.turn.pipeline import Turns
from core.turn.tools import memory_tools
from core.turn.veil import Veil

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from bot.people import Cast
    from bot.settling import Settle
    from core.agent.tool import Tool
    from core.clock import Clock
    from core.conversation import Attachment, Incoming, Surface
    from core.i18n import Words
    from core.llm.base import ChatModel, Transcriber
    from core.llm.models import Models
    from core.storage.base import Storage
    from core.storage.disk import Disk
    from core.storage.github.lag import Lag
    from core.web.outside import Web

ROOT: Final = Path(__file__).resolve().parent.parent
"""Where our own data folders are: beside `bot/`, in a checkout as in a wheel."""


BREATH: Final = 25
"""After how many folders other tasks get a turn."""

NEWEST: Final = 3
"""How many slices may have opened or closed while the archive was looked through."""

EMPTIED: Final = timedelta(hours=6)
"""How often the bin is looked over for what was forgotten thirty days ago."""

_log = logging.getLogger("previously.house")


@dataclass(frozen=True, slots=True)
class Given:
    """What a house is built from.

    `patience` is how many seconds a model may be silent; `sweep` removes what an earlier process left half written
    (R15); `secure` makes sure that memory is still this process's; `place` says where memory is, for the person;
    `hooks` are done again and again beside the talk. `lag` tells how far the copy in a repository is behind, `decide`
    takes the owner's decision about it, `settle` waits until a message is in it before its platform may forget it.
    `heard` says when each platform was last heard of; `hearing` writes recordings down, where a model for it is set.
    `cast` are the people of a demo, `commit` tells by which commit a file was pushed.
    """

    disk: Disk
    storage: Storage
    clock: Clock
    model: ChatModel
    words: Mapping[str, Words]
    zone: str = "UTC"
    locale: str = "en"
    worker: ChatModel | None = None
    config: Config | None = None
    budget: Budget = field(default_factory=Budget)
    demo: bool = False
    patience: float = PATIENCE
    ballast: int = 0
    sweep: Callable[[], Iterable[object]] | None = None
    secure: Callable[[], None] | None = None
    place: str = ""
    hooks: Sequence[Hook] = ()
    models: Models | None = None
    web: Web | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    lag: Callable[[], Lag] | None = None
    decide: Callable[..., Awaitable[None]] | None = None
    settle: Settle | None = None
    heard: Callable[[], Mapping[Surface, datetime | None]] = dict
    hearing: Transcriber | None = None
    cast: Cast | None = None
    commit: Callable[[str], str] = unknown


@dataclass(frozen=True, slots=True)
class House:
    """The running parts: the door for platforms, the queues behind it, and what they share."""

    parts: Parts
    door: Door
    queues: Queues
    commands: Commands
    arrivals: Arrivals
    maintenance: Maintenance
    rounds: Rounds
    schedule: Schedule
    forgetting: Forgetting
    sayings: Sayings
    sweep: Callable[[], Iterable[object]] | None = None

    async def recover(self) -> int:
        """Finish what an earlier process had planned for memory itself and not written (R9); how many plans stand open.

        Those of turns are left to the queue, which does them before all else and counts the tries: what crashes the
        process while it is written must not do so at every start (P7). The cost does not grow with the archive. Raises
        `StorageError` when memory cannot be written: nothing is lost, the next start tries again.
        """
        await self.parts.keeper.remember()
        begun = sum(len(turn.pending) for turn in self.parts.journal.state.turns.values())
        return begun + await self.parts.keeper.finish()

    async def tidy(self) -> None:
        """Close slices that an earlier day left open, and mark closed ones that have no marks; looks at all of them."""
        await self._sweep()
        await self.parts.keeper.finish()
        await self.rounds.sweep()
        await self._weave()
        await self.maintain()

    async def _sweep(self) -> None:
        """Remove what a process that was killed left half written (R15)."""
        if self.sweep and not self.parts.journal.clean:
            for number, _ in enumerate(self.sweep()):
                if number % BREATH == 0:
                    await self.parts.clock.sleep(0)

    async def _weave(self) -> None:
        """Bring the projections in line with the slices; after an unclean stop they are made anew (R16).

        Turns go on meanwhile and do not wait: what they opened or closed is entered at the end.
        """
        projections, slices = self.parts.projections, self.parts.slices
        try:
            if self.parts.journal.clean:
                await projections.weave(force=True)
            else:
                await projections.rebuild()
            newest = await slices.newest(NEWEST)
            await projections.after_turn(newest, closed=newest)
        except StorageError as error:
            _log.warning("the timeline is not in line: %s", error)

    async def maintain(self) -> None:
        """Do what is owed between turns."""
        await self.rounds.care()

    def shut(self) -> None:
        """End in order: what is open stays in the journal."""
        self.parts.journal.bye()
        self.parts.journal.close()


def build(given: Given, journal: Journal | None = None) -> House:
    """The house, around its own journal or one that is open already.

    Opening it raises `Malformed`, `NotAFile`, `DiskTrouble` or `DiskLost`.
    """
    journal = journal or Journal.open(given.disk, given.clock, ballast=given.ballast, secure=given.secure)
    slices = Slices(given.storage, lambda: given.clock.sleep(0))
    keeper = Keeper(journal, given.storage, given.clock)
    recall = Recall(slices, given.clock)
    worker = given.worker or given.model
    projections = Projections(given.storage, slices, given.clock)
    finder = Finder(recall, Atlas(slices, given.storage, projections), worker, given.clock)

    def tools(slice_id: str, zone: str, words: Words) -> Sequence[Tool]:
        return memory_tools(slices, recall, given.clock, zone, words, slice_id, finder=finder, storage=given.storage)

    async def fetch(update: Incoming, file: Attachment) -> bytes:
        return await queues.fetch(update, file)

    identity = load_identity(ROOT / "identity")
    parts = Parts(
        journal=journal,
        storage=given.storage,
        slices=slices,
        keeper=keeper,
        closing=Closing(slices, keeper, worker, given.words, most=given.budget.worker),
        evolving=Evolving(slices, given.storage, keeper, worker, given.clock, given.budget.worker),
        projections=projections,
        worker=worker,
        budget=given.budget,
        clock=given.clock,
        words=given.words,
        config=given.config or Config(given.storage, given.clock),
        model=given.model,
        tools=tools,
        identity=f"{identity.soul}\n\n{identity.directives}",
        zone=given.zone,
        locale=given.locale,
        demo=given.demo,
        patience=given.patience,
        models=given.models,
        web=given.web,
        veil=Veil(given.secrets),
        fetch=fetch,
        hearing=given.hearing,
    )
    turns = Turns(parts)
    arrivals = Arrivals(parts)

    sayings = Sayings(given.disk)

    def let_go() -> None:
        """Nothing of it is shown any more, and what lost its marks gets others."""
        parts.evolving.unseen.clear()
        sayings.clear()
        parts.closing.boundary = True

    forgetting = Forgetting(
        storage=given.storage,
        slices=slices,
        keeper=keeper,
        journal=journal,
        projections=projections,
        disk=given.disk,
        clock=given.clock,
        dropped=recall.forget,
        cleared=let_go,
    )
    commands = Commands(
        parts,
        arrivals,
        given.place,
        turns.again,
        lambda catalog: Owning(parts, catalog, forgetting),
        Copied(given.lag, given.decide, given.commit) if given.lag and given.decide else None,
        given.heard,
    )
    if given.cast:
        commands.stage(Staging(parts, given.cast, arrivals, (recall.clear, let_go)))
    door = Door(journal, given.clock, lambda: keeper.forgotten.keys, given.settle)
    queues = Queues(parts, door, turns, Late(parts), commands, arrivals)
    maintenance = Maintenance(parts.closing, parts.evolving, parts.projections, worker)
    rounds = Rounds(parts, Lapse(parts), maintenance, Posting(parts, arrivals, queues.platform))

    async def empty_bin() -> None:
        forgetting.bin.sweep(given.clock.now())

    schedule = Schedule(given.clock, rounds.wake, (*given.hooks, Hook("bin", EMPTIED, empty_bin)))
    queues.between(rounds.rest)
    return House(
        parts, door, queues, commands, arrivals, maintenance, rounds, schedule, forgetting, sayings, given.sweep
    )
