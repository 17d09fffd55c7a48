"""Entry point of the installed program: the wheel keeps our folders under `previously/`, put that on the path first."""

import sys
from pathlib import Path


def main() -> None:
    """Run the program with the typed arguments and end the process with its code."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from bot.arguments import parse

    arguments = parse(sys.argv[1:])
    from bot.app import main as run

    sys.exit(run(arguments))
