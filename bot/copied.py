"""What the person is told of memory's copy in their repository, and the two decisions that only they can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.helping import Asked
    from core.storage.github.lag import Lag
    from core.views.reader import Reader

THEIRS: Final = "theirs"
OURS: Final = "ours"
DECISIONS: Final = (THEIRS, OURS)
ASKED: Final = frozenset({"rewound", "forced", "emptied"})
"""Stops that wait for a decision; a public repository only needs to be made private."""
PASSING: Final = frozenset({"offline", "again", "pause"})
"""Trouble that is waited out; of anything else the person is told by itself."""
NAMED: Final = 5


def lag_lines(lag: Lag, reader: Reader) -> tuple[str, ...]:
    """How far the repository is behind, what was wrong, and what stays on this disk."""
    words = reader.words
    lines = [words("copy.waiting", n=lag.waiting) if lag.waiting else words("copy.even")]
    if lag.since and lag.waiting:
        lines.append(words("copy.since", when=reader.when(lag.since)))
    if lag.trouble:
        why = lag.trouble if lag.trouble in PASSING else "other"
        lines.append(words("copy.trouble", why=words(f"copy.why.{why}")))
    if lag.stopped:
        lines.append(words(f"copy.stopped.{lag.stopped}"))
    lines += [words("copy.kept", path=path) for path in lag.kept[:NAMED]]
    lines += [words("copy.large", path=path) for path in lag.large[:NAMED]]
    return tuple(lines)


def unknown(path: str) -> str:  # noqa: ARG001 - of no file anything is known
    """Where memory has no copy, no commit brought a file."""
    return ""


class Copied:
    """Answers `/repository`: how things stand, and after a stop the owner's decision."""

    def __init__(
        self, lag: Callable[[], Lag], decide: Callable[..., Awaitable[None]], commit: Callable[[str], str] = unknown
    ) -> None:
        """`commit` tells by which commit a file was pushed, "" when that is not known."""
        self.commit = commit
        self._lag = lag
        self._decide = decide

    def lines(self, reader: Reader) -> tuple[str, ...]:
        """How things stand, a sentence each."""
        return lag_lines(self._lag(), reader)

    async def page(self, asked: Asked) -> Document:
        """The page; `theirs` takes the branch as it is now, `ours` brings back what this disk has."""
        if asked.argument in DECISIONS and self._lag().stopped in ASKED:
            await self._decide(theirs=asked.argument == THEIRS)
        lag, words = self._lag(), asked.reader.words
        page = Document((Title(words("copy.title")), Items(lag_lines(lag, asked.reader))), Address("repository"))
        if lag.stopped not in ASKED:
            return page
        choices = tuple(Choice(words(f"copy.{one}"), Address("repository", one)) for one in DECISIONS)
        return Document((*page.blocks, Text(words("copy.decide")), Choices(choices)), page.address)
