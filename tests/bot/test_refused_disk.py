"""The real process where the system refuses: a read-only disk, folders that are not there."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.bot.test_app import LIMIT, ROOT, command, environment, told

if TYPE_CHECKING:
    from pathlib import Path

FROZEN = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def frozen(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The process while the folder is mounted read-only, in name spaces of its own."""
    inside = ["unshare", "-rm", "sh", "-c", FROZEN, str(home), *command(*arguments)]
    return subprocess.run(
        inside, input="hello\n", capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, cwd=ROOT,
        env=environment(), check=False,
    )  # fmt: skip


def may_mount() -> bool:
    """Whether this machine lets a process mount folders for itself."""
    unshare = shutil.which("unshare")
    return unshare is not None and not subprocess.run([unshare, "-rm", "true"], check=False).returncode


@pytest.mark.skipif(not may_mount(), reason="this machine lets nobody mount folders for oneself")
def test_a_read_only_disk_is_said_in_one_sentence_and_by_the_doctor(tmp_path: Path) -> None:
    told("The tulips are up.\n", "--home", str(tmp_path))

    talk = frozen(tmp_path, "--home", str(tmp_path), "--terminal")
    assert talk.returncode == 1
    assert "Traceback" not in talk.stderr
    assert len(talk.stderr.splitlines()) == 1
    assert "read-only" in talk.stderr

    doctor = frozen(tmp_path, "doctor", "--home", str(tmp_path), "--locale", "en")
    assert doctor.returncode == 1
    assert f"✗ {tmp_path} cannot be written" in doctor.stdout


@pytest.mark.parametrize(
    ("arguments", "locale"), [(("export",), "zh"), (("migrate", "github"), "en"), (("import", "/dev/null"), "zh")]
)
def test_a_subcommand_that_the_system_refuses_ends_with_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], locale: str
) -> None:
    (tmp_path / "file").write_text("")

    done = told("", *arguments, "--home", str(tmp_path / "file" / "nowhere"), "--locale", locale)

    assert done.returncode in {1, 2}
    assert done.stderr.startswith("previously: ")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_export_of_a_folder_that_is_not_there_names_it(tmp_path: Path) -> None:
    done = told("", "export", "--home", str(tmp_path / "gone"), "--locale", "en")

    assert done.returncode == 1
    assert str(tmp_path / "gone") in done.stderr
    assert len(done.stderr.splitlines()) == 1
