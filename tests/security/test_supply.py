"""What others have written: pinned by hash, a week old at least, started by nothing but us, silent while imported.

The rules stand in reliability 4.5; `docs/security.md` says what they are for.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest

import install
from tests.tree import ROOT

LOCKS = (install.LOCK, install.TOOLS)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINE = re.compile(
    r"[a-z0-9._-]+(?:\[[a-z0-9,-]+\])?==[^\s;]+(?: ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?|    +#.*|#.*"
)
HOSTS = re.compile(
    r"--(?:extra-)?index|--find-links|--trusted-host|\bindex-url\b|\[\[tool\.uv\.index\]\]|pypi\.org|simple/?$",
    re.MULTILINE | re.IGNORECASE,
)
CONFIGS = ("pyproject.toml", "Makefile", "Procfile", ".ci/run", ".ci/install.py", *map(str, LOCKS))

PTH = {
    "distutils-precedence.pth": "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') "
    "== 'local'; enabled and __import__('_distutils_hack').add_shim();",
}
"""Files that run at every start of Python, by what they say: setuptools', which the tests build the wheel with."""
WATCH = """
import sys
seen = []
def hook(event, args):
    if event.startswith({events!r}):
        seen.append(event + " " + repr(args)[:200])
sys.addaudithook(hook)
sys.argv = ["bot", "--help"]
try:
    {act}
except SystemExit as left:
    assert not left.code, left.code
print("SEEN", seen)
print("HAS", sorted({{name.partition(".")[0] for name in sys.modules}}))
"""
ANY = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "urllib.", "ftplib.", "smtplib.")
OUT = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg", "urllib.")
"""Of libraries, what reaches out: one of them looks by binding to itself whether the machine has IPv6."""
CLIENTS = {"litellm", "openai", "telegram", "discord", "github", "httpx", "trafilatura", "requests"}


def watched(act: str, events: tuple[str, ...]) -> tuple[list[str], set[str]]:
    """What of such events a fresh process raises while it does that, and which packages it has loaded by then."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCH.format(events=events, act=act)], cwd=ROOT, capture_output=True,
        text=True, encoding="utf-8", timeout=120, check=False, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line.startswith(("SEEN ", "HAS ")))
    return [said["SEEN"]] if said["SEEN"] != "[]" else [], set(re.findall(r"'([^']+)'", said["HAS"]))


@pytest.mark.parametrize("lock", LOCKS, ids=str)
def test_every_line_of_a_lock_is_a_version_or_a_hash_and_every_version_has_one(lock: Path) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")

    assert [line for line in text.splitlines() if not LINE.fullmatch(line)] == []
    pins = install.read_lock(text)
    assert len(pins) > 20
    assert [pin.name for pin in pins if "--hash=sha256:" not in pin.text] == []


@pytest.mark.parametrize("name", CONFIGS)
def test_no_file_of_the_project_says_where_packages_are_fetched_from(name: str) -> None:
    assert HOSTS.findall((ROOT / name).read_text(encoding="utf-8")) == []


def test_what_is_younger_than_a_week_is_not_taken() -> None:
    uv = PROJECT["tool"]["uv"]

    assert uv["exclude-newer"] == "7 days"
    assert "index" not in uv
    needed = tuple(map(int, uv["required-version"].removeprefix(">=").split(".")))
    assert needed >= (0, 9, 17), "older ones do not know a span"


def test_litellm_is_taken_as_a_library_at_one_version_and_never_as_a_proxy() -> None:
    models = PROJECT["project"]["optional-dependencies"]["models"]
    pinned = [one for one in models if one.startswith("litellm")]

    assert len(pinned) == 1
    assert re.fullmatch(r"litellm==1\.\d+\.\d+", pinned[0])
    version = tuple(map(int, pinned[0].partition("==")[2].split(".")))
    assert version >= (1, 84, 0)
    assert not any(line.startswith("litellm[") for line in (ROOT / install.LOCK).read_text().splitlines())


def site() -> Path:
    """Where the packages of the running environment are."""
    return Path(sysconfig.get_paths()["purelib"])


def test_nothing_runs_at_every_start_of_python_but_what_is_known() -> None:
    found = {path.name: path.read_text(encoding="utf-8").strip() for path in site().glob("*.pth")}

    assert {name: text for name, text in found.items() if PTH.get(name) != text} == {}
    assert [name for name in ("sitecustomize", "usercustomize") if list(site().glob(f"{name}*"))] == []


def test_no_package_of_the_lists_may_bring_a_file_that_runs_at_every_start() -> None:
    bringing = {
        install.canonical(one.metadata["Name"]): path.name
        for one in distributions(path=[str(site())])
        for path in one.files or ()
        if path.suffix == ".pth"
    }

    assert set(bringing.items()) <= {("setuptools", "distutils-precedence.pth")}


@pytest.mark.parametrize("act", ["import bot.app", "import bot.launch; bot.launch.main()"], ids=["import", "--help"])
def test_starting_opens_no_socket_starts_no_process_and_loads_no_client(act: str) -> None:
    seen, loaded = watched(act, ANY)

    assert seen == []
    assert loaded & CLIENTS == set()


@pytest.mark.parametrize(
    ("act", "client"),
    [
        ("import adapters.telegram.client", "telegram"),
        ("import adapters.discord.client", "discord"),
        ("import core.storage.github.wire, github", "github"),
        ("import core.web.http, core.web.extract; import trafilatura", "trafilatura"),
        (
            "import asyncio; from core.llm.litellm import LiteLLM; asyncio.run(LiteLLM().warm())",
            "litellm",
        ),
    ],
    ids=["telegram", "discord", "github", "pages", "models"],
)
def test_importing_a_client_reaches_out_to_nobody(act: str, client: str) -> None:
    seen, loaded = watched(act, OUT)

    assert seen == []
    assert client in loaded


def test_the_watch_itself_sees() -> None:
    seen, _ = watched("import socket; socket.socket().connect_ex(('127.0.0.1', 9))", OUT)

    assert len(seen) == 1
    assert "127.0.0.1" in seen[0]
