"""Logging to the error stream: a line a record, with the turn it belongs to, and no secret in it (reliability 4.1).

What a person wrote never belongs in a log: callers log ids and lengths. Secrets are masked on the finished text, its
traceback included, because what libraries write and raise cannot be foreseen. What does not begin with an instant goes
on the line before, so nothing that is logged can pass for a record of its own.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import TextIO

MASK: Final = "[secret]"
SHORTEST: Final = 8  # a shorter value is no secret, and masking it would eat ordinary words
BOT_TOKEN: Final = re.compile(r"bot\d{1,20}(?::|%3A)[\w-]{30,}", re.ASCII | re.IGNORECASE)
SHAPES: Final = re.compile(
    r"\d{6,20}(?::|%3A)[\w-]{30,}"  # Telegram
    r"|\b(?:[MNO][\w-]{20,40}\.[\w-]{6,12}\.[\w-]{25,}"  # Discord
    r"|gh[pousr]_\w{30,}|github_pat_\w{30,}"
    r"|sk-[\w-]{20,}|xai-[\w-]{20,}|gsk_\w{20,}|AIza[\w-]{30,})",
    re.ASCII,
)
"""What tokens and keys look like, also those that are none of ours."""

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
QUIET: Final = (
    *("httpx", "httpcore", "telegram", "discord", "github", "urllib3", "requests", "aiohttp"),  # they log addresses
    *("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "litellm", "openai", "apscheduler", "asyncio", "markdown_it"),
)
TURN: Final[ContextVar[str]] = ContextVar("turn", default="")


@contextmanager
def about(turn: str) -> Iterator[None]:
    """While inside, what is logged belongs to that turn."""
    before = TURN.set(turn)
    try:
        yield
    finally:
        TURN.reset(before)


class Redactor(logging.Formatter):
    """One line per record, in UTC, in which no secret stands; a traceback follows it, indented."""

    converter = staticmethod(time.gmtime)

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        long = {secret for secret in secrets if len(secret) >= SHORTEST}
        forms = long | {quote(secret, safe="") for secret in long}
        self._known = sorted(forms, key=len, reverse=True)  # a secret may hold a shorter one

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be read by anybody."""
        return self.masked(super().format(record).replace("\n", "\n  "))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's own name
        """The line without what follows it: one line whatever the message holds, with the turn it is about."""
        turn = TURN.get()
        plain = CONTROL.sub(lambda found: repr(found.group())[1:-1], record.message)
        record.message = f"turn={turn} {plain}" if turn else plain
        return super().formatMessage(record)

    def masked(self, text: str) -> str:
        """The text with every secret replaced."""
        for secret in self._known:
            text = text.replace(secret, MASK)
        return SHAPES.sub(MASK, BOT_TOKEN.sub(f"bot{MASK}", text))


class Lines(logging.StreamHandler["TextIO"]):
    """Writes the lines; a record that cannot be formatted is named by its place, since its arguments may be secret."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's own name
        """Say where the faulty record comes from."""
        try:
            self.stream.write(f"A log line could not be written: {record.name}, line {record.lineno}\n")
        except (OSError, ValueError):
            return  # the error stream itself is gone: there is nobody left to tell


def handler(stream: TextIO, secrets: Iterable[str]) -> logging.Handler:
    """A handler that writes masked lines to the stream."""
    lines = Lines(stream)
    lines.setFormatter(Redactor(secrets))
    return lines


def set_up(secrets: Iterable[str], *, level: int = logging.INFO) -> None:
    """Send all logging of the process, its warnings and an error that ends it, masked, to the error stream."""
    logging.basicConfig(level=level, handlers=[handler(sys.stderr, secrets)], force=True)
    logging.captureWarnings(capture=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    sys.excepthook = report
    threading.excepthook = _report_thread


def _report_thread(died: threading.ExceptHookArgs) -> None:
    if died.exc_value:
        report(died.exc_type, died.exc_value, died.exc_traceback)


def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log the error that ends a process or thread: Python's own report would print secrets that stand in it."""
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("previously").critical("ended by an error", exc_info=(kind, error, trace))


def speak_utf8() -> None:
    """Make the standard streams UTF-8 whatever the locale says, so that no letter can end the process."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors=errors)
