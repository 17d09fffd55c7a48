"""Keeping the person's words: in their slice, durably, before anything streams back (DESIGN 3, steps 1 and 2)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from core.clock import instant
from core.conversation import Noted
from core.errors import Malformed, NotAFile, NotFound
from core.slices.codec import has_conflict
from core.slices.model import CARD_PATH, core_path
from core.slices.policy import Thresholds
from core.slices.reasons import reason
from core.storage.patience import read_patiently
from core.turn.files import Files
from core.turn.keeping import words_plan
from core.turn.place import Placing
from core.turn.stale import Staleness

if TYPE_CHECKING:
    from core.config import Preferences
    from core.conversation import Presenter
    from core.i18n import Words
    from core.turn.burst import Burst
    from core.turn.parts import Parts


class KeptWords:
    """Stores what was said; what the owner should know about the files on the way is said afterwards."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._placing = Placing(parts.slices, parts.storage)
        self._files = Files(parts)
        self._staleness = Staleness(parts.slices)
        self._told: set[str] = set()
        self._missed: set[str] = set()

    async def keep(
        self, burst: Burst, presenter: Presenter, preferences: Preferences, words: Words, *, fetch: bool = True
    ) -> None:
        """Make the turn's words durable, or finish what an earlier try had planned (R9); without `fetch` no files."""
        keeper, begun = self._parts.keeper, self._parts.journal.state.opened(burst.turn)
        if begun.words:
            for plan in begun.pending:
                await keeper.apply(plan)
        elif not burst.text.strip():
            await keeper.keep(burst.turn, "words", (), keys=burst.tags)  # nothing was said: no slice opens for it
        else:
            await self._await_newest()
            notes = await self._set_aside(words)
            notes += await self._store(burst, preferences, words, fetch=fetch)
            notes += [*self._unreadable(words), *await self._card(words), *self._blocked(words), *self._journal(words)]
            for note in notes:
                await presenter.show(Noted(note))

    async def _store(self, burst: Burst, preferences: Preferences, words: Words, *, fetch: bool) -> list[str]:
        """Store the words, and the files before them; what the person should hear of the files."""
        slicing, shown = preferences.user.slicing, self._parts.journal.state.shown
        zone = self._parts.zone_of(burst.first, preferences)
        received = instant(burst.at) or self._parts.clock.now()
        thresholds = Thresholds(timedelta(minutes=slicing.silence_minutes), slicing.turns)
        begun = await self._files.begun(burst)
        place = await self._placing.place(received, burst.first.surface, zone, thresholds, shown, begun)
        burst, notes = await self._files.keep(burst, place.slice, words, fetch=fetch)
        planned = words_plan(burst, place, zone)
        await self._parts.keeper.keep(burst.turn, "words", planned.operations, keys=burst.tags)
        return notes

    async def _await_newest(self) -> None:
        """Give `git pull` a moment to put the open slice back, before a new one opens (reliability 2.10)."""
        guard, storage = self._parts.journal.state.guard, self._parts.storage
        newest = max(guard, default="")
        if not newest or guard[newest].closed or newest in self._missed:
            return
        path = core_path(newest)
        try:
            if path.rpartition("/")[2] not in [one.name for one in await storage.list(path.rpartition("/")[0])]:
                await read_patiently(storage, path, self._parts.clock)
        except (NotFound, NotAFile):
            self._missed.add(newest)

    async def _set_aside(self, words: Words) -> list[str]:
        """Turns that an editor's old copy has replaced are set aside, not put back."""
        operations = await self._staleness.set_aside(self._parts.journal.state, self._parts.clock.now())
        for operation in operations:
            await self._parts.keeper.keep(f"aside-{operation.slice}", "care", [operation])
        return [words("turn.stale", slice=one.slice, n=len(one.turns)) for one in operations]

    def _unreadable(self, words: Words) -> list[str]:
        """Files that could not be understood, told once each per process (reliability 2.10 and 4.6, line 58)."""
        keeper, found = self._parts.keeper, self._parts.slices.unreadable
        fresh = sorted(found.keys() - self._told)
        notes = [words("slice.unreadable", slice=name, why=reason(found[name], words)) for name in fresh]
        self._told |= found.keys()
        aside, keeper.unread[:] = [path for path in dict.fromkeys(keeper.unread) if path not in self._told], []
        self._told |= set(aside)
        return notes + [words("turn.conflict", path=path) for path in aside]

    async def _card(self, words: Words) -> list[str]:
        """A card that could not be read, told once per process (pains P051)."""
        if CARD_PATH in self._told:
            return []
        why = await self._wrong_with_card()
        if not why:
            return []
        self._told.add(CARD_PATH)
        return [words("card.unreadable", path=CARD_PATH, why=reason(why, words))]

    async def _wrong_with_card(self) -> str:
        """Why the card cannot be used, "" when it can or there is none."""
        try:
            text = (await self._parts.storage.read(CARD_PATH)).text
        except NotFound:
            return ""
        except (Malformed, NotAFile) as error:
            return str(error)
        return "merge conflict" if has_conflict(text) else ""

    def _blocked(self, words: Words) -> list[str]:
        """Projections in whose place something else stands, told once each per process."""
        blocked = self._parts.projections.blocked
        fresh = sorted(blocked.keys() - self._told)
        self._told |= blocked.keys()
        return [words("timeline.blocked", path=path, why=reason(blocked[path], words)) for path in fresh]

    def _journal(self, words: Words) -> list[str]:
        """What befell the journal while we ran."""
        notices = self._parts.journal.notices
        told, notices[:] = [words(key, **fields) for key, fields in notices], []
        return told
