"""The checkout as the tests of the house see it: its folders, its modules, its literals."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("bot", "adapters", "core")
DATA: Final = ("identity", "locales")


def modules(*folders: str) -> list[Path]:
    """All Python files below these folders, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name(path: Path) -> str:
    """The path as people say it, from the root of the checkout."""
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    """The module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """Every literal that stands alone as a statement."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def called(node: ast.Call) -> str:
    """The last name of what a call calls: `get` for `a.b.get(...)`, `words` for `words[locale](...)`."""
    function: ast.expr = node.func
    while isinstance(function, ast.Subscript):
        function = function.value
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """All calls in the tree."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))
