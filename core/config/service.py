"""Reading and changing the two files of settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from pydantic import BaseModel

from core.config.values import (
    BOT_PATH,
    USER_PATH,
    BotConfig,
    Kind,
    Preferences,
    Problem,
    UserConfig,
    parse_config,
    read_object,
)
from core.errors import Conflict, Malformed, NotAFile, NotFound, SettingsError
from core.storage.base import ABSENT, File, Write

if TYPE_CHECKING:
    from core.clock import Clock
    from core.storage.base import Storage

KEEP_SECONDS: Final = 60.0
_TRIES: Final = 3


class Config:
    """Reads and changes the two files; what it read holds for 60 seconds, what it changed holds at once."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._kept: Preferences | None = None
        self._until = 0.0

    async def load(self) -> Preferences:
        """The settings in force. A missing file means defaults, and so does one that is none, which is a problem.

        Raises what else `Storage.read` raises.
        """
        if self._kept is None or self._clock.monotonic() >= self._until:
            user, wrong = await self._parsed(UserConfig, USER_PATH)
            bot, more = await self._parsed(BotConfig, BOT_PATH)
            self._kept = Preferences(user, bot, wrong + more)
            self._until = self._clock.monotonic() + KEEP_SECONDS
        return self._kept

    @property
    def spoken(self) -> str:
        """The language that was set, as it was read last; "" for none."""
        return self._kept.bot.language if self._kept else ""

    def forget(self) -> None:
        """Read anew at the next load: the files changed under us."""
        self._kept = None

    async def change(self, key: str, value: str | float | None) -> Preferences:
        """Set one value, named as in its file (`slicing.timeSilenceMinutes`, `bot.timezone`), and return all settings.

        None takes the key out, so that the default holds. Raises `SettingsError` for an unknown key or a value that
        is not allowed, `Malformed` when the file is no JSON (it is left alone), and what `Storage.commit` raises.
        """
        path, names = _place(key)
        for attempt in range(_TRIES):
            file = await self._read(path)
            raw = read_object(path, file.text if file else "{}")
            _put(raw, names, value)
            _refuse_wrong(path, key, names, raw)
            data = _dumped(raw) + (b"\n" if file and file.data.endswith(b"\n") else b"")
            try:
                await self._storage.commit([Write(path, data, file.version if file else ABSENT)], f"Set {key}")
                break
            except Conflict:
                if attempt == _TRIES - 1:
                    raise
        self.forget()
        return await self.load()

    async def _parsed(self, kind: type[Kind], path: str) -> tuple[Kind, tuple[Problem, ...]]:
        try:
            return _parse_file(kind, path, await self._read(path))
        except NotAFile as error:
            return kind(), (Problem(path, "", str(error), "JSON"),)

    async def _read(self, path: str) -> File | None:
        try:
            return await self._storage.read(path)
        except NotFound:
            return None


def _parse_file(kind: type[Kind], path: str, file: File | None) -> tuple[Kind, tuple[Problem, ...]]:
    try:
        return parse_config(kind, path, file.text if file else "{}")
    except Malformed as error:
        return kind(), (Problem(path, "", error.why, "UTF-8"),)


def _dumped(raw: dict[str, object]) -> bytes:
    """Readable JSON; lone surrogates, which no file can hold, stay escaped."""
    try:
        return json.dumps(raw, ensure_ascii=False, indent=2).encode()
    except UnicodeEncodeError:
        return json.dumps(raw, indent=2).encode()


def _place(key: str) -> tuple[str, list[str]]:
    """The file of a key and the names on the way to its value; raises `SettingsError`."""
    names = key.split(".")
    path, kind = (BOT_PATH, BotConfig) if names[0] == "bot" else (USER_PATH, UserConfig)
    names = names[1:] if path == BOT_PATH else names
    known = _keys(kind)
    if ".".join(names) not in known:
        raise SettingsError(key, f"there is no such setting; known are {', '.join(known)}")
    return path, names


def _keys(kind: type[BaseModel]) -> tuple[str, ...]:
    """The dotted keys of a file's leaves."""
    keys: list[str] = []
    for name, info in kind.model_fields.items():
        shown, inner = info.alias or name, info.annotation
        nested = _keys(inner) if isinstance(inner, type) and issubclass(inner, BaseModel) else ()
        keys += [f"{shown}.{key}" for key in nested] or [shown]
    return tuple(keys)


def _put(raw: dict[str, object], names: list[str], value: object) -> None:
    """Set or take out one value; a group that is no object gives way to one."""
    holder = raw
    for name in names[:-1]:
        inner = holder.get(name)
        if not isinstance(inner, dict):
            inner = {}
            holder[name] = inner
        holder = cast("dict[str, object]", inner)
    if value is None:
        holder.pop(names[-1], None)
    else:
        holder[names[-1]] = value


def _refuse_wrong(path: str, key: str, names: list[str], raw: dict[str, object]) -> None:
    text = json.dumps(raw)
    _, problems = parse_config(BotConfig, path, text) if path == BOT_PATH else parse_config(UserConfig, path, text)
    for problem in problems:
        if problem.key == ".".join(names):
            raise SettingsError(key, f"{problem.found} is not allowed; allowed: {problem.allowed}")
