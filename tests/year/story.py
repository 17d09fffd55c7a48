"""A year of one invented person as it is written down in `script/`, one slice after the other.

A line of a script begins with what it is:

    == 2026-03-09 08:10      a slice, on the person's clock (`again` behind it: in the hour that autumn gives back)
    zone Asia/Shanghai       from here on the person is there
    > words                  the person speaks, two minutes after the line before (`>+7`: seven)
    >! words                 the same, and it is a wish about how they are remembered
    >~ words                 the message just answered is edited to this;  >x  it is deleted
    /close                   a command
    ~ thought                what is thought before the answer
    ? query => 2026-03-02 08:05    what is recalled for the answer, and the slice that is then read
    < words                  the answer
    # focus | summary        the marks of the slice;  @ tags   + open loop   ! decision
    * tool {...}             an edit of the card when the slice has closed;  *- one that is refused
    = sentence               the end of that pass;  *!  *!-  =!  the same for the pass of a wish
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).parent / "script"
HOME = "Europe/Berlin"
PAUSE = 2
WHEN = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}")

Change = Literal["", "edit", "deletion"]


@dataclass
class Exchange:
    """What the person says so many minutes after the line before, and the answer."""

    text: str
    pause: int = 0
    answer: str = ""
    thought: str = ""
    wish: bool = False
    change: Change = ""
    edited: str = ""
    query: str = ""
    source: str = ""


@dataclass
class Edit:
    """A call of a tool that changes the card, and whether it is to be refused."""

    tool: str
    arguments: dict[str, object]
    refused: bool = False


@dataclass
class Pass:
    """A pass over the card: its edits, and the sentence that ends it."""

    edits: list[Edit] = field(default_factory=list)
    summary: str = ""

    @property
    def changes(self) -> bool:
        """Whether anything comes of it."""
        return any(not edit.refused for edit in self.edits)


@dataclass
class Scene:
    """One slice of the year."""

    start: datetime
    zone: str
    exchanges: list[Exchange] = field(default_factory=list)
    closes: bool = False
    focus: str = ""
    summary: str = ""
    tags: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    closing: Pass = field(default_factory=Pass)
    wish: Pass = field(default_factory=Pass)

    @property
    def id(self) -> str:
        return f"{self.start:%Y-%m-%d-%H%M}"


def year() -> list[Scene]:
    """All slices, oldest first. Raises ValueError for a line that says nothing."""
    scenes = [scene for path in sorted(SCRIPT.glob("*.txt")) for scene in _scenes(path.read_text(encoding="utf-8"))]
    scenes.sort(key=lambda scene: scene.start)
    ids = {_stamp(scene.start, scene.zone): scene.id for scene in scenes}
    for scene in scenes:
        for exchange in scene.exchanges:
            exchange.source = ids[exchange.source] if exchange.source else ""
        for edit in (*scene.closing.edits, *scene.wish.edits):
            refs = edit.arguments.get("refs")
            if isinstance(refs, list):
                edit.arguments["refs"] = [ids[ref].replace("-", "/") if WHEN.fullmatch(ref) else ref for ref in refs]
    return scenes


def _stamp(start: datetime, zone: str) -> str:
    return f"{start.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _scenes(text: str) -> Iterator[Scene]:
    zone, scene = HOME, None
    for line in text.splitlines():
        if line.startswith("zone "):
            zone = line[5:]
        elif line.startswith("== "):
            if scene:
                yield scene
            fold = int(line.endswith(" again"))
            start = datetime.fromisoformat(line[3:19]).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)
            scene = Scene(start, zone)
        elif scene and line:
            _take(scene, line)
    if scene:
        yield scene


def _take(scene: Scene, line: str) -> None:
    mark, _, rest = line.partition(" ")
    said = scene.exchanges[-1] if scene.exchanges else Exchange("")
    match mark:
        case ">" | ">!":
            scene.exchanges.append(Exchange(rest, PAUSE if scene.exchanges else 0, wish=mark == ">!"))
        case ">~":
            said.change, said.edited = "edit", rest
        case ">x":
            said.change = "deletion"
        case "/close":
            scene.closes = True
        case "<":
            said.answer = rest
        case "~":
            said.thought = rest
        case "?":
            said.query, _, said.source = rest.partition(" => ")
        case "#":
            scene.focus, _, scene.summary = rest.partition(" | ")
        case "@":
            scene.tags = rest.split(", ")
        case "+":
            scene.loops.append(rest)
        case "!":
            scene.decisions.append(rest)
        case _:
            _take_pass(scene, mark, rest)


def _take_pass(scene: Scene, mark: str, rest: str) -> None:
    if mark.startswith(">+"):
        scene.exchanges.append(Exchange(rest, int(mark[2:])))
        return
    going = scene.wish if "!" in mark else scene.closing
    if mark.startswith("*"):
        tool, _, arguments = rest.partition(" ")
        going.edits.append(Edit(tool, json.loads(arguments), mark.endswith("-")))
    elif mark.startswith("="):
        going.summary = rest
    else:
        raise ValueError(f"what is {mark} {rest}?")


def minutes(count: int) -> timedelta:
    return timedelta(minutes=count)
