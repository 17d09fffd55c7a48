from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from tests.tree import DATA, PACKAGES, ROOT, modules, name, parsed

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = modules(*PACKAGES)
TESTS = modules("tests")
CLOCKS = {"time.time", "time.monotonic", "time.sleep", "asyncio.sleep", "datetime.now", "datetime.utcnow", "date.today"}
LOOSE_TASKS = {"asyncio.create_task", "asyncio.ensure_future", "asyncio.gather", "loop.create_task"}
ENVIRONMENT = {"os.environ", "os.getenv", "os.environb", "os.putenv"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|NotImplemented" r"Error)\b")
DOUBLES = re.compile(r"\b(unittest\.mo" r"ck|monkey" r"patch|Magic" r"Mock)\b")
ABSOLUTE = re.compile(r"[\"'`(\s]/(?:work|root|opt|Users)/")


def attributes(path: Path) -> set[str]:
    """Every `a.b` in a module, as written."""
    nodes = (node for node in ast.walk(parsed(path)) if isinstance(node, ast.Attribute))
    return {f"{node.value.id}.{node.attr}" for node in nodes if isinstance(node.value, ast.Name)}


@pytest.mark.parametrize(("files", "limit"), [(PRODUCT, 300), (TESTS, 500)], ids=["modules", "tests"])
def test_no_file_is_too_long_to_read_at_once(files: list[Path], limit: int) -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files}

    assert lengths
    assert {path: length for path, length in lengths.items() if length > limit} == {}


def test_every_folder_of_the_product_is_a_package_that_says_what_it_holds() -> None:
    folders = {path.parent for path in PRODUCT}
    silent = [name(folder) for folder in folders if not ast.get_docstring(parsed(folder / "__init__.py"))]

    assert silent == []


def test_every_module_says_what_it_holds() -> None:
    assert [name(path) for path in PRODUCT if not ast.get_docstring(parsed(path))] == []


def test_every_folder_of_tests_is_a_package() -> None:
    # A lone tests/core/__init__.py would hide the real core.
    assert [name(path.parent) for path in TESTS if not (path.parent / "__init__.py").is_file()] == []


def test_nothing_unfinished_stands_in_the_tree() -> None:
    found = {name(path): UNFINISHED.findall(path.read_text(encoding="utf-8")) for path in PRODUCT + TESTS}

    assert {path: words for path, words in found.items() if words} == {}


def test_the_tests_use_doubles_written_by_hand() -> None:
    found = {name(path): DOUBLES.findall(path.read_text(encoding="utf-8")) for path in TESTS}

    assert {path: words for path, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("banned", "allowed"),
    # litellm reads switches of its own from the environment at import: they are set beside that import.
    [(CLOCKS, {"core/clock.py"}), (LOOSE_TASKS, set()), (ENVIRONMENT, {"bot/settings.py", "core/llm/litellm.py"})],
    ids=["time comes from the clock", "tasks have an owner", "the environment is read in one place"],
)
def test_what_the_house_bans_is_used_nowhere_else(banned: set[str], allowed: set[str]) -> None:
    found = {name(path): attributes(path) & banned for path in PRODUCT if name(path) not in allowed}

    assert {path: used for path, used in found.items() if used} == {}


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    texts = [
        path
        for path in [
            *PRODUCT,
            *TESTS,
            ROOT / "pyproject.toml",
            ROOT / "Makefile",
            ROOT / ".ci/run",
        ]
        if ABSOLUTE.search(path.read_text(encoding="utf-8"))
    ]

    assert [name(path) for path in texts] == []


def test_the_locks_name_no_registry() -> None:
    locks = "".join(
        (ROOT / lock).read_text(encoding="utf-8") for lock in ("requirements.txt", "tests/requirements.txt")
    )

    assert not re.search(r"://|^-|--index|--find-links", locks, re.MULTILINE)


def test_the_root_holds_the_folders_of_the_design() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/*.py") if not path.parent.name.startswith(".")}

    assert packages == {*PACKAGES, "tests"}
    assert all((ROOT / folder).is_dir() for folder in DATA)
