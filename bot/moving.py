"""`previously migrate`: a memory folder into the repository, or back; every blob id is compared.

Git's id of a tree is made of the ids of all that is in it: when the id that GitHub gives the branch is the one that the
files on this disk make, every file is there byte for byte.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from bot.dwelling import need_repository
from bot.repository import copy_of
from core.clock import SystemClock
from core.errors import SettingsError
from core.storage.base import version_of
from core.storage.hold import Hold
from core.storage.paths import ROOTS
from core.storage.unflushed import Unflushed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bot.repository import Copy
    from bot.settings import Settings
    from core.i18n import Words
    from core.storage.base import Storage
    from core.storage.disk import Disk
    from core.storage.os_disk import OsDisk

LONG: Final = 3600.0
"""Seconds that a move may take between two looks at it."""
FAILED: Final = 1


async def move(
    settings: Settings,
    words: Words,
    where: str,
    home: Path | None,
    say: Callable[[str], None],
    disk_of: Callable[[Path], OsDisk],
    storage_of: Callable[[Disk], Storage],
) -> int:
    """Move memory to `where` (github or local); the exit code.

    `home` is the folder, `disk_of` and `storage_of` open it. Nothing is deleted on the other side. Raises
    SettingsError, `Held` and storage trouble.
    """
    if home is None:
        raise SettingsError("--home", words("migrate.home"))
    need_repository(settings)
    with ExitStack() as stack:
        stack.enter_context(Hold(home))
        disk = disk_of(home)
        stack.callback(disk.shut)
        local = storage_of(disk)
        copy = copy_of(settings, disk, local, SystemClock(), storage_of(Unflushed(disk)))
        stack.callback(copy.wire.close)
        known = bool(copy.remote.desk.mirror.head)
        if where == "local" and not known and await _holds(local):
            raise SettingsError("--home", words("migrate.full", home=str(home)))
        if where == "github" and not known and await _taken(copy):
            raise SettingsError("GITHUB_REPO_NAME", words("migrate.taken", repository=copy.remote.repository.full_name))
        for notice in await copy.begin(words, say):
            say(notice)
        await copy.remote.courier.flush(LONG)
        code = await _compared(copy, words, where, home, say)
        await copy.remote.end()
        return code


async def _compared(copy: Copy, words: Words, where: str, home: Path, say: Callable[[str], None]) -> int:
    """Whether both sides are the same, told."""
    desk, lag = copy.remote.desk, copy.remote.courier.lag()
    count, wrong = 0, 0
    for root in ROOTS:
        for path, entry in desk.mirror.files.below(root):
            if desk.is_ours(path):
                data = await desk.read(path)
                count += 1
                wrong += data is None or version_of(data) != entry
    for path in (*lag.kept, *lag.large):
        say(words("copy.kept", path=path))
    head = await desk.repository.head()
    tree = (await desk.repository.commit(head[0])).tree if head else ""
    if wrong or lag.waiting or lag.stopped or tree != desk.mirror.files.tree_id():
        say(words("migrate.differs", n=wrong + lag.waiting))
        return FAILED
    say(words("migrate.done", n=count, head=head[0][:7] if head else ""))
    say(words(f"migrate.next.{where}", home=str(home)))
    return 0


async def _holds(storage: Storage) -> bool:
    """Whether anything stands in a memory."""
    return any([await storage.list(root) for root in ROOTS])


async def _taken(copy: Copy) -> bool:
    """Whether the repository already holds a memory."""
    repository = copy.remote.repository
    head = await copy.remote.courier.peek()
    if not head:
        return False
    nodes = await repository.tree((await repository.commit(head)).tree)
    return any(node.path in ROOTS for node in nodes or ())
