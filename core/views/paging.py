"""A long list in parts, each with the way to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from core.document import Address, Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.views.reader import Reader

PER_PAGE: Final = 12
T = TypeVar("T")


def part(things: Sequence[T], page: int, size: int = PER_PAGE) -> tuple[Sequence[T], int]:
    """The things on that page, and the page, which is brought into range."""
    page = max(0, min(page, (len(things) - 1) // size))
    return things[page * size : (page + 1) * size], page


def turning(address: Address, count: int, reader: Reader, size: int = PER_PAGE) -> list[Choice]:
    """The ways to the page before and the page after the one at this address, of so many things."""
    page, ways = address.page, []
    if page:
        ways.append(Choice(reader.words("page.back"), Address(address.view, address.argument, page - 1)))
    if (page + 1) * size < count:
        ways.append(Choice(reader.words("page.on"), Address(address.view, address.argument, page + 1)))
    return ways
