"""The rules of reliability 2.4, each taken away by a part that does not keep it (T3)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.house import House
from core.journal.codec import encode
from core.journal.journal import Journal
from core.journal.ledger import TEMPORARY, Ledger
from core.journal.records import PATH, Applied, Plan, Record
from core.journal.state import State
from core.storage.chain import FolderChain
from core.storage.local import LocalStorage, _Step
from core.timeline.projections import Projections
from core.timeline.stored import read_catalog
from core.timeline.weave import WovenResult
from tests.doubles.chat import Bubble
from tests.house.life import COMPACT_ABOVE, Kind, Patient, furnished, plainly, tags

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.clock import Clock
    from core.conversation import Inbox, Outbox, Presenter, TurnEvent
    from core.llm.base import ChatModel
    from core.storage.disk import Disk


def with_journal(journal: type[Journal], ledger: type[Ledger] = Ledger) -> Kind:
    def house(disk: Disk, clock: Clock, model: ChatModel, life: int) -> House:
        made = journal(disk, clock, ledger(disk, clock), COMPACT_ABOVE)
        made.load()
        return furnished(made, LocalStorage(disk, tags(life)), clock, model)

    return Kind(house)


def with_storage(make: Callable[[Disk, Callable[[], str]], LocalStorage], *, sweep: bool = True) -> Kind:
    def house(disk: Disk, clock: Clock, model: ChatModel, life: int) -> House:
        journal = Journal.open(disk, clock, compact_above=COMPACT_ABOVE)
        return furnished(journal, make(disk, tags(life)), clock, model, sweep=sweep)

    return Kind(house)


def with_disk(cover: Callable[[Disk], Disk]) -> Kind:
    return Kind(lambda disk, clock, model, life: plainly(cover(disk), clock, model, life))


class AckFirst(Patient):
    """R1 removed: the platform may forget what is not durable yet."""

    async def serve(self, inbox: Inbox) -> None:
        while True:
            updates = await self.world.pending()
            self._effect("acknowledge")
            self.world.acknowledge(updates)
            await inbox.accept(updates)


class NoAppendFsync(Ledger):
    """R2 removed: an append is believed as soon as it is written."""

    def _confirm(self) -> None:
        pass


class Cover:
    """A disk that hands everything through."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.paths: dict[int, str] = {}
        self.last = ""

    def __getattr__(self, name: str) -> object:
        return getattr(self.disk, name)

    def create(self, path: str) -> int:
        handle = self.disk.create(path)
        self.paths[handle] = path
        return handle

    def replace(self, source: str, target: str) -> None:
        self.last = "replace"
        self.disk.replace(source, target)

    def make_folder(self, path: str) -> None:
        self.last = "make_folder"
        self.disk.make_folder(path)


class NoFileFsync(Cover):
    """R3 removed: files of memory are renamed before their bytes are durable."""

    def sync(self, handle: int) -> None:
        if not self.paths.get(handle, "").startswith("memory/"):
            self.disk.sync(handle)


class NoNameFsync(Cover):
    """R4 removed: a rename in memory is not made durable."""

    def sync_folder(self, path: str) -> None:
        if self.last != "replace" or not path.startswith("memory"):
            self.disk.sync_folder(path)


class NoParentFsync(Cover):
    """R5 removed: the names of new folders of memory are not made durable."""

    def sync_folder(self, path: str) -> None:
        if self.last == "make_folder" and not path.startswith("state"):
            self.last = ""
            return
        self.disk.sync_folder(path)


class PlanLater(Journal):
    """R6 removed: a plan reaches the medium only after it has been carried out."""

    _held: tuple[Record, ...] = ()

    def append(self, *records: Record) -> None:
        if any(isinstance(one, Plan) for one in records):
            for one in records:
                self.state.apply(one)
            self._held += records
            return
        held, self._held = (self._held, ()) if any(isinstance(one, Applied) for one in records) else ((), self._held)
        super().append(*held, *records)


class Forgetful(State):
    """A state that remembers no key."""

    def _remember(self, tag: str) -> None:
        pass


class NoDedupe(Journal):
    """R7 removed: what comes again is taken for new."""

    def __init__(self, *parts: object) -> None:
        super().__init__(*parts)  # type: ignore[arg-type]  # handed through
        self.state = Forgetful()


class FreshSend(Bubble):
    """R8 removed: the answer is a message of its own, not the edit of a recorded one."""

    async def show(self, event: TurnEvent) -> None:
        if type(event).__name__ == "Finished":
            self._outbox = Blank()
        await super().show(event)


class Blank:
    """An outbox that has recorded nothing and records nothing."""

    def sent(self, turn: str, part: int) -> str | None:
        return None

    async def note(self, turn: str, part: int, message: str) -> None:
        pass


class PlainSend(Patient):
    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        return FreshSend(self.world, self._effect, turn, outbox)


class NoReassert(LocalStorage):
    """R9 removed: what already stands, bytes and name, is believed to be durable."""

    def _assert_durable(self, path: str) -> None:
        pass

    def _flush_folders(self, steps: Sequence[_Step]) -> None:
        super()._flush_folders([step for step in steps if not step.stands])


class NoTailCut(Ledger):
    """R10 removed: the torn tail stays, and what comes next is appended to it."""

    def _mend(self, good: bytes) -> None:
        pass

    def _stands(self) -> bool:
        return True


class CompactEarly(Journal):
    """R11 removed: the journal is compacted to what is closed, whatever is open."""

    def whole(self) -> bytes:
        return encode([replace(self.state.snapshot(), open=())])

    def append(self, *records: Record) -> None:
        super().append(*records)
        if self.size > COMPACT_ABOVE // 4:
            self._ledger.rewrite(self.whole())


class ForgetSeen(Journal):
    """R12 removed: compaction forgets which messages were received."""

    def whole(self) -> bytes:
        return encode([replace(self.state.snapshot(), seen=())])


class NoCompactFsync(Cover):
    """R13 removed: the compacted journal is renamed before its bytes are durable."""

    def sync(self, handle: int) -> None:
        if self.paths.get(handle, "") != TEMPORARY:
            self.disk.sync(handle)


class InPlace(Ledger):
    """R13 removed altogether: the old journal goes before the new one comes."""

    def _write_temporary(self, data: bytes) -> None:
        self._disk.remove(PATH)
        super()._write_temporary(data)


class TrustingChain(FolderChain):
    """R14 removed for memory: a folder that is there is taken for one that will stay."""

    def ensure(self, folder: str) -> None:
        above = ""
        for depth in range(1, folder.count("/") + 2):
            path = "/".join(folder.split("/")[:depth])
            if self._disk.stat(path) is None:
                self._make(path)
                self.flush(above)
            above = path


class TrustingStorage(LocalStorage):
    def __init__(self, disk: Disk, tag: Callable[[], str]) -> None:
        super().__init__(disk, tag)
        self._chain = TrustingChain(disk)


class TrustsNames(Ledger):
    """R14 removed for the journal."""

    _existed = False

    def load(self) -> Sequence[bytes]:
        self._existed = self._disk.stat(PATH) is not None
        return super().load()

    def _anchor(self) -> None:
        if not self._existed:
            super()._anchor()


class TrustsBytes(Ledger):
    """R9 removed for the journal: what can be read is taken for durable."""

    def _settle(self, data: bytes) -> None:
        pass


class TrustsProjections(Projections):
    """R16 removed: the catalog that stands there is believed, whatever befell the process that wrote it."""

    async def weave(self, force: bool = False) -> WovenResult:
        if self._woven:
            return WovenResult(skipped=True)
        catalog = await read_catalog(self._storage)
        if catalog is None:
            return await super().weave(force)
        for entry in catalog.entries:
            self._tapestry.enter(entry)
        self._tapestry.written()
        self._woven, self._woven_at = True, catalog.updated_at
        return WovenResult(total=len(catalog.entries), skipped=True)

    async def rebuild(self) -> WovenResult:
        return await self.weave(force=True)

    async def _ready(self) -> None:
        await self.weave(force=True)


class Unwoven(House):
    """R16 removed at the start, too."""

    __slots__ = ()

    async def _weave(self) -> None:
        pass


def trusting(disk: Disk, clock: Clock, model: ChatModel, life: int) -> House:
    house = plainly(disk, clock, model, life)
    house.parts.projections.__class__ = TrustsProjections
    object.__setattr__(house, "__class__", Unwoven)
    return house


RULES = {
    "R1": Kind(chat=AckFirst),
    "R2": with_journal(Journal, NoAppendFsync),
    "R3": with_disk(NoFileFsync),  # type: ignore[arg-type]  # what it lacks, __getattr__ hands through
    "R4": with_disk(NoNameFsync),  # type: ignore[arg-type]
    "R5": with_disk(NoParentFsync),  # type: ignore[arg-type]
    "R6": with_journal(PlanLater),
    "R7": with_journal(NoDedupe),
    "R8": Kind(chat=PlainSend),
    "R9": with_storage(NoReassert),
    "R9 journal": with_journal(Journal, TrustsBytes),
    "R10": with_journal(Journal, NoTailCut),
    "R11": with_journal(CompactEarly),
    "R12": with_journal(ForgetSeen),
    "R13": with_disk(NoCompactFsync),  # type: ignore[arg-type]
    "R13 place": with_journal(Journal, InPlace),
    "R14": with_storage(TrustingStorage),
    "R14 journal": with_journal(Journal, TrustsNames),
    "R15": with_storage(LocalStorage, sweep=False),
    "R16": Kind(trusting),
}
"""What the processes are made of when a rule is gone, by the rule."""
