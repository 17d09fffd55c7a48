"""The models that can be chosen: live lists of the providers whose keys are set, curated ones where none comes."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from core.llm.driver.wire import Trouble
from core.llm.providers import CURATED, CUSTOM, PROVIDERS, Access, Entry, current, variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.clock import Clock

KEEP_SECONDS: Final = 30 * 60.0
RETRY_SECONDS: Final = 60.0
"""How long a curated list stands in before the provider is asked for its own again."""
EMPTY_SECONDS: Final = 3.0
"""How long nobody is asked again where nothing can be chosen at all: for the rest of one answer."""
_MOST: Final = 500
_OTHER: Final = re.compile(
    r"embed|whisper|transcri|tts|speech|audio|realtime|image|imagen|dall-?e|veo|sora|video|moderation|guard|rerank"
    r"|\bocr\b|lyria|voxtral|computer-use|robotics|search-api|omni|davinci|babbage|instruct$|asr|aqa|codex",
    re.IGNORECASE,
)
_log = logging.getLogger("previously.models")


class Lister(Protocol):
    """Asks a provider which models it has."""

    async def ids(self, provider: str, address: str, key: str) -> Sequence[str]:
        """Their ids as the provider lists them. Raises `Trouble`."""


@dataclass(frozen=True, slots=True)
class Silent:
    """A provider that named no model: its address, and whether it refuses the key that stands in `variable`."""

    address: str
    variable: str
    refused: bool


class Catalog:
    """Answers from its cache for 30 minutes (seeds, Configuration)."""

    def __init__(self, access: Access, lister: Lister, clock: Clock) -> None:
        self._access = access
        self._lister = lister
        self._clock = clock
        self._lock = asyncio.Lock()
        self._kept: tuple[Entry, ...] | None = None
        self._silent: dict[str, Silent] = {}
        self._until = 0.0

    @property
    def configured(self) -> bool:
        """Whether any provider can be asked at all."""
        return bool(self._access.providers)

    @property
    def silent(self) -> tuple[Silent, ...]:
        """Who named no model when asked last."""
        return tuple(self._silent.values())

    async def entries(self) -> tuple[Entry, ...]:
        """All models, by provider in the fixed order, a provider's default first. Never raises."""
        async with self._lock:
            if self._kept is None or self._clock.monotonic() >= self._until:
                await self._fill()
            return self._kept or ()

    async def _fill(self) -> None:
        names = self._access.providers
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._listed(name)) for name in names]
        lists = [task.result() for task in tasks]
        whole = all(live is not None for live in lists)
        self._kept = tuple(entry for name, live in zip(names, lists, strict=True) for entry in _entries(name, live))
        self._until = self._clock.monotonic() + (
            KEEP_SECONDS if whole else RETRY_SECONDS if self._kept else EMPTY_SECONDS
        )

    async def _listed(self, name: str) -> Sequence[str] | None:
        try:
            found = await self._lister.ids(name, address(self._access, name), self._access.keys.get(name, ""))
        except Trouble as trouble:
            where = self._access.bases.get(name, "") or address(self._access, name)
            self._silent[name] = Silent(where, variable(self._access, name), trouble.kind == "key")
            _log.warning("the models of %s could not be listed: %s", name, trouble)
            return None
        self._silent.pop(name, None)
        return found


def address(access: Access, name: str) -> str:
    """Where a provider lists its models."""
    base = access.bases.get(name, "").rstrip("/")
    if not base:
        return PROVIDERS[name].listing
    return f"{base}/v1/models" if name == "anthropic" else f"{base}/models"


def _entries(name: str, live: Sequence[str] | None) -> list[Entry]:
    curated = [entry for entry in CURATED if entry.provider == name]
    if live is None:
        return curated
    ids = list(dict.fromkeys(_clean(one) for one in live if not _OTHER.search(one)))[:_MOST]
    known = {entry.id: entry for entry in curated}
    first = [entry for entry in curated if entry.id in ids]
    thinks = PROVIDERS[name].thinks if name != CUSTOM else False
    others = [Entry(one, name, thinks=thinks or _thinker(one)) for one in ids if one not in known]
    return [replace(entry, provider=name) for entry in (*first, *others)]


def _clean(name: str) -> str:
    return current(name.strip().removeprefix("models/"))


def _thinker(name: str) -> bool:
    """Whether the name says that the model thinks."""
    return bool(re.search(r"(?<!non-)reason|think|(?:^|/)o[1-9](?:-|$)|gpt-(?:[5-9]|oss)|magistral|r1\b", name))
