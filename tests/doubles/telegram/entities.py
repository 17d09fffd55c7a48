"""What a text with entities, a keyboard and a list of commands must be, from the documented rules (ux.md 1.2)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

from tests.doubles.telegram.refusals import bad

TEXT, CAPTION, ENTITIES = 4096, 1024, 100
_PLAIN = {
    "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline",
    "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "date_time",
}  # fmt: skip
_BLOCKS = {"blockquote", "expandable_blockquote"}
_CODE = {"code", "pre"}
_SCHEMES = {"http", "https", "tg", "mailto", "tel"}
_INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_COMMAND = re.compile(r"[a-z0-9_]{1,32}\Z")
_BUTTONS = {"text", "callback_data", "url", "copy_text", "style", "login_url", "web_app", "icon_custom_emoji_id"}
ROW, BUTTONS = 8, 100

Json = dict[str, Any]


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def parsed(name: str, given: Json) -> Any:
    """A parameter that is JSON; None when it is not given."""
    if name not in given or given[name] == "":
        return None
    try:
        return json.loads(given[name])
    except json.JSONDecodeError:
        raise bad(f"can't parse {name}: can't parse JSON") from None


def written(
    given: Json, limit: int = TEXT, *, text: str = "text", entities: str = "entities"
) -> tuple[str, list[Json]]:
    """The text as Telegram would keep it and its entities; refused when a rule is broken."""
    if given.get("parse_mode"):
        raise bad("this double takes text with entities, no parse_mode")
    raw = str(given.get(text, ""))
    marks = parsed(entities, given) or []
    try:
        length = units(raw)
    except UnicodeEncodeError:
        raise bad("strings must be encoded in UTF-8") from None
    if _CONTROL.search(raw):
        raise bad("text holds control characters, which Telegram would drop")
    if limit == TEXT and _INVISIBLE.match(raw):
        raise bad("message text is empty")
    if length > limit:
        raise bad("message is too long" if limit == TEXT else "message caption is too long")
    _check_marks(raw, length, marks)
    return raw, marks


def _check_marks(text: str, length: int, marks: list[Json]) -> None:
    if len(marks) > ENTITIES:
        raise bad(f"{len(marks)} entities: those beyond 100 would be ignored")
    wide, spans = text.encode("utf-16-le"), []
    for mark in marks:
        offset, size = mark.get("offset"), mark.get("length")
        if not isinstance(offset, int) or not isinstance(size, int) or offset < 0 or size < 1 or offset + size > length:
            raise bad(f"ENTITY_BOUNDS_INVALID {mark} in {length} units")
        if _splits(wide, offset) or _splits(wide, offset + size):
            raise bad(f"entity begins in a middle of a UTF-16 symbol at byte offset {offset}")
        _check_kind(mark)
        spans.append((offset, offset + size, str(mark["type"])))
    _check_nesting(spans)


def _check_kind(mark: Json) -> None:
    kind = mark.get("type")
    if kind not in _PLAIN:
        raise bad(f"can't parse MessageEntity: unsupported type {kind!r}")
    if kind == "text_link" and urlsplit(str(mark.get("url", ""))).scheme not in {
        "http",
        "https",
        "tg",
        "mailto",
        "tel",
    }:
        raise bad(f"can't parse MessageEntity: invalid URL {mark.get('url')!r}")
    if kind == "date_time" and not isinstance(mark.get("unix_time"), int):
        raise bad("can't parse MessageEntity: date_time without unix_time")


def _check_nesting(spans: list[tuple[int, int, str]]) -> None:
    for at, (start, end, kind) in enumerate(spans):
        for other_start, other_end, other in spans[at + 1 :]:
            if other_start >= end or other_end <= start:
                continue
            inside = (start <= other_start and other_end <= end) or (other_start <= start and end <= other_end)
            if not inside:
                raise bad(f"entities {kind} and {other} cross")
            if kind in _BLOCKS and other in _BLOCKS:
                raise bad("block quotes can't be nested")
            if kind in _CODE or other in _CODE:
                outer, inner = (kind, other) if start <= other_start and other_end <= end else (other, kind)
                if inner not in _CODE and outer in _CODE:
                    raise bad(f"{inner} inside {outer}")
                if {kind, other} <= _CODE:
                    raise bad("code inside code")


def _splits(wide: bytes, offset: int) -> bool:
    """Whether the offset lies between the two halves of a surrogate pair."""
    unit = wide[2 * offset : 2 * offset + 2]
    return len(unit) == 2 and 0xDC00 <= int.from_bytes(unit, "little") <= 0xDFFF


def keyboard(given: Json) -> Json | None:
    """The inline keyboard, or None; refused when a button is not one."""
    markup = parsed("reply_markup", given)
    if markup is None:
        return None
    if set(markup) != {"inline_keyboard"}:
        if set(markup) & {"keyboard", "remove_keyboard", "force_reply"}:
            return None
        raise bad(f"can't parse reply keyboard markup {markup}")
    rows = markup["inline_keyboard"]
    if sum(len(row) for row in rows) > BUTTONS or any(len(row) > ROW for row in rows):
        raise bad("REPLY_MARKUP_TOO_LONG")
    for button in (button for row in rows for button in row):
        _check_button(button)
    return {"inline_keyboard": rows} if any(rows) else None


def _check_button(button: Json) -> None:
    if set(button) - _BUTTONS or not str(button.get("text", "")).strip():
        raise bad(f"can't parse inline keyboard button {button}")
    kinds = set(button) & {"callback_data", "url", "copy_text", "login_url", "web_app"}
    if len(kinds) != 1:
        raise bad("text buttons are unallowed in the inline keyboard")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(str(data).encode()) <= 64:
        raise bad("BUTTON_DATA_INVALID")


def commands(given: Json) -> list[Json]:
    """A list of commands."""
    listed = parsed("commands", given) or []
    if len(listed) > 100:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for one in listed:
        if not _COMMAND.match(one.get("command", "")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(one.get("description", "")) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    return list(listed)
