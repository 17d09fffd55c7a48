"""The pages across time: strands, one strand, and what is still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.card.legacy import read_card
from core.errors import Malformed
from core.slices.model import CARD_PATH
from core.views.asked import paged
from core.views.loops import FADED, loops_of, loops_page
from core.views.strands import named, strand_page, strands_page, unknown_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.card.model import Entry
    from core.document import Document


class Topics:
    """Makes them; changes nothing."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def strands(self, asked: Asked) -> Document:
        """All strands."""
        return strands_page(await self._catalog.index(), paged(asked.argument)[1], asked.reader)

    async def strand(self, asked: Asked) -> Document:
        """The slices of one strand, or what may have been meant."""
        index = await self._catalog.index()
        name, page = named(index, await self._catalog.aliases(), asked.argument)
        if name is None:
            return unknown_page(index, asked.argument, asked.reader)
        wanted = {path.replace("/", "-") for path in index[name]}
        pieces = [piece for piece in await self._catalog.pieces() if piece.id in wanted]
        return strand_page(name, pieces, page, asked.reader)

    async def loops(self, asked: Asked) -> Document:
        """What is open: promises of the card, loops of the slices."""
        wanted, page = paged(asked.argument)
        found = loops_of(await self._catalog.pieces())
        return loops_page(found, await self._promises(), wanted if wanted == FADED else "", page, asked.reader)

    async def _promises(self) -> Sequence[Entry]:
        """What the card's Horizon holds, the nearest first, undated ones last."""
        try:
            horizon = read_card(await self._catalog.text(CARD_PATH)).horizon
        except Malformed:
            return ()
        return sorted(horizon, key=lambda entry: entry.by or "9")
