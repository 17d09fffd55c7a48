"""The journal's file: checked lines, durable when `append` returns, whole again after any crash (reliability 2.4).

Rules kept here: R2 fsync after every append; R10 a torn tail is cut by atomic replace before anything is appended;
R13 a rewrite is an atomic replace with both fsyncs; R14 at start the folder chain is made durable, and so is what was
read, in a new file (a killed process leaves text in the page cache that no power cut would leave). The process owns
the folder by flock, so the temporary name can be fixed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from core.errors import DiskLost, DiskTrouble, NotAFile
from core.journal.codec import payload_of
from core.journal.records import PATH
from core.storage.troubles import flushing, told, trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.clock import Clock
    from core.storage.disk import Disk

FOLDER: Final = "state"
QUARANTINE: Final = f"{FOLDER}/quarantine"
TEMPORARY: Final = f"{FOLDER}/.journal.jsonl.tmp"

Notice = tuple[str, dict[str, str]]


class Ledger:
    """An append-only file of checked lines on a disk.

    `secure` is called before anything is written and makes sure that the folder is still ours. `notices` say in (key,
    fields) what the owner should hear of: `journal.damaged` (lines, copy) when lines in the middle could not be read,
    `journal.recreated` when the file was gone or changed by another hand while we ran.
    """

    def __init__(self, disk: Disk, clock: Clock, secure: Callable[[], None] | None = None) -> None:
        self.notices: list[Notice] = []
        self.size = 0
        self._disk = disk
        self._clock = clock
        self._handle: int | None = None
        self._torn = False
        self._lost: DiskLost | None = None
        self._secure = secure or _nothing

    def load(self) -> Sequence[bytes]:
        """Mend the file, make what it says durable, and return the JSON of every good line.

        Raises `NotAFile`, `DiskTrouble`, `DiskLost`.
        """
        with told(PATH):
            self._make_folder(FOLDER)
            if self._disk.stat(TEMPORARY):
                self._disk.remove(TEMPORARY)
            data = self._read()
        payloads, good = self._sort(data)
        self.size = len(good)
        if good != data:
            self._mend(good)
        elif data:
            self._settle(data)
        if self._handle is None:
            self._open()
        self._anchor()
        return payloads

    def append(self, data: bytes, whole: Callable[[], bytes]) -> None:
        """Add whole lines, durably. A file that is torn, gone or foreign is first written anew from `whole()`.

        Raises `DiskTrouble` when nothing was kept and the disk may recover, `DiskLost` when an fsync failed.
        """
        self._refuse_lost()
        if not self._stands():
            self._recreate(whole())
        if self._handle is None:
            self._open()
        try:
            self._disk.write(self._expect_handle(), data)
        except OSError as error:
            self._torn = True
            raise trouble(PATH, error) from error
        self._confirm()
        self.size += len(data)

    def rewrite(self, data: bytes) -> None:
        """Replace the whole file by these lines, atomically and durably (R13); on `DiskTrouble` the old one stands."""
        self._refuse_lost()
        try:
            self._write_temporary(data)
            self._disk.replace(TEMPORARY, PATH)
        except OSError as error:
            with suppress(OSError):
                self._disk.remove(TEMPORARY)
            raise trouble(PATH, error) from error
        self.close()
        self.size, self._torn = len(data), False
        self._confirm_name()

    def close(self) -> None:
        """Give the handle back."""
        if self._handle is not None:
            self._disk.close(self._handle)
            self._handle = None

    def _make_folder(self, path: str) -> None:
        found = self._disk.stat(path)
        if found is None:
            self._disk.make_folder(path)
            self._flush(lambda: self._disk.sync_folder(path.rpartition("/")[0]))
        elif found.kind != "folder":
            raise NotAFile(path, "something else stands where a folder belongs; move it away")

    def _read(self) -> bytes:
        found = self._disk.stat(PATH)
        if found is None:
            return b""
        if found.kind != "file" or found.links > 1:
            raise NotAFile(PATH, "a folder, link or device stands where the journal belongs; move it away")
        return self._disk.read(PATH)

    def _sort(self, data: bytes) -> tuple[Sequence[bytes], bytes]:
        """The good payloads and lines. A damaged line is kept in a copy; an unfinished last one was not promised."""
        *lines, tail = data.split(b"\n")
        checked = [(line, payload_of(line)) for line in lines]
        bad = sum(payload is None for _, payload in checked)
        if bad:
            copy = self._quarantine(data)
            self.notices.append(("journal.damaged", {"lines": str(bad), "copy": copy}))
        payloads = [payload for _, payload in checked if payload is not None]
        if not bad and not tail:
            return payloads, data
        return payloads, b"".join(line + b"\n" for line, payload in checked if payload is not None)

    def _quarantine(self, data: bytes) -> str:
        """Copy the file as it stands, durably, and return the copy's path."""
        with told(QUARANTINE):
            self._make_folder(QUARANTINE)
            base = f"{QUARANTINE}/journal-{self._clock.now():%Y%m%dT%H%M%SZ}"
            path, number = f"{base}.jsonl", 1
            while self._disk.stat(path):
                number += 1
                path = f"{base}-{number}.jsonl"
            self._write_new(path, data)
        self._flush(lambda: self._disk.sync_folder(QUARANTINE))
        return path

    def _mend(self, good: bytes) -> None:
        """Leave only whole lines, before anything can be appended to half of one (R10)."""
        self.rewrite(good)

    def _settle(self, data: bytes) -> None:
        """Make what was read durable before it is believed (R9 for the journal), in a file of its own.

        Flushing the file that was read would not do: the process before may have ended because an fsync of it failed,
        and then a later one succeeds without having written anything (reliability 2.9). A disk without room for a copy
        gets the flush all the same, so that the bot still starts and can say what is wrong.
        """
        try:
            self.rewrite(data)
        except DiskTrouble:
            self._open()
            self._confirm()

    def _anchor(self) -> None:
        """Make the names of the file and of its folder durable (R14)."""
        self._flush(lambda: self._disk.sync_folder(FOLDER))
        self._flush(lambda: self._disk.sync_folder(""))

    def _confirm(self) -> None:
        """Make what was appended durable (R2)."""
        self._flush(lambda: self._disk.sync(self._expect_handle()))

    def _confirm_name(self) -> None:
        """Make the new file stand under the old name (R13)."""
        self._flush(lambda: self._disk.sync_folder(FOLDER))

    def _stands(self) -> bool:
        with told(PATH):
            found = self._disk.stat(PATH)
        return not self._torn and found is not None and found.kind == "file" and found.size == self.size

    def _recreate(self, data: bytes) -> None:
        if not self._torn:
            self.notices.append(("journal.recreated", {}))
        with told(PATH):
            self._make_folder(FOLDER)
        self.rewrite(data)
        self._anchor()

    def _open(self) -> None:
        with told(PATH):
            self._handle = self._disk.open_append(PATH)

    def _write_temporary(self, data: bytes) -> None:
        if self._disk.stat(TEMPORARY):
            self._disk.remove(TEMPORARY)
        self._write_new(TEMPORARY, data)

    def _write_new(self, path: str, data: bytes) -> None:
        handle = self._disk.create(path)
        try:
            self._disk.write(handle, data)
            self._flush(lambda: self._disk.sync(handle))
        finally:
            self._disk.close(handle)

    def _flush(self, sync: Callable[[], None]) -> None:
        """Run an fsync; after one that failed nothing on this file may be tried again (reliability 2.9)."""
        try:
            with flushing(PATH):
                sync()
        except DiskLost:
            self._lost = DiskLost(f"{PATH}: an earlier write was not confirmed")
            raise

    def _refuse_lost(self) -> None:
        """Touch nothing when an fsync has failed, or when the folder is another process's by now (reliability 2.13)."""
        if self._lost:
            raise self._lost
        try:
            self._secure()
        except DiskLost as error:
            self._lost = error
            raise

    def _expect_handle(self) -> int:
        if self._handle is None:
            raise ValueError("the journal is closed")
        return self._handle


def _nothing() -> None:
    """There is nobody to be kept out."""
