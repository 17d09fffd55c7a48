"""The pictures that go to the model with the newest message: its own, and those of the turns just before.

They are read from the links in the stored words, so a turn that is begun again sees the same. All of them go with the
newest message, whose place in the prompt changes anyway: what stands before it keeps its bytes (DESIGN 6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.errors import NotAFile, NotFound, PathRefused
from core.llm.base import Image
from core.slices.filed import links
from core.slices.model import folder_of
from core.slices.notes import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.storage.base import Storage

TURNS: Final = 3
"""Of how many of the newest turns the pictures are shown, so that a second question about one can be answered."""
MOST: Final = 4
BYTES: Final = 5 << 20
"""Bytes of all pictures of a request together."""
ONE: Final = 3_500_000
"""Bytes of one picture: providers refuse those above 5 MB, in the larger form in which they are sent."""

_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".gif", ".webp")


async def pictures(storage: Storage, slice_id: str, said: Sequence[str]) -> tuple[Image, ...]:
    """The pictures of the slice to which these words of the person link, newest words first; the oldest comes first."""
    found: list[Image] = []
    room = BYTES
    for text in said[:TURNS]:
        of_turn: list[Image] = []
        for head, name in links(spoken(text)):
            image = await _picture(storage, slice_id, head, name) if name.endswith(_ENDINGS) else None
            if image and len(image.data) <= min(room, ONE) and len(found) + len(of_turn) < MOST:
                room -= len(image.data)
                of_turn.append(image)
        found[:0] = of_turn
    return tuple(found)


async def _picture(storage: Storage, slice_id: str, head: str, name: str) -> Image | None:
    try:
        data = (await storage.read(f"{folder_of(slice_id)}/files/{name}")).data
    except (NotFound, NotAFile, PathRefused, ValueError):
        return None
    media = media_of(data)
    return Image(media, data, head) if media else None


def media_of(data: bytes) -> str:
    """What kind of picture the bytes are by themselves, whatever their sender says; "" for none that models take."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""
