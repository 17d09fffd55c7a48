"""The documented rules for a message that a bot sends or edits; what breaks one is refused as Discord does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.doubles.discord.world import V2, walk

if TYPE_CHECKING:
    from tests.doubles.discord.world import Json

ROW, BUTTON, SELECT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 1, 2, 3, 9, 10, 11, 12, 13, 14, 17
TOP = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
KNOWN = {"content", "components", "flags", "nonce", "enforce_nonce", "tts", "allowed_mentions", "attachments", "embeds"}
KNOWN |= {"message_reference"}
FLAGS = 1 << 2 | 1 << 6 | 1 << 12 | V2


def faults(given: Json, before: Json | None = None, files: tuple[str, ...] = ()) -> list[str]:
    """What is wrong with a message; `before` is the message that is edited."""
    found = [f"unknown field {name}" for name in sorted(set(given) - KNOWN)]
    flags = given.get("flags") or 0
    was = (before or {}).get("flags", 0)
    if flags & ~FLAGS:
        found.append(f"flags {flags:#x}")
    if was & V2 and "flags" in given and not flags & V2:
        found.append("IS_COMPONENTS_V2 cannot be removed")
    v2 = bool((flags | was) & V2)
    content = given["content"] if "content" in given else (before or {}).get("content", "")
    components = given["components"] if "components" in given else (before or {}).get("components", [])
    if len(content or "") > 2000:
        found.append("content: Must be 2000 or fewer in length.")
    if v2 and content:
        found.append("content cannot be used with IS_COMPONENTS_V2")
    if not (content or "").strip() and not components and not files:
        found.append("50006")
    if given.get("nonce") is not None and len(str(given["nonce"])) > 25:
        found.append("nonce: Must be 25 or fewer in length.")
    found += _pings(given)
    return found + (_layout(components, files) if v2 else _rows(components))


def _pings(given: Json) -> list[str]:
    """The bot must never ping; a message without the field would."""
    if given.get("content") and given.get("allowed_mentions", {}).get("parse") != []:
        return ["allowed_mentions would ping"]
    return []


def _rows(components: list[Json]) -> list[str]:
    found = [] if len(components) <= 5 else ["more than 5 rows"]
    for one in components:
        found += _row(one) if one["type"] == ROW else [f"type {one['type']} needs IS_COMPONENTS_V2"]
    return found + _ids(components)


def _layout(components: list[Json], files: tuple[str, ...]) -> list[str]:
    every = walk(components)
    found = [] if 1 <= len(every) <= 40 else [f"{len(every)} components"]
    length = sum(len(one["content"]) for one in every if one["type"] == TEXT)
    if length > 4000:
        found.append(f"{length} characters of text")
    for one in components:
        found += [] if one["type"] in TOP else [f"type {one['type']} cannot stand at the top"]
    for one in every:
        found += _one(one, files)
    return found + _ids(components)


def _one(one: Json, files: tuple[str, ...]) -> list[str]:
    kind, inside = one["type"], one.get("components", [])
    if kind == ROW:
        return _row(one)
    if kind == TEXT:
        return [] if one["content"].strip() else ["an empty text"]
    if kind == SECTION:
        good = 1 <= len(inside) <= 3 and all(part["type"] == TEXT for part in inside)
        return [] if good and one["accessory"]["type"] in {BUTTON, THUMBNAIL} else ["section"]
    if kind == CONTAINER:
        return [] if inside and all(part["type"] in TOP - {CONTAINER} for part in inside) else ["container"]
    if kind == GALLERY:
        names = [item["media"]["url"].removeprefix("attachment://") for item in one["items"]]
        wrong = [name for name in names if name not in files] or [
            "description" for item in one["items"] if len(item.get("description") or "") > 1024
        ]
        return [f"gallery {wrong}"] if wrong or not 1 <= len(names) <= 10 else []
    return [] if kind in {BUTTON, SELECT, SEPARATOR, THUMBNAIL, FILE} else [f"unknown type {kind}"]


def _row(row: Json) -> list[str]:
    inside = row["components"]
    kinds = [one["type"] for one in inside]
    found = [] if (kinds == [SELECT]) or (1 <= len(kinds) <= 5 and set(kinds) == {BUTTON}) else [f"row of {kinds}"]
    for one in inside:
        if one["type"] == BUTTON and not 1 <= len(one.get("label") or "") <= 80:
            found.append(f"label of {len(one.get('label') or '')}")
        if one["type"] == SELECT:
            found += _select(one)
    return found


def _select(menu: Json) -> list[str]:
    options = menu["options"]
    values = [option["value"] for option in options]
    found = [] if 1 <= len(options) <= 25 and len(set(values)) == len(values) else [f"{len(options)} options"]
    if len(menu.get("placeholder") or "") > 150:
        found.append("placeholder")
    for option in options:
        texts = (option["label"], option["value"], option.get("description") or "-")
        found += [f"option {text!r}" for text in texts if not 1 <= len(text) <= 100]
    return found


def _ids(components: list[Json]) -> list[str]:
    ids = [one["custom_id"] for one in walk(components) if "custom_id" in one]
    found = [f"custom_id of {len(one)}" for one in ids if not 1 <= len(one) <= 100]
    return found + (["a custom_id stands twice"] if len(set(ids)) != len(ids) else [])


def command_faults(command: Json) -> list[str]:
    """What is wrong with a slash command that is registered."""
    found = []
    for one in (command, *command.get("options", [])):
        texts = [one["description"], *(one.get("description_localizations") or {}).values()]
        found += [f"description {text!r}" for text in texts if not 1 <= len(text) <= 100]
        name = one["name"]
        if not 1 <= len(name) <= 32 or name != name.lower() or " " in name:
            found.append(f"name {name!r}")
    return found
