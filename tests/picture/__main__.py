"""`python -m tests.picture` draws `docs/telegram.png`, the chat that the README shows."""

from __future__ import annotations

import asyncio
import sys

from tests.picture.bubbles import phones
from tests.picture.chat import chat
from tests.tree import ROOT

TARGET = ROOT / "docs" / "telegram.png"


def main() -> None:
    """Draw it."""
    image = phones(asyncio.run(chat()))
    image.save(TARGET, optimize=True)
    sys.stdout.write(f"{TARGET.name}: {image.width} x {image.height}, {TARGET.stat().st_size // 1024} kB\n")


if __name__ == "__main__":
    main()
