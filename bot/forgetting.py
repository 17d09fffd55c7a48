"""`/forget`: what is to go is shown first, then asked, then told (pains P065)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from core.document import Document, Text
from core.errors import Malformed, NotAFile, NotFound
from core.journal.records import Try
from core.language.recent import recent
from core.slices.model import USER, is_slice_id
from core.slices.notes import spoken
from core.views.asked import only_days
from core.views.forgetting import NO, NOW, SHOWN, UNDO, YES, how_page, preview_page, receipt_page, undone_page

if TYPE_CHECKING:
    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.i18n import Words
    from core.owning.forget import Forgetting
    from core.owning.wanted import Wanted
    from core.turn.parts import Parts

EMPTY: Final = "empty"
_ANSWER: Final = re.compile(r"([A-Za-z0-9_-]{6})\.([a-z]{2,5})\Z", re.ASCII)
TYPED: Final = "terminal"
"""The surface without buttons."""


class Forgets:
    """Answers it. A yes counts for what was shown last, a button for what it stands under."""

    def __init__(self, parts: Parts, catalog: Catalog, forgetting: Forgetting) -> None:
        self._parts = parts
        self._catalog = catalog
        self._forgetting = forgetting

    async def forget(self, asked: Asked) -> Document:
        """The page of what was asked; a yes, a no, or taking it back changes memory."""
        words = asked.reader.words
        said = asked.argument.strip()
        self._parts.journal.purge()  # whoever asks for something to be forgotten names it
        if not said:
            return how_page(words)
        found = _ANSWER.match(said)
        token, answer = (found[1], found[2]) if found else ("", _meant(said, words))
        match answer:
            case "yes" | "now":
                return await self._carry_out(token or self._waiting(asked), words, now=answer == NOW)
            case "no":
                self._forgetting.let_be()
                return Document((Text(words("forget.let_be")),))
            case "undo":
                return await self._undo(asked, token)
            case "empty":
                return Document((Text(words("forget.emptied", n=self._forgetting.bin.empty())),))
            case _:
                return await self._preview(asked, said)

    async def _preview(self, asked: Asked, said: str) -> Document:
        wanted = await self._wanted(said, asked)
        preview = await self._forgetting.preview(asked.turn, wanted)
        if preview is None:
            return Document((Text(asked.reader.words("forget.nothing")),))
        pieces = [one for one in await self._catalog.pieces() if one.id in preview.wanted.slices]
        first = {one.id: await self._first(one.id, preview.wanted) for one in pieces[:SHOWN]}
        return preview_page(preview, pieces, first, asked.reader, typing=asked.surface == TYPED)

    async def _first(self, slice_id: str, wanted: Wanted) -> str:
        """The first words of the person that go from a slice, "" when none of theirs do."""
        try:
            turns = (await self._parts.slices.load(slice_id)).slice.turns
        except (NotFound, NotAFile, Malformed):
            return ""
        labels = None if slice_id in wanted.whole else wanted.parts.get(slice_id, ())
        mine = (spoken(turn.text) for turn in turns if turn.role == USER and (labels is None or turn.label in labels))
        return next((text for text in mine if text.strip()), "")

    async def _wanted(self, said: str, asked: Asked) -> Wanted:
        """A slice, the last minutes, days in figures or words, else a topic or words."""
        search, slice_id = self._forgetting.search, said.replace("/", "-")
        if is_slice_id(slice_id):
            return await search.slices([slice_id])
        length = recent(said)
        if length:
            return await search.since(self._parts.clock.now() - length)
        days = only_days(said if any(map(str.isalpha, said)) else slice_id, asked.reader.today)
        if days:
            calendar = await self._catalog.calendar(asked.reader.zone)
            return await search.slices([one.id for one in calendar.between(days.first, days.last)])
        return await search.about(said)

    def _waiting(self, asked: Asked) -> str:
        """What waits for a yes; for a yes that an earlier process has begun to carry out, what was forgotten last."""
        journal, waits = self._parts.journal, self._forgetting.asked
        again = bool(journal.state.opened(asked.turn).tries)
        journal.append(Try(asked.turn, 1))
        lines = self._parts.keeper.forgotten.lines
        return waits or (lines[-1].id if again and lines else "")

    async def _carry_out(self, token: str, words: Words, *, now: bool) -> Document:
        receipt = await self._forgetting.carry_out(token, now=now) if token else None
        return receipt_page(receipt, words) if receipt else Document((Text(words("forget.unasked")),))

    async def _undo(self, asked: Asked, token: str) -> Document:
        """Take it back, once: a command that is tried again after a crash finds it taken back."""
        words, journal = asked.reader.words, self._parts.journal
        again = bool(journal.state.opened(asked.turn).tries)
        journal.append(Try(asked.turn, 1))
        undone = await self._forgetting.undo(token)
        if undone:
            return undone_page(undone, words)
        return Document((Text(words("forget.undone" if again else "forget.empty")),))


def _meant(said: str, words: Words) -> str:
    """What a single word answers, in English or in the person's language; "" when it is no answer."""
    plain = unicodedata.normalize("NFKC", said).casefold()
    for answer in (YES, NOW, NO, UNDO, EMPTY):
        if plain == answer or plain in words(f"forget.word.{answer}").split():
            return answer
    return ""
