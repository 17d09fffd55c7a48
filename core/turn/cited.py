"""Which slices an answer cites, as choices that open them."""

from __future__ import annotations

import re
from typing import Final

from core.document import Address, Choice, Choices
from core.relative import slice_instant

MOST: Final = 6
"""Slices that are offered below one answer."""
_CITED: Final = re.compile(r"(?<![\w/-])(\d{4})[-/](\d{2})[-/](\d{2})[-/](\d{4})(?![\w/]|-\d)", re.ASCII)


def cited(text: str) -> Choices | None:
    """A choice for every slice whose id or path stands in the text, in its order; None when there is none.

    The label is the id, so that it is found again in the text.
    """
    found = dict.fromkeys("-".join(one.groups()) for one in _CITED.finditer(text))
    real = [slice_id for slice_id in found if slice_instant(slice_id)][:MOST]
    return Choices(tuple(Choice(slice_id, Address("slice", slice_id)) for slice_id in real)) if real else None
