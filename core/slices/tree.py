"""Front matter as a tree of texts with places, read by libyaml and refused where YAML is a danger.

Every scalar stays the text that the person wrote: `no`, `0123`, `12:30` and dates never become something else
(reliability 4.4). Anchors, aliases, tags, duplicate keys and deep nesting are refused, since a few bytes of them can
hang a process or mean two things. A scalar that begins with `@`, a backtick or `%` is no YAML, but plain enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import yaml
from frontmatter.default_handlers import YAMLHandler

from core.errors import Malformed

DEEPEST: Final = 6
_RESERVED: Final = "@`%"
_RESERVED_FIRST: Final = re.compile(r"^([ \t]*(?:- +)*(?:[^\s:#'\"]+: +)?)([@`%])(?=\S)", re.MULTILINE)
_PRIVATE_USE: Final = "".join(map(chr, range(0xE000, 0xF000)))
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(slots=True)
class Node:
    """A piece of the tree: its kind, where its text begins and ends (code points), and what is in it.

    A mapping's `parts` are key, value, key, value. `plain` is true for an unquoted scalar, `flow` for `[a]` and `{a}`.
    """

    kind: str
    first: int
    last: int
    text: str = ""
    plain: bool = False
    flow: bool = False
    parts: list[Node] = field(default_factory=list)

    def pairs(self) -> list[tuple[Node, Node]]:
        """Keys with their values."""
        return list(zip(self.parts[::2], self.parts[1::2], strict=True))


def tree_of(block: str, where: str) -> Node:
    """The mapping that the text between the fences is; raises `Malformed`.

    Each key of the outermost mapping begins a line of its own, so that it can be rewritten without touching others.
    """
    disguised, back = _disguised(block)
    try:
        root: Node | None = YAMLHandler().load(disguised, Loader=_Careful)
    except yaml.YAMLError as error:
        raise Malformed(where, f"the front matter is not YAML: {' '.join(str(error).split())[:200]}") from error
    except _Refusal as error:
        raise Malformed(where, f"the front matter {error}") from error
    if root is None:
        return Node("mapping", 0, 0)
    if root.kind != "mapping":
        raise Malformed(where, "the front matter is not a list of `key: value` lines")
    if back:
        _restore(root, back)
    _check_keys(root, block, where)
    return root


def source_of(node: Node, block: str) -> str:
    """The node as the person wrote it, on one line."""
    return " ".join(block[node.first : node.last].split())


class _Refusal(Exception):
    """YAML that is well-formed but not wanted here."""


class _Careful(_LOADER):  # type: ignore[misc, valid-type]
    """A loader that builds the tree from parser events, so that nothing is ever resolved or constructed."""

    def get_single_data(self) -> Node | None:
        """The tree of the only document, or None when there is none."""
        root = Node("root", 0, 0)
        open_nodes = [root]
        while self.check_event():
            event = self.get_event()
            _refuse(event, len(open_nodes) - 1)
            if isinstance(event, yaml.ScalarEvent):
                open_nodes[-1].parts.append(_scalar(event))
            elif isinstance(event, yaml.CollectionStartEvent):
                node = _collection(event)
                open_nodes[-1].parts.append(node)
                open_nodes.append(node)
            elif isinstance(event, yaml.CollectionEndEvent):
                _close(open_nodes.pop(), _place(event.end_mark))
        if len(root.parts) > 1:
            raise _Refusal("holds more than one document")
        return root.parts[0] if root.parts else None


def _refuse(event: yaml.Event, depth: int) -> None:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        raise _Refusal("uses an anchor or alias")
    if getattr(event, "tag", None) is not None:
        raise _Refusal("uses a tag")
    if isinstance(event, yaml.CollectionStartEvent) and depth >= DEEPEST:
        raise _Refusal(f"is nested deeper than {DEEPEST}")


def _scalar(event: yaml.ScalarEvent) -> Node:
    plain = event.style in {None, ""}
    return Node("scalar", _place(event.start_mark), _place(event.end_mark), event.value, plain)


def _collection(event: yaml.CollectionStartEvent) -> Node:
    kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
    return Node(kind, _place(event.start_mark), _place(event.start_mark), flow=bool(event.flow_style))


def _place(mark: object) -> int:
    """The code point at which the parser stood."""
    return int(getattr(mark, "index", 0))


def _close(node: Node, end: int) -> None:
    """A block collection ends with its last part: libyaml says only where the next thing begins."""
    node.last = end if node.flow or not node.parts else node.parts[-1].last
    if node.kind != "mapping":
        return
    names = [key.text if key.kind == "scalar" else None for key, _ in node.pairs()]
    if None in names:
        raise _Refusal("has a key that is not a word")
    if len(set(names)) < len(names):
        raise _Refusal(f"has the key {next(name for name in names if names.count(name) > 1)!r} twice")


def _disguised(block: str) -> tuple[str, dict[int, str]]:
    """The text with `@`, backtick and `%` at the start of a value replaced by characters that it does not hold."""
    if not _RESERVED_FIRST.search(block):
        return block, {}
    free = [char for char in _PRIVATE_USE if char not in block][: len(_RESERVED)]
    stand_in = dict(zip(_RESERVED, free, strict=False))
    back = {ord(char): reserved for reserved, char in stand_in.items()}
    return _RESERVED_FIRST.sub(lambda found: found[1] + stand_in.get(found[2], found[2]), block), back


def _restore(node: Node, back: dict[int, str]) -> None:
    node.text = node.text.translate(back)
    for part in node.parts:
        _restore(part, back)


def _check_keys(root: Node, block: str, where: str) -> None:
    for key, _ in root.pairs():
        if key.first and block[key.first - 1] != "\n":
            raise Malformed(where, f"the front matter key {key.text!r} does not begin a line")
