"""Every error that Previously raises on purpose, as one tree.

    PreviouslyError
    ├── SettingsError          a variable or argument is wrong; says which and how to mend it
    ├── StorageError           memory could not be read or written
    │   ├── NotFound           nothing stands at that path
    │   ├── Conflict           the file is not the version that the change replaces
    │   ├── PathRefused        the name is not one that memory may have
    │   ├── NotAFile           a folder, link, FIFO or hard link stands where a file belongs
    │   ├── ReadOnly           this store takes no writes
    │   ├── DiskTrouble        the disk said no (full, read-only, permission, I/O); carries errno
    │   ├── Unsettled          kept on this disk, but not yet where it lasts: the platform must keep it, too
    │   └── Held               another process owns this memory; carries its pid
    ├── DiskLost               an fsync failed: the process must end, recovery begins at the next start
    │   └── Ousted             `state/` was deleted under us and another process took the memory: end at once
    ├── Malformed              text that cannot be understood; the file is left as it is
    ├── Unfit                  a file that is not brought in; carries the key of the sentence that says why
    ├── PlatformTrouble        a platform could not be reached, or refused; the message stays to be sent
    │   └── TooLarge           a file that the platform does not hand out to bots
    ├── RepositoryTrouble      the repository that keeps a copy of memory refused or could not be reached
    └── ModelError             the language model could not do its part
        ├── TryAgain           the model may correct itself: tell it
        ├── Refused            a tool cannot do this: tell the model, do not retry
        ├── Unavailable        provider down, timed out or throttled
        ├── OverBudget         a limit of steps, tokens or money is reached
        └── Unusable           the answer is not what was asked for

`DiskLost` stands outside `StorageError` so that no handler of storage trouble can swallow it:
after a failed fsync nothing on that file may be retried (reliability 2.9, PostgreSQL's fsync lesson).
"""

from __future__ import annotations


class PreviouslyError(Exception):
    """Root of all errors raised on purpose."""


class SettingsError(PreviouslyError):
    """A setting is wrong; `variable` names it and the message says how to mend it."""

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(f"{variable}: {message}")
        self.variable = variable


class StorageError(PreviouslyError):
    """Memory could not be read or written; `path` is relative to the home."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class NotFound(StorageError):
    """Nothing stands at that path."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "there is no such file")


class Conflict(StorageError):
    """The file is not the version that the change replaces."""

    def __init__(self, path: str, expected: str | None, found: str | None) -> None:
        super().__init__(path, f"expected version {expected}, found {found}")
        self.expected = expected
        self.found = found


class PathRefused(StorageError):
    """The name is not one that memory may have; the message names the right form."""


class NotAFile(StorageError):
    """A folder, symbolic link, FIFO, device or hard link stands where a plain file belongs."""


class ReadOnly(StorageError):
    """This store takes no writes."""


class DiskTrouble(StorageError):
    """The operating system refused; `errno` says why (ENOSPC, EIO, EROFS, EACCES, EMFILE)."""

    def __init__(self, path: str, errno: int, message: str) -> None:
        super().__init__(path, message)
        self.errno = errno


class Held(StorageError):
    """Another process owns this memory; `holder` describes it (its pid)."""

    def __init__(self, path: str, holder: str) -> None:
        super().__init__(path, f"in use by {holder}")
        self.holder = holder


class Unsettled(StorageError):
    """What was said is on this disk and not yet in the repository: its platform must deliver it again, soon."""


class DiskLost(PreviouslyError):
    """An fsync failed; the process must end without touching that file again."""


class Ousted(DiskLost):
    """Another process owns this memory by now; this one must end without touching anything again."""


class Malformed(PreviouslyError):
    """Text that cannot be understood; `where` names the file, `why` is a plain sentence."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


class Unfit(PreviouslyError):
    """A file that is not brought in: nothing of it was written.

    `key` names the sentence for the person, `fields` what it is filled with.
    """

    def __init__(self, key: str, **fields: str | int) -> None:
        super().__init__(f"{key} {fields}" if fields else key)
        self.key = key
        self.fields = fields


class PlatformTrouble(PreviouslyError):
    """A platform could not be reached, or refused for now; what was to be shown is shown later."""


class Shut(PlatformTrouble):
    """The person has blocked the bot: nothing arrives until they let it in again."""


class TooLarge(PlatformTrouble):
    """The platform does not hand out files of that size to bots; trying again does not help."""


class RepositoryTrouble(PreviouslyError):
    """The repository refused, or could not be reached.

    `kind` is one of `core.storage.github.verdict.KINDS`, `seconds` how long it asks us to wait (None: it does not
    say), `detail` what it said, in one short line without anything secret.
    """

    def __init__(self, kind: str, detail: str = "", seconds: float | None = None) -> None:
        super().__init__(f"GitHub: {kind}{f' ({detail})' if detail else ''}")
        self.kind = kind
        self.detail = detail
        self.seconds = seconds


class ModelError(PreviouslyError):
    """The language model could not do its part.

    `key` names the sentence for the person ("" where the raiser has none), `fields` what it is filled with.
    """

    def __init__(self, message: str = "", *, key: str = "", **fields: str | int) -> None:
        super().__init__(message or key)
        self.key = key
        self.fields = fields


class TryAgain(ModelError):
    """A tool call that the model may correct: the message is told to it."""


class Refused(ModelError):
    """A tool cannot do this: the message is told to the model, which must not retry."""


class Unavailable(ModelError):
    """The provider is down, timed out or throttled."""


class OverBudget(ModelError):
    """A limit of steps, tokens or money is reached."""


class Unusable(ModelError):
    """The answer is not what was asked for, and one repair did not help."""
