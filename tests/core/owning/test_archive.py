"""Hostile files: every one of them is refused with a sentence, and nothing was written (reliability 4.6)."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from core.clock import instant
from core.errors import Unfit
from core.owning.archive import Limits, opened
from core.owning.importing import source_of
from tests.bot.living import WORDS
from tests.core.owning import given as made

if TYPE_CHECKING:
    from pathlib import Path

NOW = instant("2026-03-09T19:00:00Z")


def read(path: Path, limits: Limits | None = None, me: str = "") -> None:
    assert NOW
    with opened(path, limits) as found:
        source_of(found, NOW, me)


def refused(path: Path, limits: Limits | None = None) -> str:
    with pytest.raises(Unfit) as caught:
        read(path, limits)
    for words in WORDS.values():
        assert words(caught.value.key, **caught.value.fields)
    return caught.value.key


@pytest.mark.parametrize(
    "name",
    [
        "../result.json", "a/../../x", "/etc/passwd", "..\\x", "C:/x", "memory/./x", "a//b", "memory/\n.md",
        "memory/a\x00b", "..", ".",
    ],
)  # fmt: skip
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(made.zipped(tmp_path / "x.zip", {"result.json": b"{}", name: b"x"})) in {
        "import.path",
        "import.damaged",
    }


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o600, stat.S_IFCHR | 0o600])
def test_a_link_or_device_is_refused(tmp_path: Path, mode: int) -> None:
    assert refused(made.zipped(tmp_path / "x.zip", {"result.json": b"/etc/passwd"}, mode=mode)) == "import.link"


def test_a_bomb_is_refused_by_its_ratio_before_it_is_unpacked(tmp_path: Path) -> None:
    path = made.zipped(tmp_path / "x.zip", {"result.json": b" " * 5_000_000})

    assert path.stat().st_size < 10_000
    assert refused(path) == "import.bomb"


def test_a_bomb_is_refused_by_its_total(tmp_path: Path) -> None:
    files = {f"{number}.bin": os.urandom(1000) for number in range(20)}

    assert refused(made.zipped(tmp_path / "x.zip", files), Limits(total=10_000)) == "import.bomb"


def test_too_many_entries_are_refused(tmp_path: Path) -> None:
    files = {f"{number}.txt": b"" for number in range(20)}

    assert refused(made.zipped(tmp_path / "x.zip", files), Limits(entries=10)) == "import.many"


def test_an_entry_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    assert refused(made.lying(tmp_path / "x.zip")) in {"import.bomb", "import.damaged"}


def test_a_locked_archive_is_refused(tmp_path: Path) -> None:
    assert refused(made.locked(tmp_path / "x.zip")) == "import.locked"


def test_names_that_differ_by_case_alone_are_refused(tmp_path: Path) -> None:
    assert refused(made.zipped(tmp_path / "x.zip", {"a.json": b"", "A.json": b""})) == "import.twice"


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    whole = made.zipped(tmp_path / "x.zip", {"result.json": json.dumps(made.TELEGRAM).encode()}).read_bytes()
    data = bytearray(whole)
    data[45:60] = b"\xff" * 15
    (tmp_path / "y.zip").write_bytes(bytes(data))

    assert refused(tmp_path / "y.zip") == "import.damaged"


@pytest.mark.parametrize("depth", [300, 1_000, 100_000])
@pytest.mark.parametrize("pair", ["[]", '{"a":}'])
def test_absurd_depth_is_refused(tmp_path: Path, depth: int, pair: str) -> None:
    (tmp_path / "result.json").write_text(pair[:-1] * depth + "1" + pair[-1] * depth)

    assert refused(tmp_path / "result.json") == "import.deep"


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"NaN", b"<html>", b"\x00" * 100])
def test_what_is_no_json_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "result.json").write_bytes(data)

    assert refused(tmp_path / "result.json") == "import.not_json"


@pytest.mark.parametrize("value", [{}, [], 5, None, "x", {"chats": 5}, [{"a": 1}], [5], {"messages": {}}])
def test_what_is_no_known_export_is_refused(tmp_path: Path, value: object) -> None:
    assert refused(made.put(tmp_path / "result.json", value)) == "import.unknown"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing.json") == "import.missing"
    assert refused(tmp_path) == "import.missing"


def test_a_file_too_large_for_any_export_is_refused(tmp_path: Path) -> None:
    assert refused(made.put(tmp_path / "result.json", made.TELEGRAM), Limits(json=100)) == "import.large"


def chat(**message: Any) -> dict[str, Any]:
    usual = {"id": 2, "type": "message", "date_unixtime": "1709283660", "from": "Ada", "from_id": "user7", "text": "x"}
    return {"name": "N", "type": "personal_chat", "id": 1, "messages": [usual | message]}


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (chat(text=5), "import.shape"),
        (chat(text=[{"text": 5}]), "import.shape"),
        (chat(id={}), "import.shape"),
        (chat(id=True), "import.shape"),
        (chat(id="x" * 1000), "import.shape"),
        (chat(**{"from": 5}), "import.shape"),
        (chat(date_unixtime=[]) | {"id": 1}, "import.date"),
        (chat(date_unixtime="9" * 30), "import.date"),
        (chat(date_unixtime="-5"), "import.date"),
        (chat(date_unixtime="0"), "import.date"),
        (chat(date_unixtime="4102444800"), "import.date"),
        (chat(date_unixtime=1e300), "import.date"),
        (chat(text="x" * 1_000_001), "import.long"),
        ({"messages": [5], "id": 1, "type": "personal_chat"}, "import.shape"),
        ({"messages": [], "id": None}, "import.shape"),
        ({"chats": {"list": {}}}, "import.shape"),
        ({"chats": {"list": [5]}}, "import.shape"),
        (chat() | {"type": "private_group"}, "import.who"),
        ([{"mapping": 5}], "import.shape"),
        ([{"mapping": {"a": 5}, "current_node": "a"}], "import.shape"),
        ([{"mapping": {"a": made.node("a", None, "user", "x", 1e300)}, "current_node": "a"}], "import.date"),
        ([{"mapping": {"a": made.node("a", None, "user", 5, 1709283660.0)}, "current_node": "a"}], "import.shape"),
        ([{"mapping": {}}, 5], "import.shape"),
        ([{"chat_messages": 5}], "import.shape"),
        ([{"chat_messages": [{"sender": "human", "text": 5}]}], "import.shape"),
        ([{"chat_messages": [{"sender": "human", "text": "x", "uuid": "a", "created_at": "soon"}]}], "import.date"),
        (
            [{"chat_messages": [{"sender": "human", "text": "x", "uuid": [], "created_at": "2024-01-01"}]}],
            "import.shape",
        ),
    ],
)
def test_wrong_types_absurd_dates_and_gigantic_strings_are_refused(tmp_path: Path, value: object, key: str) -> None:
    assert refused(made.put(tmp_path / "result.json", value)) == key


@pytest.mark.parametrize("strange", [5, [], {}, None, True, "x", [[]], {"role": []}])
@pytest.mark.parametrize("kind", [made.TELEGRAM, made.CHATGPT, made.CLAUDE], ids=["telegram", "chatgpt", "claude"])
def test_any_field_may_hold_anything_and_nothing_else_is_raised(tmp_path: Path, kind: object, strange: object) -> None:
    for number, value in enumerate(replaced(kind, strange)):
        path = made.put(tmp_path / f"{number}.json", value)
        with suppress(Unfit):
            read(path)


def replaced(value: object, strange: object) -> list[object]:
    """The value with one field after the other holding something strange."""
    found: list[object] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += [{**value, key: strange}, *({**value, key: one} for one in replaced(inner, strange))]
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            before, after = value[:at], value[at + 1 :]
            found += [[*before, strange, *after], *([*before, one, *after] for one in replaced(inner, strange))]
    return found


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    mapping = {"a": made.node("a", "b", "user", "x", 1709283660.0), "b": {"parent": "a", "message": None}}

    read(made.put(tmp_path / "conversations.json", [{"mapping": mapping, "current_node": "a"}]))
