"""Lines 76 to 88: the disk, the repository, imports, a second process, and what listens."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import stat
import struct
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bot.health import KEY
from core.errors import Unfit
from core.owning.archive import ENTRIES, RATIO, Limits, opened
from core.owning.export import MANIFEST
from core.slices.model import core_path
from core.storage.hold import Hold
from tests.bot.living import living
from tests.bot.test_health import SECRET, listening, well
from tests.core.owning.given import lying, zipped
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import SLICE, Talker, turns
from tests.doubles.echo_model import EchoModel
from tests.doubles.fault_disk import refuse
from tests.doubles.github.faults import forbidden
from tests.doubles.github.server import GitHubDouble
from tests.house.homely import homely
from tests.house.refusing import Count, healthy, survive
from tests.house.stories import say
from tests.house.test_hostile_files import tree
from tests.security.lines import line
from tests.security.paths import picture
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

CORE = core_path(SLICE)
JOURNAL = "state/journal.jsonl"


@asynccontextmanager
async def pushed(tmp: Path) -> AsyncIterator[tuple[Talker, GitHubDouble]]:
    """A slice with one turn that stands in the repository; git finds nothing wrong with it at the end."""
    double = GitHubDouble(tmp / "repository.git")
    replica = Replica(double)
    try:
        await replica.courier.begin()
        talker = Talker(replica)
        await talker.both("aaaaaa")
        await replica.round()
        yield talker, double
        assert (double.store.fsck(), list(double.refused)) == ("", [])
    finally:
        replica.close()
        double.stop()


def there(double: GitHubDouble) -> list[str]:
    """The turns of the slice in the repository."""
    return list(dict.fromkeys(one.split()[0] for one in turns(double.store.read(CORE))))


def filled() -> tuple[Count, int]:
    """The story on a disk that is full from some write on, for a while; and how many writes there are."""
    acts, count = (say("one"), say("two")), Count()
    writes = [k for k, name in enumerate(healthy(acts), 1) if name == "write"]
    for k in writes[:: max(1, len(writes) // 6)]:
        survive(acts, k, refuse(errno.ENOSPC, forever=True), count)
    return count, len(writes)


@line(76, "the disk is full, at any write")
async def a_full_disk(_tmp: Path) -> str:
    count, of = await asyncio.to_thread(filled)
    assert count.wrong == []
    assert count.struck == count.runs > 3
    return f"{count.runs} of {of} writes refused for a while: nothing that was acknowledged is lost"


@line(77, "a journal that ends in half a line, in zeros, in somebody else's text")
async def a_torn_journal(_tmp: Path) -> str:
    for end in (b'{"half', b"\0" * 4096, b"### by hand\n{}\n", b"\xff\xfe"):
        async with living(EchoModel()) as home:
            await home.say("first")
            disk, world = home.disk, home.world
        disk.plant(JOURNAL, (disk.peek(JOURNAL) or b"") + end)
        async with living(EchoModel(), disk=disk, world=world) as home:
            await home.say("second")
            said = [text for role, text in home.texts() if role == "user"]
        assert said == ["first", "second"]
    return "cut off at the start; what was said stands once, and the talk goes on"


@line(78, "state/ deleted while the bot runs")
async def no_state(tmp: Path) -> str:
    async with homely(tmp / "home") as home:
        await home.say("first")
        shutil.rmtree(home.root / "state")
        await home.say("second")
        assert [home.kept(word) for word in ("first", "second")] == [1, 1]
        assert [home.answers(word) for word in ("first", "second")] == [1, 1]
        assert stat.S_IMODE((home.root / "state").stat().st_mode) == 0o700
    return "made anew, private; nothing stored twice, nothing answered twice"


@line(79, "a person writes into a slice while the bot runs")
async def by_hand(tmp: Path) -> str:
    async with homely(tmp / "home") as home:
        await home.say("first")
        path = home.cores()[0]
        path.write_text(path.read_text().replace("first", "first, as I meant it"))
        await home.say("second")
        text = path.read_text()
    assert "first, as I meant it" in text
    assert "second" in text
    return "it stands, and what is said next joins it"


@line(80, "a person renames the folder of a slice")
async def renamed(tmp: Path) -> str:
    async with homely(tmp / "home") as home:
        await home.say("first")
        folder = home.cores()[0].parents[1]
        folder.rename(folder.with_name("1800"))
        await home.say("second")
        await home.say("/timeline")
        assert [home.kept(word) for word in ("first", "second")] == [1, 1]
        assert home.answers("second") == 1
    return "found under its new name, no crash"


@line(81, "somebody else pushes to the branch in between")
async def moved(tmp: Path) -> str:
    async with pushed(tmp) as (talker, double):
        double.store.push({"memory/notes/theirs.md": b"theirs"}, "by hand")
        await talker.both("bbbbbb")
        for _ in range(3):
            await talker.replica.round()
        assert there(double) == ["aaaaaa", "bbbbbb"]
        assert double.store.read("memory/notes/theirs.md") == b"theirs"
    return "both are there, no force"


@line(82, "422: a secret was detected")
async def a_secret(tmp: Path) -> str:
    async with pushed(tmp) as (talker, double):
        other = Talker(talker.replica, "2026-03-09-1900")
        await talker.say("bbbbbb", "key AKIAIOSFODNN7EXAMPLE")
        await talker.answer("bbbbbb")
        await other.both("cccccc")
        await talker.replica.round()
        assert ("github.kept.secret", {"path": CORE}) in talker.replica.told
        assert b"AKIA" not in (double.store.read(CORE) or b"")
        assert len(turns(double.store.read(core_path(other.slice)))) == 2
    return "that slice stays on this disk, the owner is told, the other one is pushed"


@line(83, "a token that has lost its permission")
async def a_weak_token(tmp: Path) -> str:
    async with pushed(tmp) as (talker, double):
        double.faults.append(forbidden("POST", times=2))
        await talker.both("bbbbbb")
        await talker.replica.round()
        assert [key for key, _ in talker.replica.told] == ["github.trouble.denied"]
        for _ in range(3):
            talker.replica.clock.shift(90_000)
            await talker.replica.round()
        assert there(double) == ["aaaaaa", "bbbbbb"]
    return "told once, the talk goes on, all lands once it may"


@line(84, "the repository is made public")
async def public(tmp: Path) -> str:
    async with pushed(tmp) as (talker, double):
        double.private = False
        talker.replica.clock.shift(4000)
        await talker.both("bbbbbb")
        await talker.replica.round(force=True)
        assert there(double) == ["aaaaaa"]
        assert talker.replica.told == [("github.stopped.public", {"repository": "mara/memory"})]
    return "nothing more is pushed, the owner is told"


@line(85, "the token expires while the bot runs")
async def expired(tmp: Path) -> str:
    async with pushed(tmp) as (talker, double):
        double.tokens.clear()
        for number in range(6):
            await talker.both(f"turn0{number}")
            await talker.replica.round()
            talker.replica.clock.shift(3600)
        assert talker.replica.told == [("github.trouble.token", {"repository": "mara/memory"})]
        talker.replica.clock.shift(86_400)
        await talker.replica.round()
        assert len(talker.replica.told) == 2
        double.tokens.add(talker.replica.token)
        await talker.replica.round()
        assert len(there(double)) == 7
    return "one notice a day; all of it is pushed once there is a token"


def crowded(path: Path, entries: int) -> Path:
    """A zip whose list has so many entries."""
    head = b"PK\x01\x02" + b"\x14\0" * 2 + b"\0" * 20
    one = head + struct.pack("<HHHHHLL", 8, 0, 0, 0, 0, 0, 0)
    listed = b"".join(one + b"%08d" % number for number in range(entries))
    wide = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, len(listed), 0)
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(listed), 1)
    end = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(listed + wide + where + end)
    return path


def unfit(path: Path, limits: Limits | None = None) -> str:
    """Why the file is refused."""
    with pytest.raises(Unfit) as caught, opened(path, limits):
        pass
    return caught.value.key


def whole(path: Path) -> None:
    """Unpack all that is read of an export."""
    with opened(path) as found:
        assert found.archive
        found.archive.read("result.json")


@line(86, "an import of ../x, absolute names, links, 1,000,000 entries, 10 GB inflated")
async def imports(tmp: Path) -> str:
    for name in ("../x", "a/../../x", "/etc/passwd", "..\\x", "C:/x", "memory/./x"):
        assert unfit(zipped(tmp / "x.zip", {MANIFEST: b"{}", name: b"x"})) == "import.path"
    for mode in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):
        assert unfit(zipped(tmp / "x.zip", {MANIFEST: b"/etc/passwd"}, mode=mode | 0o777)) == "import.link"
    began = time.process_time()
    assert unfit(crowded(tmp / "x.zip", ENTRIES + 1)) == "import.many"
    spent = time.process_time() - began
    assert unfit(zipped(tmp / "x.zip", {"result.json": b" " * 5_000_000})) == "import.bomb"
    assert unfit(zipped(tmp / "x.zip", {"a.bin": os.urandom(20_000)}), Limits(total=10_000)) == "import.bomb"
    lie = lying(tmp / "x.zip")
    with pytest.raises(Unfit):
        whole(lie)
    assert RATIO == 100
    assert list(picture(tmp)) == ["x.zip"]
    return f"refused before anything is written; {ENTRIES + 1:,} entries before they are read ({spent:.1f} s to make)"


@line(87, "a second process on the same memory")
async def second(tmp: Path) -> str:
    root = tmp / "home"
    with Hold(root):
        (root / "memory").mkdir()
        before = tree(root)
        done = subprocess.run(  # noqa: ASYNC221 - nothing else goes on here
            [sys.executable, "-m", "bot", "--home", str(root)], cwd=ROOT, input="hello\n", capture_output=True,
            text=True, check=False, timeout=60,
        )  # fmt: skip
        assert tree(root) == before
    assert done.returncode == 1
    assert str(os.getpid()) in done.stderr
    return "exit 1 with the pid of the first, nothing changed"


@line(88, "somebody asks the health endpoint")
async def asked(_tmp: Path) -> str:
    for server in (well(), well(SECRET)):
        async with listening(server) as visit:
            for path in ("/healthz", "/readyz"):
                for key in ("", "wrong", SECRET[:-1], SECRET + "x"):
                    status, text, headers = await visit(path, headers={KEY: key})
                    assert (status, text) == (200, "ok")
                    assert not headers.get("Server")
            for path in ("/", "/metrics", "/healthz/../state", "/.env"):
                assert (await visit(path))[:2] == (404, "")
    return "`ok` and nothing else, whatever key is tried"
