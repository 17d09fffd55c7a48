"""What is sent for one turn: every message is a mark first, noted, and then edited into what it says (reliability 2.8).

Telegram has no key by which a message is sent only once. A process that dies between sending and noting can therefore
leave a bare mark behind, and never a second answer; edits may be repeated as often as one likes.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from adapters.telegram.render import plainly
from adapters.telegram.rendered import CAPTION, Part
from adapters.telegram.units import units

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from adapters.telegram.api import Api, Keyboard
    from adapters.telegram.lanes import Outcome
    from adapters.telegram.rendered import NamedFile, Rendered
    from core.conversation import Outbox

MARK: Final = Part("…")
"""What a message reads before it says anything."""

PAGE: Final = 1000
"""Part numbers of a turn's pages begin at multiples of this; those below belong to its answer."""

FILES: Final = 500
"""Part numbers of files, counted from those of the text that they belong to."""

PICTURE: Final = 499

_log = logging.getLogger("previously.telegram")


class Delivery:
    """Brings the parts of one turn into a chat."""

    def __init__(self, api: Api, chat: str, turn: str, outbox: Outbox) -> None:
        self._api = api
        self._chat = chat
        self._turn = turn
        self._outbox = outbox
        self._placed: dict[int, int] = {}
        self.blocked = False

    def known(self, part: int) -> int | None:
        """The message of that part, also one that an earlier process sent."""
        if part not in self._placed:
            noted = self._outbox.sent(self._turn, part)
            if noted is None or not noted.isdecimal():
                return None
            self._placed[part] = int(noted)
        return self._placed[part]

    async def place(self, part: int, keyboard: Keyboard = (), *, silent: bool = False, reply: int = 0) -> int | None:
        """The message of that part, sent as a mark if there is none yet; None when the person has blocked the bot.

        Raises `PlatformTrouble`, and `StorageError` when it could not be noted.
        """
        known = self.known(part)
        if known is not None:
            return known
        answer = await self._api.send(self._chat, MARK, keyboard, silent=silent, repeat=True, reply=reply)
        return await self._noted(part, answer.value)

    async def grow(self, part: int, text: Part, keyboard: Keyboard) -> bool:
        """Show more of a part that has been placed, if Telegram likes; whether it does."""
        message = self.known(part)
        return message is not None and await self._api.try_edit(self._chat, message, text, keyboard)

    async def deliver(
        self, page: Rendered, first: int = 0, *, silent: bool = False, image: bytes = b"", reply: int = 0
    ) -> None:
        """Let the messages from part `first` on say all of the page, the first of them as a reply to that message.

        Raises `PlatformTrouble` and `StorageError`.
        """
        if reply and not self.blocked:
            await self.place(first, silent=silent, reply=reply)
        captioned = bool(image) and units(page.parts[0].text) <= CAPTION
        for number, part in enumerate(page.parts):
            keyboard = page.keyboard if number == len(page.parts) - 1 else ()
            picture = image if captioned and number == 0 else b""
            await self._say(first + number, part, keyboard, picture, silent=silent or number > 0)
        if image and not captioned:
            await self._say(first + PICTURE, MARK, (), image, silent=True)
        for number, file in enumerate(page.files):
            await self._attach(first + FILES + number, file)
        await self._clear(first + len(page.parts))

    async def replace(self, message: str, page: Rendered, image: bytes = b"") -> bool:
        """Show the page in place of a message that is there; whether that was possible."""
        if not message.isdecimal() or len(page.parts) > 1 or (image and units(page.parts[0].text) > CAPTION):
            return False
        outcome = await self._change(int(message), page.parts[0], page.keyboard, image)
        if outcome == "wordless":  # a picture cannot become text
            await self._api.delete(self._chat, int(message))
        if outcome == "done":
            for number, file in enumerate(page.files):
                await self._attach(PAGE + FILES + number, file)
        self.blocked = outcome == "blocked"
        return outcome in {"done", "blocked"}

    async def _say(self, part: int, text: Part, keyboard: Keyboard, picture: bytes, *, silent: bool) -> None:
        message = None if self.blocked else await self.place(part, silent=silent)
        if message is None:
            return
        outcome = await self._change(message, text, keyboard, picture)
        if outcome in {"gone", "wordless"}:
            fresh = await self._noted(part, (await self._api.send(self._chat, MARK, silent=True, repeat=True)).value)
            outcome = await self._change(fresh, text, keyboard, picture) if fresh else "blocked"
        self.blocked = outcome == "blocked"

    async def _change(self, message: int, text: Part, keyboard: Keyboard, picture: bytes) -> Outcome:
        """Let a message say so: as it should look, else without its looks, else without its buttons (ux.md 3)."""
        tries: tuple[Callable[[], Awaitable[Outcome]], ...] = (
            lambda: self._api.edit(self._chat, message, text, keyboard),
            lambda: self._api.edit(self._chat, message, plainly(text), keyboard),
            lambda: self._api.edit(self._chat, message, plainly(text)),
        )
        if picture:
            tries = (lambda: self._api.illustrate(self._chat, message, picture, text, keyboard), *tries)
        outcome: Outcome = "misformed"
        for attempt in tries:
            outcome = await attempt()
            if outcome != "misformed":
                break
        if outcome == "misformed":
            _log.error("a message of turn %s cannot be shown in any form", self._turn)
        return outcome

    async def _attach(self, part: int, file: NamedFile) -> None:
        if self.known(part) is None and not self.blocked:
            await self._noted(part, (await self._api.send_file(self._chat, file)).value)

    async def _clear(self, part: int) -> None:
        """Take away messages that an answer which grew had needed, and its final form does not."""
        while (surplus := self.known(part)) is not None:
            await self._api.delete(self._chat, surplus)
            del self._placed[part]
            part += 1
            if self._outbox.sent(self._turn, part) is None:
                break

    async def _noted(self, part: int, message: int | None) -> int | None:
        if message is None:
            self.blocked = True
            return None
        self._placed[part] = message
        await self._outbox.note(self._turn, part, str(message))
        return message
