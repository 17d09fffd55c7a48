"""A file of a page, in a terminal: written beside, never over anything, and the page says where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from adapters.terminal.downloads import beside
from adapters.terminal.render import Look, render
from core.document import Document, Download, Text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("look", [Look(), Look(80, colour=True)])
def test_a_file_is_written_beside_and_the_page_says_where(tmp_path: Path, look: Look) -> None:
    page = beside(Document((Text("Here."), Download("memory.zip", b"bytes"))), tmp_path)

    assert (tmp_path / "memory.zip").read_bytes() == b"bytes"
    assert (tmp_path / "memory.zip").stat().st_mode & 0o777 == 0o600
    shown = "".join(re.sub(r"\x1b\[[0-9;]*m", "", render(page, look)).split())  # wherever a long path was broken
    assert "memory.zip" in shown
    assert str(tmp_path)[:20] in shown


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "memory.zip").write_bytes(b"mine")

    beside(Document((Download("memory.zip", b"bytes"),)), tmp_path)

    assert (tmp_path / "memory.zip").read_bytes() == b"mine"
    assert (tmp_path / "memory-2.zip").read_bytes() == b"bytes"


def test_a_name_with_a_path_in_it_stays_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()

    beside(Document((Download("../escaped.zip", b"bytes"),)), tmp_path / "inner")

    assert [one.name for one in tmp_path.rglob("*.zip")] == ["escaped.zip"]
    assert (tmp_path / "inner" / "escaped.zip").exists()


def test_a_disk_that_refuses_is_told_in_the_place_of_the_file(tmp_path: Path) -> None:
    page = beside(Document((Download("memory.zip", b"bytes"),)), tmp_path / "missing")

    assert "memory.zip ✗" in render(page, Look())
