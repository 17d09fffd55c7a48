from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from core.errors import DiskTrouble, NotAFile, NotFound, PathRefused, ReadOnly
from core.storage.base import ABSENT, Write, version_of
from core.storage.demo import DemoStorage
from core.storage.persona import PersonaStorage
from tests.core.storage.contract import names
from tests.core.storage.disks import needs_posix

if TYPE_CHECKING:
    from pathlib import Path

CARD = "memory/episodic/current-previously.md"
CORE = "memory/episodic/slices/2026/03/09/1842/timeline/core.md"


def fill(folder: Path) -> None:
    """One card and one slice, as an installer leaves files: readable for all, writable for none."""
    for path in (CARD, CORE):
        place = folder / path.removeprefix("memory/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.encode())
        place.chmod(0o444)


@pytest.fixture(params=["ours", "stripped"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A persona in our layout or in the original's."""
    person = tmp_path / "personal_01"
    fill(person / "memory" if request.param == "ours" else person)
    return person


@pytest.fixture
def top(folder: Path) -> Path:
    """Where memory/ begins."""
    return folder / "memory" if (folder / "memory").is_dir() else folder


async def test_both_layouts_read_alike(folder: Path) -> None:
    storage = PersonaStorage(folder)

    file = await storage.read(CORE)

    assert file.path == CORE
    assert file.data == CORE.encode()
    assert file.version == version_of(CORE.encode())
    assert await names(storage, "memory") == [("episodic", True)]
    assert await names(storage, "memory/episodic") == [("current-previously.md", False), ("slices", True)]
    assert await names(storage, CARD) == [("current-previously.md", False)]


async def test_what_is_not_there_is_missing_and_what_is_refused_is_refused(folder: Path) -> None:
    storage = PersonaStorage(folder)

    for path in ("memory/user/config.json", "tasks/a.md", "sessions/b.json"):
        with pytest.raises(NotFound):
            await storage.read(path)
    for path in ("../x", "episodic/current-previously.md", "memory/../x"):
        with pytest.raises(PathRefused):
            await storage.read(path)
    with pytest.raises(NotAFile):
        await storage.read("memory/episodic")
    assert await names(storage, "tasks") == []
    assert await names(storage, "memory/user") == []
    with pytest.raises(PathRefused):
        await storage.list("state")


async def test_it_takes_no_writes(folder: Path) -> None:
    storage = PersonaStorage(folder)

    with pytest.raises(ReadOnly):
        await storage.commit([Write("tasks/a.md", b"", ABSENT)], "put")
    await storage.commit([], "nothing")


async def test_a_talk_on_top_leaves_the_folder_as_it_was(folder: Path) -> None:
    demo = DemoStorage(PersonaStorage(folder))

    await demo.commit([Write(CARD, b"new", version_of(CARD.encode())), Write("tasks/a.md", b"", ABSENT)], "talk")

    assert (await demo.read(CARD)).data == b"new"
    assert (await PersonaStorage(folder).read(CARD)).data == CARD.encode()
    assert await names(demo, "memory/episodic") == [("current-previously.md", False), ("slices", True)]


async def test_hard_links_and_open_modes_of_a_package_store_do_not_matter(folder: Path, top: Path) -> None:
    (folder.parent / "store").hardlink_to(top / "episodic/current-previously.md")

    file = await PersonaStorage(folder).read(CARD)

    assert file.data == CARD.encode()


@needs_posix
@pytest.mark.timeout(10)
async def test_links_out_of_the_folder_and_fifos_are_refused(folder: Path, top: Path) -> None:
    secret = folder.parent / "secret.md"
    secret.write_bytes(b"secret")
    (top / "episodic/link.md").symlink_to(secret)
    (top / "out").symlink_to(folder.parent)
    os.mkfifo(top / "episodic/pipe.md")
    storage = PersonaStorage(folder)

    for path in ("memory/episodic/link.md", "memory/out/secret.md", "memory/episodic/pipe.md"):
        with pytest.raises(NotAFile):
            await storage.read(path)


@needs_posix
async def test_a_folder_that_nobody_may_write_can_be_read(folder: Path) -> None:
    places = [folder, *(place for place in folder.rglob("*") if place.is_dir())]  # noqa: ASYNC240 - a few folders
    for place in places:
        place.chmod(0o555)
    try:
        found = (await PersonaStorage(folder).read(CORE)).data
    finally:
        for place in places:
            place.chmod(0o755)

    assert found == CORE.encode()


def test_a_missing_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(DiskTrouble, match="nobody"):
        PersonaStorage(tmp_path / "nobody")
