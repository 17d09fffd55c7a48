"""Addresses in an answer: one that nobody trustworthy named is shown as code and never as a link or a picture.

An address that a model composes can carry memory out as soon as anybody, or a preview, opens it (reliability 4.2, rule
4). Pictures are never loaded from elsewhere, whoever named them. Pure.
"""

from __future__ import annotations

import re
from html import unescape
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final

from core.turn.code import bare, stretches

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.turn.code import Stretch

    Known = Callable[[str], bool]

_SIGN: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_SPELT: Final = frozenset(f"{ascii_letters}{digits}:/.?=%-@")
"""Signs that an address may be made of and that are no mark by themselves."""
_DOLLAR: Final = re.compile(r"(?<!\\)\$")
_FARTHER: Final = re.compile(r"^((?:[ \t]*+>)+)[ \t]{2,}", re.MULTILINE)
"""Farther in than the text of a quote: code that some readers set as plain text."""
_FORMULA: Final = re.compile(r"\\([()\[\]])")
_VEILED: Final = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{1,20})\\?:((?:\\?/){2})")
# Bounded and possessive (`}+`): whatever a page talks a model into saying, looking through it takes time in proportion.
_ADDRESS: Final = r"(?:[A-Za-z][A-Za-z0-9+.-]{1,20}:|//|www\.)[^\s)<>]{1,4000}+"
_REST: Final = r">?[^)\n]{0,4000}+\)"
_WORDS: Final = r"\[([^\]\n]{0,1000})"
_PICTURE: Final = re.compile(rf"!{_WORDS}\]\(\s*+<?({_ADDRESS}[^\s)]{{0,4000}}+){_REST}", re.IGNORECASE)
_LINK: Final = re.compile(rf"{_WORDS}\]\(\s*+<?({_ADDRESS}){_REST}", re.IGNORECASE)
_AIM: Final = re.compile(rf"\]\(\s*+<?({_ADDRESS}){_REST}", re.IGNORECASE)
"""The end of a link whose words are too long, or hold brackets of their own."""
_BARE: Final = re.compile(
    r"<?\b((?:https?|ftp|tg|discord|file)://[^\s<>`]+|www\.[^\s<>`]+"
    r"|(?:[a-z0-9-]{1,63}\.){1,40}[a-z]{2,63}/[^\s<>`]*)>?",
    re.IGNORECASE,
)
_BEHIND: Final = ".,;:!?'\"*_~)]}"


def tamed(text: str, known: Known) -> str:
    """The text with addresses that are not `known` as code, and pictures as their words; code stays as it is.

    What only some readers take for code is none, as soon as such an address stands in it.
    """
    if not any(sign in text for sign in ".:&"):
        return text
    whole = ""
    for one in stretches(text):
        said = one.text if one.code else _tamed(one, known)
        apart = " " if whole.endswith("`") and said.startswith("`") else ""  # two marks side by side are another mark
        whole += apart + said
    return whole


def _tamed(part: Stretch, known: Known) -> str:
    text = _unveiled(bare(part.text) if part.doubtful else part.text)
    if _plain(text, known) == text:
        return part.text if part.doubtful else text
    text = _FARTHER.sub(r"\1 ", _FORMULA.sub(r"\1", text))  # what would take our marks into itself
    found = _DOLLAR.sub(r"\$", _plain(text, known))
    return found.replace("\\`", "\\ `")  # every such mark is ours, and none may be escaped


def _unveiled(text: str) -> str:
    """The text with addresses spelt out as a reader of Markdown would: their colon may be an entity, or escaped."""
    if "&" in text:
        text = _SIGN.sub(lambda one: sign if (sign := unescape(one[0])) in _SPELT else one[0], text)
    return _VEILED.sub(lambda one: f"{one[1]}:{one[2].replace(chr(92), '')}", text)


def _plain(text: str, known: Known) -> str:
    text = _PICTURE.sub(lambda one: f"{one[1]} {_coded(one[2])}".strip(), text)
    pieces: list[str] = []
    place = 0
    for link in _LINK.finditer(text):
        pieces.append(_bare(text[place : link.start()], known))
        pieces.append(link[0] if known(link[2]) else f"{_bare(link[1], known)} ({_coded(link[2])})")
        place = link.end()
    return "".join((*pieces, _bare(text[place:], known)))


def _bare(text: str, known: Known) -> str:
    text = _AIM.sub(lambda one: one[0] if known(one[1]) else f"] ({_coded(one[1])})", text)
    pieces: list[str] = []
    for at, part in enumerate(re.split(r"(`[^`\n]*`)", text)):
        pieces.append(part if at % 2 else _BARE.sub(lambda one: _shown(one, known), part))
    return "".join(pieces)


def _shown(found: re.Match[str], known: Known) -> str:
    url, whole = found[1], found[0]
    end = len(url)
    while end and url[end - 1] in _BEHIND:
        end -= 1
    url, behind = url[:end], found[1][end:]
    candidates = (url,) if "://" in url else (f"https://{url}", f"http://{url}")
    if any(map(known, candidates)) or any(map(known, (f"{one}{behind}" for one in candidates))):
        return whole
    return f"{_coded(url)}{behind}"


def _coded(url: str) -> str:
    return f"`{url.replace('`', '')}`"
