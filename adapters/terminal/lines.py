"""Piped input line by line, read in a thread that never keeps the process from ending."""

from __future__ import annotations

import asyncio
import codecs
import io
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_CHUNK: Final = 65536


class Lines:
    """The lines of a stream in order. The thread is a daemon and reads the descriptor itself.

    A thread of the loop's pool would be waited for at the end, and one that holds the lock of `sys.stdin` aborts the
    interpreter while it shuts down.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._started = False

    async def next(self) -> str | None:
        """The next line without its end; None, for good, when there are no more."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="terminal-lines", daemon=True).start()
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def end(self) -> None:
        """Make this the end: whoever waits for a line gets None."""
        self._lines.put_nowait(None)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody listens
            for line in _lines(self._stream):
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._lines.put_nowait, None)


def _lines(stream: TextIO) -> Iterator[str]:
    try:
        descriptor = stream.fileno()
    except io.UnsupportedOperation:
        yield from (line.rstrip("\r\n") for line in stream)
        return
    held = ""
    for text in _texts(descriptor):
        *whole, held = (held + text).split("\n")
        yield from (line.rstrip("\r") for line in whole)
    if held:
        yield held.rstrip("\r")


def _texts(descriptor: int) -> Iterator[str]:
    """The bytes as text: UTF-8 with or without a byte order mark; what is not UTF-8 becomes a replacement mark."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    with suppress(OSError):  # a terminal that hangs up ends the input
        while chunk := os.read(descriptor, _CHUNK):
            yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
