"""What is shown of a turn, from the plan of its answer: the page, or the sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.document import Document, Fold, Text
from core.turn.cited import cited

if TYPE_CHECKING:
    from core.i18n import Words
    from core.journal.records import Plan


def sentence_of(plan: Plan, words: Words) -> Document:
    """Why there is no answer, as the plan has it."""
    fields = plan.flags.get("fields")
    given = {name: str(value) for name, value in fields.items()} if isinstance(fields, Mapping) else {}
    return Document((Text(words(str(plan.flags["failed"]), **given)),))


def page_of(plan: Plan) -> Document:
    """The answer of a plan as a page: its text, what is folded below it, and the ways to the slices that it cites."""
    text, *folds = plan.reply
    pairs = zip(folds[::2], folds[1::2], strict=True)
    ways = cited(text)
    return Document((Text(text), *(Fold(label, markdown) for label, markdown in pairs), *((ways,) if ways else ())))
