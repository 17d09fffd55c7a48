"""The command line: what a person types after `previously`; light, so that `--help` answers at once."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

from bot import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

Locale = Literal["en", "zh"]
LOCALES: Final[tuple[Locale, ...]] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Arguments:
    """What was typed; None where nothing was."""

    home: Path | None = None
    locale: Locale | None = None
    terminal: bool = False


def parse(argv: Sequence[str]) -> Arguments:
    """The arguments. Prints and raises SystemExit for `--help`, `--version` (0) and for what it does not know (2)."""
    parser = argparse.ArgumentParser(
        prog="previously",
        description="A personal memory bot: one continuous timeline in plain files. With nothing configured it opens "
        "a demo person; what you say there is gone at the end.",
        epilog="Variables that can be set are listed in .env.example.",
        allow_abbrev=False,
    )
    parser.add_argument("--home", metavar="DIR", type=_folder, help="keep your own timeline in this folder")
    parser.add_argument("--locale", choices=LOCALES, help="language of the program's own words")
    parser.add_argument(
        "--terminal", action="store_true", help="talk here too, although the token of a platform is set"
    )
    parser.add_argument("--version", action="version", version=f"previously {VERSION}")
    found = parser.parse_args(argv)
    return Arguments(
        home=cast("Path | None", found.home),
        locale=cast("Locale | None", found.locale),
        terminal=cast("bool", found.terminal),
    )


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a folder is needed, for example --home ~/previously")
    return Path(text)
