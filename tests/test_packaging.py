from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

import install
from bot import VERSION
from tests.tree import DATA, PACKAGES, ROOT, modules, name, parsed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BARE = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Installed:
    """The program as a person has it who installed the wheel: its script, and the folder that holds it."""

    script: Path
    library: Path

    def run(
        self, *words: str, typed: str = "", cwd: Path, environ: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """What the script prints when these lines are typed into it."""
        return subprocess.run(
            [str(self.script), *words],
            input=typed,
            cwd=cwd,
            env={**BARE, **environ},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )


def call(*command: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of what the repository tracks, so that the tree stays clean."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        (source / file).write_bytes((ROOT / file).read_bytes())
    for path in files():
        copy = source / name(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    call(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"),
        *("--disable-pip-version-check", "--wheel-dir", target, source),
    )
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own that borrows only the other packages of this one."""
    place = tmp_path_factory.mktemp("installed")
    call(sys.executable, "-m", "venv", "--without-pip", place)
    call(
        *(sys.executable, "-m", "pip", "--python", place / "bin" / "python", "install", "--quiet", "--no-deps"),
        *("--no-index", "--disable-pip-version-check", wheel),
    )
    library = next(place.glob("lib/python*/site-packages"))
    (library / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Installed(place / "bin" / "previously", library)


def imports(path: Path) -> set[str]:
    """The top-level names that a module imports."""
    nodes = list(ast.walk(parsed(path)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    chosen = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {module.split(".", 1)[0] for module in plain | chosen}


def files() -> list[Path]:
    """Every file of the product."""
    found = (path for folder in (*PACKAGES, *DATA) for path in (ROOT / folder).rglob("*") if path.is_file())
    return sorted(path for path in found if "__pycache__" not in path.parts)


def test_the_version_is_one() -> None:
    assert PROJECT["version"] == VERSION


def test_the_wheel_holds_every_file_of_the_product_under_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [entry for entry in archive.namelist() if ".dist-info/" not in entry]
        contents = {entry: archive.read(entry) for entry in names}

    assert contents == {f"previously/{name(path)}": path.read_bytes() for path in files()}


def test_the_wheel_carries_words_identity_and_people(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    assert {"previously/locales/en.yaml", "previously/locales/zh.yaml"} <= set(names)
    assert [entry for entry in names if entry.startswith("previously/identity/personas/") and entry.endswith(".md")]
    assert [entry for entry in names if entry.endswith(".dist-info/licenses/LICENSE")]


def test_installing_adds_one_name_beside_its_record(installed: Installed) -> None:
    names = {path.name for path in installed.library.iterdir()} - {"borrowed.pth", "__pycache__"}

    assert names == {"previously", f"previously-{VERSION}.dist-info"}


def test_no_other_package_here_takes_our_names() -> None:
    owners = importlib.metadata.packages_distributions()

    assert {folder: owners[folder] for folder in (*PACKAGES, *DATA, "install") if folder in owners} == {}


def test_the_script_says_its_version_anywhere(installed: Installed, tmp_path: Path) -> None:
    done = installed.run("--version", cwd=tmp_path, environ={})

    assert (done.returncode, done.stdout, done.stderr) == (0, f"previously {VERSION}\n", "")


def test_the_script_answers_typed_lines_outside_the_checkout(installed: Installed, tmp_path: Path) -> None:
    done = installed.run(typed="hello\n/timeline\n", cwd=tmp_path, environ={"HOME": str(tmp_path), "LC_ALL": "C"})

    assert (done.returncode, done.stderr) == (0, "")
    assert "PREVIOUSLY ON" in done.stdout
    assert "\x1b" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_script_keeps_a_home_that_is_opened_again(installed: Installed, tmp_path: Path) -> None:
    home = tmp_path / "my memory"
    said = "The spare key lies under the blue flower pot."

    first = installed.run("--home", str(home), typed=f"{said}\n", cwd=tmp_path, environ={"HOME": str(tmp_path)})
    again = installed.run(
        "--home", str(home), typed="Where is the spare key?\n", cwd=tmp_path, environ={"HOME": str(tmp_path)}
    )

    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    assert "blue flower pot" in again.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"my memory"}


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"STORAGE": "github"}, "GITHUB_TOKEN: memory on GitHub needs this too"),
        ({"TELEGRAM_BOT_TOKEN": "123"}, "TELEGRAM_BOT_TOKEN: "),
    ],
)
def test_a_wrong_setting_ends_with_one_line_that_says_how_to_mend_it(
    installed: Installed, tmp_path: Path, environ: dict[str, str], told: str
) -> None:
    done = installed.run(cwd=tmp_path, environ={"HOME": str(tmp_path), **environ})

    assert done.returncode != 0
    assert done.stderr.startswith(f"previously: {told}")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_every_package_that_the_code_imports_is_named_by_the_project() -> None:
    optional = PROJECT["optional-dependencies"]
    named = install.roots(PROJECT, optional.keys() - {"all"})
    owners = importlib.metadata.packages_distributions()

    imported = {module for path in modules(*PACKAGES) for module in imports(path)}
    unnamed = {
        module
        for module in imported - set(sys.stdlib_module_names) - set(PACKAGES)
        if not named & {install.canonical(owner) for owner in owners.get(module, [])}
    }

    assert unnamed == set()
