"""What can be noticed of a message mechanically: known topics, thanks, feeling, and a plain wish to remember."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from core.language.questions import asks, is_question
from core.language.sentences import sentences
from core.language.tokens import keys

if TYPE_CHECKING:
    from collections.abc import Sequence

FORM: Final = "notice_turn"
"""The name of the form that is filled here."""

MOST: Final = 5
"""How many topics a message may be about."""

_KNOWN: Final = re.compile(r"^- (.+)$", re.MULTILINE)
_NEWEST: Final = re.compile(r"^The newest message:\n\n", re.MULTILINE)
_CLOSING: Final = "This message closes a slice."
_WISH: Final = re.compile(
    r"\A(?:(?:please|so|and|ok(?:ay)?|now|hey|oh|also)[,!]?\s+)*"
    r"(?:remember(?!ed|ing|s|\s+(?:when|how|the time|the day|if|what|us|me)\b)"
    r"|(?:don['’]?t|do not|never) forget|keep in mind|bear in mind|make a note|note down)"
    r"(?:\s+(?:this|please))?(?:\s+(?:that|of)\b)?\s*[:,\-–—]?\s*(?P<what>\S.*)\Z"
    r"|\A(?:(?:请|麻烦|那|好|对了|另外|你)[，,]?)*(?:帮我|给我|替我)?"
    r"(?:记住|记下来?|记一下|牢记|别忘了?|不要忘记?)(?:这个|这点|这件事|一下)?[：:，,\s]*(?P<zh>\S.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
_IDLE: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|no|thanks?(?: you)?|thx|cheers|great|good|fine|nice|hi|hello|hey|bye|go on|continue|more"
    r"|sure|cool|a lot|so much|very much|morning|night|evening|好的?|嗯+|谢谢你?|多谢|你好|您好|早上?好?|晚安|再见|继续"
    r"|行|对|是的|收到|明白|可以|哈+)\W*)+\Z",
    re.IGNORECASE,
)
_STRONG: Final = re.compile(
    r"\b(?:devastated|heartbroken|furious|terrified|desperate|died|passed away|can'?t stop crying|overjoyed|ecstatic)\b"
    r"|崩溃|去世|绝望|气疯|吓坏|撑不住|太难受|激动得",
    re.IGNORECASE,
)
_FEELING: Final = (
    (
        "frustrated",
        re.compile(r"\b(?:annoy\w*|frustrat\w*|fed up|angry|furious|hate)\b|烦|生气|气死|讨厌|受不了", re.IGNORECASE),
    ),
    (
        "emotional",
        re.compile(
            r"\b(?:sad|lonely|worried|afraid|anxious|upset|tired|died|grie\w+|heartbroken|devastated|cry\w*)\b"
            r"|难过|担心|害怕|焦虑|孤单|去世|崩溃|伤心|累",
            re.IGNORECASE,
        ),
    ),
    ("humorous", re.compile(r"\b(?:haha\w*|lol|funny|joke)\b|哈哈|笑死|好笑", re.IGNORECASE)),
    (
        "excited",
        re.compile(
            r"\b(?:excited|finally|wonderful|amazing|overjoyed|thrilled|yay|so happy)\b"
            r"|激动|太好了|终于|开心死",
            re.IGNORECASE,
        ),
    ),
)


def fill(request: str) -> dict[str, object]:
    """The form for a request as the notice makes it: the known topics, whether a slice closes, the newest message."""
    head, message = _parted(request)
    known = _KNOWN.findall(head.partition(_CLOSING)[0])
    found = _spoken_of(known, message)
    filled: dict[str, object] = {
        "message_tags": {"reuse": found, "create": []},
        "semantic_hint": {"strands": found, "reason": ""},
        "intent": {"type": "explain" if is_question(message) else "chat", "reason": ""},
        "memory_worthy": bool(keys(message)) and not _IDLE.match(message),
        "emotional_signal": _signal(message),
    }
    if wish := _wish(message):
        filled["memory_update"] = {"content": wish}
    if _CLOSING in head:
        filled["evolve_card"] = {"worth": True, "reason": ""}
    return filled


def _parted(request: str) -> tuple[str, str]:
    """What stands before the newest message, and the message."""
    places = list(_NEWEST.finditer(request))
    if not places:
        return "", request
    return request[: places[0].start()], request[places[0].end() :]


def _spoken_of(known: Sequence[str], message: str) -> list[str]:
    """The topics all of whose words stand in the message."""
    said = set(keys(message))
    return [name for name in known if (words := set(keys(name))) and words <= said][:MOST]


def _wish(message: str) -> str:
    """What the person wants remembered: the sentence that asks for it, to the end of its paragraph."""
    for paragraph in message.split("\n"):
        parts = sentences(paragraph)
        for at, part in enumerate(parts):
            found = None if asks(part) else _WISH.match(part)
            if found:
                return " ".join([found["what"] or found["zh"], *parts[at + 1 :]])
    return ""


def _signal(message: str) -> dict[str, object]:
    register = next((name for name, pattern in _FEELING if pattern.search(message)), "neutral")
    strong = bool(_STRONG.search(message))
    intensity = "strong" if strong else "none" if register == "neutral" else "light"
    return {"intensity": intensity, "register": "emotional" if strong and register == "neutral" else register}
