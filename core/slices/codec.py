"""A slice file as a value and back, byte for byte.

`encode(decode(text)) == text` for every well-formed file, the original's, the demo people's and hand-edited ones:
what nobody changed keeps its bytes, byte order mark and line ends included. `decode(encode(slice)) == slice` for every
slice whose texts went through `core.slices.text.normalise`. Callers change a slice with `dataclasses.replace`, which
carries the layout along. Formats: original.md 1.3; refusals: reliability 4.4 and 2.9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.errors import Malformed
from core.slices.body import Body, read_body, write_body
from core.slices.edit import KEYS, compose, rewrite
from core.slices.front import Value, Values, read_front
from core.slices.model import ACTIVE, CLOSED, SIGNALS, Slice
from core.slices.text import encodable

LONGEST_FRONT: Final = 64 * 1024
"""Bytes of front matter beyond which a file is refused."""
_BOM: Final = "\ufeff"
_OPEN: Final = re.compile(r"(?:[ \t]*\r?\n)*---[ \t]*\r?\n")
_CLOSE: Final = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_CONFLICT: Final = ("<<<<<<<", "=======", ">>>>>>>")
_LISTS: Final = frozenset(("open_loops", "decisions", "tags", "related_slices", "loops"))
_PLACES: Final = tuple((key, "id" if key == "slice_id" else key, key in _LISTS) for key in KEYS)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file was written. `front` is the front matter with its fences, `seen` the values it was read as."""

    bom: bool = False
    crlf: bool = False
    lead: str = ""
    block: str = ""
    close: str = ""
    seen: Values = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    torn: bool = False
    """The file does not end with a newline: it may have been cut off."""


class HeadOnly:
    """The layout of a slice that was read without its turns; such a slice is never written."""


_HEAD_ONLY: Final = HeadOnly()


def encode(slice_: Slice) -> str:
    """The file's text.

    Raises `ValueError` for a slice that was read without its turns, for a turn label, time or role that no header
    can hold, and for more than 64 KiB of marks.
    """
    layout = slice_.layout
    if layout is _HEAD_ONLY:
        raise ValueError(f"slice {slice_.id} was read without its turns and cannot be written")
    if not isinstance(layout, Layout):
        layout = Layout()
    front = _front(_values(slice_), layout)
    body = write_body(slice_.turns, layout.body)
    if len(front.encode(errors="replace")) > LONGEST_FRONT:
        raise ValueError(f"slice {slice_.id} has more than {LONGEST_FRONT} bytes of marks")
    text = (front + "\n" if front and body and not front.endswith("\n") else front) + body
    if layout.crlf:
        text = text.replace("\n", "\r\n")
    return _BOM + text if layout.bom else text


def decode(text: str | bytes, where: str) -> Slice:
    """The slice in a file; `where` names the file in errors. Raises `Malformed` and nothing else.

    A file that was cut off inside its last turn loads with what is there; missing marks have the original's defaults.
    """
    return _decode_bytes(text, where) if isinstance(text, bytes) else _decode(text, where)


@lru_cache(maxsize=4)
def _decode_bytes(data: bytes, where: str) -> Slice:
    """A turn reads the same few files over and over: its own slice, and those that were written to lately."""
    return _decode(_text(data, where), where)


def _decode(text: str, where: str) -> Slice:
    bom = text.startswith(_BOM)
    text = text.removeprefix(_BOM)
    crlf = "\r\n" in text and text.count("\r\n") == text.count("\n")
    torn = not text.endswith("\n")
    if crlf:
        text = text.replace("\r\n", "\n")
    lead, block, close, rest = _split(text, where)
    _refuse_conflict(text, where)
    values = read_front(block, where)
    body = read_body(rest)
    if not lead and not body.turns:
        raise Malformed(where, "there is neither front matter nor a turn")
    read = _slice(values)
    layout = Layout(bom, crlf, lead, block, close, _values(read), body, torn)
    return _slice(values, body, layout)


def decode_head(data: bytes, where: str) -> Slice:
    """The slice without its turns, from the whole file or its beginning. Raises `Malformed` and nothing else.

    Nothing behind the front matter is looked at. The result cannot be encoded.
    """
    end = data.find(b"\n---\n", 3, LONGEST_FRONT + 8) if data.startswith(b"---\n") else -1
    if end < 0:
        head = decode(data, where)
        return _slice(_values(head), None, _HEAD_ONLY)
    try:
        block = data[4 : end + 1].decode()
    except UnicodeDecodeError as error:
        raise Malformed(where, f"not UTF-8 text (byte {error.start + 4})") from error
    return _slice(read_front(block, where), None, _HEAD_ONLY)


def is_torn(slice_: Slice) -> bool:
    """Whether the file that the slice was read from may have been cut off at its end."""
    return isinstance(slice_.layout, Layout) and slice_.layout.torn


def front_text(slice_: Slice) -> str:
    """The front matter with its fences and what a person wrote below it, without turns and without a last newline."""
    layout = slice_.layout if isinstance(slice_.layout, Layout) else Layout()
    return (_front(_values(slice_), layout) + layout.body.preamble).rstrip()


def _text(data: bytes, where: str) -> str:
    """The bytes as text; a character that breaks off at the very end is left away."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start:
            return data[: error.start].decode()
        raise Malformed(where, f"not UTF-8 text (byte {error.start})") from error


def _split(text: str, where: str) -> tuple[str, str, str, str]:
    """The opening fence, the lines between the fences, the closing fence, and the rest."""
    opened = _OPEN.match(text)
    if not opened:
        return "", "", "", text
    closed = _CLOSE.search(text, opened.end(), opened.end() + LONGEST_FRONT + 8)
    block = text[opened.end() : closed.start()] if closed else ""
    if not closed or len(block.encode(errors="replace")) > LONGEST_FRONT:
        long = len(text) > LONGEST_FRONT
        why = f"longer than {LONGEST_FRONT // 1024} KiB" if long else "not closed by a line `---`"
        raise Malformed(where, f"the front matter is {why}")
    return opened[0], block, closed[0], text[closed.end() :]


def _refuse_conflict(text: str, where: str) -> None:
    """A message's own markers are escaped on file, so three bare ones in their order are git's."""
    if has_conflict(text):
        raise Malformed(where, "there are merge conflict markers in it")


def has_conflict(text: str) -> bool:
    """Whether three lines of the text begin with git's markers of a merge conflict, in their order."""
    if _CONFLICT[0] not in text:
        return False
    lines, place = "\n" + text, 0
    for marker in _CONFLICT:
        place = lines.find("\n" + marker, place)
        if place < 0:
            return False
    return True


def _slice(values: Values, body: Body | None = None, layout: object = None) -> Slice:
    get = values.get
    status = _word(get("status")) or ACTIVE
    signal = _word(get("closed_by"))
    return Slice(
        id=_word(get("slice_id")),
        status=status,
        start=_word(get("start")),
        end=_word(get("end")),
        timezone=_word(get("timezone")) or "UTC",
        focus=_word(get("focus")),
        summary=_word(get("summary")),
        open_loops=_words(get("open_loops")),
        decisions=_words(get("decisions")),
        tags=_words(get("tags")),
        related_slices=_words(get("related_slices")),
        loops=_words(get("loops")),
        emotional_tone=_word(get("emotional_tone")),
        closed_by="" if status != CLOSED else signal if signal in SIGNALS else "user_explicit",
        evolution_summary=_word(get("evolution_summary")),
        turns=body.turns if body else (),
        layout=layout,
    )


def _word(value: Value | None) -> str:
    return value if isinstance(value, str) else ", ".join(value or ())


def _words(value: Value | None) -> tuple[str, ...]:
    return (value,) if value and isinstance(value, str) else tuple(value or ())


def _values(slice_: Slice) -> Values:
    """The marks by key, in the order in which they are written, each as UTF-8 can hold it."""
    values: Values = {}
    for key, name, is_list in _PLACES:
        value = getattr(slice_, name)
        values[key] = tuple(map(encodable, value)) if is_list else encodable(value)
    return values


def _front(values: Values, layout: Layout) -> str:
    if not layout.seen:
        return f"---\n{compose(values)}---\n"
    changes = {key: value for key, value in values.items() if value != layout.seen[key]}
    if not changes:
        return layout.lead + layout.block + layout.close
    return (layout.lead or "---\n") + rewrite(layout.block, changes) + (layout.close or "---\n")
