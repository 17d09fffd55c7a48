"""What the process says on the error stream when something ends it, and the exit code for that."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from core.errors import DiskLost, Held, Ousted, PreviouslyError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path

    from core.i18n import Words

FAILED: Final = 1
MISSET: Final = 2
TEMPFAIL: Final = 75
"""Exit code after a failed fsync: whoever supervises the process starts it again (reliability 2.9)."""


def complain(text: str, code: int) -> int:
    """Say it in one line and hand the code back."""
    sys.stderr.write(f"previously: {text}\n")
    return code


def ended(error: PreviouslyError, words: Words, home: Path | None) -> int:
    """Say why the process ends, and the exit code for that."""
    match error:
        case Held():
            return complain(words("start.held", holder=error.holder, home=home or ""), FAILED)
        case SettingsError():
            return complain(str(error), MISSET)
        case DiskLost() if not isinstance(error, Ousted):
            return complain(str(error), TEMPFAIL)
        case _:
            return complain(str(error), FAILED)


def refused(error: OSError, words: Words, home: Path | None) -> int:
    """Say what the system refused, with the name of the file or folder if it gives one, and the exit code."""
    name = error.filename if isinstance(error.filename, str) else home or ""
    why = error.strerror or type(error).__name__
    return complain(words("start.refused", name=str(name), why=why), FAILED)
