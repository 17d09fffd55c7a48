"""The side of the people: what they write, edit, press, forward and send, in private chats, groups and channels."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.doubles.telegram.world import BOT, TAP, Chat

if TYPE_CHECKING:
    from tests.doubles.telegram.entities import Json
    from tests.doubles.telegram.world import TelegramWorld

MIME = {"jpg": "image/jpeg", "png": "image/png", "pdf": "application/pdf", "txt": "text/plain", "ogg": "audio/ogg"}


class Person:
    """Somebody with an account; the private chat with the bot has the same id."""

    def __init__(
        self, world: TelegramWorld, person: int, name: str = "Mara", language: str = "en", *, bot: bool = False
    ) -> None:
        self.world = world
        self.id = person
        self.name = name
        self.language = language
        self.bot = bot
        self.chat = world.chats.setdefault(person, Chat(person, "private", name))

    def face(self) -> Json:
        """The person as updates show them."""
        face: Json = {"id": self.id, "is_bot": self.bot, "first_name": self.name}
        return face | ({"language_code": self.language} if self.language else {})

    def say(self, text: str = "", *, chat: Chat | None = None, **more: Any) -> Json:
        """Send a message; `more` are further fields of it. Returns it as it stands in the chat."""
        body: Json = ({"text": text} if text else {}) | more
        message = self.world.post(chat or self.chat, body, sender=self.face())
        self.world.enqueue("message", message)
        return message

    def edit(self, message: Json, text: str | None = None) -> Json:
        """Edit a message; without a text only something about it changes (a preview, a reaction count)."""
        if text is not None:
            message["caption" if "caption" in message else "text"] = text
        message["edit_date"] = self.world.now()
        self.world.enqueue("edited_message", message)
        return message

    def reply(self, to: Json, text: str, quote: str = "") -> Json:
        """Reply to a message, quoting a part of it or not."""
        target = {key: value for key, value in to.items() if key != "reply_to_message"}
        quoted: Json = {"quote": {"text": quote, "position": str(to.get("text", "")).find(quote), "is_manual": True}}
        return self.say(text, reply_to_message=copy.deepcopy(target), **(quoted if quote else {}))

    def forward(self, text: str, origin: Json | None = None, **more: Any) -> Json:
        """Forward something that somebody else wrote."""
        written = {"type": "hidden_user", "sender_user_name": "Anna", "date": self.world.now() - 3600}
        return self.say(text, forward_origin=origin or written, **more)

    def paste(self, text: str) -> list[Json]:
        """Send more than fits into one message: the app splits it."""
        return [self.say(text[at : at + 4096]) for at in range(0, len(text), 4096)]

    def photo(self, data: bytes, caption: str = "", group: str = "") -> Json:
        """Send a photo, alone or as part of an album."""
        large = self.world.keep_file(data, "photo.jpg") | {"width": 1280, "height": 960}
        small = self.world.keep_file(data[:10], "photo.jpg") | {"width": 90, "height": 67}
        return self.say(photo=[small, large], **_captioned(caption), **_grouped(group))

    def document(self, data: bytes, name: str, caption: str = "", *, size: int = 0) -> Json:
        """Send a file; `size` pretends to more bytes."""
        media = MIME.get(name.rpartition(".")[2], "application/octet-stream")
        kept = self.world.keep_file(data, name, size) | {"file_name": name, "mime_type": media}
        return self.say(document=kept, **_captioned(caption))

    def voice(self, data: bytes, seconds: int = 3) -> Json:
        """Say something."""
        return self.say(voice=self.world.keep_file(data, "voice.ogg") | {"duration": seconds, "mime_type": "audio/ogg"})

    def sticker(self, emoji: str) -> Json:
        """Send a sticker."""
        kept = self.world.keep_file(b"RIFF", "sticker.webp")
        shape = {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False}
        return self.say(sticker={**kept, **shape, "emoji": emoji})

    def location(self, latitude: float, longitude: float) -> Json:
        """Share a place."""
        return self.say(location={"latitude": latitude, "longitude": longitude})

    def press(self, button: str, message: Json | None = None) -> str:
        """Press the button of that label (or data) on a message, by default the newest that has it; the tap's id."""
        holders = [message] if message else sorted(self.chat.messages.values(), key=lambda one: -int(one["message_id"]))
        for holder in holders:
            for row in holder.get("reply_markup", {}).get("inline_keyboard", []):
                for one in row:
                    if button in {one["text"], one.get("callback_data")} and "callback_data" in one:
                        return self.tap(holder, one["callback_data"])
        raise AssertionError(f"nobody can press {button!r}: {[b for h in holders for b in labels(h)]}")

    def tap(self, message: Json, data: str, *, inaccessible: bool = False) -> str:
        """The tap that a button with that data makes; of an inaccessible message Telegram tells only the id."""
        tap = self.world.next_tap()
        seen = {"chat": message["chat"], "message_id": message["message_id"], "date": 0} if inaccessible else message
        body = {"id": tap, "from": self.face(), "chat_instance": "1", "data": data, "message": seen}
        self.world.taps[tap] = self.world.clock.monotonic() + self.world.answer_tap
        self.world.enqueue("callback_query", body, TAP)
        return tap

    def react(self, message: Json, emoji: str) -> None:
        """React to a message."""
        body = {
            "chat": self.chat.face(), "message_id": message["message_id"], "user": self.face(),
            "date": self.world.now(), "old_reaction": [], "new_reaction": [{"type": "emoji", "emoji": emoji}],
        }  # fmt: skip
        self.world.enqueue("message_reaction", body)

    def stop(self) -> None:
        """Press the native Stop of a draft that is shown with one."""
        draft = self.chat.draft
        assert draft, "there is no draft"
        assert draft.get("can_stop"), "the draft has no stop"
        self.world.enqueue("stopped_message_generation", {"chat": self.chat.face(), "draft_id": int(draft["draft_id"])})

    def block(self, *, blocked: bool = True) -> None:
        """Block the bot, or let it in again."""
        self.chat.alive = not blocked
        states = ("member", "kicked") if blocked else ("kicked", "member")
        bot = self.world.me()
        old, new = ({"status": one, "user": bot} | ({"until_date": 0} if one == "kicked" else {}) for one in states)
        body = {"chat": self.chat.face(), "from": self.face(), "date": self.world.now()}
        self.world.enqueue("my_chat_member", body | {"old_chat_member": old, "new_chat_member": new})

    def buttons(self) -> list[str]:
        """The labels on the bot's newest message."""
        return labels(self.world.last(self.id))


def group(world: TelegramWorld, number: int = -1001, kind: str = "supergroup", title: str = "Neighbours") -> Chat:
    """A group or channel that the bot is in."""
    return world.chats.setdefault(number, Chat(number, kind, title))


def channel_post(world: TelegramWorld, chat: Chat, text: str) -> Json:
    """A post in a channel: it has no sender."""
    message = {
        "message_id": world.next_message(), "date": world.now(), "chat": chat.face(),
        "sender_chat": chat.face(), "text": text,
    }  # fmt: skip
    world.enqueue("channel_post", message)
    return message


def labels(message: Json) -> list[str]:
    """The labels of a message's buttons."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [str(button["text"]) for row in rows for button in row]


def draw(world: TelegramWorld, chat: int, since: int = 0) -> str:
    """The chat as a person sees it, as text, from a message on."""
    lines: list[str] = []
    for number, one in sorted(world.chats[chat].messages.items()):
        if number < since:
            continue
        mine = one["from"]["id"] == BOT
        body = str(one.get("text", one.get("caption", "")))
        kinds = [kind for kind in ("photo", "document", "voice", "sticker", "location") if kind in one]
        lines.append(f"{'  ' if mine else '> '}{''.join(f'[{kind}] ' for kind in kinds)}{body}")
        rows = one.get("reply_markup", {}).get("inline_keyboard", [])
        lines += ["    " + " ".join(f"[ {button['text']} ]" for button in row) for row in rows]
    return "\n".join(lines)


def _captioned(caption: str) -> Json:
    return {"caption": caption} if caption else {}


def _grouped(group: str) -> Json:
    return {"media_group_id": group} if group else {}
