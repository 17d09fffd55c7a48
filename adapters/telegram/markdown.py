"""The one door to telegramify-markdown: Markdown to text with spans, and where its parser sees what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

import pyromark
from telegramify_markdown import RenderConfig, convert

from adapters.telegram.rendered import Kind
from adapters.telegram.styled import Span, Styled
from adapters.telegram.units import offsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telegramify_markdown import MessageEntity

JOINT: Final = "\ufdd0"
"""A code point that no text may hold: set beside a mark of emphasis it makes the parser see a letter there."""

_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
"""The converter's own options, so that both see the same."""
_KINDS: Final = frozenset(get_args(Kind)) - {"underline", "spoiler"}
"""What we take over: headings are bold, and nothing is hidden behind a spoiler because a text held two strokes."""
_BLOCKS: Final = frozenset({"blockquote", "expandable_blockquote", "pre"})
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9_+#.-]{1,32}")


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that the parser sees from `start` to `end` (code points); `number` is where an ordered list begins."""

    kind: str
    start: int
    end: int
    number: int | None = None


def seen(markdown: str) -> list[Seen]:
    """Tags, code, lists, items, tables and formulas in the order of the text."""
    places = _Places(markdown)
    found = []
    for payload, where in pyromark.events_with_range(markdown, options=_OPTIONS):
        kind, number = _kind(payload)
        if kind:
            found.append(Seen(kind, places[where["start"]], places[where["end"]], number))
    return found


def converted(markdown: str) -> Styled:
    """The Markdown as the library sets it, with our signs and without marks of our own."""
    text, entities = convert(markdown, config=_config())
    points = {at: index for index, at in enumerate(offsets(text))}
    spans = tuple(_spans(entities, points))
    return _on_lines(_unjointed(Styled(text, spans)))


def _config() -> RenderConfig:
    config = RenderConfig.isolated()
    signs = config.markdown_symbol
    signs.heading_level_1 = signs.heading_level_2 = signs.heading_level_3 = signs.heading_level_4 = ""
    signs.image = signs.link = ""
    signs.unordered_list_item, signs.task_completed, signs.task_uncompleted = "•", "☑", "☐"
    signs.horizontal_rule = "———"
    return config


def _spans(entities: list[MessageEntity], points: dict[int, int]) -> Iterator[Span]:
    for entity in entities:
        if entity.type not in _KINDS:
            continue
        start, end = points.get(entity.offset), points.get(entity.offset + entity.length)
        if start is None or end is None:
            continue
        language = _LANGUAGE.match(entity.language or "")
        yield Span(entity.type, start, end, entity.url or "", language[0].lower() if language else "")  # type: ignore[arg-type]  # checked above


def _on_lines(styled: Styled) -> Styled:
    """With quotes and blocks of code on lines of their own, also inside lists."""
    blocks = sorted({(span.start, span.end) for span in styled.spans if span.kind in _BLOCKS}, reverse=True)
    for start, end in blocks:
        if end < len(styled.text) and styled.text[end] != "\n" and styled.text[end - 1] != "\n":
            styled = styled.replaced(end, end, Styled("\n"))
        if start and styled.text[start - 1] != "\n":
            styled = styled.replaced(start, start, Styled("\n"))
    return styled


def _unjointed(styled: Styled) -> Styled:
    if JOINT not in styled.text:
        return styled
    moved: list[int] = []
    gone = 0
    for sign in styled.text:
        moved.append(len(moved) - gone)
        gone += sign == JOINT
    moved.append(len(moved) - gone)
    spans = (
        Span(span.kind, moved[span.start], moved[span.end], span.url, span.language)
        for span in styled.spans
        if moved[span.start] < moved[span.end]
    )
    return Styled(styled.text.replace(JOINT, ""), tuple(spans))


def _kind(payload: Any) -> tuple[str, int | None]:
    """What of an event we look at; "" for the rest."""
    if not isinstance(payload, dict):
        return "", None
    start, end = payload.get("Start"), payload.get("End")
    if start == "HtmlBlock":
        return "block", None
    if start == "Item":
        return "item", None
    if isinstance(end, dict) and "List" in end:
        return "end", None
    if isinstance(start, dict):
        names = {"CodeBlock": "code", "Table": "table", "List": "list"}
        name = next((name for name in names if name in start), "")
        return names.get(name, ""), start.get("List") if name == "List" else None
    plain = {"InlineHtml": "tag", "Code": "code", "InlineMath": "formula", "DisplayMath": "code"}
    return next((kind for name, kind in plain.items() if name in payload), ""), None


class _Places:
    """From byte offsets, which the parser counts, to code points."""

    def __init__(self, text: str) -> None:
        self._known: dict[int, int] | None = None
        if not text.isascii():
            at, self._known = 0, {}
            for index, sign in enumerate(text):
                self._known[at] = index
                at += len(sign.encode())
            self._known[at] = len(text)

    def __getitem__(self, at: int) -> int:
        return at if self._known is None else self._known[at]
