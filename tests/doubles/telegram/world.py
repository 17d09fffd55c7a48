"""What Telegram knows: chats and their messages, the queue of updates, files, and everything that happened.

It outlives the bot. `TelegramWorld` takes our Clock; its person-side lives in `people`.
"""

from __future__ import annotations

import asyncio
import copy
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.doubles.telegram.refusals import BLOCKED, Refusal, bad

if TYPE_CHECKING:
    from core.clock import Clock
    from tests.doubles.telegram.entities import Json

TOKEN = "7654321:AAdoubleDoubleDoubleDoubleDoubleDou"
BOT = 7654321
WEEK = 7 * 24 * 3600
DAY = 24 * 3600
TAP = 150
"""Seconds that a pressed button waits for a bot that is down."""

ANSWER_TAP = 15
"""Seconds in which a pressed button must be answered."""

DEFAULT_UPDATES = frozenset(
    {
        "message", "edited_message", "channel_post", "edited_channel_post", "callback_query", "my_chat_member",
        "business_message", "poll", "inline_query", "stopped_message_generation",
    }
)  # fmt: skip


@dataclass
class Chat:
    """A chat as the bot sees it; `alive` False: the person has blocked the bot."""

    id: int
    kind: str = "private"
    title: str = ""
    alive: bool = True
    messages: dict[int, Json] = field(default_factory=dict)
    draft: Json | None = None

    def face(self) -> Json:
        named = {"first_name": self.title} if self.kind == "private" else {"title": self.title}
        return {"id": self.id, "type": self.kind, **named}


@dataclass(frozen=True)
class Effect:
    """Something that the bot did: when (seconds of the world's stopwatch), by which method, to which message."""

    at: float
    method: str
    chat: int
    message: int
    given: Json

    @property
    def text(self) -> str:
        return str(self.given.get("text", self.given.get("caption", "")))


@dataclass
class Pending:
    """An update that the bot has not confirmed."""

    id: int
    kind: str
    body: Json
    until: float

    def json(self) -> Json:
        return {"update_id": self.id, self.kind: self.body}


@dataclass
class Hook:
    """Where updates are pushed to."""

    url: str
    secret: str


class TelegramWorld:
    """The platform. `faults` by method (or "*") are what its next calls meet, oldest first."""

    def __init__(self, clock: Clock, token: str = TOKEN) -> None:
        self.clock = clock
        self.token = token
        self.chats: dict[int, Chat] = {}
        self.log: list[Effect] = []
        self.files: dict[str, tuple[str, bytes, int]] = {}
        self.queue: list[Pending] = []
        self.arrived = asyncio.Event()
        self.hook: Hook | None = None
        self.allowed = DEFAULT_UPDATES
        self.confirmed: list[int] = []
        self.taps: dict[str, float] = {}
        self.answer_tap: float = ANSWER_TAP
        self.toasts: list[tuple[str, str]] = []
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.about: dict[tuple[str, str], str] = {}
        self.reactions: dict[tuple[int, int], list[str]] = {}
        self.faults: dict[str, deque[Fault]] = {}
        self.penalties: list[Penalty] = []
        self.revoked = False
        self._message = 100
        self._update = 51_000_000
        self._file = 0
        self._tap = 0
        self._last_update = clock.monotonic()

    def now(self) -> int:
        return int(self.clock.now().timestamp())

    def next_message(self) -> int:
        self._message += 1
        return self._message

    def next_tap(self) -> str:
        self._tap += 1
        return str(880_000_000 + self._tap)

    # the queue of updates

    def enqueue(self, kind: str, body: Json, seconds: float = DAY) -> int:
        """Put an update in the queue, unless the bot does not want its kind; its id, 0 when it was not wanted.

        After a quiet week ids begin anew somewhere else (the documented reason never to keep an offset).
        """
        now = self.clock.monotonic()
        if kind not in self.allowed:
            return 0
        if now - self._last_update >= WEEK:
            self._update = self._update // 3 + 17
        self._last_update = now
        self._update += 1
        self.queue.append(Pending(self._update, kind, copy.deepcopy(body), now + seconds))
        self.arrived.set()
        return self._update

    def waiting(self, offset: int | None, limit: int) -> list[Json]:
        """What a poll with that offset gets; what lies before it is confirmed and forgotten."""
        now = self.clock.monotonic()
        self.queue = [one for one in self.queue if one.until > now]
        if offset is not None and offset < 0:
            gone, self.queue = self.queue[:offset], self.queue[offset:]
        elif offset:
            gone = [one for one in self.queue if one.id < offset]
            self.queue = [one for one in self.queue if one.id >= offset]
        else:
            gone = []
        self.confirmed += [one.id for one in gone]
        return [one.json() for one in self.queue[:limit]]

    def confirm(self, update: int) -> None:
        """A webhook has taken the update."""
        self.queue = [one for one in self.queue if one.id != update]
        self.confirmed.append(update)

    # chats and messages

    def chat(self, given: object) -> Chat:
        """The chat that a call names; refused when there is none or the bot is blocked there."""
        try:
            found = self.chats.get(int(str(given)))
        except ValueError:
            found = None
        if found is None:
            raise bad("chat not found")
        if not found.alive:
            raise BLOCKED
        return found

    def post(self, chat: Chat, body: Json, *, sender: Json | None = None) -> Json:
        """Put a message into a chat: the bot's own unless `sender` says who. It removes a draft."""
        number = int(body.pop("message_id", 0)) or self.next_message()
        message = {
            "message_id": number,
            "date": self.now(),
            "chat": chat.face(),
            "from": sender or self.me(),
            **body,
        }
        chat.messages[number] = message
        chat.draft = None
        return message

    def own(self, chat: Chat, given: object, what: str) -> Json:
        """A message of the bot's own."""
        message = chat.messages.get(int(str(given or 0)))
        if message is None:
            raise bad(f"message to {what} not found")
        if message["from"]["id"] != BOT:
            raise bad(f"message can't be {'edited' if what == 'edit' else 'deleted'}")
        return message

    def me(self) -> Json:
        return {"id": BOT, "is_bot": True, "first_name": "Previously", "username": "previously_test_bot"}

    def note(self, method: str, chat: int, message: int, given: Json) -> None:
        self.log.append(Effect(self.clock.monotonic(), method, chat, message, given))

    # files

    def keep_file(self, data: bytes, name: str, size: int = 0) -> Json:
        """Store a file; `size` pretends to more bytes than there are."""
        self._file += 1
        ref = f"BQACAgFile{self._file:04d}"
        self.files[ref] = (f"documents/file_{self._file}.{name.rpartition('.')[2] or 'bin'}", data, size or len(data))
        return {"file_id": ref, "file_unique_id": f"AgFile{self._file}", "file_size": size or len(data)}

    # looking

    def effects(self, *methods: str, chat: int = 0) -> list[Effect]:
        """What the bot did by these methods (all of them when none is named)."""
        return [e for e in self.log if (not methods or e.method in methods) and (not chat or e.chat == chat)]

    def shown(self, chat: int) -> list[str]:
        """What the bot's messages in a chat read now, oldest first."""
        messages = self.chats[chat].messages
        return [text_of(one) for _, one in sorted(messages.items()) if one["from"]["id"] == BOT]

    def last(self, chat: int) -> Json:
        """The bot's last message in a chat."""
        return max(
            (one for one in self.chats[chat].messages.values() if one["from"]["id"] == BOT),
            key=lambda one: int(one["message_id"]),
        )

    # faults

    def fault(self, method: str, *faults: Fault) -> None:
        """What the next calls of a method ("*": of any) meet."""
        self.faults.setdefault(method.lower(), deque()).extend(faults)

    def penalise(self, seconds: float, *methods: str) -> None:
        """Flood control: these methods are refused with 429 for so long."""
        until = self.clock.monotonic() + seconds
        self.penalties.append(Penalty(until, frozenset(one.lower() for one in methods)))

    def next_fault(self, method: str) -> Fault | None:
        for name in (method, "*"):
            waiting = self.faults.get(name)
            if waiting:
                return waiting.popleft()
        return None


@dataclass(frozen=True)
class Fault:
    """`refuse` before anything happens; or lose the connection `before` or `after` the effect; or `hang`."""

    refuse: Refusal | None = None
    lose: str = ""
    status: int = 0
    wait: asyncio.Event | None = None


@dataclass(frozen=True)
class Penalty:
    """Methods refused until a moment of the stopwatch."""

    until: float
    methods: frozenset[str]


def text_of(message: Json) -> str:
    """What a message reads: its text, or its caption below what it carries."""
    carried = "".join(f"[{kind}]" for kind in ("photo", "document") if kind in message)
    return carried + str(message.get("text", message.get("caption", "")))
