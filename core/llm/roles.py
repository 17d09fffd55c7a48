"""Which model answers and which does the cheap work inside (seeds, Configuration; original.md 2.15)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.llm.providers import CURATED, PROVIDERS, current

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.config.values import UserConfig
    from core.llm.providers import Entry

_PARAMETERS: Final = re.compile(r"(?<![\d.a-z])(\d+(?:\.\d+)?)b(?![a-z])", re.IGNORECASE)
_NAMES: Final = ("nano", "tiny", "lite", "mini", "small", "flash", "haiku", "light", "turbo", "fast")
_MIDDLE: Final = 70.0
_TOKENS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model in force; `missing` is the id that was wished for and is not to be had."""

    entry: Entry
    missing: str = ""


def main(entries: Sequence[Entry], config: UserConfig, override: str = "") -> Chosen | None:
    """The model that answers: the one wished for now, else the person's default, else the first that there is.

    An id that is not to be had falls back to the first, and is said. The shipped default counts as no wish: nobody
    asked for it. None when there is no model at all.
    """
    if not entries:
        return None
    wished = current(override or config.model.name)
    found = find(entries, wished)
    if found:
        return Chosen(found)
    asked = bool(override) or "name" in config.model.model_fields_set
    return Chosen(_first(entries), wished if asked else "")


def worker(entries: Sequence[Entry], config: UserConfig, main_entry: Entry) -> Chosen:
    """The model for work inside: pinned, else the provider's light one, else its smallest unthinking one, else main."""
    pinned = config.worker.name if config.worker.mode == "manual" else ""
    found = find(entries, current(pinned)) if pinned else None
    if found:
        return Chosen(found)
    same = [entry for entry in entries if entry.provider == main_entry.provider]
    provider = PROVIDERS.get(main_entry.provider)
    light = find(same, provider.light) if provider and provider.light else None
    small = min((entry for entry in same if not entry.thinks), key=_largeness, default=None)
    return Chosen(light or small or main_entry, pinned)


def find(entries: Sequence[Entry], name: str) -> Entry | None:
    """The model of that id, written in any case; `provider/id` tells two of the same id apart."""
    wanted = name.strip().casefold()
    for entry in entries:
        if wanted in {entry.id.casefold(), f"{entry.provider}/{entry.id}".casefold()}:
            return entry
    return None


def _first(entries: Sequence[Entry]) -> Entry:
    """The deployment's default: the first curated one whose provider is there, else the first of all."""
    ids = {entry.id for entry in CURATED}
    return next((entry for entry in entries if entry.id in ids), entries[0])


def _largeness(entry: Entry) -> tuple[float, int]:
    """Smaller first: by parameters in the name, by words for small ones, then by the tokens that it takes."""
    told = _PARAMETERS.search(entry.id)
    if told:
        size = float(told[1])
    else:
        words = [at for at, word in enumerate(_NAMES) if word in entry.id.casefold()]
        size = float(words[0] + 1) if words else _MIDDLE
    return size, entry.size or _TOKENS
