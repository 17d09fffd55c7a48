"""`python -m tests.year` lives through the year and writes its golden files anew."""

from __future__ import annotations

import asyncio
import sys
from time import process_time

from tests.year.golden import GOLDEN, texts
from tests.year.life import live

began = process_time()
lived = asyncio.run(live())
GOLDEN.mkdir(parents=True, exist_ok=True)
for name, text in texts(lived).items():
    (GOLDEN / name).write_text(text, encoding="utf-8")
sys.stdout.write(f"{len(lived.scenes)} slices, {len(lived.sent)} messages, {process_time() - began:.1f} s of CPU\n")
