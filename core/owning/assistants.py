"""The exports of ChatGPT and Claude: `conversations.json`, alone or in the zip that comes by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.owning.talks import Reader, Said, Source, Talk, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

_ROLES: Final = {"user": True, "human": True, "assistant": False}
_KINDS: Final = ("text", "multimodal_text")


def is_chatgpt(value: object) -> bool:
    """Whether a JSON value looks like ChatGPT's conversations."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "mapping" in value[0]


def is_claude(value: object) -> bool:
    """Whether a JSON value looks like Claude's conversations."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "chat_messages" in value[0]


def read_chatgpt(value: list[Any], name: str, now: datetime) -> Source:
    """The conversations as they were last seen: of an edited message the branch that goes on. Raises `Unfit`."""
    read = Reader(name, now)
    talks: list[Talk] = []
    passed = 0
    for number, raw in enumerate(value):
        place = f"[{number}]"
        one = read.record(raw, place)
        messages: list[Said] = []
        for node_id, node in _branch(read, one, place):
            said = _chatgpt(read, node_id, node, f"{place}.mapping", one)
            if said:
                read.count()
                messages.append(said)
            else:
                passed += 1
        if messages:
            talks.append(in_order(read.text(one.get("title"), f"{place}.title"), messages))
    return Source("chatgpt", tuple(talks), passed)


def read_claude(value: list[Any], name: str, now: datetime) -> Source:
    """The conversations. Raises `Unfit`."""
    read = Reader(name, now)
    talks: list[Talk] = []
    passed = 0
    for number, raw in enumerate(value):
        place = f"[{number}]"
        one = read.record(raw, place)
        messages: list[Said] = []
        for at, inner in enumerate(read.items(one.get("chat_messages"), f"{place}.chat_messages")):
            spot = f"{place}.chat_messages[{at}]"
            said = _claude(read, read.record(inner, spot), spot)
            if said:
                read.count()
                messages.append(said)
            else:
                passed += 1
        if messages:
            talks.append(in_order(read.text(one.get("name"), f"{place}.name"), messages))
    return Source("claude", tuple(talks), passed)


def _branch(read: Reader, one: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The nodes from the first to the newest; a circle of parents ends where it began."""
    nodes = read.record(one.get("mapping"), f"{place}.mapping")
    at, path = one.get("current_node"), list[str]()
    if at is None:
        leaves = [key for key, node in nodes.items() if isinstance(node, dict) and not node.get("children")]
        at = leaves[-1] if leaves else None
    seen: set[str] = set()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        path.append(at)
        at = read.record(nodes[at], f"{place}.mapping").get("parent")
    for node_id in reversed(path):
        yield node_id, nodes[node_id]


def _chatgpt(read: Reader, node_id: str, node: Mapping[str, Any], place: str, talk: Mapping[str, Any]) -> Said | None:
    if node.get("message") is None:
        return None
    message = read.record(node["message"], f"{place}.message")
    role = read.record(message.get("author"), f"{place}.author").get("role")
    content = read.record(message.get("content"), f"{place}.content")
    about = message.get("metadata")
    hidden = isinstance(about, dict) and about.get("is_visually_hidden_from_conversation")
    if not isinstance(role, str) or role not in _ROLES or hidden or content.get("content_type") not in _KINDS:
        return None
    parts = read.items(content.get("parts"), f"{place}.parts")
    text = "\n\n".join(said for part in parts if (said := _part(read, part, f"{place}.parts")))
    if not text:
        return None
    when = message.get("create_time")
    at = read.moment(talk.get("create_time") if when is None else when, f"{place}.create_time")
    key = f"im:gpt:{read.name_of(message.get('id') or node_id, f'{place}.id')}"
    return Said(key, at, text, _ROLES[role])


def _part(read: Reader, part: object, place: str) -> str:
    """The text of a part; a line for something that is no text: a picture, a file."""
    if isinstance(part, str):
        return read.text(part, place)
    kind = read.record(part, place).get("content_type")
    return f"[{kind.partition('_')[0][:40]}]" if isinstance(kind, str) and kind else ""


def _claude(read: Reader, one: Mapping[str, Any], spot: str) -> Said | None:
    role = one.get("sender")
    blocks = [read.record(block, f"{spot}.content") for block in read.items(one.get("content"), f"{spot}.content")]
    texts = [read.text(block.get("text"), f"{spot}.content") for block in blocks if block.get("type") == "text"]
    text = "\n\n".join(part for part in texts if part) or read.text(one.get("text"), f"{spot}.text")
    if not isinstance(role, str) or role not in _ROLES or not text:
        return None
    key = f"im:claude:{read.name_of(one.get('uuid'), f'{spot}.uuid')}"
    return Said(key, read.moment(one.get("created_at"), f"{spot}.created_at"), text, _ROLES[role])
