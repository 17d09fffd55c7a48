"""The commands by which a person owns the memory: forgetting, talk off the record, taking it out, bringing talk in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.forgetting import Forgets
from core.clock import iso
from core.document import Address, Choice, Choices, Document, Text, Title
from core.journal.records import OffRecord

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.owning.forget import Forgetting
    from core.turn.parts import Parts


class Owning:
    """Answers `/forget`, `/offrecord` and `/import`."""

    def __init__(self, parts: Parts, catalog: Catalog, forgetting: Forgetting) -> None:
        self._parts = parts
        self._forgets = Forgets(parts, catalog, forgetting)

    @property
    def answers(self) -> Mapping[str, Callable[[Asked], Awaitable[Document]]]:
        """The commands by name."""
        return {"forget": self._forgets.forget, "offrecord": self._off_record, "import": self._import}

    async def _off_record(self, asked: Asked) -> Document:
        """Begin it, or end it with a word such as "off"."""
        words, journal = asked.reader.words, self._parts.journal
        if asked.argument.strip().casefold() in words("offrecord.word.off").split():
            journal.append(OffRecord())
            return Document((Text(words("offrecord.off")),))
        journal.append(OffRecord(asked.at or iso(self._parts.clock.now())))
        minutes = (await self._parts.config.load()).user.slicing.silence_minutes
        end = Choice(words("offrecord.end"), Address("offrecord", "off"))
        return Document((Title(words("offrecord.on")), Text(words("offrecord.about", n=minutes)), Choices((end,))))

    async def _import(self, asked: Asked) -> Document:
        """Where talk of elsewhere is brought in: at the machine, where the file is."""
        return Document((Title(asked.reader.words("import.title")), Text(asked.reader.words("import.how"))))
