"""Files that a person, a sync program or an accident has changed under a running house (reliability 2.9, 2.10, 4.6).

Each is left byte for byte as it is, the talk goes on, nothing is lost, and the person is told once, in plain words.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from core.errors import Held, Ousted
from core.slices.model import CARD_PATH, agent_path, core_path, messages_path
from core.storage.hold import Hold
from core.strands.codec import STRANDS_PATH
from core.timeline.codec import INDEX_PATH
from tests.core.storage.disks import needs_posix
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.house.homely import homely
from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from core.llm.base import Listen, Message, ToolSpec

    Trap = Callable[[Path], None]

pytestmark = [needs_posix, pytest.mark.timeout(60)]

SLICE = "2026-03-09-1842"
SECRET = "someone else's words"
MARKERS = (
    "---\nstatus: active\n---\n<<<<<<< mine\n## Turn a — 2026-03-09T18:42:00.000Z (user)\n=======\n>>>>>>> theirs\n"
)
SENTENCES = {"en": "cannot be read and was left untouched", "zh": "读不出来"}


def a_link(path: Path) -> None:
    aim = _elsewhere(path)
    path.unlink(missing_ok=True)
    path.symlink_to(aim)


def a_dangling_link(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.with_name("nothing"))


def a_hard_link(path: Path) -> None:
    aim = _elsewhere(path)
    path.unlink(missing_ok=True)
    path.hardlink_to(aim)


def a_fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()
    (path / "inside").write_text(SECRET)


def nothing_in_it(path: Path) -> None:
    path.write_bytes(b"")


def no_text(path: Path) -> None:
    path.write_bytes(b"---\nstatus: active\n---\n\xff\xfe\x00\n")


def no_text_below_a_good_head(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"first", b"fi\xffst"))


def a_merge_conflict(path: Path) -> None:
    path.write_text(MARKERS)


KINDS: list[Trap] = [a_link, a_dangling_link, a_hard_link, a_fifo, a_folder]
TEXTS: list[Trap] = [nothing_in_it, no_text, no_text_below_a_good_head, a_merge_conflict]


def _elsewhere(path: Path) -> Path:
    home = next(folder for folder in path.parents if folder.name == "home")
    aim = home.with_name("elsewhere.md")
    aim.write_text(SECRET)
    return aim


def picture(path: Path) -> tuple[object, ...]:
    """Kind, content and aim of what stands there, without following it."""
    look = path.lstat()
    if stat.S_ISLNK(look.st_mode):
        return "link", path.readlink(), path.read_bytes() if path.exists() else b""
    if stat.S_ISDIR(look.st_mode):
        return "folder", sorted((one.name, one.read_bytes()) for one in path.iterdir())
    return look.st_mode, path.read_bytes() if stat.S_ISREG(look.st_mode) else b""


def decodable(path: Path) -> bool:
    return isinstance(json.loads(path.read_bytes()), dict)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("trap", [*KINDS, *TEXTS], ids=lambda trap: trap.__name__)
async def test_a_slice_that_cannot_be_read_is_left_and_the_talk_goes_on_in_a_new_one(
    tmp_path: Path, trap: Trap, locale: str
) -> None:
    async with homely(tmp_path / "home", locale=locale) as home:
        await home.say("first")
        path = home.root / core_path(SLICE)
        trap(path)
        before = picture(path)

        await home.say("second")
        await home.say("third")

        assert picture(path) == before
        assert [[turn.text for turn in one.turns if turn.role == "user"] for one in home.readable()] == [
            ["second", "third"]
        ]
        assert [home.answers(word) for word in ("first", "second", "third")] == [1, 1, 1]
        assert home.told(SENTENCES[locale], SLICE) == 1


@pytest.mark.parametrize("trap", [*KINDS, no_text], ids=lambda trap: trap.__name__)
@pytest.mark.parametrize("place", [messages_path, agent_path], ids=["messages", "agent"])
async def test_a_companion_that_cannot_be_used_is_left_and_what_belongs_into_it_stands_beside_it(
    tmp_path: Path, trap: Trap, place: Callable[[str], str]
) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        path = home.root / place(SLICE)
        trap(path)
        before = picture(path)

        await home.say("second")
        await home.say("third")

        grown = place is agent_path and trap is no_text
        assert picture(path) == before or (grown and path.read_bytes().startswith(before[1]))  # type: ignore[arg-type]
        assert [home.kept(word) for word in ("first", "second", "third")] == [1, 1, 1]
        assert [home.answers(word) for word in ("first", "second", "third")] == [1, 1, 1]
        beside = list(path.parent.glob(f"{path.stem}.conflict-*"))
        assert len(beside) == (0 if grown else 1)
        assert home.told("conflict", "untouched") == (0 if grown else 1)


@pytest.mark.parametrize("trap", [*KINDS, no_text, a_merge_conflict], ids=lambda trap: trap.__name__)
async def test_a_card_that_cannot_be_read_is_left_and_never_taken_for_an_empty_one(tmp_path: Path, trap: Trap) -> None:
    async with homely(tmp_path / "home") as home:
        path = home.root / CARD_PATH
        path.parent.mkdir(parents=True)
        path.write_text("# Previously\n")
        await home.say("first")
        trap(path)
        before = picture(path)

        await home.say("second")
        await home.say("/card")
        told = home.told(CARD_PATH, "cannot be read")
        await home.say("after a silence", pause=3600)

        assert picture(path) == before
        assert told == home.told(CARD_PATH, "cannot be read") == 1
        assert [home.kept(word) for word in ("first", "second", "silence")] == [1, 1, 1]
        assert [home.answers(word) for word in ("first", "second", "silence")] == [1, 1, 1]


@pytest.mark.parametrize("trap", [*KINDS, nothing_in_it, no_text, a_merge_conflict], ids=lambda trap: trap.__name__)
async def test_settings_that_cannot_be_read_mean_the_defaults(tmp_path: Path, trap: Trap) -> None:
    path = tmp_path / "home/memory/user/config.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    trap(path)
    (tmp_path / "home").chmod(0o700)
    before = picture(path)
    async with homely(tmp_path / "home") as home:
        await home.say("first")

        assert (home.kept("first"), home.answers("first")) == (1, 1)
        assert [problem.path for problem in (await home.house.parts.config.load()).problems] == [
            "memory/user/config.json"
        ]
    assert picture(path) == before


@pytest.mark.parametrize("trap", [*KINDS, nothing_in_it, no_text, a_merge_conflict], ids=lambda trap: trap.__name__)
@pytest.mark.parametrize("path", [STRANDS_PATH, INDEX_PATH], ids=["strands", "catalog"])
async def test_a_projection_that_cannot_be_used_stops_no_talk_and_is_made_again_where_it_can_be(
    tmp_path: Path, trap: Trap, path: str
) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        place = home.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        trap(place)
        before = picture(place)

        await home.say("second")
        await home.say("/strands")
        await home.say("/timeline")
        await home.say("after a silence", pause=3600)

        assert [home.kept(word) for word in ("first", "second", "silence")] == [1, 1, 1]
        assert [home.answers(word) for word in ("first", "second", "silence")] == [1, 1, 1]
        assert picture(place) == before or trap not in KINDS
    async with homely(tmp_path / "home") as home:
        await home.house.tidy()
        await home.say("later", pause=3600)
        await home.say("later still")

        assert home.told(path, "cannot be written") == (trap in KINDS)
        assert picture(place) == before if trap in KINDS else decodable(place)


@pytest.mark.parametrize("depth", [1, 2, 3], ids=["timeline", "slice", "day"])
async def test_a_folder_that_has_become_a_link_is_not_followed(tmp_path: Path, depth: int) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        folder = (home.root / core_path(SLICE)).parents[depth - 1]
        away = tmp_path / "away"
        folder.rename(away)
        folder.symlink_to(away, target_is_directory=True)
        before = {path: path.read_bytes() for path in away.rglob("*") if path.is_file()}

        await home.say("second", pause=86_400 if depth == 3 else 30)

        assert {path: path.read_bytes() for path in away.rglob("*") if path.is_file()} == before
        assert (home.kept("second"), home.answers("second")) == (1, 1)


async def test_a_slice_that_a_person_deletes_is_gone_and_the_talk_goes_on(tmp_path: Path) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        shutil.rmtree(home.root / core_path(SLICE).rsplit("/", 2)[0])

        await home.say("second")

        assert [home.kept(word) for word in ("first", "second")] == [0, 1]
        assert home.answers("second") == 1
        assert home.told("conflict") == 0


async def test_a_slice_that_a_person_renames_is_found_under_its_new_name(tmp_path: Path) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        folder = home.root / core_path(SLICE).rsplit("/", 2)[0]
        folder.rename(folder.with_name("1800"))

        await home.say("second")
        await home.say("/slice 2026-03-09-1800")

        assert [home.kept(word) for word in ("first", "second")] == [1, 1]
        assert home.answers("second") == 1
        assert home.told("2026-03-09-1800") >= 1 or home.told("first") >= 2


async def test_an_old_copy_saved_over_new_turns_is_noticed_once_and_nothing_is_lost(tmp_path: Path) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        path = home.root / core_path(SLICE)
        stale = path.read_bytes()
        await home.say("second")
        path.write_bytes(stale)

        await home.say("third")
        await home.say("fourth")

        aside = list(path.parent.glob("core.conflict-*.md"))
        assert len(aside) == 1
        assert "second" in aside[0].read_text()
        assert "second" not in path.read_text()
        assert [home.kept(word) for word in ("first", "second", "third", "fourth")] == [1, 1, 1, 1]
        assert home.told("older copy", SLICE) == 1


async def test_what_a_person_writes_into_a_slice_stands(tmp_path: Path) -> None:
    async with homely(tmp_path / "home") as home:
        await home.say("first")
        path = home.root / core_path(SLICE)
        mine = (
            path.read_text()
            .replace("first", "first, as I meant it")
            .replace("status: active", "status: active\nmood: odd")
        )
        path.write_text(mine + "\n## Turn handed — 2026-03-09T18:43:00.000Z (user)\n\nby hand\n")

        await home.say("second")

        text = path.read_text()
        assert "first, as I meant it" in text
        assert "mood: odd" in text
        assert text.index("by hand") < text.index("second")
        assert home.told("conflict") == 0


class Pull(ManualClock):
    """A clock during whose next wait of a tenth of a second something happens."""

    def __init__(self) -> None:
        super().__init__(instant=True)
        self.meanwhile: Callable[[], object] | None = None

    async def sleep(self, seconds: float) -> None:
        if seconds == 0.1 and self.meanwhile:
            self.meanwhile()
            self.meanwhile = None
        await super().sleep(seconds)


async def test_a_slice_that_git_takes_away_for_a_moment_goes_on(tmp_path: Path) -> None:
    clock = Pull()
    async with homely(tmp_path / "home", clock=clock) as home:
        await home.say("first")
        path = home.root / core_path(SLICE)
        away = path.rename(tmp_path / "away.md")
        clock.meanwhile = partial(away.rename, path)

        await home.say("second")

        assert [[turn.text for turn in one.turns if turn.role == "user"] for one in home.readable()] == [
            ["first", "second"]
        ]


async def test_a_slice_that_git_takes_away_while_the_model_answers_gets_its_answer(tmp_path: Path) -> None:
    clock, model = Pull(), Taking()
    async with homely(tmp_path / "home", clock=clock, model=model) as home:
        path = home.root / core_path(SLICE)

        def take() -> None:
            away = path.rename(tmp_path / "away.md")
            clock.meanwhile = partial(away.rename, path)

        model.take = take
        await home.say("first")

        assert [[turn.role for turn in one.turns] for one in home.readable()] == [["user", "agent"]]


class Taking(EchoModel):
    """Something happens while it answers."""

    take: Callable[[], None] | None = None

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        answer = await super().complete(messages, tools, on_event)
        if self.take:
            self.take()
            self.take = None
        return answer


async def test_a_state_folder_deleted_under_a_running_house_is_made_again(tmp_path: Path) -> None:
    root = tmp_path / "home"
    async with homely(root) as home:
        await home.say("first")
        shutil.rmtree(root / "state")

        await home.say("second")

        assert [home.kept(word) for word in ("first", "second")] == [1, 1]
        assert [home.answers(word) for word in ("first", "second")] == [1, 1]
        assert home.told("journal", "written anew") == 1
        with pytest.raises(Held), Hold(root):
            pass
    async with homely(root) as home:
        home.world._next = 100
        await home.say("third")

    assert [home.kept(word) for word in ("first", "second", "third")] == [1, 1, 1]


async def test_a_house_whose_state_was_deleted_ends_when_another_has_come_in(tmp_path: Path) -> None:
    root, seen = tmp_path / "home", []

    async def oust() -> None:
        async with homely(root) as home:
            await home.say("first")
            shutil.rmtree(root / "state")
            with Hold(root):
                (root / "state/journal.jsonl").write_bytes(b"theirs")
                seen.append(tree(root))
                try:
                    await home.say("second")
                finally:
                    seen.append(tree(root))

    with pytest.raises(BaseExceptionGroup) as caught:
        await oust()

    assert caught.value.subgroup(Ousted)
    assert seen[0] == seen[1]


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of everything below the folder."""
    return {str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"") for path in root.rglob("*")}


def test_a_second_process_names_the_first_and_changes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "home"
    with Hold(root):
        (root / "memory").mkdir()
        before = tree(root)
        command = [sys.executable, "-m", "bot", "--home", str(root)]
        second = subprocess.run(command, cwd=ROOT, input="hello\n", capture_output=True, text=True, check=False)

        assert tree(root) == before
    assert second.returncode == 1
    assert str(os.getpid()) in second.stderr
