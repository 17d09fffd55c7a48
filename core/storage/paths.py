r"""Which names memory may have: one ASCII grammar that accepts or refuses and never repairs.

The form. A path is `memory/`, `tasks/` or `sessions/` and then names joined by `/`. A name is lower-case ASCII:
`[a-z0-9_]`, then `[a-z0-9_.-]`, not ending in a dot. So there is nothing that a file system could fold, decode or
resolve into another name: no dot files (`.git`, our temp files), no `..`, no backslash, colon, percent sign, space,
control or non-ASCII character, and no second spelling (DESIGN 5, reliability 2.12 and 4.4).

Upper case stands in two shapes only, each anchored so that nothing else slips in:

- an attachment, `<slice folder>/files/<turn id>-<n>.<ext>`: turn ids are base64url and cannot be folded without
  losing their meaning. `CON-1.jpg` is no device on Windows, whose reserved names end at the first dot;
- the T of a conflict copy, `<name>.conflict-20260309T184207.md`: the instant as people and the original write it.

These are the only names that can differ from another allowed name by case alone, which macOS and Windows would take
for one file. `refuse_twin` therefore refuses to create a name beside one that differs by case alone; 36 random bits
per turn id make that a guard, not an event.

There is no size limit here or in any backend: the original caps reads and writes at 1,000,000 bytes, and its own
indexes grow past that (original.md 2.13, reliability 2.15).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import PathRefused

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOTS = ("memory", "tasks", "sessions")

MAX_NAME = 100
"""Code points in one name: leaves room for a temp file's decoration within the 255 bytes of every file system."""
MAX_PATH = 200
"""Code points in a path: with a home of usual length it stays under the 260 of Windows."""
MAX_DEPTH = 12
"""Names in a path, the root and the file included; a slice's attachment has nine."""

_ROOT = r"(?:memory|tasks|sessions)"
_DEVICE = r"(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|\Z))"
_NAME = rf"{_DEVICE}[a-z0-9_](?:[a-z0-9_.-]{{0,{MAX_NAME - 2}}}[a-z0-9_-])?"
_CONFLICT = rf"{_DEVICE}[a-z0-9_][a-z0-9_-]{{0,60}}\.conflict-[0-9]{{8}}T[0-9]{{6}}(?:-[0-9]{{1,3}})?\.[a-z]{{1,5}}"
_SLICE = r"memory/episodic/slices/[0-9]{4}/[0-9]{2}/[0-9]{2}/[0-9]{4}"
_ATTACHMENT = rf"{_SLICE}/files/[A-Za-z0-9_-]{{1,16}}-[0-9]{{1,4}}\.[a-z0-9]{{1,8}}"

_one_name = re.compile(rf"{_NAME}\Z")
_file = re.compile(rf"(?:{_ROOT}(?:/{_NAME})*/(?:{_NAME}|{_CONFLICT})|{_ATTACHMENT})\Z")

FORM = (
    "a path looks like memory/notes/ideas.md: it begins with memory/, tasks/ or sessions/, and each name is made of "
    "a-z 0-9 _ - . in lower case, beginning with a letter, digit or _"
)


def check_file(path: object) -> str:
    """The path itself when a file may stand there; raises `PathRefused` with the right form (reliability 4.6)."""
    if not isinstance(path, str) or not _allowed(path):
        raise PathRefused(_shown(path), f"{_reason(path)}; {FORM}")
    return path


def check_folder(path: object) -> str:
    """The path itself when it may be listed: a root, or whatever `check_file` allows; raises `PathRefused`."""
    return path if isinstance(path, str) and path in ROOTS else check_file(path)


def is_allowed(path: str) -> bool:
    """Whether `check_folder` would accept the path; for leaving foreign names out of a listing."""
    return path in ROOTS or _allowed(path)


def is_protected(path: str) -> bool:
    """Whether a model's generic write tool must leave the path alone: the system keeps it (original.md 2.13)."""
    name = path.rpartition("/")[2]
    return path.startswith(("memory/episodic/", "memory/user/")) or name in {"_index.json", "strands.json"}


def parent(path: str) -> str:
    """The folder that holds the path; "" for a root."""
    return path.rpartition("/")[0]


def ancestors(path: str) -> list[str]:
    """Every folder above the path, the root first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def refuse_twin(path: str, siblings: Iterable[str]) -> None:
    """Raise `PathRefused` when an allowed sibling (a bare name) differs from the path's name by case alone."""
    folder, _, name = path.rpartition("/")
    folded = name.lower()
    for other in siblings:
        if other != name and other.lower() == folded and _allowed(f"{folder}/{other}"):
            raise PathRefused(path, f"{other} stands there already and differs by case alone; choose another name")


@lru_cache(maxsize=1024)
def _allowed(path: str) -> bool:
    return len(path) <= MAX_PATH and path.count("/") < MAX_DEPTH and _file.match(path) is not None


def _shown(path: object) -> str:
    """A refused path as it may be logged: ASCII, one line, short."""
    text = ascii(path)
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 3]}..."


def _reason(path: object) -> str:
    if not isinstance(path, str):
        return f"a path is text, not {type(path).__name__}"
    names = path.split("/")
    if len(path) > MAX_PATH:
        return f"longer than {MAX_PATH} characters"
    if len(names) > MAX_DEPTH:
        return f"more than {MAX_DEPTH} names deep"
    if names[0] not in ROOTS:
        return "not below memory/, tasks/ or sessions/"
    if len(names) == 1:
        return "a folder, not a file"
    bad = next((name for name in names[1:] if _one_name.match(name) is None), names[-1])
    return f"the name {_shown(bad)} is not one that memory may have"
