"""The settings as values, and how a file's text becomes them: wrong values count as defaults and are reported."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.errors import Malformed
from core.relative import known_zone

USER_PATH: Final = "memory/user/config.json"
BOT_PATH: Final = "memory/user/bot.json"
ALIASES: Final = {"deepseek-chat": "deepseek-v4-flash", "deepseek-reasoner": "deepseek-v4-pro"}
"""Model names of earlier days and what they are called now."""


def _current_name(value: object) -> object:
    return ALIASES.get(value, value) if isinstance(value, str) else value


def _zone_exists(value: str) -> str:
    if known_zone(value) is None:
        raise ValueError(value)
    return value


ModelName = Annotated[str, BeforeValidator(_current_name)]
ZoneName = Annotated[str, AfterValidator(_zone_exists), Field(examples=["Europe/Berlin", "Asia/Shanghai", "…"])]
Hour = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d\z", examples=["00:00", "…", "23:59"])]


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", validate_by_name=True, validate_by_alias=True)


class Slicing(_Group):
    """When a slice closes: stored turns of both sides, and minutes of silence."""

    turns: Annotated[int, Field(ge=5, le=100, alias="maxTurnsPerSlice")] = 20
    silence_minutes: Annotated[int, Field(ge=5, le=120, alias="timeSilenceMinutes")] = 15


class Context(_Group):
    """How many recent turns go to the model."""

    recent_turns: Annotated[int, Field(ge=3, le=60, alias="recentTurnsLimit")] = 20


class Model(_Group):
    """The main model (`provider` is the model's name in the file) and how hard it thinks."""

    name: Annotated[ModelName, Field(min_length=1, alias="provider")] = "deepseek-v4-pro"
    thinking: bool = True
    effort: Annotated[Literal["low", "medium", "high"], Field(alias="reasoningEffort")] = "medium"


class Worker(_Group):
    """The cheap model: chosen by us (`auto`) or pinned."""

    mode: Literal["auto", "manual"] = "auto"
    name: Annotated[ModelName, Field(alias="provider")] = ""


class UserConfig(_Group):
    """`config.json`: the seeds' settings and nothing else."""

    slicing: Slicing = Slicing()
    context: Context = Context()
    model: Model = Model()
    worker: Worker = Worker()
    onboarded: bool = False
    datasource: Literal["demo", "own"] = "demo"


class Quiet(_Group):
    """Hours in which nothing is posted unasked, local `HH:MM`; equal ends mean none."""

    start: Annotated[Hour, Field(alias="from")] = "00:00"
    end: Annotated[Hour, Field(alias="to")] = "00:00"


class Briefing(_Group):
    """When the briefing comes: before the reply, waiting in the chat, or not at all; and the morning nudge.

    The nudge comes at a local `HH:MM`, at most every so many days.
    """

    mode: Literal["on_return", "waiting", "off"] = "on_return"
    nudge: bool = False
    nudge_at: Annotated[Hour, Field(alias="nudgeAt")] = "08:00"
    nudge_days: Annotated[int, Field(ge=1, le=30, alias="nudgeDays")] = 1


class Folds(_Group):
    """What stands below an answer: folded, shown while it runs, or left out."""

    thinking: Literal["fold", "live", "off"] = "fold"
    tools: Literal["fold", "live", "off"] = "fold"


class BotConfig(_Group):
    """`bot.json`: what the seeds' file has no place for. Zone and language "" are not yet known; no ceiling is None."""

    zone: Annotated[ZoneName, Field(alias="timezone")] = ""
    language: Literal["", "en", "zh"] = ""
    briefing: Briefing = Briefing()
    quiet: Quiet = Quiet()
    folds: Folds = Folds()
    ceiling: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that was not used: the file, the dotted key ("" for the whole file), what stands there, what may."""

    path: str
    key: str
    found: str
    allowed: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """All settings as they hold now, and what was wrong with the files."""

    user: UserConfig = field(default_factory=UserConfig)
    bot: BotConfig = field(default_factory=BotConfig)
    problems: tuple[Problem, ...] = ()


Kind = TypeVar("Kind", UserConfig, BotConfig)


def parse_config(kind: type[Kind], path: str, text: str) -> tuple[Kind, tuple[Problem, ...]]:
    """The settings that a file's text holds, defaults for what is wrong, and the problems found; never raises."""
    try:
        raw = read_object(path, text)
    except Malformed as error:
        return kind(), (Problem(path, "", error.why, "JSON"),)
    problems: list[Problem] = []
    while True:
        try:
            return kind.model_validate(raw, by_alias=True, by_name=False), tuple(problems)
        except ValidationError as error:
            schema = kind.model_json_schema()
            for keys, value in _take_wrong(raw, error):
                problems.append(Problem(path, ".".join(keys), _short(value), allowed_of(schema, keys)))


def read_object(path: str, text: str) -> dict[str, object]:
    """The JSON object that a text holds, a byte order mark allowed; raises `Malformed`."""
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Malformed(path, str(error)) from error
    if not isinstance(raw, dict):
        raise Malformed(path, _short(raw))
    return cast("dict[str, object]", raw)


def _take_wrong(raw: dict[str, object], error: ValidationError) -> list[tuple[tuple[str, ...], object]]:
    """Take every wrong value out of `raw`, so that its default holds, and return what was taken by its keys."""
    taken: dict[tuple[str, ...], object] = {}
    for detail in error.errors(include_url=False):
        group, *rest = (str(part) for part in detail["loc"])
        inner = raw.get(group)
        if rest and isinstance(inner, dict):
            taken.setdefault((group, rest[0]), inner.pop(rest[0], None))
        else:
            taken.setdefault((group,), raw.pop(group, None))
    return list(taken.items())


def allowed_of(schema: dict[str, Any], keys: tuple[str, ...]) -> str:
    """What a field takes, without words: a range, the choices, or its type."""
    rule: dict[str, Any] = schema
    for key in keys:
        rule = rule["properties"][key]
        rule = schema["$defs"][rule["$ref"].rsplit("/", 1)[1]] if "$ref" in rule else rule
    rule = rule["anyOf"][0] if "anyOf" in rule else rule
    choices = rule.get("enum") or rule.get("examples") or {"boolean": ["true", "false"]}.get(rule["type"])
    if choices:
        return ", ".join(str(choice) or '""' for choice in choices)
    if "minimum" in rule:
        return f"{rule['minimum']}–{rule.get('maximum', '…')}"
    return str(rule["type"])


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]
