"""The lease: of two processes with one repository, one takes messages in (DESIGN 5.9).

It is a branch of its own, `previously-lease`, whose newest commit names the holder. It moves only forward, from a
commit to its child, so of two who try at once GitHub lets one through: a compare and swap. No clock is compared with
another machine's: a holder counts as dead when its branch has not moved for as long as a lease lasts, by the watch of
whoever waits. A holder renews in time, and ends at once when somebody else has moved the branch.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from core.errors import Ousted, RepositoryTrouble
from core.storage.github.verdict import BRIEFLY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from core.clock import Clock
    from core.storage.github.repository import Repository

REF: Final = "heads/previously-lease"
LASTS: Final = 300.0
"""Seconds after which a lease that was not renewed is free."""
RENEW: Final = 120.0
LOOK: Final = 5.0
"""Seconds between two looks while somebody else holds it."""
FREE: Final = "free"


class Lease:
    """One process's hold on the repository. `holder` names it, unlike any other's."""

    def __init__(self, repository: Repository, clock: Clock, holder: str) -> None:
        self._repository = repository
        self._clock = clock
        self._holder = holder
        self._held = ""

    async def take(self, tree: str, waiting: Callable[[str], None]) -> None:
        """Hold it; while another process does, `waiting` is told its name once and this one waits.

        `tree` is any tree of the repository, which the lease's commits need. Raises `RepositoryTrouble`.
        """
        seen, since, told = "", 0.0, False
        while not self._held:
            there = await self._repository.point(REF)
            if there != seen:
                seen, since = there or "", self._clock.monotonic()
            name = (await self._repository.message(there)) if there else FREE
            mine_or_free = name in {FREE, self._holder} or self._clock.monotonic() - since >= LASTS
            if mine_or_free:
                await self._step(tree, there)
                continue
            if not told:
                told = True
                waiting(name)
            await self._clock.sleep(LOOK)

    async def keep(self, tree: Callable[[], Awaitable[str]]) -> None:
        """Renew it for ever, or take it when it could not be had at the start. Raises `Ousted` when it is another's."""
        while True:
            await self._clock.sleep(RENEW)
            try:
                await (self.renew(await tree()) if self._held else self.take(await tree(), _unheard))
            except RepositoryTrouble:
                continue  # the repository cannot be reached: nobody else can take it either

    async def renew(self, tree: str) -> None:
        """Renew it once; a repository that cannot be reached keeps what it knows. Raises `Ousted`."""
        try:
            await self._advance(tree, self._holder)
        except RepositoryTrouble as error:
            if error.kind in BRIEFLY:
                return
            if error.kind != "stale" or await self._others():
                raise Ousted(f"another process has taken over {self._repository.full_name}") from error

    async def release(self, tree: str) -> None:
        """Give it back, so that the next process need not wait."""
        if self._held:
            with suppress(RepositoryTrouble, TimeoutError):
                async with asyncio.timeout(10):
                    await self._advance(tree, FREE)
        self._held = ""

    async def _others(self) -> bool:
        """Whether the branch is another's: it is our own when only the answer to a renewal was lost."""
        there = await self._repository.point(REF)
        if not there or await self._repository.message(there) != self._holder:
            return True
        self._held = there
        return False

    async def _step(self, tree: str, there: str | None) -> None:
        """Try to become the holder; losing to another is no error."""
        made = await self._repository.write_commit(tree, [there] if there else [], self._holder)
        try:
            await (self._repository.move_ref(REF, made) if there else self._repository.make_ref(REF, made))
        except RepositoryTrouble as error:
            if error.kind != "stale":
                raise
        else:
            self._held = made

    async def _advance(self, tree: str, message: str) -> None:
        made = await self._repository.write_commit(tree, [self._held], message)
        await self._repository.move_ref(REF, made)
        self._held = made


def _unheard(holder: str) -> None:
    """Nobody waits to hear who holds it."""
