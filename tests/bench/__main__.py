"""Runs every measurement and prints what each says; asserts nothing, since the clock of a busy machine proves nothing.

A measurement is a module of this folder with a function `figures`, which is given the grounds to measure on. Arguments
choose modules by name; one that stands apart (`APART`) is only run when it is named.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.archive import Grounds


def main(chosen: list[str]) -> None:
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    with TemporaryDirectory() as folder:
        grounds = Grounds(Path(folder))
        for name in chosen or names:
            module = import_module(f"tests.bench.{name}")
            measure = getattr(module, "figures", None)
            if not callable(measure) or (not chosen and getattr(module, "APART", False)):
                continue
            sys.stdout.write(f"\n{name}: {(module.__doc__ or '').strip().splitlines()[0]}\n")
            for figure in measure(grounds):
                sys.stdout.write(f"  {figure.line()}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
