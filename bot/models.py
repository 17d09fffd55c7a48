"""The models for the settings of the process: real ones by keys and addresses, else the offline one."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.llm.ceiling import Spending
from core.llm.driver.wire import Trouble
from core.llm.hearing import Hearing
from core.llm.listing import HttpLister
from core.llm.litellm import LiteLLM
from core.llm.models import Models, build_models, target
from core.llm.providers import Entry
from core.web.client import LateClient
from core.web.outside import Web
from core.web.search import Searches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.settings import Settings
    from core.clock import Clock
    from core.config import Config
    from core.i18n import Words
    from core.storage.disk import Disk

SPENDING: Final = "state/spending.json"

_log = logging.getLogger("previously.models")


@dataclass(frozen=True, slots=True)
class DiskLedger:
    """The count of today's spending in one file; not flushed, since losing it loses a day's count and nothing else."""

    disk: Disk
    path: str = SPENDING

    def load(self) -> str:
        """The text, "" when there is none. Raises `OSError`."""
        try:
            return self.disk.read(self.path).decode("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def save(self, text: str) -> None:
        """Replace it by a whole file. Raises `OSError`."""
        fresh = f"{self.path}.new"
        if self.disk.stat(fresh):
            self.disk.remove(fresh)
        handle = self.disk.create(fresh)
        try:
            self.disk.write(handle, text.encode())
        finally:
            self.disk.close(handle)
        self.disk.replace(fresh, self.path)


@dataclass(frozen=True, slots=True)
class Supply:
    """The models, the way to them, and the web: `warm` is called once platforms are connected; `shut` ends threads.

    `hearing` writes recordings down, None where no model is set for that.
    """

    models: Models
    wire: LiteLLM
    lister: HttpLister
    web: Web
    hearing: Hearing | None = None

    async def warm(self) -> None:
        """Import what models need, in its thread, so that the first answer does not wait for it."""
        try:
            await self.wire.warm()
        except Trouble as trouble:
            _log.warning("models cannot be asked: %s", trouble)

    def shut(self) -> None:
        """End the threads."""
        self.wire.close()
        self.lister.close()


def supply(
    settings: Settings,
    clock: Clock,
    words: Mapping[str, Words],
    config: Config,
    disk: Disk | None = None,
    *,
    keeps: bool = True,
) -> Supply:
    """The models for these settings. No library is imported and nothing is connected before the first call.

    `keeps` says whether what is said outlives the process.
    """
    wire, lister = LiteLLM(), HttpLister()
    models = build_models(
        settings.access(),
        clock,
        words,
        config,
        wire=wire,
        lister=lister,
        spending=Spending(clock, DiskLedger(disk) if disk else None),
        ceiling=settings.ceiling(),
        keeps=keeps,
    )
    client = LateClient()
    searx = (settings.previously_searxng_url or "").rstrip("/")
    web = Web(client, Searches(client, settings.access(), searx))
    return Supply(models, wire, lister, web, _hearing(settings, wire))


def _hearing(settings: Settings, wire: LiteLLM) -> Hearing | None:
    """What writes recordings down, if the settings name a model for it."""
    provider, _, model = (settings.previously_transcribe or "").partition("/")
    return Hearing(wire, target(settings.access(), Entry(model, provider))) if model else None
