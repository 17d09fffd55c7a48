"""When a strand was last seen."""

from __future__ import annotations


def newest(paths: tuple[str, ...]) -> str:
    """The newest of a strand's slices, "" when it has none."""
    return max(paths, default="")
