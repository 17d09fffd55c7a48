"""Which of our two languages a text is to be answered in."""

from __future__ import annotations

import re
from typing import Final, Literal

_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_OTHER_CJK: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_WORD: Final = re.compile(r"[^\W\d_]+")


def tongue_of(text: str) -> Literal["en", "zh"]:
    """Chinese when Chinese characters carry the text; Latin names and terms in it count as one sign per word."""
    han = len(_HAN.findall(text))
    others = sum(1 for word in _WORD.findall(_HAN.sub(" ", text)) if word)
    return "zh" if han and han >= others and not _OTHER_CJK.search(text) else "en"
