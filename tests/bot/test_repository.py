"""The real process with its memory in a repository: first start, each refusal, a fresh disk, a second process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.moving import move
from bot.settings import load
from core.errors import SettingsError
from core.i18n import load_words
from core.slices.codec import decode
from core.storage.github.lease import REF
from core.storage.local import LocalStorage
from core.storage.os_disk import OsDisk
from tests.doubles.github.server import TOKEN, GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
WORDS = load_words(ROOT / "locales")["en"]


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubDouble]:
    double = GitHubDouble(tmp_path / "repository.git")
    yield double
    wrong, unsound = double.store.fsck(), list(double.refused)
    double.stop()
    assert (wrong, unsound) == ("", [])


def talk(github: GitHubDouble, home: Path, lines: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    """The process after it was fed these lines, with all of its output."""
    variables = {
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Europe/Lisbon", "HOME": "/nonexistent",
        "GITHUB_TOKEN": token, "GITHUB_REPO_OWNER": "mara", "GITHUB_REPO_NAME": "memory",
        "GITHUB_API_URL": github.url, "PREVIOUSLY_HOME": str(home),
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "bot"], input=lines, capture_output=True, text=True, encoding="utf-8", timeout=60,
        cwd=ROOT, env=variables, check=False,
    )  # fmt: skip


def said(github: GitHubDouble) -> list[str]:
    files = github.store.contents()
    cores = sorted(path for path in files if path.endswith("/core.md"))
    return [turn.text for path in cores for turn in decode(files[path], path).turns if turn.role == "user"]


def test_what_is_said_is_in_the_repository_and_the_lease_free_when_the_process_ends_and_a_fresh_disk_knows_it(
    github: GitHubDouble, tmp_path: Path
) -> None:
    first = talk(github, tmp_path / "one", "I bought a red bicycle for the harbour.\n")
    second = talk(github, tmp_path / "two", "/status\nWhat colour is my bicycle?\n")

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert said(github) == ["I bought a red bicycle for the harbour.", "What colour is my bicycle?"]
    assert "red bicycle" in second.stdout
    assert "Repository" in second.stdout
    titles = [commit.message.split(" ")[0].strip() for commit in github.store.log()]
    assert titles[-1] == "Begin"
    assert "Turn" in titles
    assert not any(path.startswith("state") for path in github.store.contents())
    lease = github.store.commit(github.store.ref(f"refs/{REF}") or "")
    assert lease
    assert lease.message == "free"


REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "archived": ({"archived": True}, "Unarchive it"),
    "protected": ({"protected": True}, "Remove the rule"),
}


@pytest.mark.long  # test_checks.py provokes the same without a process
@pytest.mark.parametrize("name", REFUSALS)
def test_each_wrong_thing_at_the_start_is_told_with_what_to_do(github: GitHubDouble, tmp_path: Path, name: str) -> None:
    fields, sentence = REFUSALS[name]
    github.store.push({"README.md": b"mine"})
    for name_of, value in fields.items():
        setattr(github, name_of, value)

    done = talk(github, tmp_path / "home", "Hello there.\n")

    assert done.returncode == 2
    assert sentence in done.stderr
    assert TOKEN not in done.stderr + done.stdout


def test_the_steps_of_the_manual_walked_through_with_each_mistake_on_the_way(
    github: GitHubDouble, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    github.gone = True
    assert "there is no repository" in talk(github, home, "x\n").stderr
    github.gone, github.private = False, False
    assert "Make it private" in talk(github, home, "x\n").stderr
    github.private = True
    assert "does not accept the token" in talk(github, home, "x\n", token="ghp_typo").stderr
    github.may_push = False
    assert "Contents, Read and write" in talk(github, home, "x\n").stderr
    github.may_push = True
    github.expires = "2020-01-01 00:00:00 UTC"

    done = talk(github, home, "Now it works.\n")

    assert "expires in 0 days, on 2020-01-01" in done.stdout  # which stops nobody from talking
    assert (done.returncode, said(github)) == (0, ["Now it works."])


def test_on_a_disk_that_does_not_last_the_terminal_talks_on(github: GitHubDouble, tmp_path: Path) -> None:
    variables = {
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(tmp_path), "GITHUB_API_URL": github.url,
        "GITHUB_TOKEN": TOKEN, "GITHUB_REPO_OWNER": "mara", "GITHUB_REPO_NAME": "memory",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "bot"], input="Hello there.\n", capture_output=True, text=True, encoding="utf-8",
        timeout=60, cwd=ROOT, env=variables, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert said(github) == ["Hello there."]
    assert (tmp_path / "previously-mara-memory" / "memory").is_dir()


@dataclass
class Migrated:
    """How `previously migrate` ended in this process: its code, what it told, and what it refused."""

    code: int = 2
    told: list[str] = field(default_factory=list)
    refused: str = ""


def migrate(github: GitHubDouble, where: str, home: Path) -> Migrated:
    settings = load(
        {
            "GITHUB_API_URL": github.url, "GITHUB_TOKEN": TOKEN, "GITHUB_REPO_OWNER": "mara",
            "GITHUB_REPO_NAME": "memory",
        }
    )  # fmt: skip
    done = Migrated()
    try:
        done.code = asyncio.run(move(settings, WORDS, where, home, done.told.append, OsDisk, LocalStorage))
    except SettingsError as error:
        done.refused = str(error)
    return done


def migrated(github: GitHubDouble, where: str, home: Path) -> subprocess.CompletedProcess[str]:
    """The real command."""
    variables = {
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent", "GITHUB_API_URL": github.url,
        "GITHUB_TOKEN": TOKEN, "GITHUB_REPO_OWNER": "mara", "GITHUB_REPO_NAME": "memory",
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "bot", "migrate", where, "--home", str(home)], capture_output=True, text=True,
        encoding="utf-8", timeout=60, cwd=ROOT, env=variables, check=False,
    )  # fmt: skip


def tree(home: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(home)): one.read_bytes() for one in sorted((home / "memory").rglob("*")) if one.is_file()
    }


def test_a_folder_moves_to_the_repository_and_back_byte_for_byte(github: GitHubDouble, tmp_path: Path) -> None:
    home, back = tmp_path / "home", tmp_path / "back"
    note = home / "memory/episodic/slices/2026/03/09/1842/timeline"
    note.mkdir(parents=True)
    home.chmod(0o700)
    (note / "core.md").write_bytes(b"---\nslice_id: 2026-03-09-1842\n---\n\n## Turn a \xe2\x80\x94 x (user)\n\nHi\r\n")
    (home / "memory/user").mkdir()
    (home / "memory/user/photo.bin").write_bytes(bytes(range(256)))

    there = migrated(github, "github", home)
    again = migrate(github, "local", back)
    other = migrate(github, "local", home.with_name("other"))

    assert (there.returncode, again.code, other.code) == (0, 0, 0), there.stderr + again.refused
    assert "2 files are the same on both sides, byte for byte" in there.stdout
    assert "2 files are the same on both sides, byte for byte" in "\n".join(again.told)
    assert tree(back) == tree(home)
    assert {path: data for path, data in github.store.contents().items() if path.startswith("memory/")} == tree(home)


def test_a_folder_does_not_move_into_another_memory(github: GitHubDouble, tmp_path: Path) -> None:
    github.store.push({"memory/notes/a.md": b"theirs"})
    (tmp_path / "home/memory").mkdir(parents=True)
    (tmp_path / "home").chmod(0o700)
    (tmp_path / "home/memory/b.md").write_bytes(b"ours")

    there, back = migrate(github, "github", tmp_path / "home"), migrate(github, "local", tmp_path / "home")

    assert (there.code, back.code) == (2, 2)
    assert "there is a memory already; name an empty repository" in there.refused
    assert "there is a memory already; name an empty folder" in back.refused
    assert github.store.read("memory/b.md") is None
