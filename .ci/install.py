"""Makes `.venv` and installs what this checkout needs, once, each file checked against the hash in the lock.

    python3 .ci/install.py run     the bot, with the optional packages that the configuration asks for
    python3 .ci/install.py test    the bot and the tools of its tests

Needs nothing but Python. The lock holds the packages of all options, each with a note on what needs it; a purpose takes
the part that its roots in `pyproject.toml` lead to, and pip installs just that list, without looking for more.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bot.variables import VARIABLES  # noqa: E402 - the checkout must be on the path first

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LOCK: Final = Path("requirements.txt")
TOOLS: Final = Path("tests/requirements.txt")
EVERYTHING: Final = {"tools", "models", "telegram", "discord", "github", "places"}
"""What the tests are run with."""

PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
PARENT: Final = re.compile(r"^ +#(?: +via)? +([A-Za-z0-9._-]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One entry of a lock: its lines as they stand, and the packages that need it."""

    name: str
    text: str
    parents: frozenset[str]


def canonical(name: str) -> str:
    """The package's name as all spellings of it agree (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(text: str) -> list[Pin]:
    """The pins of a lock in their order; a package may have several, for different systems."""
    starts = [match.start() for match in PIN.finditer(text)]
    blocks = [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return [_pin(block) for block in blocks]


def _pin(block: str) -> Pin:
    name = block.split("==", 1)[0]
    return Pin(canonical(name), block.rstrip() + "\n", frozenset(map(canonical, PARENT.findall(block))))


def reached(pins: Sequence[Pin], roots: Iterable[str]) -> list[Pin]:
    """The pins of the roots and of all that these need."""
    names = set(roots)
    while more := {pin.name for pin in pins if pin.parents & names} - names:
        names |= more
    return [pin for pin in pins if pin.name in names]


def roots(project: Mapping[str, object], extras: Iterable[str]) -> set[str]:
    """The packages that the project names itself: always, and for these extras."""
    always = project["dependencies"]
    optional = project["optional-dependencies"]
    if not isinstance(always, list) or not isinstance(optional, dict):
        raise TypeError("pyproject.toml: dependencies must be a list and optional-dependencies a table")
    wanted = [*always, *(requirement for extra in extras for requirement in optional[extra])]
    return {canonical(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]) for requirement in wanted}


def extras_of(environ: Mapping[str, str], dotenv: str) -> set[str]:
    """The extras that the set variables ask for, in the environment or the text of `.env`; empty ones ask for none."""
    lines = (line.strip().removeprefix("export ").partition("=") for line in dotenv.splitlines())
    written = {name.strip(): value.partition(" #")[0].strip(" '\"\t") for name, _, value in lines}
    names = {name for name, value in {**written, **environ}.items() if value.strip()}
    return {variable.extra for variable in VARIABLES if variable.extra and variable.name in names}


def needed(parts: Iterable[str]) -> str:
    """The part of the locks for these parts (extras, `tools`), as a requirements file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = sorted(set(parts) - {"tools"})
    pins = reached(read_lock((ROOT / LOCK).read_text(encoding="utf-8")), roots(project, extras))
    if "tools" in parts:
        have = {pin.name for pin in pins}
        tools = read_lock((ROOT / TOOLS).read_text(encoding="utf-8"))
        pins += [pin for pin in tools if pin.name not in have]
    return "".join(pin.text for pin in pins)


def main(purpose: str, venv: Path = ROOT / ".venv") -> None:
    """Make sure that the environment serves the purpose; says so on the error stream when there is something to do.

    Raises SystemExit with a sentence when it cannot; what is half installed is then taken up again by the next run.
    """
    dotenv = ROOT / ".env"
    text = dotenv.read_text(encoding="utf-8-sig", errors="replace") if dotenv.is_file() else ""
    wanted = EVERYTHING if purpose == "test" else extras_of(os.environ, text)
    stamp = venv / "installed"
    state, *parts = stamp.read_text(encoding="ascii").split() if stamp.is_file() else [""]
    standing = (venv / "bin" / "python").exists()
    if standing and state == _state() and wanted <= set(parts):
        return
    if not standing:
        _make(venv)
    _fill(venv, needed(wanted | set(parts)))
    stamp.write_text(" ".join([_state(), *sorted(wanted | set(parts))]), encoding="ascii")


def _state() -> str:
    sources = (ROOT / name for name in ("pyproject.toml", LOCK, TOOLS))
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()


def _make(venv: Path) -> None:
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        sys.exit(f"{sys.executable} has no module venv. On Debian and Ubuntu: apt install python3-venv")
    _say(f"Making {venv.name} (once) ...")
    _call([sys.executable, "-m", "venv", "--clear", str(venv)], "the folder .venv could not be made")


def _fill(venv: Path, requirements: str) -> None:
    listing = venv / "requirements.txt"
    listing.write_text(requirements, encoding="utf-8")
    _say(f"Installing {len(PIN.findall(requirements))} packages into {venv.name} (once) ...")
    quiet = ["-qq", "--no-compile", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    # only wheels: building from source would bring tools that no hash covers; --no-deps: the list is complete
    checked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", *os.environ.get("PIPFLAGS", "").split()]
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", *quiet, *checked, "-r", str(listing)]
    _call(command, "the packages could not be installed (a package without a wheel: PIPFLAGS='--no-binary NAME')")


def _call(command: list[str], trouble: str) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if done.returncode:
        sys.exit(f"Previously: {trouble}")


def _say(text: str) -> None:
    sys.stderr.write(f"Previously: {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "run")
