"""Exports as other programs write them, small, and broken ones."""

from __future__ import annotations

import json
import stat
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from pathlib import Path

TELEGRAM: dict[str, Any] = {
    "name": "Nadia",
    "type": "personal_chat",
    "id": 4242,
    "messages": [
        {"id": 1, "type": "service", "date": "2024-03-01T09:00:00", "action": "joined_telegram", "text": ""},
        {
            "id": 2, "type": "message", "date": "2024-03-01T09:01:00", "date_unixtime": "1709283660",
            "from": "Ada", "from_id": "user7", "text": "I live in Porto now.",
        },
        {
            "id": 3, "type": "message", "date": "2024-03-01T09:02:00", "date_unixtime": "1709283720",
            "from": "Nadia", "from_id": "user4242", "text": ["Ada is a ", {"type": "bold", "text": "pilot"}, "!"],
        },
        {
            "id": 4, "type": "message", "date": "2024-03-01T11:00:00", "date_unixtime": "1709290800",
            "from": "Ada", "from_id": "user7", "text": "", "photo": "photos/p.jpg",
        },
    ],
}  # fmt: skip


def node(name: str, parent: str | None, role: str, text: object, at: float, children: tuple[str, ...] = ()) -> Any:
    return {
        "id": name,
        "parent": parent,
        "children": list(children),
        "message": {
            "id": name,
            "author": {"role": role},
            "create_time": at,
            "content": {"content_type": "text", "parts": [text]},
        },
    }


CHATGPT: list[Any] = [
    {
        "title": "Porto trams",
        "create_time": 1709283600.0,
        "current_node": "c",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["s"]},
            "s": node("s", "root", "system", "be brief", 1709283600.0, ("a",)),
            "a": node("a", "s", "user", "Which tram goes to Foz?", 1709283660.5, ("b", "x")),
            "x": node("x", "a", "assistant", "An answer that was thrown away.", 1709283665.0),
            "b": node("b", "a", "assistant", "Line 1.", 1709283670.0, ("c",)),
            "c": node("c", "b", "user", "Thanks.", 1709283680.0),
        },
    }
]
CLAUDE: list[Any] = [
    {
        "uuid": "t1",
        "name": "",
        "created_at": "2024-05-02T10:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "m1", "sender": "human", "created_at": "2024-05-02T10:00:00.000000Z", "text": "",
                "content": [{"type": "text", "text": "Name a good bakery."}],
            },
            {"uuid": "m2", "sender": "assistant", "created_at": "2024-05-02T10:00:09.000000Z", "text": "Confeitaria."},
        ],
    }
]  # fmt: skip


def put(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def zipped(path: Path, files: dict[str, bytes], *, mode: int = stat.S_IFREG | 0o600) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, data in files.items():
            info = ZipInfo("x")
            info.filename = name
            info.external_attr = mode << 16
            info.compress_type = ZIP_DEFLATED
            made.writestr(info, data)
    return path


def locked(path: Path) -> Path:
    """A zip that says that its entry is encrypted."""
    held = BytesIO()
    with ZipFile(held, "w") as made:
        made.writestr("result.json", b"{}")
    data = bytearray(held.getvalue())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(bytes(data))
    return path


def lying(path: Path) -> Path:
    """A zip whose list says that the entry is small, though it unpacks to much more."""
    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as made:
        made.writestr("result.json", b"[" + b" " * 3_000_000 + b"]")
    data = bytearray(held.getvalue())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    return path
