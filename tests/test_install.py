from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

import install
from bot.variables import VARIABLES
from tests.tree import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUP = PROJECT["dependency-groups"]["dev"]
PLATFORMS = {
    f"{system} {version}": {"sys_platform": system, "python_version": version, "python_full_version": f"{version}.0"}
    for system in ("linux", "darwin", "win32")
    for version in ("3.11", "3.12", "3.13", "3.14")
}
LOCK = """\
alpha==1.0 \\
    --hash=sha256:aa
    # via previously (pyproject.toml)
Beta_Two==2.0 ; sys_platform == 'win32' \\
    --hash=sha256:bb
    # via
    #   previously (pyproject.toml)
    #   alpha
beta-two==1.9 ; sys_platform != 'win32' \\
    --hash=sha256:bc
    # via alpha
gamma==3.0 \\
    --hash=sha256:cc
    # via beta-two
delta==4.0 \\
    --hash=sha256:dd
    # via
    #   epsilon
epsilon==5.0 \\
    --hash=sha256:ee
    # via previously (pyproject.toml)
"""


def pins(text: str) -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for pin in install.read_lock(text):
        found.setdefault(pin.name, []).append(Requirement(pin.text.splitlines()[0].rstrip(" \\")))
    return found


def test_a_subset_holds_what_its_roots_lead_to_and_no_more() -> None:
    names = [pin.name for pin in install.reached(install.read_lock(LOCK), {"alpha"})]

    assert names == ["alpha", "beta-two", "beta-two", "gamma"]


def test_a_subset_keeps_the_lines_of_the_lock_as_they_stand() -> None:
    pins = install.read_lock(LOCK)

    assert "".join(pin.text for pin in pins) == LOCK


@pytest.mark.parametrize(
    ("environ", "dotenv", "extras"),
    [
        ({}, "", set()),
        ({"STORAGE": "demo", "PREVIOUSLY_HOME": "x"}, "", set()),
        ({"TELEGRAM_BOT_TOKEN": "1:a"}, "", {"telegram"}),
        ({"TELEGRAM_BOT_TOKEN": "  "}, "", set()),
        ({}, "DISCORD_BOT_TOKEN=abc\n", {"discord"}),
        ({}, "  export DISCORD_BOT_TOKEN = 'abc'  # mine\n", {"discord"}),
        ({}, "# DISCORD_BOT_TOKEN=abc\n", set()),
        ({}, "DISCORD_BOT_TOKEN=\nGROQ_API_KEY='' # none\n", set()),
        ({"DISCORD_BOT_TOKEN": ""}, "DISCORD_BOT_TOKEN=abc", set()),
        ({"GEMINI_API_KEY": "k"}, "GITHUB_TOKEN=t", {"models", "github"}),
    ],
)
def test_the_configuration_chooses_the_extras(environ: dict[str, str], dotenv: str, extras: set[str]) -> None:
    assert install.extras_of(environ, dotenv) == extras


def test_every_extra_that_a_variable_asks_for_exists() -> None:
    assert {variable.extra for variable in VARIABLES if variable.extra} <= set(EXTRAS) - {"all"}


def test_the_bare_terminal_gets_no_package_of_a_platform_or_model() -> None:
    names = set(pins(install.needed([])))

    assert names.isdisjoint({"litellm", "python-telegram-bot", "discord-py", "pygithub", "pytest"})
    assert len(names) < 40


@pytest.mark.parametrize("parts", [[], ["telegram"], ["discord"], ["github"], ["models"], ["tools"]])
def test_every_pin_has_a_hash(parts: list[str]) -> None:
    assert all("--hash=sha256:" in pin.text for pin in install.read_lock(install.needed(parts)))


@pytest.mark.parametrize("parts", [[], ["telegram"], ["discord"], ["github"], ["models"], ["tools"]])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_package_is_pinned_twice_on_one_platform(parts: list[str], platform: str) -> None:
    environment = PLATFORMS[platform]

    chosen = [
        pin.name
        for found in pins(install.needed(parts)).values()
        for pin in found
        if not pin.marker or pin.marker.evaluate(environment)
    ]

    assert len(chosen) == len(set(chosen))


@pytest.mark.parametrize(
    ("parts", "requirements"),
    [
        ([], PROJECT["project"]["dependencies"]),
        *(([extra], EXTRAS[extra]) for extra in EXTRAS if extra != "all"),
        (["tools"], GROUP),
    ],
    ids=str,
)
def test_what_the_project_asks_for_is_pinned_within_its_range(parts: list[str], requirements: list[str]) -> None:
    found = pins(install.needed(parts))

    for requirement in map(Requirement, requirements):
        versions = [pin.specifier for pin in found[install.canonical(requirement.name)]]
        assert all(requirement.specifier.contains(str(version).removeprefix("==")) for version in versions), requirement


@pytest.mark.parametrize("parts", [[], ["tools"]])
def test_all_that_an_installed_package_needs_is_in_the_list(parts: list[str]) -> None:
    # pip installs the list with --no-deps, so the list must be complete by itself.
    found = pins(install.needed(parts))
    here = [name for name, all_of in found.items() if any(not p.marker or p.marker.evaluate() for p in all_of)]

    needs = {
        install.canonical(need.name)
        for name in here
        for need in map(Requirement, distribution(name).requires or ())
        if not need.marker or need.marker.evaluate({"extra": ""})
    }

    assert needs - set(found) == set()


def test_the_tools_and_the_product_agree_on_every_package_that_both_pin() -> None:
    product = pins((ROOT / install.LOCK).read_text(encoding="utf-8"))
    tools = pins((ROOT / install.TOOLS).read_text(encoding="utf-8"))

    both = product.keys() & tools.keys()

    assert both
    assert {name: str(tools[name][0].specifier) for name in both} == {
        name: str(product[name][0].specifier) for name in both
    }


def pretended(folder: Path, code: int) -> Path:
    """An environment whose Python only notes what it is asked to do, and ends with the code."""
    (folder / "bin").mkdir(exist_ok=True)
    python = folder / "bin" / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/asked"\nexit {code}\n', encoding="utf-8")
    python.chmod(0o755)
    return folder / "asked"


def test_the_packages_are_installed_once_with_hashes_and_from_wheels(tmp_path: Path) -> None:
    asked = pretended(tmp_path, 0)

    for _ in range(3):
        install.main("test", tmp_path)

    calls = asked.read_text(encoding="utf-8").splitlines()
    assert len(calls) == 1
    assert "--require-hashes --no-deps --only-binary :all:" in calls[0]
    assert (tmp_path / "requirements.txt").read_text(encoding="utf-8") == install.needed(install.EVERYTHING)


def test_a_changed_lock_is_installed_again_with_all_that_was_there(tmp_path: Path) -> None:
    asked = pretended(tmp_path, 0)
    (tmp_path / "installed").write_text("another-state discord", encoding="ascii")

    install.main("run", tmp_path)

    assert len(asked.read_text(encoding="utf-8").splitlines()) == 1
    assert (tmp_path / "installed").read_text(encoding="ascii").split()[1:] == ["discord"]
    assert "discord-py==" in (tmp_path / "requirements.txt").read_text(encoding="utf-8")


def test_a_failed_installation_ends_with_a_sentence_and_is_tried_again(tmp_path: Path) -> None:
    pretended(tmp_path, 1)

    with pytest.raises(SystemExit, match="could not be installed"):
        install.main("test", tmp_path)

    assert not (tmp_path / "installed").exists()
    asked = pretended(tmp_path, 0)
    install.main("test", tmp_path)
    assert len(asked.read_text(encoding="utf-8").splitlines()) == 2
