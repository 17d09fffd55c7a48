"""Filling a forced form, such as the marks of a slice, from the words of the talk alone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from core.language.dates import spans, without
from core.language.questions import asks
from core.language.sentences import cut, sentences
from core.language.stopwords import STOPWORDS
from core.language.tokens import TELLING, UNSPACED, keys, normal, terms
from core.llm.offline import notices
from core.llm.offline.scene import own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.llm.base import Message, ToolSpec

_HEADER: Final = re.compile(
    r"^(?:## Turn \S+ — \S+ \((?P<a>user|agent)\)[^\n]*\n|(?P<b>user|agent|assistant) ?(?:\([^)\n]*\))?: )",
    re.MULTILINE,
)
_ANY_DAY: Final = date(2000, 6, 15)
_FOCUS: Final = 80
_SUMMARY: Final = 100
_TAGS: Final = 6
_LISTED: Final = 4
_OPEN: Final = re.compile(
    r"\b(?:need to|have to|must|should|want to|going to|i'll|i’ll|i will|remind me|remember to|don't forget|waiting for"
    r"|still open|to do|not yet|haven't|plan to|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|due)\b"
    r"|需要|得去|记得|别忘|打算|还没|还要|等着|等他|等她|截止|下周要|明天要|准备",
    re.IGNORECASE,
)
DECIDED: Final = re.compile(
    r"\b(?:decided|decision|we(?:'ll| will) go with|i(?:'ll| will|'m going to) go with|settled on|chose|agreed)\b"
    r"|决定|选了|选定|定了|说好|敲定|最终选",
    re.IGNORECASE,
)
_GLAD: Final = re.compile(
    r"\b(?:happy|glad|great|love[ds]?|wonderful|excited|proud|relieved|thanks|thank you|finally|yay)\b"
    r"|开心|高兴|太好了|喜欢|激动|终于|谢谢|顺利|满意",
    re.IGNORECASE,
)
_SAD: Final = re.compile(
    r"\b(?:sad|angry|worried|afraid|tired|stressed|hate[ds]?|awful|terrible|lonely|anxious|upset|hurts?|failed|sorry)\b"
    r"|难过|生气|担心|害怕|累|压力|讨厌|糟糕|焦虑|失败|崩溃|孤单|痛",
    re.IGNORECASE,
)
_WORD: Final = re.compile(rf"[^\W\d_{UNSPACED}]{{3,}}(?:['’][^\W\d_]+)?")
_RUN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_PLAIN: Final = re.compile("[的了吗呢吧我你他她它是在有没不也都就还又再很把被给跟和这那个们着过说去来到上下什么怎]")


@dataclass(frozen=True, slots=True)
class _Talk:
    """The talk that a form is about: what the person said, and all of it."""

    person: tuple[str, ...]
    whole: str

    @property
    def own(self) -> str:
        """What the person said in their own words, without what they quote and without dates: topics stand in it."""
        said = "\n".join(own(text, every=True) for text in self.person)
        return without(said, spans(said, _ANY_DAY))

    @property
    def statements(self) -> list[str]:
        """The person's sentences that ask nothing."""
        return [part for said in self.person for part in sentences(said) if not asks(part)]

    @property
    def spoken(self) -> list[str]:
        """The person's sentences, statements if there are any."""
        return self.statements or [part for said in self.person for part in sentences(said)]


def fill(form: ToolSpec, messages: Sequence[Message]) -> dict[str, object]:
    """The form's fields as far as they can be told mechanically; unknown optional ones stay out."""
    if form.name == notices.FORM:
        return notices.fill(next((message.text for message in messages if message.role == "user"), ""))
    talk = _talk(messages)
    properties = form.schema.get("properties", {})
    required = set(form.schema.get("required", ()))
    filled = {name: _FIELDS[name](talk) for name in properties if name in _FIELDS}
    return filled | {
        name: _empty(schema) for name, schema in properties.items() if name in required and name not in filled
    }


def _talk(messages: Sequence[Message]) -> _Talk:
    """The talk in the first message of the person, since a later one only asks again: turns, or the message itself."""
    text = next((message.text for message in messages if message.role == "user"), "")
    found = list(_HEADER.finditer(text))
    if not found:
        return _Talk((text,), text)
    ends = [match.start() for match in found[1:]] + [len(text)]
    turns = [
        (match["a"] or match["b"], text[match.end() : end].strip()) for match, end in zip(found, ends, strict=True)
    ]
    return _Talk(tuple(said for role, said in turns if role == "user"), "\n".join(said for _, said in turns))


def _central(talk: _Talk) -> list[str]:
    """The person's sentences, the one that shares most words with the rest first; earlier ones a little ahead."""
    parts = talk.spoken
    common = Counter(key for part in parts for key in set(keys(part)))

    def value(place: int) -> float:
        own = set(keys(parts[place]))
        return sum(common[key] for key in own) / (len(own) + 4) - 0.02 * place

    return [parts[place] for place in sorted(range(len(parts)), key=value, reverse=True)]


def _focus(talk: _Talk) -> str:
    central = _central(talk)
    return cut(central[0], _FOCUS) if central else cut(talk.whole, _FOCUS)


def _summary(talk: _Talk) -> str:
    central = _central(talk)
    best = [part for part in talk.spoken if part in central[:3]]
    return cut(" ".join(best), _SUMMARY)


def tags(talk: _Talk) -> list[str]:
    """What is spoken of again and again: recurring content words, names, and in Chinese recurring runs."""
    return (_chinese_tags(talk) + _word_tags(talk))[:_TAGS]


def _word_tags(talk: _Talk) -> list[str]:
    forms: dict[str, Counter[str]] = {}
    for match in _WORD.finditer(talk.own):
        word = match[0].removesuffix("'s").removesuffix("’s")
        lowered = normal(word).replace("’", "'")
        if lowered not in STOPWORDS and all(term.weight >= TELLING for term in terms(lowered)):
            key = next(iter(keys(word)), "")
            forms.setdefault(key, Counter())[word if word.isupper() else word.lower()] += 1
    ranked = sorted(forms.values(), key=lambda seen: -seen.total())
    return [seen.most_common(1)[0][0] for seen in ranked if seen.total() > 1]


def _chinese_tags(talk: _Talk) -> list[str]:
    counts: Counter[str] = Counter()
    for run in _RUN.findall(talk.own):
        for piece in _PLAIN.split(run):
            counts.update(piece[at : at + n] for n in (4, 3, 2) for at in range(len(piece) - n + 1))
    often = sorted((run for run, count in counts.items() if count > 1), key=lambda run: (-counts[run] * len(run), run))
    chosen: list[str] = []
    for run in often:
        if not any(run in longer or longer in run or run[:1] == longer[-1:] for longer in chosen):
            chosen.append(run)
    return chosen[:_TAGS]


def _tone(talk: _Talk) -> str:
    said = " ".join(talk.person)
    glad, sad = len(_GLAD.findall(said)), len(_SAD.findall(said))
    if glad and sad:
        return "mixed"
    return "positive" if glad else "negative" if sad else "neutral"


def _matching(pattern: re.Pattern[str]) -> Callable[[_Talk], object]:
    def chosen(talk: _Talk) -> list[str]:
        return [cut(part, _FOCUS) for part in talk.statements if pattern.search(part)][:_LISTED]

    return chosen


def _empty(schema: Mapping[str, object]) -> object:
    options = schema.get("enum")
    if isinstance(options, list) and options:
        return options[0]
    kinds: dict[object, object] = {"array": [], "object": {}, "boolean": False, "integer": 0, "number": 0}
    return kinds.get(schema.get("type"), "")


_FIELDS: Final[Mapping[str, Callable[[_Talk], object]]] = {
    "focus": _focus,
    "summary": _summary,
    "tags": tags,
    "message_tags": tags,
    "tone": _tone,
    "emotional_tone": _tone,
    "open_loops": _matching(_OPEN),
    "decisions": _matching(DECIDED),
    "intent": lambda _: "chat",
    "emotional_signal": lambda _: "neutral",
}
