"""Whether a text asks something, and what it asks for."""

from __future__ import annotations

import re
from typing import Final

from core.language.sentences import sentences

_PRESENT: Final = re.compile(
    r"\b(?:now|currently|current|at the moment|these days|nowadays|latest|newest|still|so far|most recent|present)\b"
    r"|目前|现在|如今|眼下|最新|当前|至今|还在",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"(?:(?:so|and|but|hey|hi|ok|okay|well|please|um|hmm)[,\s]+)*"
    r"(?:(?:what|when|where|who|whom|whose|which|why|how)(?:'s|’s|'re|’re|s)?\b(?!\s+a\b)"
    r"|(?:do|does|did|is|are|was|were|am|can|could|will|would|should|have|has|had|may)(?:n't|n’t)?\s+"
    r"(?:i|you|we|they|he|she|it|there|my|your|our|the|this|that|any|anyone)\b"
    r"|(?:remind|tell|show)\s+(?:me|us)\s+(?:about|again|what|when|where|who|which|why|how|the)\b"
    r"|(?:find|search|look\s+(?:up|for)|recall|quote|list)\b"
    r"|(?:any\s+idea|do\s+you\s+remember|what\s+about|how\s+about|you\s+remember)\b)",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"吗|呢[？?。!！]?$|什么|哪(?!怕)|谁|为何|为什么|怎么|怎样|如何|多少|多久|多大|多长|几[点号月个次天年岁]"
    r"|是不是|有没有|记不记得|能不能|会不会|要不要|何时|何地|^(?:请?告诉我|提醒我|帮我[找查]|找一?下|查一?下)"
)
_BROAD: Final = re.compile(r"什么也|什么都|没什么|怎么也|怎么都|谁都|哪里都|哪儿都|多少有|不知道怎么|不怎么")
_ASKED_OF_YOU: Final = re.compile(
    r"\b(?:did|have|do|had|were|was|what|which|that)\s+(?:\w+\s+){0,2}?you\b(?!\s+(?:remember|recall|know))"
    r"|\byou\s+(?:said|say|told|tell|suggest\w*|recommend\w*|advis\w*|mention\w*|propos\w*|gave|give|explain\w*)\b"
    r"|your\s+(?:advice|suggestion|recommendation|tip)"
    r"|你(?:给我|跟我|对我|上次|当时|之前|那时)?(?:推荐|建议|说|提|讲|告诉|给出|给了)",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\bwhen\b|what\s+(?:day|date|time|year|month)|how\s+long\s+ago|什么时候|何时|哪天|哪一天|几号|几点|几月|哪年|哪一年",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    r"\bhow\s+(?:much|many|long|old|far|big|tall|often)\b|what\s+(?:price|number|size|amount)|多少|几[个次岁斤块元]|多久|多大|多长|多远",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"\d|[一二三四五六七八九十两百千万]+(?=[个次岁斤块元年月日号点天周])")
_DATE_WORD: Final = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|\b(?:today|tomorrow|yesterday|tonight|noon|morning|evening|weekend|next|last)\b"
    r"|[一二三四五六七八九十]月|周[一二三四五六日末]|星期|今天|明天|昨天|下周|上周|早上|下午|晚上",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether the text asks for something: at least its last or its longest sentence is a question."""
    parts = sentences(text)
    return bool(parts) and (asks(parts[-1]) or asks(max(parts, key=len)))


def asks(sentence: str) -> bool:
    """Whether one sentence is a question or a request to find something."""
    bare = sentence.strip()
    if bare.endswith(("?", "？")) or _OPENING.match(bare):
        return True
    return _CHINESE.search(_BROAD.sub("", bare)) is not None


def asks_for_present(text: str) -> bool:
    """Whether the newest statement is wanted ("now", "current", "目前")."""
    return _PRESENT.search(text) is not None


def asks_what_was_answered(text: str) -> bool:
    """Whether it asks for the assistant's own words ("what did you recommend", "你推荐的")."""
    return _ASKED_OF_YOU.search(text) is not None


def suits(question: str, passage: str) -> bool:
    """Whether a passage holds the kind of thing asked for: a time for "when", a number for "how many"."""
    if _TIME.search(question) and _DATE_WORD.search(passage):
        return True
    return _AMOUNT.search(question) is not None and _DIGIT.search(passage) is not None
