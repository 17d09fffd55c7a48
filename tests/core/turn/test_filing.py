"""Files of memory: what may be read, listed and written, and what never is (reliability 4.6; original.md 3.20)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from core.errors import PreviouslyError, Refused, TryAgain
from core.storage.base import ABSENT, Write
from core.storage.local import LocalStorage
from core.storage.memory import MemoryStorage
from core.storage.os_disk import OsDisk
from core.turn.filing import MOST, SHOWN, file_tools
from core.turn.taint import Taint
from tests.core.agent.given import WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.storage.base import Storage

HOSTILE: list[object] = [
    "../etc/passwd", "memory/../../etc/passwd", "/memory/a.md", "%2e%2e/etc", "memory\\..\\x", "C:/memory/a.md",
    "memory/a\n.md", "memory/．．/x", "memory/․․/x", "memory/\u202egpj.md", "Memory/a.md", "memory",
    "memory/.git/config", "memory/a.md.", "memory/a.md ", "memory/a.md::$DATA", "memory/" + "a" * 300,
    "memory/" + "a/" * 50 + "b", "memory/" + "a" * 95 + "/" + "b" * 95 + "/" + "c" * 95 + "/" + "d" * 95,
    "memory/\ud800.md", "state/journal.jsonl", "", None, 5, ["memory/a.md"], {"path": "memory/a.md"},
]  # fmt: skip
PROTECTED = [
    "memory/episodic/slices/2026/03/09/1842/timeline/core.md", "memory/episodic/current-previously.md",
    "memory/user/config.json", "memory/notes/_index.json", "tasks/strands.json",
]  # fmt: skip


async def run(storage: Storage, name: str, arguments: Mapping[str, object], taint: Taint | None = None) -> str:
    tools = {tool.spec.name: tool for tool in file_tools(storage, taint or Taint(own="keep it in ideas.md please"))}
    return await tools[name].run(arguments)


async def test_a_file_that_the_person_named_is_written_listed_and_read() -> None:
    storage = MemoryStorage()

    said = await run(storage, "writeFile", {"path": "memory/notes/ideas.md", "content": "a kiln"})

    assert said == "memory/notes/ideas.md was created: 6 bytes"
    assert await run(storage, "listFiles", {"folder": "memory/notes"}) == "ideas.md"
    assert await run(storage, "readFile", {"path": "memory/notes/ideas.md"}) == "a kiln"
    assert "replaced" in await run(storage, "writeFile", {"path": "memory/notes/ideas.md", "content": ""})


@pytest.mark.parametrize("path", HOSTILE, ids=[f"{at}-{ascii(path)[:24]}" for at, path in enumerate(HOSTILE)])
@pytest.mark.parametrize("tool", ["readFile", "writeFile"])
async def test_a_path_that_memory_does_not_have_is_refused_and_nothing_is_touched(tool: str, path: object) -> None:
    storage = MemoryStorage()

    with pytest.raises(Refused):
        await run(storage, tool, {"path": path, "content": "x"})

    assert [await storage.list(root) for root in ("memory", "tasks", "sessions")] == [[], [], []]


@pytest.mark.parametrize("folder", ["..", "/", "memory/..", ".git", 5, "state"])
async def test_a_folder_that_memory_does_not_have_is_refused(folder: object) -> None:
    with pytest.raises(Refused):
        await run(MemoryStorage(), "listFiles", {"folder": folder})


@pytest.mark.parametrize("path", PROTECTED)
async def test_what_the_system_keeps_is_not_written_even_when_it_is_named(path: str) -> None:
    storage = MemoryStorage()

    with pytest.raises(Refused, match="kept by the system"):
        await run(storage, "writeFile", {"path": path, "content": "x"}, Taint(own=f"write {path}"))


async def test_a_file_that_nobody_named_is_not_written() -> None:
    with pytest.raises(Refused, match="does not name"):
        await run(MemoryStorage(), "writeFile", {"path": "memory/other.md", "content": "x"})


async def test_nothing_is_written_in_a_tainted_turn() -> None:
    taint = Taint(own="keep it in ideas.md", tainted=True)

    with pytest.raises(Refused, match="other people's text"):
        await run(MemoryStorage(), "writeFile", {"path": "memory/ideas.md", "content": "x"}, taint)


async def test_too_much_is_neither_written_nor_read() -> None:
    storage = MemoryStorage()
    await storage.commit([Write("memory/big.md", b"x" * (MOST + 1), ABSENT)], "Big")

    with pytest.raises(Refused, match="larger"):
        await run(storage, "writeFile", {"path": "memory/ideas.md", "content": "é" * (MOST // 2 + 1)})
    with pytest.raises(Refused, match="larger"):
        await run(storage, "readFile", {"path": "memory/big.md"})


async def test_a_long_file_is_read_in_parts() -> None:
    storage = MemoryStorage()
    await storage.commit([Write("memory/long.md", b"x" * SHOWN + b"the end", ABSENT)], "Long")

    first = await run(storage, "readFile", {"path": "memory/long.md"})
    rest = await run(storage, "readFile", {"path": "memory/long.md", "from": SHOWN})

    assert first.endswith(f"[7 more characters, from {SHOWN}]")
    assert rest == "the end"


async def test_what_is_not_there_or_no_text_is_told() -> None:
    storage = MemoryStorage()
    await storage.commit([Write("memory/odd.md", b"\xff\xfe", ABSENT)], "Odd")

    with pytest.raises(TryAgain, match="no file"):
        await run(storage, "readFile", {"path": "memory/none.md"})
    with pytest.raises(Refused, match="not text"):
        await run(storage, "readFile", {"path": "memory/odd.md"})
    with pytest.raises(TryAgain, match="content"):
        await run(storage, "writeFile", {"path": "memory/ideas.md", "content": 5})


@pytest.mark.parametrize("kind", ["folder link", "link", "hard link", "pipe", "folder"])
async def test_links_pipes_and_folders_in_the_place_of_a_file_are_refused(tmp_path: Path, kind: str) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    (home / "memory").mkdir(parents=True)
    (home / "state").mkdir()
    outside.mkdir()
    (outside / "ideas.md").write_text("secret", encoding="utf-8")
    path = "memory/ideas.md"
    if kind == "folder link":
        (home / "memory" / "inner").symlink_to(outside)
        path = "memory/inner/ideas.md"
    elif kind == "link":
        (home / path).symlink_to(outside / "ideas.md")
    elif kind == "hard link":
        (home / path).hardlink_to(outside / "ideas.md")
    elif kind == "pipe":
        os.mkfifo(home / path)
    else:
        (home / path).mkdir()
    disk = OsDisk(home)
    storage = LocalStorage(disk)

    for tool in ("readFile", "writeFile"):
        with pytest.raises(PreviouslyError):
            await run(storage, tool, {"path": path, "content": "x"})

    disk.shut()
    assert (outside / "ideas.md").read_text(encoding="utf-8") == "secret"


def test_labels_name_the_file_in_both_languages() -> None:
    for words in WORDS.values():
        for tool in file_tools(MemoryStorage(), Taint()):
            given = {"path": "memory/notes/ideas.md", "folder": "memory/notes"}
            assert "memory/notes" in tool.running(given, words)
            assert "memory/notes" in tool.done(given, words)
            assert tool.spec.name not in tool.done({}, words)
