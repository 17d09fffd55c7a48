"""How the house is: models, memory, the queue, what is unmarked or cannot be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Title

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from core.views.reader import Reader

NAMED: Final = 5
"""How many unreadable slices are named, the newest ones."""
_KB: Final = 1024


@dataclass(frozen=True, slots=True)
class Status:
    """The facts: counts, names, and `unreadable` slices with the reason; `place` "" means memory of this process.

    `copy` are lines on memory's copy in a repository. `heard` is when each platform was last heard of (None: not yet),
    `models` are lines on what answers and what it costs, where there is more to say than two names.
    """

    version: str
    model: str
    worker: str
    slices: int
    unmarked: int
    place: str = ""
    demo: bool = False
    last: datetime | None = None
    waiting: int = 0
    open_turns: int = 0
    parked: int = 0
    journal: int = 0
    unreadable: Mapping[str, str] = field(default_factory=dict)
    copy: tuple[str, ...] = ()
    heard: Mapping[str, datetime | None] = field(default_factory=dict)
    models: tuple[str, ...] = ()


def status_page(status: Status, reader: Reader) -> Document:
    """The page of these facts."""
    words = reader.words
    place = status.place or words("status.memory")
    memory = [
        words("status.place", place=f"{place} {words('status.demo')}" if status.demo else place),
        words("status.slices", n=status.slices),
        words("status.unmarked", n=status.unmarked),
        words("status.last", when=reader.when(status.last)) if status.last else words("status.nothing"),
    ]
    work = [
        *_heard(status, reader),
        *(status.models or (words("status.model", model=status.model, worker=status.worker),)),
        words("status.waiting", n=status.waiting),
        words("status.open", n=status.open_turns),
        words("status.journal", size=_size(status.journal)),
    ]
    if status.parked:
        work.append(words("status.parked", n=status.parked))
    blocks = [
        Items(tuple(memory), label=words("status.about.memory")),
        Items(tuple(work), label=words("status.about.work")),
        Items((words("status.zone", zone=reader.zone), words("status.version", version=status.version))),
    ]
    if status.copy:
        blocks.insert(1, Items(status.copy, label=words("status.about.copy")))
    bad = sorted(status.unreadable.items(), reverse=True)
    if bad:
        lines = tuple(words("slice.unreadable", slice=name, why=why) for name, why in bad[:NAMED])
        blocks.append(Items(lines, label=words("status.unreadable", n=len(bad))))
    choices = (
        Choice(words("briefing.timeline"), Address("timeline")),
        Choice(words("config.title"), Address("settings")),
    )
    return Document((Title(words("status.title")), *blocks, Choices(choices)), Address("status"))


def _heard(status: Status, reader: Reader) -> list[str]:
    """When each platform was last heard of."""
    return [
        reader.words("status.heard", platform=name.capitalize(), when=reader.when(at))
        if at
        else reader.words("status.unheard", platform=name.capitalize())
        for name, at in sorted(status.heard.items())
    ]


def _size(count: int) -> str:
    return f"{count} B" if count < _KB else f"{count / _KB:.1f} KB" if count < _KB * _KB else f"{count / _KB**2:.1f} MB"
