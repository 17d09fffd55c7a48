"""Telegram Desktop's `result.json`: one chat, or the whole account.

The person is known by `personal_information` of a whole account, by the peer of a single chat with one other, or by the
name that is given. What others wrote is kept as a quote headed with who it was: it is history, and no evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import Unfit
from core.owning.talks import Reader, Said, Source, Talk, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

_PAIRS: Final = ("personal_chat", "bot_chat")
_ALONE: Final = ("saved_messages",)
_MEDIA: Final = ("media_type", "photo", "file", "sticker_emoji", "contact_information", "location_information", "poll")


def is_telegram(value: object) -> bool:
    """Whether a JSON value looks like such a file."""
    if not isinstance(value, dict):
        return False
    chats = value.get("chats")
    return isinstance(value.get("messages"), list) or (isinstance(chats, dict) and "list" in chats)


def read_telegram(value: Mapping[str, Any], name: str, now: datetime, me: str = "") -> Source:
    """The conversations; `me` is the person's name or id in the export where it cannot be told. Raises `Unfit`."""
    read = Reader(name, now)
    if "messages" in value:
        chats, own = [value], ""
    else:
        chats = list(read.items(read.record(value.get("chats"), "chats").get("list"), "chats.list"))
        own = _account(read, value)
    talks: list[Talk] = []
    passed = 0
    for number, chat in enumerate(chats):
        talk, without = _chat(read, read.record(chat, f"chats[{number}]"), f"chats[{number}]", own, me)
        passed += without
        if talk.messages:
            talks.append(talk)
    return Source("telegram", tuple(talks), passed)


def _account(read: Reader, value: Mapping[str, Any]) -> str:
    person = value.get("personal_information")
    found = person.get("user_id") if isinstance(person, dict) else None
    return f"user{read.name_of(found, 'personal_information.user_id')}" if found is not None else ""


def _chat(read: Reader, chat: Mapping[str, Any], place: str, own: str, me: str) -> tuple[Talk, int]:
    chat_id, kind = read.name_of(chat.get("id"), f"{place}.id"), read.text(chat.get("type"), f"{place}.type")
    messages: list[Said] = []
    passed = 0
    for number, raw in enumerate(read.items(chat.get("messages"), f"{place}.messages")):
        spot = f"{place}.messages[{number}]"
        one = read.record(raw, spot)
        text = _text(read, one, spot)
        if one.get("type") != "message" or not text:
            passed += 1
            continue
        read.count()
        who, author = read.text(one.get("from"), f"{spot}.from"), one.get("from_id")
        at = read.moment(one.get("date_unixtime") or one.get("date"), f"{spot}.date")
        key = f"im:tg:{chat_id}:{read.name_of(one.get('id'), f'{spot}.id')}"
        mine = _is_mine(author, who, own, me, chat_id, kind)
        if mine is None:
            raise Unfit("import.who", name=read.name)
        forwarded = read.text(one.get("forwarded_from"), f"{spot}.forwarded_from")
        origin = forwarded or ("" if mine else who or chat_id)
        messages.append(Said(key, at, text, mine and not forwarded, origin))
    return in_order(read.text(chat.get("name"), f"{place}.name"), messages), passed


def _is_mine(author: object, who: str, own: str, me: str, chat_id: str, kind: str) -> bool | None:
    """Whether the person wrote it; None when nobody can tell."""
    if me:
        return me in {who, str(author), str(author).removeprefix("user")}
    if own:
        return author == own
    if kind in _ALONE:
        return True
    return author != f"user{chat_id}" if kind in _PAIRS else None


def _text(read: Reader, one: Mapping[str, Any], spot: str) -> str:
    """The words of a message, and a line for what else it carried."""
    raw = one.get("text")
    parts: Sequence[Any] = raw if isinstance(raw, list) else [raw]
    pieces: list[str] = []
    for part in parts:
        inner = part.get("text") if isinstance(part, dict) else part
        if inner is not None and not isinstance(inner, str):
            raise read.wrong(f"{spot}.text")
        pieces.append(inner or "")
    media = next((str(one[name]) if name == "media_type" else name for name in _MEDIA if one.get(name)), "")
    label = f"[{' '.join(media.split('_'))[:40]}]" if media else ""
    return "\n\n".join(part for part in (label, read.text("".join(pieces), f"{spot}.text")) if part)
