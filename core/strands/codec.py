"""The files of strands as values and back: `strands.json`, and `strand-aliases.json` beside it.

`strands.json` is the original's: pretty JSON, keyword to slice paths, in order (original.md 1.9). The aliases are ours,
unknown and harmless to the original: which keyword the worker merged into which. They are no projection, since no
slice says it: without them a rebuild from slices would undo every merge. A file that cannot be understood is
`Malformed` and never taken for an empty one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from core.errors import Malformed
from core.slices.model import ROOT

STRANDS_PATH: Final = f"{ROOT}/strands.json"
ALIASES_PATH: Final = f"{ROOT}/strand-aliases.json"

Index = Mapping[str, tuple[str, ...]]
"""Keyword to slice paths `YYYY/MM/DD/HHMM`, both in the order of the file."""


def encode_index(index: Index) -> bytes:
    """The file: two spaces, no newline at its end, as JavaScript writes it."""
    return orjson.dumps(dict(index), option=orjson.OPT_INDENT_2)


def decode_index(data: bytes, where: str = STRANDS_PATH) -> Index:
    """The strands in a file, in its order; entries of a list that are no text are passed over. Raises `Malformed`."""
    found = _mapping(data, where)
    if not all(isinstance(paths, list) for paths in found.values()):
        raise Malformed(where, "a strand is not a list of slice paths")
    return {key: tuple(path for path in paths if isinstance(path, str)) for key, paths in found.items()}


def encode_aliases(aliases: Mapping[str, str]) -> bytes:
    """The file: the merged keyword and the one that it became, in the order in which they were merged."""
    return orjson.dumps(dict(aliases), option=orjson.OPT_INDENT_2)


def decode_aliases(data: bytes, where: str = ALIASES_PATH) -> dict[str, str]:
    """The merges in a file; raises `Malformed`."""
    found = _mapping(data, where)
    if not all(isinstance(target, str) for target in found.values()):
        raise Malformed(where, "an alias is not the name of a strand")
    return found


def _mapping(data: bytes, where: str) -> dict[str, Any]:
    try:
        found = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise Malformed(where, f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Malformed(where, "not a JSON object")
    return found
