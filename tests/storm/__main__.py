"""Kills the bot by SIGKILL, hundreds of times: `python -m tests.storm --messages 400 --cold 50 --seed 1`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.storm import cold
from tests.storm.killing import Storm, fast


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.storm", description=__doc__)
    parser.add_argument("--messages", type=int, default=400, help="messages that must get through")
    parser.add_argument("--cold", type=int, default=50, help="kills of a cold start")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=fast(), help="where the memory is made: by default in RAM")
    asked = parser.parse_args()
    faults: list[str] = []
    with TemporaryDirectory(dir=asked.folder) as folder:
        if asked.messages:
            storm = Storm(Path(folder) / "storm", asked.seed).run(asked.messages)
            sys.stdout.write(f"{storm.line()}\n")
            sys.stdout.flush()
            faults += storm.faults
        if asked.cold:
            cold_starts = cold.run(Path(folder) / "cold", asked.cold, asked.seed)
            sys.stdout.write(f"{cold_starts.line()}\n")
            faults += cold_starts.faults
    sys.stdout.writelines(f"  {fault}\n" for fault in faults)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
