"""What the offline model says, in the language of the newest message."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from core.language.sentences import cut
from core.llm.offline.results import listed_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.i18n import Words
    from core.llm.offline.passages import Found, Role

_MOST_LISTED: Final = 10
BARE: Final = "offline.intro"
"""The key of the sentence that no model is configured."""
HEARD: Final = "offline.intro.heard"


class Replies:
    """The sentences of one answer; `known` says that the person was told already what is speaking, and why.

    Where no model is configured that is enough; one that could not be had is told of every time, shortly, since it
    might be had by then. `fields` is what the sentences about it are filled with.
    """

    def __init__(self, words: Words, *, intro: str, known: bool, fields: Mapping[str, str | int]) -> None:
        self._words = words
        self._bare = intro == BARE
        self._known = known and self._bare
        if self._known:
            self._intro, self._kept = "", words("offline.kept")
        else:
            said = f"{intro}.again" if known else intro
            self._intro, self._kept = words(said, **fields), words(f"{said}.kept", **fields)
        self._about = words(f"{intro}.about", **fields)

    def quote(self, found: Sequence[Found], days: Mapping[str, str]) -> str:
        """The passages of each talk, under a line that says when it was and who said it."""
        parts = [self._intro or self._words("offline.found")]
        for one in found:
            for role, several in groupby(one.passages, key=lambda passage: passage.role):
                passages = list(several)
                head = self._head(one, role, days, first=passages[0] is one.passages[0])
                quoted = "\n\n".join(passage.text for passage in passages)
                body = "\n".join(f"> {line}".rstrip() for line in quoted.split("\n"))
                parts.append(f"{head}\n\n{body}")
        return "\n\n".join(parts)

    def listed(self, window: str) -> str:
        """The talks of a time, as a reading tool listed them; says so when there are none."""
        lines = [
            self._words(
                "offline.line", day=self.day(day), slice=one, about=cut(about, 160) or self._words("slice.untitled")
            )
            for one, (day, about) in listed_in(window)
        ]
        if not lines:
            return self._joined(self._words("offline.nothing.then"))
        shown = [f"- {line}" for line in lines[:_MOST_LISTED]]
        more = [self._words("offline.more", n=len(lines) - len(shown))] if len(lines) > len(shown) else []
        return "\n\n".join([*filter(None, [self._intro]), self._words("offline.then", n=len(lines)),
                            "\n".join([*shown, *more])])  # fmt: skip

    def card(self, lines: Sequence[str], *, here: bool) -> str:
        """What the card says of the person, or what they said of themselves here."""
        return self._joined(
            self._words("offline.earlier" if here else "offline.card"), "\n".join(f"> {line}" for line in lines)
        )

    def decided(self, found: Sequence[tuple[str, str, Sequence[str]]], here: Sequence[str]) -> str:
        """What was decided in earlier talks, a line each, and `here`; says so when there is nothing."""
        lines = [
            "- " + self._words("offline.line", day=self.day(day), slice=one, about=cut(about, 160))
            for day, one, several in found
            for about in several
        ]
        parts = [self._words("offline.earlier"), "\n".join(f"> {said}" for said in here)] if here else []
        if lines:
            parts += [self._words("offline.decided"), "\n".join(lines[:_MOST_LISTED])]
        return self._joined(*(parts or [self._words("offline.undecided")]))

    def nothing(self) -> str:
        """That memory holds nothing of it."""
        return self._joined(self._words("offline.nothing"))

    def unreadable(self) -> str:
        """That memory could not be read, which is not the same as nothing."""
        return self._joined(self._words("offline.unreadable"))

    def kept(self) -> str:
        """That what was said is kept."""
        return self._kept

    def heard(self) -> str:
        """That what was said was heard, where nothing outlives the process."""
        return self._words("offline.heard" if self._known else HEARD if self._bare else "offline.unkept")

    def unkept(self) -> str:
        """That what was said was heard, where nothing is kept for the moment."""
        return self._words("offline.unkept")

    def about(self) -> str:
        """What the offline model is and what it can do."""
        return self._about

    def day(self, iso: str) -> str:
        """A day in full, such as `9 March 2026`."""
        year, month, day = (int(part) for part in iso.split("-"))
        return self._words("offline.day", y=year, month=self._words(f"offline.month.{month}"), d=day)

    def _head(self, found: Found, role: Role, days: Mapping[str, str], *, first: bool) -> str:
        """Who said it and when; what stands under the same talk already is told shortly."""
        who = {"user": "you", "agent": "me", "note": "note"}[role]
        if not found.slice_id:
            return self._words("offline.earlier")
        if not first:
            return self._words(f"offline.also.{who}")
        day = days.get(found.slice_id) or found.slice_id[:10]
        return self._words(f"offline.said.{who}", day=self.day(day), slice=found.slice_id)

    def _joined(self, *parts: str) -> str:
        return "\n\n".join(part for part in (self._intro, *parts) if part)
