from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from core.errors import DiskTrouble, NotAFile, NotFound, ReadOnly
from core.storage.base import ABSENT, Write
from core.storage.benchmark import BenchmarkStorage
from core.storage.demo import DemoStorage
from tests.core.storage.contract import names
from tests.doubles.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CORE = "episodic/slices/2026/03/09/1842/timeline/core.md"
TREE = {
    "_files": ["notes.md"],
    "episodic": {
        "_files": ["current-previously.md"],
        "slices": {"2026": {"03": {"09": {"1842": {"timeline": {"_files": ["core.md"]}}}}}},
    },
}
FILES = {
    "personal_14/episodic/current-previously.md": b"# Card\n",
    f"personal_14/{CORE}": b"---\nslice_id: 2026-03-09-1842\n---\n",
    "personal_14/notes.md": b"n",
}


class Host:
    """A folder of demo people on loopback; `asked` are the paths."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.manifest: Any = {
            "version": 1,
            "personas": {"personal_14": {"name": "Ada", "tree": TREE}, "personal_02": {}},
        }
        self.broken = False

    async def answer(self, request: web.Request) -> web.Response:
        path = request.path.lstrip("/")
        self.asked.append(path)
        if self.broken:
            return web.Response(status=500)
        if path == "data/manifest.json":
            return web.Response(body=json.dumps(self.manifest).encode())
        found = FILES.get(path.removeprefix("data/"))
        return web.Response(status=404) if found is None else web.Response(body=found)


@pytest.fixture
async def host() -> AsyncIterator[tuple[Host, str]]:
    made = Host()
    app = web.Application()
    app.router.add_get("/{path:.*}", made.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield made, f"http://127.0.0.1:{runner.addresses[0][1]}/data/"
    await runner.cleanup()


async def test_files_are_fetched_when_they_are_read_and_only_once(host: tuple[Host, str]) -> None:
    made, address = host
    storage = BenchmarkStorage(address, "personal_14", ManualClock())

    assert await names(storage, "memory") == [("episodic", True), ("notes.md", False)]
    assert made.asked == ["data/manifest.json"]
    assert (await storage.read("memory/episodic/current-previously.md")).data == b"# Card\n"
    assert (await storage.read("memory/episodic/current-previously.md")).data == b"# Card\n"
    assert made.asked == ["data/manifest.json", "data/personal_14/episodic/current-previously.md"]


async def test_the_manifest_is_asked_for_again_after_an_hour(host: tuple[Host, str]) -> None:
    made, address = host
    clock = ManualClock()
    storage = BenchmarkStorage(address, "personal_14", clock)
    assert await storage.people() == ["personal_02", "personal_14"]

    clock.shift(3_601)
    await storage.people()

    assert made.asked == ["data/manifest.json", "data/manifest.json"]


async def test_what_is_not_in_the_tree_is_not_asked_for(host: tuple[Host, str]) -> None:
    made, address = host
    storage = BenchmarkStorage(address, "personal_14", ManualClock())

    for path in ("memory/other.md", "tasks/t.md"):
        with pytest.raises(NotFound):
            await storage.read(path)
    with pytest.raises(NotAFile):
        await storage.read("memory/episodic")
    assert await names(storage, "tasks") == []
    assert await names(storage, "memory/notes.md") == [("notes.md", False)]
    assert made.asked == ["data/manifest.json"]


async def test_what_is_said_lies_on_top_and_the_person_is_never_written_to(host: tuple[Host, str]) -> None:
    _, address = host
    base = BenchmarkStorage(address, "personal_14", ManualClock())
    demo = DemoStorage(base)

    await demo.commit([Write("memory/mine.md", b"mine", ABSENT)], "say")

    assert (await demo.read("memory/mine.md")).data == b"mine"
    with pytest.raises(NotFound):
        await base.read("memory/mine.md")
    with pytest.raises(ReadOnly):
        await base.commit([Write("memory/mine.md", b"mine", ABSENT)], "say")


async def test_an_address_that_fails_is_trouble_and_never_an_empty_memory(host: tuple[Host, str]) -> None:
    made, address = host
    made.broken = True
    with pytest.raises(DiskTrouble, match="BENCHMARK_BASE_URL"):
        await BenchmarkStorage(address, "personal_14", ManualClock()).list("memory")

    made.broken, made.manifest = False, ["no manifest"]
    with pytest.raises(DiskTrouble, match="manifest"):
        await BenchmarkStorage(address, "personal_14", ManualClock()).list("memory")
