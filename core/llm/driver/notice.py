"""Notices of a provider that came as text with status 200: they are trouble, not an answer, and never memory."""

from __future__ import annotations

import json
import re
from typing import Final

_PAGE: Final = re.compile(r"\s*(?:<!doctype html\b|<html[\s>])", re.IGNORECASE)
_PAGE_STARTS: Final = ("<!doctype html", "<html>", "<html ")
_OBJECT: Final = re.compile(r'\s*\{\s*"(?:error|detail|type"\s*:\s*"error)"')
_OBJECT_KEYS: Final = {"error", "type", "detail", "request_id", "status", "code", "message"}
_SAID: Final = (
    *(f"{who} error" for who in ("upstream", "api", "server", "internal server", "provider", "http")),
    *(f"error{mark} {digit}" for mark in ("", ":", " code:") for digit in "45"),
    *("bad gateway", "502 bad gateway", "service unavailable", "service temporarily unavailable", "gateway time"),
    *("503 service unavailable", "504 gateway time", "too many requests", "429 too many requests"),
    *("rate limit exceeded", "rate limit reached", "you exceeded your current quota", "insufficient balance"),
    *("insufficient quota", "insufficient credit", "the server is overloaded", "the model is overloaded"),
    *("the engine is currently overloaded", "the server is currently overloaded", "model is overloaded"),
)
"""How the short ones begin, in small letters."""
_LONG: Final = 400
"""A notice is short: longer text that begins like one is an answer about it."""
_HOLD: Final = 48


def may_be(text: str) -> bool:
    """Whether the beginning of an answer could still turn out a notice, so that it is not shown yet."""
    start = text.lstrip().lower()
    if not start:
        return True
    if _PAGE.match(text) or _OBJECT.match(text):
        return True
    if any(page.startswith(start) for page in _PAGE_STARTS):
        return True
    if start.startswith("{") and len(start) < _HOLD and re.fullmatch(r'\{\s*"?[a-z]*', start):
        return True
    return len(text) <= _LONG and (start.startswith(_SAID) or any(known.startswith(start) for known in _SAID))


def is_notice(text: str, counted: int) -> bool:
    """Whether a whole answer is a notice; `counted` are the tokens that the provider says it generated.

    A page of HTML and an error object are; a short sentence of the well-known kind only when the provider counted no
    more than one token for it, since a model may rightly say the same words.
    """
    if _PAGE.match(text):
        return True
    if _OBJECT.match(text):
        try:
            value = json.loads(text)
        except ValueError:
            return False
        return isinstance(value, dict) and bool(value) and value.keys() <= _OBJECT_KEYS
    return counted <= 1 and len(text) <= _LONG and text.lstrip().lower().startswith(_SAID)
