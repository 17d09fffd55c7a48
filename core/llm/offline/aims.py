"""What a question is after, where that is not a topic: the person themselves, what they decided, a time."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

from core.language.dates import spans, without
from core.language.tokens import TELLING, terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.language.dates import Span
    from core.language.tokens import Term

_ANY_DAY: Final = date(2000, 6, 15)
"""Only whether a text names a time is asked, not which: that the tools know."""
_SELF: Final = re.compile(
    r"\bwhat(?:['’]?s| is| was)? my (?:full |first |last )?name\b|\bmy name\s*\?|\bwho am i\b"
    r"|\b(?:what|how) (?:do|should|can|will) you call me\b|\bwhat do you know (?:about|of) me\b"
    r"|\bdo you (?:know|remember) (?:who i am|my name|me\b)"
    r"|我(?:叫|姓)(?:什么|啥)|什么是我的名字|我的?(?:名字|姓名)(?:是|叫)?(?:什么|啥)|我是谁|(?:怎么|如何)称呼我|记得我(?:是谁|叫什么|吗)|你(?:了解|知道)我(?:什么|哪些)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"\b(?:my name(?:['’]?s| is)|i am called|i['’]m called|call me|people call me)\b"
    r"|我(?:的名字)?叫|我的名字是|叫我|我姓",
    re.IGNORECASE,
)
_DECIDED: Final = re.compile(
    r"\bwhat (?:did|have|had) (?:i|we) (?:just |all |already )?(?:decided?|settled?(?: on)?|agreed?(?: on)?|chosen?)\b"
    r"|\b(?:which|what|any|my|our) decisions?\b"
    r"|(?:决定|定下|敲定|选定)(?:了|过|的)?(?:什么|啥|哪些)|(?:做|有)(?:了|过)?(?:什么|哪些)决定|哪些决定|我的决定",
    re.IGNORECASE,
)
_DECISION_WORDS: Final = frozenset(
    {"decid", "decis", "decision", "settl", "agre", "agree", "chosen", "chose", "make", "made", "做", "定"}
)
_DOING: Final = frozenset({"做", "忙", "干", "弄", "搞", "busi", "up", "do"})
"""What people ask of a time in general; beside a date it names no topic."""


def times(question: str) -> list[Span]:
    """The expressions of time in a question; their days mean nothing."""
    return spans(question, _ANY_DAY)


def topic(question: str) -> str:
    """The question without its times."""
    return without(question, times(question))


def telling(question: str) -> list[Term]:
    """The terms of a question that name something, apart from a time."""
    return list(_telling(question))


def of_oneself(question: str) -> bool:
    """Whether the person asks for what is known of themselves."""
    return _SELF.search(question) is not None


def introduces(said: str) -> bool:
    """Whether the person tells who they are."""
    return _NAMED.search(said) is not None


def of_decisions(question: str) -> bool:
    """Whether the person asks for what they decided, whatever it was about."""
    return _DECIDED.search(question) is not None and all(term.key in _DECISION_WORDS for term in telling(question))


def _telling(question: str) -> Iterator[Term]:
    found = times(question)
    for term in terms(without(question, found)):
        if term.weight >= TELLING and not (found and term.key in _DOING):
            yield term
