"""Memory in the person's repository: the wire from the settings, what is said at the start, and what runs beside."""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.remembering import remember
from core.errors import PreviouslyError, RepositoryTrouble, SettingsError, StorageError
from core.replica.scribe import MemoryScribe
from core.storage.github.desk import Bulk
from core.storage.github.remote import Remote
from core.storage.github.repository import Repository
from core.storage.github.wire import ADDRESS, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from bot.house import House
    from bot.settings import Settings
    from core.clock import Clock
    from core.i18n import Words
    from core.storage.base import Storage
    from core.storage.disk import Disk
    from core.storage.github.checks import Remark

SPACING: Final = 0.25
"""Seconds between two calls to GitHub itself, whose advice that is."""
HOLDER: Final = "state/instance"


@dataclass(frozen=True, slots=True)
class Copy:
    """The repository of a house. `wire` is to be closed at the end."""

    remote: Remote
    wire: Wire

    async def begin(self, said: Words, tell: Callable[[str], None]) -> list[str]:
        """Make it ready; the sentences to be told. Raises SettingsError with the sentence of a refusal."""
        name = self.remote.repository.full_name

        def waiting(holder: str) -> None:
            tell(said("github.start.held", holder=holder.partition(" ")[0], repository=name))

        try:
            remarks = await self.remote.begin(waiting)
        except RepositoryTrouble as error:
            sentence = said("github.start.unreachable", repository=name, why=error.detail or error.kind)
            raise SettingsError("GITHUB_TOKEN", sentence) from error
        for remark in remarks:
            if remark.refused:
                raise SettingsError(_variable(remark), said(remark.key, **remark.fields))
        return [said(remark.key, **remark.fields) for remark in remarks]

    async def join(self, house: House) -> None:
        """Let the house hear of the repository, and know again on a fresh disk what was seen and what is owed."""
        journal = house.parts.journal
        journal.notices.extend(self.remote.told)
        self.remote.told = journal.notices
        self.remote.courier.rewoven = partial(_weave, house)
        if journal.state.idle and not journal.state.seen:
            await remember(house)

    async def beside(self, live: Coroutine[object, object, int]) -> int:
        """Run what `live` runs with the courier and the lease beside it; what it returns or raises.

        At the end all that waits is pushed, and the lease is given back. Raises `Ousted` when another process has
        taken the repository.
        """
        try:
            async with asyncio.TaskGroup() as group:
                others = [group.create_task(self.remote.courier.serve()), group.create_task(self.remote.keep())]
                try:
                    return await live
                finally:
                    for task in others:
                        task.cancel()
        except* PreviouslyError as several:
            raise _first(several) from several
        finally:
            with suppress(PreviouslyError):
                await self.remote.end()
        raise AssertionError("the group has ended without a result")


def copy_of(settings: Settings, disk: Disk, local: Storage, clock: Clock, bulk: Storage) -> Copy:
    """The copy that the settings ask for; `bulk` writes without flushing. Nothing is connected yet."""
    address = settings.github_api_url or ADDRESS
    wire = Wire(settings.github_key(), address, spacing=SPACING if address == ADDRESS else 0.0)
    repository = Repository(wire, settings.github_repo_owner or "", settings.github_repo_name or "", clock)
    public = settings.previously_public == "yes"
    whole = Bulk(bulk, _flush) if hasattr(os, "sync") else None
    remote = Remote(repository, disk, local, MemoryScribe(), clock, _holder(disk), public=public, bulk=whole)
    return Copy(remote, wire)


def _flush() -> None:
    """Have the system flush all that was written."""
    os.sync()


def _holder(disk: Disk) -> str:
    """The name of this disk's process: the same after a restart on it, since the lock on `state/` lets one in."""
    with suppress(OSError, UnicodeDecodeError):
        return disk.read(HOLDER).decode()
    name = f"{platform.node() or 'process'} {os.getpid()} {secrets.token_hex(8)}"
    with suppress(OSError):
        handle = disk.create(HOLDER)
        try:
            disk.write(handle, name.encode())
        finally:
            disk.close(handle)
    return name


async def _weave(house: House) -> None:
    """What a person changed in slices on the site is brought into the indexes."""
    with suppress(StorageError):
        await house.parts.projections.weave(force=True)


def _variable(remark: Remark) -> str:
    return "GITHUB_REPO_NAME" if remark.key.rpartition(".")[2] in {"missing", "public", "archived"} else "GITHUB_TOKEN"


def _first(several: BaseException) -> BaseException:
    while isinstance(several, BaseExceptionGroup):
        several = several.exceptions[0]
    return several
