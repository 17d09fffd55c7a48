"""The journal on this machine's own file system, with processes that really die."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from core.errors import NotAFile
from core.journal.journal import Journal
from core.journal.records import PATH
from core.storage.os_disk import OsDisk
from tests.core.journal.crashes import Progress, Story, tell
from tests.core.journal.given import SHORT, said
from tests.doubles.clock import ManualClock
from tests.doubles.fault_disk import HALF, FaultDisk

if TYPE_CHECKING:
    from pathlib import Path


def test_a_process_that_really_dies_at_every_third_operation_loses_nothing(tmp_path: Path) -> None:
    story = Story(SHORT)
    points = range(1, len(story.operations()) + 1, 3)

    for k in points:
        root = tmp_path / str(k)
        root.mkdir()
        acked = died(root, k)
        story.finish(OsDisk(root), Progress(acked, len(story.records)))

    tell(f"journal on a real disk: {len(points)} processes killed")
    assert len(points) > 15


def died(root: Path, k: int) -> int:
    """Let a child tell the story and die at operation k; what it had acknowledged."""
    heard, says = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _child(root, k, says)
        finally:
            os._exit(1)
    os.close(says)
    with os.fdopen(heard, "rb") as report:
        acked = len(report.read())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    return acked


def _child(root: Path, k: int, says: int) -> None:
    """One byte into the pipe for each acknowledged record."""
    disk = FaultDisk(OsDisk(root), really=True)
    disk.fail_at(k, HALF)
    journal = Journal.open(disk, ManualClock(), compact_above=900)
    for batch in SHORT:
        journal.append(*batch)
        os.write(says, bytes(len(batch)))
    journal.bye()
    journal.close()


def test_files_are_private(tmp_path: Path) -> None:
    Journal.open(OsDisk(tmp_path), ManualClock(), ballast=10)

    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}

    assert modes == {"state": 0o700, "journal.jsonl": 0o600, "ballast": 0o600}


def test_state_deleted_while_running_is_made_anew(tmp_path: Path) -> None:
    journal = Journal.open(OsDisk(tmp_path), ManualClock())
    journal.append(said(1))
    shutil.rmtree(tmp_path / "state")

    journal.append(said(2))

    again = Journal.open(OsDisk(tmp_path), ManualClock())
    assert list(again.state.waiting) == ["tg:7:1", "tg:7:2"]


@pytest.mark.parametrize("kind", ["link", "fifo", "hard link"])
def test_a_link_or_fifo_in_the_journal_s_place_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "state").mkdir()
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    place = tmp_path / PATH
    match kind:
        case "link":
            place.symlink_to(other)
        case "fifo":
            os.mkfifo(place)
        case _:
            place.hardlink_to(other)

    with pytest.raises(NotAFile):
        Journal.open(OsDisk(tmp_path), ManualClock())

    assert other.read_bytes() == b"mine"
