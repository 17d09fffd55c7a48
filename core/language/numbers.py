"""Small numbers written as words in English and Chinese."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = {
    word: value
    for value, words in enumerate(
        ("zero", "a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
    for word in words.split()
} | {"a couple of": 2, "a few": 3}
_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "几": 3}


def number(text: str) -> int:
    """The value of "12", "three", "a couple of", "二十三" or "二〇二五"; raises ValueError for anything else."""
    word = text.strip().lower()
    if word.isdecimal():
        return int(word)
    if word in _ENGLISH:
        return _ENGLISH[word]
    return _chinese(word)


def _chinese(word: str) -> int:
    if not word or not all(sign in _DIGITS or sign == "十" for sign in word):
        raise ValueError(f"{word!r} is not a number")
    if "十" not in word:
        return int("".join(str(_DIGITS[sign]) for sign in word))
    tens, _, units = word.partition("十")
    if len(tens) > 1 or len(units) > 1:
        raise ValueError(f"{word!r} is not a number")
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[units] if units else 0)
