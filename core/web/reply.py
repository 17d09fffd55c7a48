"""What a request to the world gives back, and the network below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

SECONDS: Final = 20.0
"""Seconds of the wall clock for a page, its redirects included (reliability 4.3)."""
BYTES: Final = 2 * 1024 * 1024
"""Bytes of a page that are read."""


class Network(Protocol):
    """How names become addresses, and where a judged address is reached."""

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a host. Raises `OSError`."""

    def dial(self, address: str, port: int) -> tuple[str, int]:
        """Where to connect for an address that was found public."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came for one request: where to go on to ("" for nowhere), or a page; `cut` when it was longer than allowed.

    `status` is HTTP's.
    """

    status: int
    body: bytes = b""
    media: str = ""
    charset: str = ""
    location: str = ""
    cut: bool = False
