"""Lines 1 to 26: names that memory does not have, by every way on which a name can come in."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from core.agent.loop import answer
from core.errors import NotAFile, PathRefused, Unfit
from core.owning.archive import opened
from core.owning.export import MANIFEST
from core.owning.restoring import Restorer
from core.slices.forgotten import Forgotten
from core.storage.base import ABSENT, Write
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from core.turn.filing import file_tools
from core.turn.taint import Taint
from tests.core.agent.given import WORDS, Watcher
from tests.core.owning.given import zipped
from tests.doubles.model import ScriptedModel, calls, says
from tests.security.lines import line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.storage.base import Storage

OWN = "write etc passwd a.md x config idea.md gpj.md into my memory please"
"""The person names the files: what refuses is the path alone."""


def picture(root: Path) -> dict[str, bytes]:
    """Everything below the folder; links, folders and pipes by their kind alone."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b"" for path in sorted(root.rglob("*"))
    }


@contextmanager
def home(tmp: Path) -> Iterator[LocalStorage]:
    """A memory on a real disk."""
    (tmp / "home/memory").mkdir(parents=True, exist_ok=True)
    disk = OsDisk(tmp / "home")
    yield LocalStorage(disk)
    disk.shut()


async def asked(storage: Storage, path: object) -> list[tuple[str, str]]:
    """How the model's reading and writing of that path ended, in a loop that goes on."""
    wanted = {"path": path, "content": "harm"}
    model = ScriptedModel([calls(("readFile", wanted), ("writeFile", wanted)), says("Done.")])
    tools = file_tools(storage, Taint(own=OWN))
    found = await answer(model, (), tools, on_event=Watcher().show, words=WORDS["en"])
    assert found.text == "Done."
    return [(step.outcome, step.result) for step in found.steps]


def brought(tmp: Path, storage: Storage, path: str) -> int:
    """How many files an import of that name would write."""
    file = zipped(tmp / "export.zip", {MANIFEST: b"{}", path: b"harm"})
    try:
        with opened(file) as found:
            assert found.archive
            return Restorer(storage, [found.archive], Forgotten()).files
    except Unfit:
        return 0


async def refused(tmp: Path, *paths: object) -> str:
    """Each path is tried by both tools, by the storage itself, and as a name in an import."""
    tries = 0
    with home(tmp) as storage:
        for path in paths:
            ends = await asked(storage, path)
            assert [outcome for outcome, _ in ends] == ["denied", "denied"], ends
            for use in (storage.read(path), storage.commit([Write(path, b"harm", ABSENT)], "x")):  # type: ignore[arg-type]
                with pytest.raises(PathRefused):
                    await use
            if isinstance(path, str) and path.isprintable():
                assert brought(tmp, storage, path) == 0
                tries += 1
            tries += 4
    assert picture(tmp / "home") == {"memory": b""}
    return f"{tries} tries (readFile, writeFile, storage, import): refused, nothing touched"


REFUSED: dict[int, tuple[str, tuple[object, ...]]] = {
    1: ("../etc/passwd", ("../etc/passwd",)),
    2: ("memory/../../etc/passwd", ("memory/../../etc/passwd", "memory/../memory/a.md")),
    3: ("memory/./a.md, memory//a.md", ("memory/./a.md", "memory//a.md", "memory/a/")),
    4: ("/memory/a.md", ("/memory/a.md",)),
    5: ("%2e%2e/etc", ("%2e%2e/etc", "memory/%2e%2e/x")),
    6: ("memory/%252e%252e/x, memory/~/x", ("memory/%252e%252e/x", "memory/~/x", "~/x")),
    7: (r"memory\..\x", ("memory\\..\\x", "\\\\host\\memory\\x")),
    8: ("C:/memory/a.md", ("C:/memory/a.md", "memory/C:/a.md")),
    9: (r"memory/a\0.md", ("memory/a\0.md", "memory/a.md\0")),
    10: (r"memory/a\n.md", ("memory/a\n.md", "memory/a.md\n", "memory/a\r.md")),
    11: ("memory/．．/x", ("memory/\uff0e\uff0e/x",)),
    12: ("memory/․․/x", ("memory/\u2024\u2024/x",)),
    13: (r"memory/\u202egpj.md", ("memory/\u202egpj.md", "memory/a\u200b.md")),
    14: ("Memory/a.md", ("Memory/a.md", "memory/A.md", "memory/\u212a.md", "memory/\u017f.md")),
    15: ("memory", ("memory", "", ".", "tasks")),
    16: ("memory/.git/config", ("memory/.git/config", "memory/.GIT/config", "memory/git~1/config")),
    17: ("memory/con, memory/nul.md", ("memory/con", "memory/nul.md", "memory/aux/a.md", "memory/com1.txt")),
    18: ("memory/a.md. and a blank behind", ("memory/a.md.", "memory/a.md ", "memory/a./b.md")),
    19: ("memory/a.md::$DATA", ("memory/a.md::$DATA",)),
    20: (
        "a name of 300, a path of 400, 50 levels",
        ("memory/" + "a" * 300, "memory/" + "/".join(["a" * 97] * 4), "memory/" + "/".join(["a"] * 49)),
    ),
    21: ("a lone surrogate in the name", ("memory/\ud800.md",)),
    22: ("None, 5, a list", (None, 5, ["memory/a.md"], {"path": "memory/a.md"}, True)),
}


def _enter(number: int, hostile: str, paths: tuple[object, ...]) -> None:
    async def check(tmp: Path) -> str:
        return await refused(tmp, *paths)

    line(number, hostile)(check)


for _number, (_hostile, _paths) in REFUSED.items():
    _enter(_number, _hostile, _paths)


async def untouched(tmp: Path, path: str) -> str:
    """What stands there is no plain file of ours: refused at once by every way; what it leads to is as it was."""
    began = time.perf_counter()
    before = picture(tmp / "outside")
    with home(tmp) as storage:
        ends = await asked(storage, path)
        assert {outcome for outcome, _ in ends} <= {"denied", "error"}
        assert not any("secret" in said for _, said in ends)
        for use in (storage.read(path), storage.commit([Write(path, b"harm", ABSENT)], "x")):
            with pytest.raises(NotAFile):
                await use
    seconds = time.perf_counter() - began
    assert picture(tmp / "outside") == before
    assert seconds < 1
    return f"refused four times within {max(seconds, 0.01):.2f} s, what it leads to is as it was"


def outside(tmp: Path) -> Path:
    (tmp / "home/memory").mkdir(parents=True)
    (tmp / "outside").mkdir()
    (tmp / "outside/idea.md").write_bytes(b"secret")
    return tmp / "home/memory"


@line(23, "a link to a file outside, and one to nothing")
async def a_link(tmp: Path) -> str:
    (outside(tmp) / "idea.md").symlink_to(tmp / "outside/idea.md")
    (tmp / "home/memory/x").symlink_to(tmp / "outside/nothing")
    await untouched(tmp, "memory/x")
    return await untouched(tmp, "memory/idea.md")


@line(24, "a folder inside memory/ that is a link")
async def a_linked_folder(tmp: Path) -> str:
    (outside(tmp) / "inner").symlink_to(tmp / "outside", target_is_directory=True)
    return await untouched(tmp, "memory/inner/idea.md")


@line(25, "a hard link to a file outside")
async def a_hard_link(tmp: Path) -> str:
    (outside(tmp) / "idea.md").hardlink_to(tmp / "outside/idea.md")
    return await untouched(tmp, "memory/idea.md")


@line(26, "a FIFO named x.md")
async def a_pipe(tmp: Path) -> str:
    os.mkfifo(outside(tmp) / "x.md")
    return await untouched(tmp, "memory/x.md")
