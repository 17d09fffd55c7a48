"""The main model's memory tools: find, look up, read; every time in them is the person's local time.

Names and arguments are those of the original (original.md 2.12), so that models find what they know. What cannot be
found or understood is an `ERROR:` text that the model can act on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.recall.atlas import Atlas
from core.recall.finder import Finder
from core.recall.naming import period
from core.recall.tool import MemoryTool, shown, text_of
from core.recall.window import Window, listed
from core.slices.read import read_range, summary_text
from core.turn import reading, specs
from core.turn.desk import Desk
from core.turn.ranges import range_of
from core.turn.recalling import NOTHING, RecallTool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.agent.tool import Tool
    from core.clock import Clock
    from core.i18n import Words
    from core.recall.scan import Recall
    from core.recall.tool import Naming
    from core.slices.store import Slices
    from core.storage.base import Storage

    Arguments = Mapping[str, object]

__all__ = ["NOTHING", "memory_tools"]


def memory_tools(  # noqa: PLR0913 - memory, the person's time and language, and the talk at hand
    slices: Slices,
    recall: Recall,
    clock: Clock,
    zone: str,
    words: Words,
    current: str,
    *,
    finder: Finder | None = None,
    storage: Storage | None = None,
) -> Sequence[Tool]:
    """The memory tools for one turn. `zone` is the person's, `current` the slice being written.

    Without a `finder` recall goes by words alone; without a `storage` card and cognition cannot be read.
    """
    desk = Desk(slices, finder or Finder(recall, Atlas(slices), None, clock), clock, zone, words, current, storage)
    beside = (*_card(desk), *_cognition(desk)) if storage else ()
    return (RecallTool(desk), *_slices(desk), _window(desk), *beside, *_time(desk))


def _slices(desk: Desk) -> tuple[Tool, ...]:
    async def read_slice(arguments: Arguments) -> str:
        slice_id = _slice_id(arguments)
        found = await desk.load(slice_id)
        if isinstance(found, str):
            return found
        wanted = range_of(arguments.get("range"))
        return read_range(found, wanted, annotate=desk.note, banner=desk.banner(slice_id))

    async def read_summary(arguments: Arguments) -> str:
        found = await desk.load(_slice_id(arguments))
        return found if isinstance(found, str) else summary_text(found, note=desk.note)

    return (
        MemoryTool(specs.READ_SLICE, read_slice, "tool.slice", _talk(desk)),
        MemoryTool(specs.READ_SLICE_SUMMARY, read_summary, "tool.summary", _talk(desk), shown),
    )


def _window(desk: Desk) -> Tool:
    async def read_window(arguments: Arguments) -> str:
        window = Window.of(arguments, desk.today())
        return window if isinstance(window, str) else listed(window, await desk.finder.atlas.entries(), desk.pen())

    return MemoryTool(specs.READ_TIMELINE_WINDOW, read_window, "tool.window", period, shown)


def _card(desk: Desk) -> tuple[Tool, ...]:
    def named(arguments: Arguments, words: Words) -> dict[str, str]:
        slice_id = _slice_id(arguments)
        return {"card": words("tool.card.of", day=_day(slice_id, desk, words)) if slice_id else words("tool.card.live")}

    async def read(arguments: Arguments) -> str:
        return await reading.card(desk, _slice_id(arguments))

    return (MemoryTool(specs.READ_PREVIOUSLY, read, "tool.card", named),)


def _cognition(desk: Desk) -> tuple[Tool, ...]:
    async def read(arguments: Arguments) -> str:
        return await reading.cognition(desk, _slice_id(arguments))

    return (MemoryTool(specs.READ_AGENT_TIMELINE, read, "tool.cognition", _talk(desk)),)


def _time(desk: Desk) -> tuple[Tool, ...]:
    async def read(_arguments: Arguments) -> str:
        return await reading.now(desk)

    return (MemoryTool(specs.CURRENT_TIME, read, "tool.time", showing=shown),)


def _talk(desk: Desk) -> Naming:
    def named(arguments: Arguments, words: Words) -> dict[str, str]:
        return {"day": _day(_slice_id(arguments), desk, words)}

    return named


def _day(slice_id: str, desk: Desk, words: Words) -> str:
    return desk.stamp(slice_id) or words("tool.slice.unknown")


def _slice_id(arguments: Arguments) -> str:
    """The id as given; models write it with slashes, or call it otherwise."""
    given = text_of(arguments, "sliceId") or text_of(arguments, "slice_id") or text_of(arguments, "id")
    return given.replace("/", "-")
