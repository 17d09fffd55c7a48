"""The real process: out while another holds the memory, in with a yes, and refusals with an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.storage.hold import Hold
from tests.bot.test_app import told
from tests.core.owning import given as made

if TYPE_CHECKING:
    from pathlib import Path


def test_memory_is_taken_out_while_another_process_holds_it_and_brought_in_elsewhere(tmp_path: Path) -> None:
    home, other, out = tmp_path / "home", tmp_path / "other", tmp_path / "out"
    told("The tulips are up.\n", "--home", str(home))

    with Hold(home):
        taken = told("", "export", "--home", str(home), "--to", str(out), "--locale", "en")
    assert taken.returncode == 0, taken.stderr
    (file,) = out.iterdir()
    assert str(file) in taken.stdout

    asked = told("", "--home", str(other), "import", str(file))
    assert "add --yes" in asked.stdout
    assert not (other / "memory").exists()
    brought = told("", "--home", str(other), "import", str(file), "--yes")
    assert brought.returncode == 0, brought.stderr
    mine = {path.relative_to(home): path.read_bytes() for path in (home / "memory").rglob("*.*")}
    assert {path.relative_to(other): path.read_bytes() for path in (other / "memory").rglob("*.*")} == mine


def test_what_is_refused_ends_with_a_sentence_and_a_code(tmp_path: Path) -> None:
    evil = made.zipped(tmp_path / "x.zip", {"result.json": b"{}", "../evil": b"x"})

    refused = told("", "--home", str(tmp_path / "home"), "--locale", "zh", "import", str(evil), "--yes")

    assert refused.returncode == 1
    assert "指向文件夹之外" in refused.stdout
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "evil").exists()


def test_the_demo_keeps_nothing_that_is_brought_in(tmp_path: Path) -> None:
    path = made.put(tmp_path / "result.json", made.TELEGRAM)

    refused = told("", "import", str(path), "--locale", "en")

    assert refused.returncode == 1
    assert "--home" in refused.stderr
