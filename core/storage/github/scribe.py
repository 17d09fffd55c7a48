"""What the replica must be told of memory's meaning: the port between files and what stands in them.

The layer of slices lies above storage, so it is handed in by the composition root (`core.replica`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that goes into a commit: its bytes (None: deleted), and whether the repository lacks it so far."""

    path: str
    data: bytes | None
    fresh: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A commit's message: the title, a body of trailers, and the ids of the turns that it brings.

    `boundary` says that a slice is born or closed in it, so that the indexes go along (DESIGN 6).
    """

    title: str
    body: str = ""
    turns: tuple[str, ...] = ()
    boundary: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    """Two versions of a file as one (None: it is gone), and what could not be joined, by the path it is kept at."""

    data: bytes | None
    aside: Mapping[str, bytes] = field(default_factory=dict)


class Scribe(Protocol):
    """Knows what memory's files mean."""

    @property
    def graves(self) -> str:
        """The path of the file that names what was forgotten."""

    def is_derived(self, path: str) -> bool:
        """Whether the file can be rebuilt from others."""

    def is_event(self, path: str) -> bool:
        """Whether the file tells of something that happened once, so that its commit is worth knowing."""

    def turns(self, path: str, data: bytes) -> Sequence[str]:
        """The ids of the turns in a file; none in one that holds no talk."""

    def describe(self, changes: Sequence[Changed], known: Collection[str]) -> Note:
        """The message for these changes; `known` are the ids of turns that were pushed before."""

    def join(self, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, at: str) -> Joined:
        """Both changes of `base` in one file: a person's wins or both survive. `at` (ISO) names what is kept aside."""

    def remains(self, path: str, data: bytes, graves: bytes) -> bytes:
        """The file without what `graves` says was forgotten."""
