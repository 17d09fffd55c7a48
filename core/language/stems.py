"""Light stemming: different forms of one word become the same key.

One rule set serves every language, since a question rarely says which language its words are from: English endings are
taken off first, then what most European languages use for plural and gender. A key is not a word and is never shown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FORMS: Final = {
    "be": "am is are was were been being",
    "become": "became",
    "begin": "began begun beginning",
    "break": "broke broken",
    "bring": "brought",
    "build": "built",
    "burn": "burnt",
    "buy": "bought",
    "catch": "caught",
    "child": "children",
    "choose": "chose chosen choosing choice choices",
    "come": "came",
    "cost": "costs",
    "cut": "cutting",
    "do": "did does done doing",
    "draw": "drew drawn",
    "dream": "dreamt",
    "drink": "drank drunk",
    "drive": "drove driven",
    "eat": "ate eaten",
    "fall": "fell fallen",
    "feel": "felt",
    "fight": "fought",
    "find": "found",
    "fly": "flew flown flight flights",
    "foot": "feet",
    "forget": "forgot forgotten",
    "forgive": "forgave forgiven",
    "freeze": "froze frozen",
    "get": "got gotten getting",
    "give": "gave given",
    "go": "went gone goes going",
    "grow": "grew grown",
    "hear": "heard",
    "hide": "hid hidden",
    "hold": "held",
    "keep": "kept",
    "knife": "knives",
    "know": "knew known",
    "lead": "led",
    "learn": "learnt",
    "leave": "left leaving",
    "lend": "lent",
    "lose": "lost losing loss",
    "make": "made making",
    "mean": "meant",
    "meet": "met meeting meetings",
    "mouse": "mice",
    "pay": "paid payment payments",
    "person": "people persons",
    "ride": "rode ridden",
    "ring": "rang rung",
    "rise": "rose risen",
    "run": "ran running",
    "say": "said",
    "see": "saw seen",
    "sell": "sold",
    "send": "sent",
    "shoot": "shot",
    "sing": "sang sung",
    "sit": "sat sitting",
    "sleep": "slept",
    "speak": "spoke spoken speech",
    "spend": "spent",
    "stand": "stood",
    "steal": "stole stolen",
    "stick": "stuck",
    "swim": "swam swum swimming swimmer",
    "take": "took taken taking",
    "teach": "taught",
    "tell": "told",
    "think": "thought thoughts",
    "throw": "threw thrown",
    "tooth": "teeth",
    "understand": "understood",
    "wake": "woke woken",
    "wear": "wore worn",
    "wife": "wives",
    "win": "won winning",
    "write": "wrote written writing",
    "decide": "decision decisions",
    "marry": "married marriage wedding",
    "advise": "advice",
    "good": "better best",
    "bad": "worse worst",
    "weigh": "weight weights",
    "succeed": "success",
    "die": "died dead death dying",
    "arrive": "arrival",
    "live": "living lived life lives",
}
_IRREGULAR: Final = {form: base for base, forms in _FORMS.items() for form in forms.split()}
_SHORTEST: Final = 3
"""What is left of a word has at least that many letters."""
_LONG: Final = 7
"""From that many letters on, `-en` is an ending and not part of the word."""
_VOWEL: Final = re.compile(r"[aeiouyäöü]")
_CYRILLIC_END: Final = re.compile(r"(?<=\w{3})[аеёиоуыэюяйьмх]{1,3}\Z")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The key of a case-folded word without accents; words of one or two letters and numbers stay as they are."""
    if len(word) < _SHORTEST or word[0].isdigit():
        return word
    word = _IRREGULAR.get(word, word)
    if not word.isascii():
        return _CYRILLIC_END.sub("", word)
    return _bare(_english(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST:
        return word[:-1]
    return word


def _english(word: str) -> str:
    for ending, least in (("ingly", 4), ("edly", 4), ("ing", 3), ("ied", 3), ("ed", 3), ("ly", 4)):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= least and _VOWEL.search(rest):
            return rest + "y" if ending == "ied" else _undoubled(rest)
    for ending, put in (("ization", "ize"), ("ational", "ate"), ("ation", "ate"), ("fulness", "ful"), ("ment", "")):
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST:
            return word[: -len(ending)] + put
    return word


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "lsz" else word


def _bare(word: str) -> str:
    """Without a last vowel or the `-en` of a plural: Spanish, Italian, Portuguese, French and German inflection."""
    if len(word) >= _LONG and word.endswith("en"):
        word = word[:-2]
    if len(word) > _SHORTEST and word[-1] == "y":
        return word[:-1] + "i"
    return word[:-1] if len(word) > _SHORTEST and word[-1] in "aeio" else word
