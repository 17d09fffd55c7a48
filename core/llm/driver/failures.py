"""What an exception of the client libraries means: one of our kinds, by its class and status before its prose."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from core.llm.driver.wire import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from core.llm.driver.wire import Kind

_BY_STATUS: Final[Mapping[int, Kind]] = {
    400: "request", 401: "key", 402: "credit", 403: "key", 404: "unknown", 408: "slow", 413: "context",
    422: "request", 425: "server", 429: "throttled",
}  # fmt: skip
_CONTEXT: Final = re.compile(
    r"context.{0,12}(?:length|window)|prompt is too long|request_too_large|too many tokens|maximum.{0,20}tokens",
    re.IGNORECASE,
)
_CREDIT: Final = re.compile(r"insufficient_quota|insufficient balance|credit balance|billing", re.IGNORECASE)
_FILTERED: Final = re.compile(r"content.?(?:policy|filter|management)|risk|safety", re.IGNORECASE)
_SERVER: Final = 500
_FINE: Final = 299


def trouble_of(error: Exception) -> Trouble:
    """The trouble that an exception stands for. What nobody foresaw counts as a connection that failed."""
    status = _status(error)
    return Trouble(_kind(error, status), status=status, after=_after(error))


def _status(error: Exception) -> int:
    """The status that the provider gave (it stands in what the library caught), or the one the library makes of it."""
    found = (getattr(one, "status_code", 0) for one in (error.__context__, getattr(error, "response", None), error))
    return next((status for status in found if isinstance(status, int) and status > _FINE), 0)


def _kind(error: Exception, status: int) -> Kind:
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"APIConnectionError", "MidStreamFallbackError"} and "Timeout" not in names:
        return "transport"
    if "ContextWindowExceededError" in names:
        return "context"
    if "ContentPolicyViolationError" in names:
        return "filtered"
    kind: Kind = "server" if status >= _SERVER else _BY_STATUS.get(status, "request" if status else "transport")
    return _told(kind, str(error))


def _told(kind: Kind, text: str) -> Kind:
    """The kind that the provider's words make of it, where a status stands for several things."""
    if kind in {"throttled", "request"} and _CREDIT.search(text):
        return "credit"
    if kind == "request" and _CONTEXT.search(text):
        return "context"
    return "filtered" if kind == "request" and _FILTERED.search(text) else kind


def _after(error: Exception) -> float | None:
    """`Retry-After` in seconds: a number, milliseconds of OpenAI's own header, or a date."""
    for headers in _headers(error):
        lower = {str(name).lower(): str(value) for name, value in headers.items()}
        precise = _number(lower.get("retry-after-ms", ""))
        if precise is not None:
            return precise / 1000
        given = lower.get("retry-after", "")
        seconds = _number(given)
        if seconds is not None:
            return seconds
        moment = _date(given)
        sent = _date(lower.get("date", ""))
        if moment and sent:
            return max(0.0, (moment - sent).total_seconds())
    return None


def _headers(error: Exception) -> Iterator[Mapping[str, str]]:
    for found in (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ):
        if found:
            yield found


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).astimezone(UTC)
    except (ValueError, TypeError):
        return None
