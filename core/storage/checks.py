"""What every backend checks before a commit touches anything, so that all of them refuse the same things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import Conflict, NotAFile
from core.storage.base import Change, Delete, Write, version_of
from core.storage.paths import ancestors, check_file, parent, refuse_twin

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_changes(changes: Sequence[Change]) -> None:
    """Refuse a commit that could not be right whatever stands in memory.

    Raises `PathRefused` (names, or two names that differ by case alone), `ValueError` (one path twice) and
    `NotAFile` (one change writes a file where another needs a folder).
    """
    names: dict[str, set[str]] = {}
    seen: set[str] = set()
    for change in changes:
        path = check_file(change.path)
        if path in seen:
            raise ValueError(f"two changes of {path} in one commit")
        siblings = names.setdefault(parent(path), set())
        refuse_twin(path, siblings)
        siblings.add(path.rpartition("/")[2])
        seen.add(path)
    written = {change.path for change in changes if isinstance(change, Write)}
    for path in written:
        if not written.isdisjoint(ancestors(path)):
            raise NotAFile(path, "the same commit writes a file where this one needs a folder")


def already_stands(change: Change, found: bytes | None) -> bool:
    """Whether memory is already as the change wants it; raises `Conflict` when it is neither that nor as expected.

    Equal bytes are never a conflict, whatever version was expected, and neither is a deletion of what is gone: this
    is what lets a commit that broke off be repeated as it was (R9).
    """
    wanted = None if isinstance(change, Delete) else change.data
    if found == wanted:
        return True
    version = None if found is None else version_of(found)
    if version != change.expects:
        raise Conflict(change.path, change.expects, version)
    return False
