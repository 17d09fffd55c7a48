"""Words of a text as search keys: Unicode-aware, case and accents folded, stemmed; pairs where words have no spaces."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from core.language.stems import stem
from core.language.stopwords import ASKING, CJK_ASKING, STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts whose words stand without spaces between them, as the inside of a regular expression's class."""

_RUN: Final = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+(?:['’][^\W_{UNSPACED}]+)*")
PLAIN_WORD: Final = r"[a-z0-9]+(?:'[a-z0-9]+)*"
"""The same as the source of a regular expression for folded ASCII, which is most of English and three times as fast."""
_PLAIN: Final = re.compile(PLAIN_WORD)
_CJK: Final = re.compile(f"[{UNSPACED}]")
_UNSPACED_RUN: Final = re.compile(f"[{UNSPACED}]+")
_WORD_RUN: Final = re.compile(rf"[^\W_{UNSPACED}]+(?:'[^\W_{UNSPACED}]+)*")
_PUNCTUATION: Final = re.compile(
    "[\u2010-\u2018\u201a-\u2027\u2030-\u205e\u3001-\u3003\u3008-\u3020\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]+"
)
"""Marks that make a text slow to fold and are no part of any word."""
_ELISION: Final = re.compile(r"\A(?:[ldjcnsmt]|qu|jusqu|lorsqu|un|dell|all|nell|sull|dall|quell)'(?=\w{2})")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_OPENERS: Final = tuple('.!?:;"“‘(。！？：…')
"""After one of these a sentence may begin, so that a capital says nothing."""
_CUT: Final = re.compile("|".join(map(re.escape, CJK_ASKING)))


TELLING: Final = 0.5
"""Terms below this weight only frame a question."""
_NAME: Final = 1.5
_FRAME: Final = 0.25


@dataclass(frozen=True, slots=True)
class Term:
    """A key that a question looks for, the words as written (`surface`), and how much they say.

    `weight` is 1 for an ordinary word, more for a name, less for what merely asks (`TELLING` is the bar).
    """

    key: str
    weight: float
    surface: str


def normal(text: str) -> str:
    """The text with compatibility forms and case folded (NFKC)."""
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def plain(text: str) -> str:
    """The text as `word_runs` and `unspaced_runs` take it: folded, apostrophes straight, much punctuation as blanks."""
    if not text.isascii():
        text = _PUNCTUATION.sub(" ", text.replace("\u2019", "'"))
    return normal(text)


def word_runs(folded: str) -> list[str]:
    """The words of a `plain` text in scripts that part words by spaces."""
    return (_PLAIN if folded.isascii() else _WORD_RUN).findall(folded)


def unspaced_runs(folded: str) -> list[str]:
    """The stretches of a `plain` text in scripts that do not."""
    return _UNSPACED_RUN.findall(folded)


def key_of_word(word: str) -> str:
    """The key of a word from `word_runs`, "" for a stop word."""
    return _key.__wrapped__(word)


def runs(text: str) -> list[str]:
    """The folded words of a text in order; a stretch of an unspaced script is one run."""
    return (_PLAIN if text.isascii() else _RUN).findall(normal(text))


@lru_cache(maxsize=1 << 15)
def keys_of(run: str) -> tuple[str, ...]:
    """The search keys of one run: the stem of a content word; pairs and single characters of an unspaced script."""
    if _CJK.match(run):
        return (*_pairs(run), *run)
    key = _key(run)
    return (key,) if key else ()


def keys(text: str) -> list[str]:
    """The search keys of a text in order."""
    return list(chain.from_iterable(map(keys_of, runs(text))))


def terms(question: str) -> list[Term]:
    """What a question looks for, each key once; the words that merely ask weigh little, stop words nothing."""
    found: dict[str, Term] = {}
    written = unicodedata.normalize("NFKC", question)
    for match in _RUN.finditer(written):
        run = match[0]
        made = _cjk_terms(run) if _CJK.match(run) else _word_terms(run, written[: match.start()])
        for term in made:
            if term.key not in found or found[term.key].weight < term.weight:
                found[term.key] = term
    return list(found.values())


def is_cjk(text: str) -> bool:
    """Whether most letters of a text belong to a script without spaces."""
    letters = sum(1 for character in text if character.isalpha())
    return letters > 0 and 2 * len(_CJK.findall(text)) >= letters


def _word_terms(written: str, before: str) -> Iterator[Term]:
    word = written.casefold()
    key = _key(word)
    if key in _ASKING_KEYS:
        yield Term(key, _FRAME, word)
    elif key:
        begun = before.rstrip()
        named = written[:1].isupper() and begun != "" and not begun.endswith(_OPENERS)
        yield Term(key, _NAME if named else 1.0, word)


def _cjk_terms(run: str) -> Iterator[Term]:
    for piece in _CUT.split(run):
        if len(piece) == 1:
            yield Term(piece, 0.5, piece)
        for pair in _pairs(piece):
            yield Term(pair, 1.0, pair)
        if len(piece) > 1:
            for character in piece:
                yield Term(character, 0.2, character)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


@lru_cache(maxsize=1 << 15)
def _key(word: str) -> str:
    """The key of a folded word, or nothing for a stop word."""
    plain = word.replace("’", "'")
    if plain in STOPWORDS:
        return ""
    plain = _ELISION.sub("", plain).removesuffix("'s").replace("'", "")
    if not plain.isascii():
        plain = _unaccented(plain)
    if plain in STOPWORDS:
        return ""
    ordinal = _ORDINAL.match(plain)
    return ordinal[1] if ordinal else stem(plain)


def _unaccented(word: str) -> str:
    spread = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c)))


_ASKING_KEYS: Final = frozenset(_key(word) for word in ASKING)
