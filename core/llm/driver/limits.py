"""How long the driver waits and how often it asks again: all values in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits of one call, in seconds of the wall clock unless said (pains P009).

    `connect` until the connection stands, `first` until the first token, `silence` between tokens, `whole` for all of
    it with its retries and continuations. `retries` after the first try, `silent_retries` of them when nothing came at
    all; waits double from `backoff`, and a provider that wants more than `longest_wait` is not waited for.
    `lengths` and `cuts` are continuations of an answer cut for length and for time (original.md 2.12).
    """

    connect: float = 10.0
    first: float = 75.0
    silence: float = 60.0
    whole: float = 600.0
    retries: int = 3
    silent_retries: int = 1
    backoff: float = 1.0
    longest_wait: float = 30.0
    lengths: int = 5
    cuts: int = 2
    characters: int = 1_000_000
    """An answer longer than memory takes is ended here; there is no limit in tokens."""


DEFAULT_PATIENCE: Final = Patience()
