"""Out and in again: an export brought into an empty home is an equal archive, whole or in parts."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from bot.house import Given, House, build
from bot.taking import Desk, bring_in, take_out
from core.owning.export import MANIFEST, Exporter
from core.slices.codec import encode
from core.slices.model import Slice, Turn, core_path, folder_of
from core.slices.store import Slices
from core.storage.demo import DemoStorage
from core.storage.local import LocalStorage
from core.storage.persona import PersonaStorage
from tests.bot.living import WORDS, Worker, living
from tests.core.owning import given as made
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from core.storage.base import Storage

PERSONAS = Path(__file__).resolve().parents[2] / "identity" / "personas"
MEDIA = Random(7).randbytes(400_000)


def desk(said: list[str] | None = None, locale: str = "en", *, yes: bool = True) -> Desk:
    lines = said if said is not None else []
    return Desk(WORDS[locale], "Europe/Lisbon", lines.append, lambda question: yes)


def house(disk: SimDisk) -> House:
    return build(
        Given(disk, LocalStorage(disk), ManualClock("2026-03-09T19:00:00Z"), EchoModel(), WORDS, worker=Worker())
    )


def listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def memory(disk: SimDisk) -> dict[str, bytes]:
    return {path: data for path, data in disk.tree().items() if not path.startswith("state/")}


def talked() -> SimDisk:
    """A home with odd files: media, what a hand wrote, bytes that are no text."""
    disk = SimDisk()
    for number in range(1, 8):
        at = f"2026-0{number}-05T23:30:00.000Z"
        turns = (Turn("abcdef", at, "user", f"Number {number} 你好\n## Turn x"), Turn("abcdef", at, "agent", "Good."))
        piece = Slice(f"2026-0{number}-05-2330", "closed", at, at, focus=f"F{number}", summary="s", turns=turns)
        disk.plant(core_path(piece.id), encode(piece).encode())
    disk.plant(f"{folder_of('2026-03-05-2330')}/files/abcdef-1.jpg", MEDIA)
    disk.plant("memory/notes/mine.md", b"\xff\xfe not text\r\n")
    disk.plant("tasks/todo.md", b"- [ ] x")
    disk.plant("memory/empty.md", b"")
    return disk


async def exported(disk: SimDisk, folder: Path, size: float | None = None) -> list[Path]:
    await take_out(LocalStorage(disk), ManualClock("2026-03-09T19:00:00Z"), folder, desk(), size)
    return listed(folder)


@pytest.mark.parametrize("size", [None, 0.2], ids=["whole", "parts"])
async def test_an_export_brought_into_an_empty_home_is_an_equal_archive(tmp_path: Path, size: float | None) -> None:
    disk, empty, said = talked(), SimDisk(), list[str]()
    files = await exported(disk, tmp_path / "out", size)

    assert await bring_in(house(empty), files, desk(said)) == 0

    assert memory(empty) == memory(disk)
    assert len(files) == (1 if size is None else 4)
    assert all(path.stat().st_size <= 200_000 for path in files) or size is None
    assert "11 files were written" in "\n".join(said)


@pytest.mark.parametrize("persona", ["mara", "lin"])
async def test_the_demo_people_go_out_and_in_byte_for_byte(tmp_path: Path, persona: str) -> None:
    storage: Storage = DemoStorage(PersonaStorage(PERSONAS / persona))
    await take_out(storage, ManualClock(), tmp_path, desk())
    disk = SimDisk()

    await bring_in(house(disk), listed(tmp_path), desk())

    root = PERSONAS / persona
    there = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert memory(disk) == {path: data for path, data in there.items() if path.startswith(("memory/", "tasks/"))}


async def test_the_same_memory_gives_the_same_bytes(tmp_path: Path) -> None:
    disk = talked()

    (one,), (two,) = await exported(disk, tmp_path / "a"), await exported(disk, tmp_path / "b")

    assert one.read_bytes() == two.read_bytes()


async def test_an_export_is_readable_by_month_and_line_by_line(tmp_path: Path) -> None:
    (path,) = await exported(talked(), tmp_path)

    with zipfile.ZipFile(path) as found:
        names = found.namelist()
        march = found.read("readable/2026-03.md").decode()
        lines = [json.loads(line) for line in found.read("turns.jsonl").splitlines()]
        listed = json.loads(found.read(MANIFEST))
    assert {f"readable/2026-0{month}.md" for month in range(1, 8)} <= set(names)
    assert "# 2026-03-05 23:30 · F3" in march
    assert "**You** · 23:30\n\nNumber 3 你好" in march
    assert len(lines) == 14
    assert lines[0]["text"] == "Number 1 你好\n## Turn x"
    assert sorted(listed["files"]) == sorted(set(names) - {MANIFEST})


async def test_every_part_opens_by_itself(tmp_path: Path) -> None:
    for path in await exported(talked(), tmp_path, 0.2):
        with zipfile.ZipFile(path) as found:
            assert found.testzip() is None
            assert MANIFEST in found.namelist()


async def test_a_missing_part_of_a_cut_file_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    files, empty, said = await exported(talked(), tmp_path, 0.2), SimDisk(), list[str]()
    cut = [path for path in files if any(".piece-" in name for name in zipfile.ZipFile(path).namelist())]
    files.remove(cut[-1])

    assert await bring_in(house(empty), files, desk(said)) == 1

    assert "A piece of" in "\n".join(said)
    assert memory(empty) == {}


async def test_what_stands_there_is_never_written_over(tmp_path: Path) -> None:
    files, disk, said = await exported(talked(), tmp_path), SimDisk(), list[str]()
    disk.plant("tasks/todo.md", b"- [x] mine")

    await bring_in(house(disk), files, desk(said))

    assert disk.peek("tasks/todo.md") == b"- [x] mine"
    assert "tasks/todo.md stands here otherwise" in "\n".join(said)


async def test_an_older_export_does_not_bring_back_what_was_forgotten(tmp_path: Path) -> None:
    disk = SimDisk()
    async with living(EchoModel(), disk=disk) as home:
        await home.say("The cellar key is under the pot.")
        await home.say("The tulips are up.")
        files = await exported(disk, tmp_path)
        await home.say("/forget cellar")
        await home.say("/forget now")
    for path in [path for path in disk.tree() if path.startswith("memory/episodic/")]:
        disk.uproot(path)

    await bring_in(house(disk), files, desk())

    assert [
        path for path, data in memory(disk).items() if b"cellar" in data and path.endswith(("core.md", "agent.md"))
    ] == []
    assert b"The tulips are up." in b"".join(memory(disk).values())


async def test_a_refused_import_says_why_and_writes_nothing(tmp_path: Path) -> None:
    for locale, word in (("en", "leads out of its folder"), ("zh", "指向文件夹之外")):
        disk, said = SimDisk(), list[str]()
        evil = made.zipped(tmp_path / "x.zip", {MANIFEST: b"{}", "memory/../../evil.md": b"x"})

        assert await bring_in(house(disk), [evil], desk(said, locale)) == 1

        assert word in "\n".join(said)
        assert memory(disk) == {}


@pytest.mark.parametrize(
    "name", ["memory/.git/config", "memory/A.md", "memory/a.md::$DATA", "memory/" + "a" * 300, "memory/．．/x"]
)
async def test_an_export_with_a_name_that_memory_may_not_have_is_refused_whole(tmp_path: Path, name: str) -> None:
    disk, said = SimDisk(), list[str]()
    evil = made.zipped(tmp_path / "x.zip", {MANIFEST: b"{}", "memory/fine.md": b"x", name: b"x"})

    assert await bring_in(house(disk), [evil], desk(said)) == 1
    assert memory(disk) == {}


async def test_a_no_writes_nothing(tmp_path: Path) -> None:
    disk, said = SimDisk(), list[str]()

    await bring_in(house(disk), [made.put(tmp_path / "result.json", made.TELEGRAM)], desk(said, yes=False))

    assert memory(disk) == {}
    assert said[:5] == [
        "Telegram Desktop", "1 conversation", "3 messages", "2024-03-01 to 2024-03-01", "2 slices",
    ]  # fmt: skip


async def test_a_foreign_import_previews_writes_and_is_known_again(tmp_path: Path) -> None:
    disk, said = SimDisk(), list[str]()
    path = made.put(tmp_path / "result.json", made.TELEGRAM)

    assert await bring_in(house(disk), [path], desk(said)) == 0
    assert await bring_in(house(disk), [path], desk(said, "zh")) == 0

    assert "2 slices were written." in said
    assert "全部都已经在这里，没有写入任何内容。" in said


async def test_in_the_chat_the_export_comes_as_files() -> None:
    disk = talked()
    async with living(EchoModel(), disk=disk) as home:
        await home.say("/export")

        (file,) = home.world.downloads
        with zipfile.ZipFile(io.BytesIO(file.data)) as found:
            assert found.read("tasks/todo.md") == b"- [ ] x"
        assert file.name.endswith(".zip")
        assert not [path for path in disk.tree() if "export" in path]


async def test_the_bin_is_no_part_of_an_export(tmp_path: Path) -> None:
    disk = talked()
    async with living(EchoModel(), disk=disk) as home:
        await home.say("/forget 2026-03-05-2330")
        await home.say("/forget yes")
    (path,) = await exported(disk, tmp_path)

    with zipfile.ZipFile(path) as found:
        assert [name for name in found.namelist() if "state" in name or "2026/03" in name] == []
        assert all(b"Number 3" not in found.read(name) for name in found.namelist())


async def test_parts_never_pass_the_limit_whatever_they_hold() -> None:
    random, disk = Random(11), SimDisk()
    for number in range(60):
        disk.plant(f"memory/notes/n{number:02d}.bin", random.randbytes(random.randrange(90_000)))
    storage = LocalStorage(disk)

    async def breathe() -> None:
        return None

    exporter = Exporter(storage, Slices(storage), breathe, 100_000)
    sizes = [len(part.data) async for part in exporter.parts(WORDS["en"], "UTC", "")]

    assert max(sizes) <= 100_000
    assert len(sizes) < 60
