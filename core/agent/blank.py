"""What a model says without saying anything."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*\Z")
_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""


def blank(text: str) -> bool:
    """Whether nobody would see anything of it: space, invisible characters, the fences of a code block without code."""
    return all(_FENCE.match(line) or not any(map(_visible, line)) for line in text.splitlines())


def _visible(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ" and char not in _FILLERS
