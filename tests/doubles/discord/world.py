"""What Discord knows, and the person in front of it: users, channels, messages, commands, interactions.

It survives the bot: a test ends one process and starts another over the same world. Times come from the test's clock.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.clock import Clock

EPOCH = 1_420_070_400_000
BOT, OWNER, STRANGER = 9000, 1001, 1002
DM, ROOM, OTHER_ROOM, GUILD = 5001, 5002, 5003, 7001
TOKEN = "bot-token-of-the-double"
EPHEMERAL, LOADING, V2 = 1 << 6, 1 << 7, 1 << 15
TOKEN_LIFE, NONCE_LIFE, HOUR = 15 * 60, 5 * 60, 3600
MESSAGE_CONTENT = 1 << 15
NEEDED = {True: 1 << 12, False: 1 << 9}
Json = dict[str, Any]


@dataclass
class Fault:
    """What the next matching request meets: a status with a body, or a connection that is reset before or after it."""

    method: str
    path: str
    status: int = 0
    body: Json = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    reset: str = ""
    times: int = 1


@dataclass
class Asked:
    """An interaction that waits for its first answer or can still be answered by its token."""

    id: int
    token: str
    channel: int
    kind: int
    born: float
    message: Json | None = None
    answered: int = 0
    original: int = 0
    response: Json = field(default_factory=dict)


class World:
    """The service. `closed` are people who take no messages, `lost` channels that the bot may not see any more."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.messages: dict[int, dict[int, Json]] = {DM: {}, ROOM: {}, OTHER_ROOM: {}}
        self.files: dict[str, bytes] = {}
        self.commands: list[Json] = []
        self.syncs = 0
        self.asked: dict[str, Asked] = {}
        self.choices: dict[int, list[Json]] = {}
        self.requests: list[tuple[str, str]] = []
        self.sent: list[Json] = []
        self.edits: list[tuple[int, Json]] = []
        self.typing = 0
        self.faults: list[Fault] = []
        self.closed: set[int] = set()
        self.lost: set[int] = set()
        self.approved = 0
        self.public = False
        self.patience = 3.0
        self.base = ""
        self.listeners: list[Callable[[str, Json, int, bool], None]] = []
        self._count = itertools.count(1)
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}

    def snowflake(self) -> int:
        """A new id, whose upper bits are the instant."""
        return (round(self.clock.now().timestamp() * 1000) - EPOCH << 22) + next(self._count)

    def now(self) -> str:
        return self.clock.now().isoformat()

    def fail(self, method: str, path: str, status: int = 0, body: Json | None = None, **more: Any) -> None:
        """Let the next request whose method and path (a regular expression) match meet that."""
        self.faults.append(Fault(method, path, status, body or {}, **more))

    # What people do.

    def say(  # noqa: PLR0913 - whatever a person can do with a message
        self,
        text: str,
        *,
        who: int = OWNER,
        channel: int = DM,
        files: dict[str, bytes] | None = None,
        reply: int = 0,
        forward: str = "",
        voice: bool = False,
        silent: bool = False,
    ) -> int:
        """Somebody writes; with `silent` nobody is told (it happened while no gateway was there). The message's id."""
        number = self.snowflake()
        message = self.shape(number, channel, who, {"content": text})
        message["attachments"] = [self._file(channel, name, data, voice) for name, data in (files or {}).items()]
        if reply:
            message["type"] = 19
            message["message_reference"] = {"type": 0, "channel_id": str(channel), "message_id": str(reply)}
            message["referenced_message"] = self.messages[channel].get(reply)
        if forward:
            message["message_reference"] = {"type": 1, "channel_id": "4444", "message_id": "4445"}
            copied: Json = {
                "content": forward,
                "timestamp": self.now(),
                "edited_timestamp": None,
                "flags": 0,
                "type": 0,
            }
            copied |= {"attachments": [], "embeds": [], "mentions": [], "mention_roles": [], "components": []}
            message["message_snapshots"] = [{"message": copied}]
        self.messages[channel][number] = message
        if not silent:
            self.tell("MESSAGE_CREATE", message, channel)
        return number

    def edit(self, number: int, text: str, *, channel: int = DM, silent: bool = False) -> None:
        """The person edits a message."""
        message = self.messages[channel][number]
        message["content"], message["edited_timestamp"] = text, self.now()
        if not silent:
            self.tell("MESSAGE_UPDATE", message, channel)

    def embed(self, number: int) -> None:
        """The service itself updates a message, adding the preview of a link: nobody has edited anything."""
        message = self.messages[DM][number]
        message["embeds"] = [{"type": "link", "url": "https://example.org"}]
        self.tell("MESSAGE_UPDATE", message, DM)

    def delete(self, number: int, *, channel: int = DM) -> None:
        """The person deletes a message."""
        del self.messages[channel][number]
        gone: Json = {"id": str(number), "channel_id": str(channel)}
        if channel == ROOM:
            gone["guild_id"] = str(GUILD)
        self.tell("MESSAGE_DELETE", gone, channel)

    def press(self, number: int, custom_id: str, *, who: int = OWNER, channel: int = DM) -> Asked:
        """Somebody presses a button that stands on a message."""
        message = self.messages[channel][number]
        if custom_id not in [one["custom_id"] for one in walk(message["components"]) if "custom_id" in one]:
            raise AssertionError(f"no button {custom_id} on that message")
        return self._ask(3, channel, who, {"custom_id": custom_id, "component_type": 2}, message)

    def select(self, number: int, custom_id: str, value: str, *, who: int = OWNER, channel: int = DM) -> Asked:
        """Somebody picks an option of a select."""
        message = self.messages[channel][number]
        menu = next(one for one in walk(message["components"]) if one.get("custom_id") == custom_id)
        assert value in [option["value"] for option in menu["options"]]
        return self._ask(3, channel, who, {"custom_id": custom_id, "component_type": 3, "values": [value]}, message)

    def submit(self, asked: Asked, text: str, *, who: int = OWNER) -> Asked:
        """Somebody fills in the form that a press was answered with."""
        form = asked.response or {"custom_id": "jump", "components": []}
        field: Json = {"type": 4, "custom_id": "when", "value": text}
        data = {"custom_id": form["custom_id"], "components": [{"type": 1, "components": [field]}]}
        return self._ask(5, asked.channel, who, data, asked.message)

    def interactions_answered(self) -> int:
        return sum(bool(one.answered) for one in self.asked.values())

    def slash(self, name: str, *, who: int = OWNER, channel: int = DM, locale: str = "en-US", **given: str) -> Asked:
        """Somebody uses a slash command that is registered."""
        return self._ask(2, channel, who, self._command(name, given), locale=locale)

    def complete(self, name: str, option: str, text: str, *, who: int = OWNER) -> Asked:
        """Somebody types into an option; what is offered stands in `choices` under the interaction's id."""
        data = self._command(name, {option: text})
        data["options"][0]["focused"] = True
        return self._ask(4, DM, who, data)

    # What the service does with it.

    def shape(self, number: int, channel: int, who: int, given: Json) -> Json:
        """A message as the API hands it out."""
        message = {
            "id": str(number),
            "channel_id": str(channel),
            "author": person(who),
            "content": given.get("content") or "",
            "timestamp": self.now(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": given.get("components") or [],
            "pinned": False,
            "type": 0,
            "flags": given.get("flags") or 0,
        }
        if channel == ROOM:
            message["guild_id"] = str(GUILD)
        return message

    def known(self, channel: int, nonce: str) -> Json | None:
        """The message that was sent with that nonce within the last minutes."""
        at, number = self._nonces.get((channel, nonce), (-NONCE_LIFE, 0))
        fresh = self.clock.monotonic() - at < NONCE_LIFE
        return self.messages[channel].get(number) if fresh else None

    def keep(self, channel: int, message: Json, nonce: str = "") -> None:
        number = int(message["id"])
        self.messages[channel][number] = message
        if nonce:
            self._nonces[channel, nonce] = (self.clock.monotonic(), number)
        self.sent.append(message)
        self.tell("MESSAGE_CREATE", message, channel)

    def attach(self, channel: int, name: str, data: bytes) -> Json:
        return self._file(channel, name, data, voice=False)

    def tell(self, event: str, data: Json, channel: int) -> None:
        """Tell every gateway session."""
        for listener in list(self.listeners):
            listener(event, data, NEEDED[channel == DM], channel == DM)

    def age(self, number: int) -> float:
        """Seconds since that id was made."""
        return self.clock.now().timestamp() - ((number >> 22) + EPOCH) / 1000

    def alive(self, asked: Asked) -> bool:
        return self.clock.monotonic() - asked.born < TOKEN_LIFE

    def texts(self, channel: int = DM) -> list[str]:
        """What the bot's messages say now, oldest first."""
        return [shown(one) for one in self.messages[channel].values() if one["author"]["id"] == str(BOT)]

    def own(self, channel: int = DM) -> list[Json]:
        """The bot's messages, oldest first."""
        return [one for one in self.messages[channel].values() if one["author"]["id"] == str(BOT)]

    def _ask(
        self, kind: int, channel: int, who: int, data: Json, message: Json | None = None, locale: str = "en-US"
    ) -> Asked:
        number = self.snowflake()
        asked = Asked(number, f"token-{number}", channel, kind, self.clock.monotonic(), message)
        self.asked[asked.token] = asked
        event: Json = {
            "id": str(number),
            "application_id": str(BOT),
            "type": kind,
            "data": data,
            "channel_id": str(channel),
            "token": asked.token,
            "version": 1,
            "locale": locale,
            "entitlements": [],
            "attachment_size_limit": 10 << 20,
            "authorizing_integration_owners": {"1": str(who)},
            "context": 1 if channel == DM else 0,
        }
        if channel == DM:
            event |= {"user": person(who), "channel": {"id": str(DM), "type": 1, "flags": 0}}
        else:
            member = {"user": person(who), "roles": [], "joined_at": self.now(), "deaf": False, "mute": False}
            event |= {"guild_id": str(GUILD), "member": member | {"flags": 0, "permissions": "0"}}
            event["channel"] = {"id": str(channel), "type": 0, "flags": 0, "guild_id": str(GUILD), "name": "room"}
        if message:
            event["message"] = message
        for listener in list(self.listeners):
            listener("INTERACTION_CREATE", event, 0, True)
        return asked

    def _command(self, name: str, given: dict[str, str]) -> Json:
        command = next(one for one in self.commands if one["name"] == name)
        known = {one["name"]: one for one in command.get("options", [])}
        options = [{"name": key, "type": known[key]["type"], "value": value} for key, value in given.items()]
        return {"id": command["id"], "name": name, "type": 1, "options": options}

    def _file(self, channel: int, name: str, data: bytes, voice: bool) -> Json:
        number = self.snowflake()
        path = f"/attachments/{channel}/{number}/{name}"
        self.files[path] = data
        kind = {"png": "image/png", "ogg": "audio/ogg", "txt": "text/plain; charset=utf-8"}
        file: Json = {"id": str(number), "filename": name, "size": len(data), "path": path}
        file["content_type"] = kind.get(name.rpartition(".")[2], "application/octet-stream")
        if voice:
            file |= {"duration_secs": 2.0, "waveform": "AAAA"}
        return self.signed(file)

    def signed(self, file: Json) -> Json:
        """The attachment with a link that works for a day."""
        until = int(self.clock.now().timestamp()) + 86_400
        url = f"{self.base}{file['path']}?ex={until:x}&is=0&hm=0"
        return file | {"url": url, "proxy_url": url}


def person(number: int) -> Json:
    """A user as the API hands it out."""
    names = {BOT: "previously", OWNER: "mara", STRANGER: "somebody"}
    user = {"id": str(number), "username": names[number], "discriminator": "0", "avatar": None}
    return user | {"global_name": None, "bot": number == BOT, "public_flags": 0}


def walk(components: list[Json]) -> list[Json]:
    """All components, also those inside others."""
    found = []
    for one in components:
        found += [one, *walk(one.get("components", []))]
        if "accessory" in one:
            found += walk([one["accessory"]])
    return found


def shown(message: Json) -> str:
    """What a message says: its content, or the texts of its components."""
    texts = [one["content"] for one in walk(message["components"]) if one["type"] == 10]
    return str(message["content"]) or "\n".join(texts)


def buttons(message: Json) -> dict[str, str]:
    """The buttons on a message: custom id by label."""
    return {one["label"]: one["custom_id"] for one in walk(message["components"]) if one["type"] == 2}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
