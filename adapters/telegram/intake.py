"""What is done with updates before Telegram may forget them: who sent them, what they say, and into the journal."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from telegram import Update

from adapters.telegram.senders import STOPPED, Sender, sender_of
from adapters.telegram.translate import Pressed, message_of, pressed
from core.errors import DiskLost, StorageError, Unsettled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from adapters.telegram.api import Json
    from core.clock import Clock
    from core.conversation import Inbox, Incoming, Owners, Sayings
    from core.i18n import Words

SURFACE: Final = "telegram"
REMEMBERED: Final = 500
"""Of how many messages the text is remembered, to know an edit that changes nothing of it."""

KEPT: Final = 4_000
"""Characters of an update that cannot be read which the log keeps."""

AWAY: Final = 5.0
"""Seconds before the start from which on a message counts as said while nobody listened."""

MEMBER: Final = "member"
"""The bot's status in a private chat that it may write to."""

_START: Final = "/start "
_STOP: Final = "/stop"

_log = logging.getLogger("previously.telegram")


@dataclass(slots=True)
class Heard:
    """What came of a batch of updates.

    `kept` stands in the journal; `stops` counts pressed stop buttons, `asked_to_stop` names chats where it was typed;
    `claimed` have just become the owner, `strangers` would hear the line of an unclaimed bot, `groups` are to be left.
    `unsettled` says that Telegram must keep the batch and bring it again, although all of it was heard.
    """

    kept: list[Incoming] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    stops: int = 0
    asked_to_stop: list[str] = field(default_factory=list)
    strangers: list[Sender] = field(default_factory=list)
    claimed: list[Sender] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    poison: int = 0
    unsettled: Unsettled | None = None


class Intake:
    """Takes updates. `early` hears of pressed buttons before anything else is done, so that they stop waiting."""

    def __init__(
        self,
        clock: Clock,
        owners: Owners,
        words: Mapping[str, Words],
        early: Callable[[Pressed], Awaitable[None]],
        sayings: Sayings,
    ) -> None:
        self.ignored = 0
        self._clock = clock
        self._owners = owners
        self._words = words
        self._early = early
        self._sayings = sayings
        self._since = clock.now()
        self._texts: dict[str, str] = {}
        self._held: dict[int | None, tuple[Incoming, ...]] = {}

    async def take(self, inbox: Inbox, updates: Sequence[Json]) -> Heard:
        """Keep what the owner said, durably. Raises `StorageError` when it could not be kept, and `DiskLost`.

        What is kept here and is to stay with Telegram, too, is heard at once: a stop need not wait for its answer.
        An update that cannot be understood is kept in the log alone, so that it holds up nothing (P005).
        """
        heard = Heard()
        came = {id(raw): self._understood(raw, heard) for raw in updates}
        for button in heard.pressed:
            await self._early(button)
        said = in_order(one for raw in updates for one in came[id(raw)])
        try:
            good = await self._keep(inbox, said, heard) if said else []
        except Unsettled as error:
            good, heard.unsettled = said, error
        self._hold({number: came[id(raw)] for raw in updates if (number := _number(raw)) is not None}, heard)
        heard.kept = [one for one in good if one in heard.kept]
        for one in heard.kept:
            self._remember(one)
        return heard

    def _understood(self, raw: Json, heard: Heard) -> tuple[Incoming, ...]:
        """What an update says; what else it asks for is done once, also when Telegram brings it again and again."""
        try:
            number = _number(raw)
            if number in self._held:
                return self._held[number]
            before = len(heard.kept)
            self._sort(Update.de_json(raw, None), heard)
            return tuple(heard.kept[before:])
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the next one must be heard
            if self._foreign(raw):
                self.ignored += 1
            else:
                self._skip(raw, error, heard)
            return ()

    def _hold(self, came: Mapping[int | None, tuple[Incoming, ...]], heard: Heard) -> None:
        """Know what will come again, as long as it is unsettled."""
        for number in came:
            self._held.pop(number, None)
        if heard.unsettled:
            self._held |= came
        while len(self._held) > REMEMBERED:
            del self._held[next(iter(self._held))]

    async def _keep(self, inbox: Inbox, kept: list[Incoming], heard: Heard) -> list[Incoming]:
        """All in one write; if that fails for an unknown reason, one by one, without the one that is to blame."""
        try:
            await inbox.accept(kept)
        except (StorageError, DiskLost):
            raise
        except Exception:  # noqa: BLE001 - found out below
            good = []
            for one in kept:
                try:
                    await inbox.accept([one])
                except (StorageError, DiskLost):
                    raise
                except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the next one must be heard
                    self._skip({"key": one.key, "text": one.text}, error, heard)
                else:
                    good.append(one)
            return good
        return kept

    def _foreign(self, raw: Json) -> bool:
        """Whether it says that somebody else than the owner sent it: nothing of a stranger's reaches the log."""
        bodies = (body for body in raw.values() if isinstance(body, dict))
        senders = [body["from"] for body in bodies if isinstance(body.get("from"), dict)]
        owner = self._owners.owner(SURFACE)
        return bool(senders) and not any(owner and str(sender.get("id")) == owner for sender in senders)

    def _skip(self, raw: Json, error: Exception, heard: Heard) -> None:
        heard.poison += 1
        text = json.dumps(raw, ensure_ascii=True, default=str)[:KEPT]
        _log.error("an update cannot be read (%s: %s) and is skipped: %s", type(error).__name__, error, text)

    def _sort(self, update: Update, heard: Heard) -> None:
        sender = sender_of(update)
        owner = self._owners.owner(SURFACE)
        if sender is None:
            self.ignored += 1
        elif not sender.is_owner(owner):
            self._strange(update, sender, owner, heard)
        elif update.callback_query:
            self._press(pressed(update.callback_query, self._clock.now(), self._sayings), heard)
        elif update.my_chat_member:
            if update.my_chat_member.new_chat_member.status == MEMBER:
                heard.back.append(sender.chat)
        elif STOPPED in update.api_kwargs:
            heard.stops += 1
        else:
            self._say(message_of(update, self._words), heard)

    def _strange(self, update: Update, sender: Sender, owner: str | None, heard: Heard) -> None:
        """Not the owner in private: silence. While nobody owns the bot, a code claims it and a line is due."""
        self.ignored += 1
        if not sender.private:
            if owner and sender.person == owner and sender.chat:
                heard.groups.append(sender.chat)
            return
        text = update.message.text or "" if update.message else ""
        if owner or not sender.person or sender.person != sender.chat or not update.message:
            return
        code = text.removeprefix(_START).strip() if text.startswith(_START) else ""
        if code and self._owners.claim(SURFACE, sender.person, code):
            heard.claimed.append(sender)
        else:
            heard.strangers.append(sender)

    def _press(self, one: Pressed, heard: Heard) -> None:
        heard.pressed.append(one)
        if one.stop:
            heard.stops += 1
        elif one.incoming:
            heard.kept.append(one.incoming)

    def _say(self, said: Incoming | None, heard: Heard) -> None:
        if said is None or (said.kind == "edit" and self._reads(said.key, heard) == _told(said)):
            return
        if said.kind == "message" and not said.forwarded and said.text.strip().lower() == _STOP:
            heard.asked_to_stop.append(said.chat)
            return
        away = (self._since - said.sent).total_seconds() > AWAY
        heard.kept.append(replace(said, away=True) if away else said)

    def _reads(self, key: str, heard: Heard) -> str | None:
        """What a message reads as far as we know."""
        newest = next((one for one in reversed(heard.kept) if one.key == key), None)
        return _told(newest) if newest else self._texts.get(key)

    def _remember(self, said: Incoming) -> None:
        if said.key.startswith("tg:"):
            self._texts.pop(said.key, None)
            self._texts[said.key] = _told(said)
            while len(self._texts) > REMEMBERED:
                del self._texts[next(iter(self._texts))]


def in_order(said: Iterable[Incoming]) -> list[Incoming]:
    """The same, with the messages of each chat in the order of their numbers (reliability 4.6, line 40)."""
    found = list(said)
    places = [at for at, one in enumerate(found) if one.key.startswith("tg:") and one.kind == "message"]
    chats = {found[at].chat for at in places}
    for chat in chats:
        mine = [at for at in places if found[at].chat == chat]
        ordered = sorted((found[at] for at in mine), key=lambda one: int(one.key.rpartition(":")[2]))
        for at, one in zip(mine, ordered, strict=True):
            found[at] = one
    return found


def _number(raw: object) -> int | None:
    number = raw.get("update_id") if isinstance(raw, dict) else None
    return number if isinstance(number, int) else None


def _told(said: Incoming) -> str:
    return said.text or said.foreign
