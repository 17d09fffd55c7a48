"""The world outside as a turn has it: pages, and the ways to search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.web.fetch import Fetched, fetch

if TYPE_CHECKING:
    from core.web.client import Client
    from core.web.search import Search, Searches


@dataclass(frozen=True, slots=True)
class Web:
    """Fetches pages and searches."""

    client: Client
    searches: Searches

    async def fetch(self, url: str) -> Fetched:
        """The page at an address. Raises `Refused` and `TryAgain`."""
        return await fetch(self.client, url)

    def search(self, provider: str) -> Search | None:
        """How to search while a model of that provider answers; None when there is no way."""
        return self.searches.by(provider)
