"""The command line: what a person types after `previously`; light, so that `--help` answers at once."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from bot import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

Locale = Literal["en", "zh"]
Command = Literal["", "export", "import", "doctor", "migrate"]
LOCALES: Final[tuple[Locale, ...]] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Arguments:
    """What was typed; None where nothing was.

    `command` is what is done in place of talking: `files` are brought in, with `me` as the person's name in them and
    `yes` said beforehand; memory is written `to` a folder in parts of `size` megabytes; the doctor may `fix`; memory
    moves to `where`.
    """

    home: Path | None = None
    locale: Locale | None = None
    terminal: bool = False
    command: Command = ""
    files: tuple[Path, ...] = ()
    to: Path = Path()
    size: float | None = None
    me: str = ""
    yes: bool = False
    fix: bool = False
    where: str = ""


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
    _add_commands(parser)
    return Arguments(**vars(parser.parse_args(argv)))


def _add_commands(parser: argparse.ArgumentParser) -> None:
    """What may be done in place of talking; `--home` and `--locale` may stand before or behind the command."""
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--home", metavar="DIR", type=_folder, help="the folder of the memory")
    shared.add_argument("--locale", choices=LOCALES, help="language of the program's own words")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    parser.set_defaults(command="")
    out = commands.add_parser("export", parents=[shared], help="write all of memory into zip files", allow_abbrev=False)
    out.add_argument("--to", metavar="DIR", type=_folder, default=Path(), help="the folder to write to; this one")
    out.add_argument("--size", metavar="MB", type=_megabytes, help="cut it into parts of at most so many megabytes")
    into = commands.add_parser(
        "import",
        parents=[shared],
        help="bring in talk from Telegram Desktop, ChatGPT or Claude, or an export of this program",
        allow_abbrev=False,
    )
    into.add_argument("files", metavar="FILE", nargs="+", type=_folder, help="result.json, conversations.json or a zip")
    into.add_argument("--me", default="", metavar="NAME", help="your name or id in the export, where it cannot be told")
    into.add_argument("--yes", action="store_true", help="do not ask before anything is written")
    look = commands.add_parser("doctor", parents=[shared], help="look whether everything is well", allow_abbrev=False)
    away = commands.add_parser(
        "migrate", parents=[shared], help="move the folder --home to your repository, or back", allow_abbrev=False
    )
    away.add_argument("where", choices=("github", "local"), help="where memory is to be")
    look.add_argument("--fix", action="store_true", help="make timeline and strands anew; nothing else is touched")


def _megabytes(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = 0.0
    if not 0.1 <= size <= 1_000_000:  # noqa: PLR2004 - a tenth of a megabyte to a terabyte
        raise argparse.ArgumentTypeError("a number of megabytes is needed, at least 0.1, for example --size 50")
    return size


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a folder is needed, for example --home ~/previously")
    return Path(text)
