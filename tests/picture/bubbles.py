"""Messages of the double as an image that looks like a chat on a phone, by Pillow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from PIL import Image, ImageDraw, ImageFont

from tests.adapters.telegram.stand import MARA
from tests.doubles.telegram.world import BOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.doubles.telegram.world import TelegramWorld

WIDE: Final = 620
PAD: Final = 22
EDGE: Final = 18
BODY: Final = 23
LINE: Final = 32
INNER: Final = WIDE - 2 * EDGE - 2 * PAD - 24
ROW: Final = 54
FOLDED: Final = 3
"""Lines of a folded quote that show."""

CJK: Final = 0x2E80
"""The first sign of East Asian scripts."""

WALL, OURS, THEIRS = "#0e1621", "#182533", "#2b5278"
INK, FAINT, LINK, QUOTE, BUTTON = "#f5f5f5", "#7f91a4", "#6ab3f3", "#1f3347", "#22313f"
_FONTS: Final = {"": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf", "italic": "DejaVuSans-Oblique.ttf"}


@dataclass(frozen=True)
class Run:
    """Characters of one look."""

    text: str
    look: str = ""
    quoted: str = ""


@cache
def font(look: str, size: int = BODY) -> Any:
    """The font of a look; Pillow's own where the system has none."""
    name = _FONTS.get(look, "DejaVuSansMono.ttf" if look == "code" else _FONTS[""])
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return ImageFont.load_default(size)


def phones(world: TelegramWorld) -> Image.Image:
    """The chat on two phones: until the timeline is asked for, and from there on."""
    messages = [one for _, one in sorted(world.chats[MARA].messages.items())]
    turn = next(at for at, one in enumerate(messages) if one.get("text") == "/timeline")
    return picture(world, (messages[:turn], messages[turn:])).quantize(64)


def picture(world: TelegramWorld, columns: Sequence[Sequence[dict[str, Any]]]) -> Image.Image:
    """Columns of messages side by side, as on two phones."""
    panels = [_panel(world, messages) for messages in columns]
    high = max(panel.height for panel in panels)
    image = Image.new("RGB", (len(panels) * WIDE + (len(panels) - 1) * EDGE, high), "#ffffff")
    for number, panel in enumerate(panels):
        image.paste(WALL, (number * (WIDE + EDGE), 0, number * (WIDE + EDGE) + WIDE, high))
        image.paste(panel, (number * (WIDE + EDGE), 0))
    return image


def _panel(world: TelegramWorld, messages: Sequence[dict[str, Any]]) -> Image.Image:
    bubbles = [(one["from"]["id"] == BOT, _bubble(world, one)) for one in messages]
    image = Image.new("RGB", (WIDE, EDGE + sum(bubble.height + 14 for _, bubble in bubbles)), WALL)
    y = EDGE
    for ours, bubble in bubbles:
        image.paste(bubble, (EDGE if ours else WIDE - EDGE - bubble.width, y))
        y += bubble.height + 14
    return image


def _bubble(world: TelegramWorld, message: dict[str, Any]) -> Image.Image:
    ours = message["from"]["id"] == BOT
    lines = _lines(message)
    photo = _photo(world, message)
    rows = [row for row in message.get("reply_markup", {}).get("inline_keyboard", []) if all(map(_known, row))]
    widest = max((_width(line) + (26 if line and line[0].quoted else 0) for line in lines), default=0)
    inner = INNER if rows or photo else min(widest, INNER)
    wide = int(inner) + 2 * PAD
    top = photo.height * wide // photo.width if photo else 0
    high = top + 2 * 14 + len(lines) * LINE
    image = Image.new("RGB", (wide, high + len(rows) * ROW), WALL)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, wide - 1, high - 1), 18, fill=OURS if ours else THEIRS)
    if photo:
        image.paste(photo.resize((wide - 8, top - 4)), (4, 4))
    _write(draw, lines, top + 14, wide)
    for number, row in enumerate(rows):
        _row(draw, row, high + number * ROW, wide)
    return image


def _known(button: dict[str, Any]) -> bool:
    """Whether the font has all signs of a label: fonts for Chinese are not on every machine."""
    return all(ord(sign) < CJK for sign in button["text"])


def _row(draw: ImageDraw.ImageDraw, row: Sequence[dict[str, Any]], y: int, wide: int) -> None:
    each = (wide - (len(row) - 1) * 6) / len(row)
    for at, button in enumerate(row):
        left = at * (each + 6)
        draw.rounded_rectangle((left, y + 6, left + each - 1, y + ROW - 1), 12, fill=BUTTON)
        label = str(button["text"])
        while draw.textlength(label, font("", 20)) > each - 16:
            label = f"{label.rstrip('…')[:-1]}…"
        draw.text((left + each / 2, y + 6 + (ROW - 6) / 2), label, INK, font("", 20), anchor="mm")


def _write(draw: ImageDraw.ImageDraw, lines: Sequence[Sequence[Run]], y: int, wide: int) -> None:
    for number, line in enumerate(lines):
        quoted = line[0].quoted if line else ""
        if quoted:
            after = number + 1 < len(lines) and bool(lines[number + 1]) and lines[number + 1][0].quoted == quoted
            draw.rectangle((PAD - 6, y, wide - PAD + 8, y + LINE - (0 if after else 4)), fill=QUOTE)
            draw.rectangle((PAD - 6, y, PAD - 2, y + LINE - (0 if after else 4)), fill=LINK)
            if quoted.startswith("expandable") and not after:
                draw.text((wide - PAD - 2, y + LINE / 2 - 2), "⌄", LINK, font("bold"), anchor="rm")
        x = PAD + (10 if quoted else 0)
        for run in line:
            shade = LINK if run.look == "link" else INK
            draw.text((x, y + LINE / 2), run.text, shade, font(run.look), anchor="lm")
            x += font(run.look).getlength(run.text)
        y += LINE


def _lines(message: dict[str, Any]) -> list[list[Run]]:
    """The text in lines that fit, folded quotes cut."""
    text = str(message.get("text", message.get("caption", "")))
    entities = message.get("entities", message.get("caption_entities", []))
    looks = _looks(text, entities)
    lines: list[list[Run]] = []
    at = 0
    for paragraph in text.split("\n"):
        pieces = looks[at : at + len(paragraph)]
        lines += _wrapped(paragraph, pieces) if paragraph else [[]]
        at += len(paragraph) + 1
    return _folded(lines)


def _folded(lines: list[list[Run]]) -> list[list[Run]]:
    kept: list[list[Run]] = []
    count: dict[str, int] = {}
    for line in lines:
        quoted = line[0].quoted if line else ""
        if quoted.startswith("expandable"):
            count[quoted] = count.get(quoted, 0) + 1
            if count[quoted] > FOLDED:
                continue
        kept.append(line)
    return kept


def _looks(text: str, entities: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """How each character looks, and in which quote it stands."""
    places, units = [], 0
    for sign in text:
        places.append(units)
        units += 2 if ord(sign) > 0xFFFF else 1
    looks = [("", "")] * len(text)
    kinds = {"bold": "bold", "italic": "italic", "code": "code", "pre": "code", "bot_command": "link"}
    for number, one in enumerate(entities):
        kind, start, end = one["type"], one["offset"], one["offset"] + one["length"]
        for at, place in enumerate(places):
            if start <= place < end:
                look, quoted = looks[at]
                look = kinds.get(kind, "link" if kind in {"text_link", "url"} else look)
                looks[at] = look, f"{kind}{number}" if "blockquote" in kind else quoted
    return looks


def _wrapped(text: str, looks: Sequence[tuple[str, str]]) -> list[list[Run]]:
    """A paragraph in lines, broken at spaces."""
    lines: list[list[Run]] = [[]]
    room, used, at = INNER - (30 if looks[0][1] else 0), 0.0, 0
    while at < len(text):
        end = next((n for n in range(at + 1, len(text)) if text[n - 1] == " " or looks[n] != looks[at]), len(text))
        run = Run(text[at:end], *looks[at])
        length = font(run.look).getlength(run.text.rstrip())
        if lines[-1] and used + length > room:
            lines.append([])
            used = 0.0
        lines[-1].append(run)
        used += font(run.look).getlength(run.text)
        at = end
    return lines


def _width(line: Sequence[Run]) -> float:
    return float(sum(font(run.look).getlength(run.text) for run in line))


def _photo(world: TelegramWorld, message: dict[str, Any]) -> Image.Image | None:
    sizes = message.get("photo")
    if not sizes:
        return None
    _, data, _ = world.files[sizes[-1]["file_id"]]
    return Image.open(BytesIO(data)).convert("RGB")
