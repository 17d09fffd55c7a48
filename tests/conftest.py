"""What all tests share: a busy machine is no failure for Hypothesis, and descriptors do not pile up."""

from __future__ import annotations

import gc
from pathlib import Path

from hypothesis import settings

settings.register_profile("previously", deadline=None)
settings.load_profile("previously")

DESCRIPTORS = Path("/proc/self/fd")
MANY = 300
"""Open descriptors after which what no test holds is collected: `select`, by which a prompt waits, bears 1,024."""


def pytest_runtest_teardown() -> None:
    if DESCRIPTORS.is_dir() and sum(1 for _ in DESCRIPTORS.iterdir()) > MANY:
        gc.collect()
