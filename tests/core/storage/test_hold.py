from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.errors import Held, NotAFile, Ousted, SettingsError
from core.storage.hold import Hold, prepare_home
from tests.core.storage.disks import needs_posix

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_posix

HOLDER = """
import sys
from pathlib import Path
from core.storage.hold import Hold

with Hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

SECOND = """
import sys
from pathlib import Path
from core.errors import Held
from core.storage.hold import Hold

try:
    with Hold(Path(sys.argv[1])):
        print("held")
except Held as error:
    sys.exit(str(error))
"""

ROOT = Path(__file__).parents[3]


@contextmanager
def holder(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the home until its input ends."""
    command = [sys.executable, "-c", HOLDER, str(home)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        assert process.stdin is not None
        process.stdin.close()


def second(home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SECOND, str(home)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def picture(home: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of everything in the home."""
    return {
        str(path.relative_to(home)): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in home.rglob("*")
    }


def test_a_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"

    with Hold(home):
        found = picture(home)

    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert found == {
        "state": (stat.S_IFDIR | 0o700, b""),
        "state/.gitignore": (stat.S_IFREG | 0o600, b"*\n"),
        "state/holder": (stat.S_IFREG | 0o600, f"{os.getpid()}\n".encode()),
    }


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o277])
def test_the_modes_of_a_new_home_do_not_depend_on_the_umask(tmp_path: Path, mask: int) -> None:
    home = tmp_path / "home"
    before = os.umask(mask)
    try:
        with Hold(home):
            found = picture(home)
    finally:
        os.umask(before)

    assert {path: stat.S_IMODE(mode) for path, (mode, _) in found.items()} == {
        "state": 0o700,
        "state/.gitignore": 0o600,
        "state/holder": 0o600,
    }


def test_a_second_holder_is_told_who_the_first_is_and_changes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with holder(home) as first:
        before = picture(home)

        done = second(home)

        assert done.returncode == 1
        assert f"in use by process {first.pid}" in done.stderr
        assert picture(home) == before


def test_a_second_holder_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with Hold(tmp_path / "home"), pytest.raises(Held, match=f"process {os.getpid()}"), Hold(tmp_path / "home"):
        pass


def test_after_the_first_has_ended_the_next_may_hold(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with holder(home):
        pass

    done = second(home)

    assert done.stdout == "held\n"


def test_a_killed_holder_leaves_a_name_but_no_lock(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with holder(home) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()

    stale = (home / "state/holder").read_text(encoding="ascii")
    done = second(home)

    assert stale == f"{first.pid}\n"
    assert done.returncode == 0
    assert not (home / "state/holder").exists()


@pytest.mark.parametrize("content", [None, b"", b"not a pid", b"\xff\xfe"])
def test_a_holder_that_cannot_be_named_holds_all_the_same(tmp_path: Path, content: bytes | None) -> None:
    home = tmp_path / "home"
    with Hold(home):
        (home / "state/holder").unlink()
        if content is not None:
            (home / "state/holder").write_bytes(content)

        with pytest.raises(Held, match="another process"), Hold(home):
            pass


def test_deleting_files_in_the_state_folder_lets_nobody_in(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Hold(home) as hold:
        for path in (home / "state").iterdir():
            path.unlink()

        with pytest.raises(Held), Hold(home):
            pass

        assert hold.stands


def test_a_deleted_state_folder_is_noticed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    hold = Hold(home)
    before = hold.stands
    with hold:
        during = hold.stands
        shutil.rmtree(home / "state")
        deleted = hold.stands
        (home / "state").mkdir(mode=0o700)
        (home / "state/holder").write_text("1\n", encoding="ascii")
        replaced = hold.stands

    assert [before, during, deleted, replaced] == [False, True, False, False]
    assert (home / "state/holder").exists(), "somebody else's holder file is not ours to delete"


def test_a_gitignore_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "home/state").mkdir(parents=True, mode=0o700)
    (tmp_path / "home").chmod(0o700)
    (tmp_path / "home/state/.gitignore").write_text("*\n!keep\n", encoding="ascii")

    with Hold(tmp_path / "home"):
        pass

    assert (tmp_path / "home/state/.gitignore").read_text(encoding="ascii") == "*\n!keep\n"


@pytest.mark.parametrize("where", ["", "state"])
@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702, 0o720])
def test_a_folder_that_others_may_write_is_refused_with_the_command_that_mends_it(
    tmp_path: Path, where: str, mode: int
) -> None:
    home = tmp_path / "home"
    folder = home / where
    folder.mkdir(parents=True)
    home.chmod(0o700)
    folder.chmod(mode)

    with pytest.raises(SettingsError) as caught, Hold(home):
        pass

    command = re.search(r"run: (chmod go-w .*)$", str(caught.value))
    assert command is not None
    subprocess.run(command[1], shell=True, check=True)  # noqa: S602 - the command is what is under test
    with Hold(home) as hold:
        assert hold.stands


def test_a_folder_that_others_may_read_is_left_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)

    prepare_home(home)

    assert stat.S_IMODE(home.stat().st_mode) == 0o755


def test_a_folder_that_is_closed_to_its_owner_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o500)

    with pytest.raises(SettingsError, match=r"run: chmod u\+rwx"):
        prepare_home(home)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    os.chown(home, 12345, -1)

    with pytest.raises(SettingsError, match=r"belongs to user 12345.*sudo chown -R 0 "):
        prepare_home(home)


def test_a_file_in_place_of_the_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")

    with pytest.raises(SettingsError, match="not a folder"):
        prepare_home(tmp_path / "home")


def test_a_home_below_a_file_is_refused_naming_what_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(SettingsError, match=r"cannot be used \(Not a directory\).*file has mode"):
        prepare_home(tmp_path / "file/home")


def test_a_state_folder_that_is_a_link_is_not_locked(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (home / "state").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(NotAFile), Hold(home):
        pass

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_state_folder_that_was_deleted_is_taken_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Hold(home) as hold:
        shutil.rmtree(home / "state")

        hold.renew()

        assert hold.stands
        assert (home / "state/holder").read_text() == f"{os.getpid()}\n"
        with pytest.raises(Held), Hold(home):
            pass


def test_a_hold_that_stands_is_not_taken_anew(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Hold(home) as hold:
        before = picture(home)

        hold.renew()

        assert picture(home) == before


def test_whoever_came_in_through_a_deleted_state_folder_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Hold(home) as hold:
        (home / "state").rename(tmp_path / "moved")
        with holder(home) as second_one:
            before = picture(home)

            with pytest.raises(Ousted, match=str(second_one.pid)):
                hold.renew()

            assert picture(home) == before


def test_a_file_in_place_of_the_state_folder_is_no_reason_to_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Hold(home) as hold:
        shutil.rmtree(home / "state")
        (home / "state").write_text("x")

        with pytest.raises(NotAFile, match="not a folder"):
            hold.renew()
