"""The chat double over a socket: the platform in the parent outlives every bot that is killed.

One JSON object a line. The bot asks, the platform answers; what had been sent before a kill counts as having arrived.
"""

from __future__ import annotations

import json
import select
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from core.clock import SystemClock
from core.conversation import Incoming
from core.errors import PlatformTrouble

if TYPE_CHECKING:
    import socket

    from tests.doubles.chat import World

SPEED = 20
"""How many times faster the bot's clock runs: the quiet that a message needs passes within one short life."""


class QuickClock:
    """The machine's clock, faster, from `start` on."""

    def __init__(self, start: datetime) -> None:
        self._start = start
        self._real = SystemClock()
        self._began = self._real.monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return (self._real.monotonic() - self._began) * SPEED

    async def sleep(self, seconds: float) -> None:
        await self._real.sleep(seconds / SPEED)


class Lines:
    """Whole lines out of a socket."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._rest = b""

    def next(self, timeout: float | None) -> dict[str, Any] | None:
        """The next object; None when none came in time or the other side is gone."""
        while b"\n" not in self._rest:
            if not select.select([self._wire], [], [], timeout)[0]:
                return None
            try:
                data = self._wire.recv(65536)
            except ConnectionError:
                return None
            if not data:
                return None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found


def send(wire: socket.socket, **fields: Any) -> None:
    wire.sendall(json.dumps(fields).encode() + b"\n")


class Remote:
    """The platform as the bot sees it; it has what `Chat` and `Bubble` ask of a `World`."""

    def __init__(self, wire: socket.socket, clock: QuickClock) -> None:
        self._wire = wire
        self._lines = Lines(wire)
        self._clock = clock

    async def pending(self) -> list[Incoming]:
        while True:
            found = self._ask(op="pending")["updates"]
            if found:
                return [_incoming(one) for one in found]
            await self._clock.sleep(0.002 * SPEED)

    def acknowledge(self, updates: list[Incoming]) -> None:
        self._ask(op="acknowledge", keys=[update.key for update in updates])

    def show(self, text: str) -> int:
        return int(self._ask(op="show", text=text)["id"])

    def change(self, message: int, text: str) -> None:
        if not self._ask(op="change", id=message, text=text)["ok"]:
            raise PlatformTrouble(f"there is no message {message}")

    def tell(self, **fields: Any) -> None:
        """Say something that needs no answer."""
        send(self._wire, **fields)

    def _ask(self, **fields: Any) -> dict[str, Any]:
        send(self._wire, **fields)
        answer = self._lines.next(None)
        if answer is None:
            raise PlatformTrouble("the platform is gone")
        return answer


def serve(world: World, asked: dict[str, Any]) -> dict[str, Any] | None:
    """Do what the bot asks of the platform, and its answer; None for what needs none."""
    match asked["op"]:
        case "pending":
            return {"updates": [_told(update) for update in world.queue]}
        case "acknowledge":
            world.acknowledge([update for update in world.queue if update.key in asked["keys"]])
            return {}
        case "show":
            return {"id": world.show(asked["text"])}
        case "change":
            known = asked["id"] in world.messages
            if known:
                world.change(asked["id"], asked["text"])
            return {"ok": known}
        case _:
            return None


def _told(update: Incoming) -> dict[str, str]:
    return {"key": update.key, "text": update.text, "sent": update.sent.isoformat()}


def _incoming(one: dict[str, str]) -> Incoming:
    sent = datetime.fromisoformat(one["sent"])
    return Incoming(one["key"], "double", "1", sent, one["text"], locale="en", zone="UTC")
