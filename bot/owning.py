"""The commands by which a person owns the memory: forgetting, talk off the record, taking it out, bringing talk in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.forgetting import Forgets
from core.clock import iso
from core.document import Address, Choice, Choices, Document, Download, Text, Title
from core.journal.records import OffRecord
from core.owning.export import DISCORD, TELEGRAM, WHOLE, Exporter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from bot.catalog import Catalog
    from bot.helping import Asked
    from core.owning.forget import Forgetting
    from core.turn.parts import Parts


CARRIED: Final = {"telegram": TELEGRAM, "discord": DISCORD}
"""How many bytes a file may have on its way to the person."""


class Owning:
    """Answers `/forget`, `/offrecord`, `/import`, and `/export`, whose answer has a page for each file."""

    def __init__(self, parts: Parts, catalog: Catalog, forgetting: Forgetting) -> None:
        self._parts = parts
        self._forgets = Forgets(parts, catalog, forgetting)

    @property
    def answers(self) -> Mapping[str, Callable[[Asked], Awaitable[Document]]]:
        """The commands by name."""
        return {"forget": self._forgets.forget, "offrecord": self._off_record, "import": self._import}

    async def export(self, asked: Asked) -> AsyncIterator[Document]:
        """All of memory as files, one page each, of the size that the surface carries."""
        words, clock = asked.reader.words, self._parts.clock
        limit = CARRIED.get(asked.surface, WHOLE)
        exporter = Exporter(self._parts.storage, self._parts.slices, lambda: clock.sleep(0), limit)
        stem = f"previously-{asked.reader.today.isoformat()}"
        async for part in exporter.parts(words, asked.reader.zone, asked.at):
            lead = words("export.part", n=part.number) if part.number > 1 or not part.last else words("export.all")
            yield Document((Text(lead), Download(part.name(stem), part.data)))

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
