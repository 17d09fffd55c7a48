"""Entry point of the installed program: the wheel keeps our folders under `previously/`, put that on the path first."""

import os
import sys
from contextlib import suppress
from pathlib import Path


def main() -> None:
    """Run the program with the typed arguments and end the process with its code."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from bot.arguments import parse

    arguments = parse(sys.argv[1:])
    from bot.app import main as run

    _leave(run(arguments))


def _leave(code: int) -> None:
    """End at once: everything is on the disk, and taking the libraries of the models apart takes seconds."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
