"""The models as a page: which one answers, how hard it thinks, what the day has cost, and what else may be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.views.paging import part, turning
from core.views.reader import clip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.document import Block
    from core.i18n import Words
    from core.llm.models import Description
    from core.llm.providers import Entry
    from core.views.reader import Reader

EFFORTS: Final = ("low", "medium", "high")
OTHERS: Final = 3
"""How many other models an answer may be had from at a press."""


def choose(view: str, name: str, label: str) -> Choice:
    """The way to `/VIEW NAME`: by an address where the name fits into one, else said as the person's own words."""
    try:
        Address(view, name).encode()
    except ValueError:
        return Choice(label, say=f"/{view} {name}")
    return Choice(label, Address(view, name))


def models_page(told: Description, reader: Reader, page: int = 0, lead: str = "", set_now: str = "") -> Document:
    """What answers now and what may be chosen; `lead` says what has just happened, `set_now` what was just chosen."""
    words = reader.words
    main = told.main
    if main is None:
        return Document(
            (Title(words("models.title")), Text(lead or "\n\n".join(_nothing(told, words)))), Address("model")
        )
    others = [entry for entry in told.entries if entry.id != main.id]
    shown, page = part(others, page)
    address = Address("model", page=page)
    choices = [choose("retry", set_now, words("again.with", model=clip(set_now)))] if set_now else []
    choices += [choose("model", entry.id, clip(entry.id)) for entry in shown]
    choices += turning(address, len(others), reader)
    choices += [Choice(words("models.think"), Address("think")), Choice(words("models.effort"), Address("effort"))]
    blocks: list[Block] = [Title(main.id, eyebrow=words("models.title"), note=_thinking(told, words))]
    blocks += [Text(lead)] if lead else []
    blocks += [Items(tuple(model_lines(told, words))), Choices(tuple(choices))]
    return Document(tuple(blocks), address)


def thinking_page(told: Description, reader: Reader, lead: str = "") -> Document:
    """Whether the model thinks before it answers."""
    words = reader.words
    now = bool(told.thinking)
    choice = choose("think", "off" if now else "on", words("models.think.off" if now else "models.think.on"))
    ways = (choice, Choice(words("models.effort"), Address("effort")), Choice(words("models.all"), Address("model")))
    title = Title(_thinking(told, words), eyebrow=words("models.think"))
    return Document((title, *_leads(told, lead, words), Choices(ways)), Address("think"))


def effort_page(told: Description, reader: Reader, lead: str = "") -> Document:
    """How hard the model thinks when it does."""
    words = reader.words
    others = [one for one in EFFORTS if one != told.effort]
    ways = [choose("effort", one, words(f"choice.value.{one}")) for one in others]
    note = "" if told.thinking else words("models.effort.idle")
    title = Title(words(f"choice.value.{told.effort}"), eyebrow=words("models.effort"), note=note)
    ways += [Choice(words("models.think"), Address("think")), Choice(words("models.all"), Address("model"))]
    return Document((title, *_leads(told, lead, words), Choices(tuple(ways))), Address("effort"))


def _leads(told: Description, lead: str, words: Words) -> list[Text]:
    """What has just happened, and that no model is there to think where none is."""
    return [Text(one) for one in (lead, "" if told.main else words("models.think.bare")) if one]


def model_lines(told: Description, words: Words) -> Iterable[str]:
    """What is in force as lines, also for `/status`: models, what cannot be had, the day's cost, what rests."""
    if told.main is None:
        yield from _nothing(told, words)
        return
    yield words("models.main", model=f"`{told.main.id}`", provider=told.main.provider)
    if told.worker:
        yield words("models.worker", model=f"`{told.worker.id}`")
    if told.missing:
        yield words("model.fallback", missing=told.missing, model=told.main.id)
    if told.worker_missing and told.worker:
        yield words("model.fallback", missing=told.worker_missing, model=told.worker.id)
    if told.down:
        yield words("models.down")
    if told.spent.calls:
        yield words("models.spent", cost=f"{told.spent.usd:.2f}", tokens=told.spent.tokens, n=told.spent.calls)
    if told.ceiling:
        unit = "models.ceiling.usd" if told.ceiling.unit == "usd" else "models.ceiling.tokens"
        amount = f"{told.ceiling.amount:.2f}" if told.ceiling.unit == "usd" else f"{told.ceiling.amount:.0f}"
        yield words(unit, amount=amount)
    if told.state != "open":
        yield words("model.ceiling.short" if told.state == "shut" else "model.thrift")


def _nothing(told: Description, words: Words) -> Iterable[str]:
    """Why no model can be chosen."""
    for one in told.silent:
        if one.refused:
            yield words("models.refused", address=one.address, variable=one.variable)
        else:
            yield words("models.silent", address=one.address)
    if not told.silent:
        yield words("models.none")


def others(told: Description, model: str) -> list[Entry]:
    """A few other models that could answer: of each provider the first, beginning with those of the one in force."""
    if told.main is None:
        return []
    mine = [entry for entry in told.entries if entry.provider == told.main.provider][:2]
    firsts = {entry.provider: entry for entry in reversed(told.entries) if entry.provider != told.main.provider}
    found = [entry for entry in (*mine, *reversed(firsts.values())) if entry.id != model]
    return found[:OTHERS]


def _thinking(told: Description, words: Words) -> str:
    if not told.thinking:
        return words("models.thinks.not")
    return words("models.thinks", effort=words(f"choice.value.{told.thinking}"))
