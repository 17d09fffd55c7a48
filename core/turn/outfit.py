"""The tools of one turn: memory, thinking, the web and files, and what they may do in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import NotAFile, NotFound
from core.llm.base import Usage
from core.relative import day_of
from core.slices.foreign import written
from core.slices.model import agent_path
from core.slices.notes import spoken
from core.turn.browsing import Outside, web_tools
from core.turn.filing import file_tools
from core.turn.taint import Taint, taint_of
from core.turn.thinking import ThinkTool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.agent.run import Step
    from core.agent.tool import Tool
    from core.i18n import Words
    from core.turn.parts import Parts
    from core.turn.question import Question


@dataclass(frozen=True, slots=True)
class Outfit:
    """The tools, the state of the turn that they share, and what those of them used that ask a model themselves."""

    tools: tuple[Tool, ...]
    taint: Taint
    spent: Sequence[Usage] = ()


async def outfit(parts: Parts, question: Question, steps: Sequence[Step], words: Words) -> Outfit:
    """The tools for a question; `steps` are those that an earlier try has finished."""
    piece, stored = question.piece, spoken(question.burst.text)
    log = await _text(parts, agent_path(piece.id))
    taint = taint_of(written(stored), stored, question.messages, log, steps)
    zone = piece.timezone
    day = day_of(parts.clock.now(), zone).isoformat()
    tools = [*parts.tools(piece.id, zone, words), *file_tools(parts.storage, taint)]
    models, spent = parts.models, list[Usage]()
    if models and models.configured:
        prefix = question.messages[:1]
        tools.append(ThinkTool(models.direct, lambda: question.model.name, prefix, day, spent=spent.append))
    if parts.web:
        told = await models.describe() if models and models.configured else None
        search = parts.web.search(told.main.provider) if told and told.main else parts.web.search("")

        def count(usage: Usage) -> None:
            spent.append(usage)
            if models:
                models.count(usage)

        tools += web_tools(Outside(parts.web, taint, None if told and told.state == "shut" else search, day, count))
    return Outfit(tuple(tools), taint, spent)


async def _text(parts: Parts, path: str) -> str:
    try:
        return (await parts.storage.read(path)).data.decode(errors="replace")
    except (NotFound, NotAFile):
        return ""
