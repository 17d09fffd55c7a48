"""Turns as the keeper writes them, without a house: the words, then the answer, each with its messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.clock import iso
from core.errors import Conflict, NotFound
from core.slices import codec, merge
from core.slices.messages import Message, decode_messages, encode_messages, merge_messages
from core.slices.model import Slice, Turn, core_path, messages_path
from core.storage.base import ABSENT, Write

if TYPE_CHECKING:
    from core.storage.base import Storage
    from tests.core.storage.github.given import Replica

SLICE = "2026-03-09-1842"


@dataclass
class Talker:
    """Says and answers in a slice, through the replica's storage."""

    replica: Replica
    slice: str = SLICE

    async def say(self, turn: str, text: str = "") -> None:
        await self._turn(f"words {turn}", Turn(turn, self._at(), "user", text or f"words of {turn}"))

    async def answer(self, turn: str, text: str = "") -> None:
        await self._turn(f"answer {turn}", Turn(turn, self._at(), "agent", text or f"answer to {turn}"))

    async def both(self, turn: str) -> None:
        await self.say(turn)
        await self.answer(turn)

    async def close(self, focus: str = "") -> None:
        def closed(found: Slice) -> Slice:
            return merge.close(replace(found, focus=focus), "user_explicit", self._at())

        await self._change("care close", closed, ())

    def _at(self) -> str:
        return iso(self.replica.clock.now())

    async def _turn(self, message: str, turn: Turn) -> None:
        line = Message(turn.label, turn.role, f"tg:7:{turn.label}{turn.role}", turn.at)
        await self._change(message, lambda found: merge.merge_turns(found, [turn]), (line,))

    async def _change(self, message: str, change: object, lines: tuple[Message, ...]) -> None:
        storage, core, notes = self.replica.storage, core_path(self.slice), messages_path(self.slice)
        for _ in range(5):
            old, version = await read(storage, core)
            found = codec.decode(old, core) if old is not None else Slice(self.slice, start=self._at())
            said, said_version = await read(storage, notes)
            known = decode_messages(said or b"").entries
            assert callable(change)
            changes = [
                Write(core, codec.encode(change(found)).encode(), version),
                Write(notes, encode_messages(merge_messages(known, lines)), said_version),
            ]
            try:
                await storage.commit(changes, message)
            except Conflict:
                continue
            return


async def read(storage: Storage, path: str) -> tuple[bytes | None, str | None]:
    try:
        file = await storage.read(path)
    except NotFound:
        return None, ABSENT
    return file.data, file.version


def turns(data: bytes | None, slice_id: str = SLICE) -> list[str]:
    """`id role` of every turn of a slice's file, in order."""
    return [f"{turn.label} {turn.role}" for turn in codec.decode(data or b"", core_path(slice_id)).turns]
