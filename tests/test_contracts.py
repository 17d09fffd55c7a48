from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.tree import PACKAGES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = (
    *("PIL", "aiohttp", "apscheduler", "babel", "discord", "frontmatter", "github", "httpx", "litellm"),
    *("prompt_toolkit", "pydantic_settings", "pyromark", "rich", "telegram", "telegramify_markdown", "trafilatura"),
    *("tzfpy", "yaml"),
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
LAYERS, MEMORY = "The process wires platforms around the core", "Memory is built in layers"
PLATFORMS, CONVERSATION = "Platforms do not know each other", "Platforms see the conversation, not the memory"
BACKENDS, THIRD = "Only the composition root chooses a backend", "Each third-party client stays behind one module"
CYCLES = "No cycles between siblings"
COPY = "The copy in a repository is wired in one place"
WIRES = "Only the composition root chooses how models are reached"
BREAKS: list[tuple[str, dict[str, str], tuple[str, ...]]] = [
    (LAYERS, {"core/clock.py": "import adapters.pacing"}, ("core.clock -> adapters.pacing",)),
    (LAYERS, {"adapters/pacing.py": "import bot.variables"}, ("adapters.pacing -> bot.variables",)),
    (MEMORY, {"core/storage/base.py": "import core.slices.model"}, ("core.storage.base -> core.slices.model",)),
    (MEMORY, {"core/recall/scan.py": "import core.card.model"}, ("core.recall.scan -> core.card.model",)),
    (MEMORY, {"core/stray.py": '"""A module that no layer names."""'}, ("stray",)),
    (PLATFORMS, {"adapters/pacing.py": "import adapters.terminal"}, ("adapters.pacing -> adapters.terminal",)),
    (
        PLATFORMS,
        {"adapters/telegram/__init__.py": "import adapters.terminal"},
        ("adapters.telegram -> adapters.terminal",),
    ),
    (PLATFORMS, {"adapters/pager.py": '"""A platform that nobody named."""'}, ("pager",)),
    (CONVERSATION, {"adapters/pacing.py": "import core.slices.model"}, ("adapters.pacing -> core.slices.model",)),
    (BACKENDS, {"core/turn/pipeline.py": "import core.storage.local"}, ("core.turn.pipeline -> core.storage.local",)),
    (COPY, {"core/turn/pipeline.py": "import core.storage.github"}, ("core.turn.pipeline -> core.storage.github",)),
    (WIRES, {"core/llm/roles.py": "import core.llm.litellm"}, ("core.llm.roles -> core.llm.litellm",)),
    (BACKENDS, {"bot/logs.py": "import core.storage.demo"}, ("bot.logs -> core.storage.demo",)),
    (
        CYCLES,
        {"bot/logs.py": "import bot.arguments", "bot/arguments.py": "import bot.logs"},
        ("No cycles are allowed in bot.",),
    ),
    (THIRD, {"core/clock.py": f"import {', '.join(CLIENTS)}"}, tuple(f"core.clock -> {client}" for client in CLIENTS)),
]


def lint(tree: Path) -> str:
    """What import-linter says about the tree, with its verdict per contract."""
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, check=False)
    text = done.stdout.decode() + done.stderr.decode()
    assert done.returncode in {0, 1}, text
    assert (done.returncode == 0) == (not re.search(r" BROKEN\b", text, re.MULTILINE)), text
    return text


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product that a test may break and must mend."""
    copy = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def test_the_tree_keeps_every_contract(tree: Path) -> None:
    text = lint(tree)

    assert re.findall(r"^(.+?) (KEPT|BROKEN)\b", text, re.MULTILINE) == [(name, "KEPT") for name in CONTRACTS]


def test_every_contract_and_every_client_is_broken_below() -> None:
    assert {contract for contract, _, _ in BREAKS} == set(CONTRACTS)
    assert set(CONTRACTS[THIRD]["forbidden_modules"]) == set(CLIENTS)


@pytest.mark.parametrize(("contract", "lines", "told"), BREAKS, ids=[told[0] for _, _, told in BREAKS])
def test_a_broken_contract_is_told(tree: Path, contract: str, lines: dict[str, str], told: tuple[str, ...]) -> None:
    before = {file: (tree / file).read_bytes() if (tree / file).exists() else None for file in lines}
    for file, line in lines.items():
        (tree / file).parent.mkdir(exist_ok=True)
        with (tree / file).open("a", encoding="utf-8") as module:
            module.write(f"\n{line}\n")

    try:
        text = lint(tree)
    finally:
        for file, content in before.items():
            (tree / file).unlink() if content is None else (tree / file).write_bytes(content)

    assert f"{contract} BROKEN" in text
    assert [one for one in told if one not in text.split(f"\n{contract}\n", 1)[1]] == []


def test_every_package_of_the_core_is_hidden_from_platforms_or_meant_for_them() -> None:
    meant = {"conversation", "document", "i18n", "relative", "clock", "errors"}
    hidden = {name.removeprefix("core.") for name in CONTRACTS[CONVERSATION]["forbidden_modules"]}
    layers = {
        part.strip(" ()") for layer in CONTRACTS[MEMORY]["layers"] for part in layer.split("|") if "(" not in part
    }

    assert layers == hidden | meant
