"""The page of `/why`: what the last answer rests on, and what it took (DESIGN 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.clock import instant
from core.document import Address, Choice, Choices, Document, Items, Text, Title
from core.relative import local_stamp, slice_instant
from core.turn.sources import account_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.document import Block
    from core.i18n import Words
    from core.turn.sources import Account


def why_page(log: str, words: Words, zone: str, turn: str = "", again: Sequence[Choice] = ()) -> Document:
    """The page for a turn ("" for the last one) of a slice, from the slice's cognition log; `zone` is the person's.

    `again` are ways to another answer.
    """
    found = account_in(log, turn)
    if found is None:
        return Document((Text(words("why.unknown")),))
    at, account = found
    moment = instant(at)
    when = local_stamp(moment, zone, words) if moment else ""
    offered = (Choices(tuple(again)),) if again else ()
    return Document((Title(words("why.title"), note=when), *_blocks(account, words, zone), *offered))


def _blocks(account: Account, words: Words, zone: str) -> Iterator[Block]:
    yield Items(tuple(_took(account, words)))
    pointed, read = account.sources.pointed, account.sources.read
    if not (pointed or read):
        yield Text(words("why.searched" if account.sources.searched else "why.nothing"))
        return
    if pointed:
        yield Items(_named(pointed, words, zone), words("why.pointed"))
    yield Items(_named(read, words, zone), words("why.read")) if read else Text(words("why.unread"))
    yield Choices(tuple(Choice(_label(one, words, zone), Address("slice", one)) for one in (read or pointed)[:5]))


def _took(account: Account, words: Words) -> Iterator[str]:
    usage = account.usage
    yield words("why.model", model=f"`{account.model.replace('`', '')}`")
    yield words("why.seconds", n=round(account.seconds, 1))
    if usage.prompt or usage.completion:
        yield words("why.tokens", prompt=usage.prompt, completion=usage.completion, cached=usage.cached)
    if usage.cost is not None:
        yield words("why.cost", cost=f"{usage.cost:.4f}")


def _named(ids: Sequence[str], words: Words, zone: str) -> tuple[str, ...]:
    return tuple(words("why.slice", when=_label(one, words, zone), slice=one) for one in ids)


def _label(slice_id: str, words: Words, zone: str) -> str:
    moment = slice_instant(slice_id)
    return local_stamp(moment, zone, words) if moment else slice_id
