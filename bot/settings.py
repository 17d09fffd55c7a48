"""The settings of the process: the only reader of the environment and of `.env`, and the choice where memory lives.

The table of names, defaults and effects is `bot.variables`; `python -m bot.settings` prints `.env.example` from it.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from zoneinfo import ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from tzlocal import get_localzone_name

from bot.variables import VARIABLES, example
from core.errors import SettingsError
from core.i18n import locale_of
from core.llm.ceiling import Ceiling, parse_ceiling
from core.llm.providers import CUSTOM, PROVIDERS, Access
from core.turn.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.arguments import Arguments

DOTENV: Final = Path(".env")
TELEGRAM_TOKEN: Final = re.compile(r"\d+:[\w-]{30,}", re.ASCII)
NAMES: Final = tuple(variable.name for variable in VARIABLES)
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (f"{name}_api_key",) for name in PROVIDERS if name != "google"},
    "google": ("google_api_key", "google_generative_ai_api_key", "gemini_api_key"),
    CUSTOM: ("previously_api_key",),
}
"""The fields that hold the key of each provider."""


def _unquoted(value: object) -> object:
    """The value without blanks around it; quotes around it are a mistake that copying from a shell leaves."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        raise ValueError("remove the quotes around the value")
    return text


def _visible(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", secret.get_secret_value()):
        raise ValueError("a token or key has only visible ASCII characters: copy it again, without blanks")
    return secret


def _telegram(secret: SecretStr) -> SecretStr:
    if not TELEGRAM_TOKEN.fullmatch(secret.get_secret_value()):
        raise ValueError(
            "a token of a Telegram bot is digits, a colon and 30 or more characters: copy it from BotFather"
        )
    return secret


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
        raise ValueError("a name on GitHub has letters, digits, dots, dashes and underscores only, no address")
    return text


def parse_bases(text: str) -> dict[str, str]:
    """The addresses by provider; one without a provider is that of a server of one's own. Raises ValueError."""
    bases: dict[str, str] = {}
    for part in re.split(r"[\s,]+", text.strip()):
        name, found, rest = part.partition("=")
        provider, address = (name.strip().lower(), rest) if found and "/" not in name else (CUSTOM, part)
        if provider != CUSTOM and provider not in PROVIDERS:
            raise ValueError(f"{provider} is no provider; known are {', '.join(PROVIDERS)}")
        if not re.fullmatch(r"https?://[^\s/?#]+(?:/[^\s?#]*)?", address):
            raise ValueError("write addresses as http://localhost:11434/v1, or provider=https://...")
        if provider in bases:
            raise ValueError(f"there are two addresses for {provider}; leave one")
        bases[provider] = address.rstrip("/")
    return bases


def _bases(text: str) -> str:
    parse_bases(text)
    return text


def _ceiling(text: str) -> str:
    parse_ceiling(text)
    return text


Secret = Annotated[SecretStr, BeforeValidator(_unquoted), AfterValidator(_visible)]
TelegramToken = Annotated[Secret, AfterValidator(_telegram)]
GitHubName = Annotated[str, BeforeValidator(_unquoted), AfterValidator(_name)]
Kind = Annotated[Literal["local", "github", "demo"], BeforeValidator(_lower), BeforeValidator(_unquoted)]


class Settings(BaseSettings):
    """The variables of `bot.variables`, validated; None where nothing is set. Secrets never show in its text."""

    model_config = SettingsConfigDict(
        alias_generator=str.upper, frozen=True, extra="ignore", hide_input_in_errors=True, case_sensitive=True
    )

    storage: Kind | None = None
    previously_home: Annotated[Path, BeforeValidator(_unquoted)] | None = None
    telegram_bot_token: TelegramToken | None = None
    discord_bot_token: Secret | None = None
    github_token: Secret | None = None
    github_repo_owner: GitHubName | None = None
    github_repo_name: GitHubName | None = None
    deepseek_api_key: Secret | None = None
    anthropic_api_key: Secret | None = None
    openai_api_key: Secret | None = None
    moonshot_api_key: Secret | None = None
    dashscope_api_key: Secret | None = None
    google_api_key: Secret | None = None
    google_generative_ai_api_key: Secret | None = None
    gemini_api_key: Secret | None = None
    mistral_api_key: Secret | None = None
    xai_api_key: Secret | None = None
    groq_api_key: Secret | None = None
    previously_api_base: Annotated[str, BeforeValidator(_unquoted), AfterValidator(_bases)] | None = None
    previously_api_key: Secret | None = None
    previously_ceiling: Annotated[str, BeforeValidator(_unquoted), AfterValidator(_ceiling)] | None = None
    previously_context: Annotated[int, BeforeValidator(_unquoted), Field(ge=8_000, le=1_000_000)] | None = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  the library passes all of them by name
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `load` was given, so that one mapping is the whole truth."""
        return (init_settings,)

    def secrets(self) -> tuple[str, ...]:
        """Every secret value, for the log's redaction."""
        values = (getattr(self, name) for name in type(self).model_fields)
        return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr))

    def waiting(self) -> tuple[str, ...]:
        """The names that are set for features which this version does not have: platforms, GitHub."""
        had = {"", "models"}
        return tuple(v.name for v in VARIABLES if v.extra not in had and getattr(self, v.name.lower()) is not None)

    def access(self) -> Access:
        """The keys and addresses of the models' providers; of Google's three names the first set wins (seeds)."""
        keys = {name: self._first(*names) for name, names in KEYS.items()}
        bases = parse_bases(self.previously_api_base) if self.previously_api_base else {}
        return Access({name: key for name, key in keys.items() if key}, bases)

    def ceiling(self) -> Ceiling | None:
        """What models may cost a day, if there is a limit."""
        return parse_ceiling(self.previously_ceiling) if self.previously_ceiling else None

    def budget(self) -> Budget:
        """How much goes to a model at once."""
        return Budget.of(self.previously_context) if self.previously_context else Budget()

    def _first(self, *names: str) -> str:
        values = (getattr(self, name) for name in names)
        return next((value.get_secret_value() for value in values if isinstance(value, SecretStr)), "")


def given(environ: Mapping[str, str] | None = None, dotenv: Path = DOTENV) -> dict[str, str]:
    """All variables that are set and not empty, by name: the environment's (or `environ`) before those of the file.

    Raises SettingsError when the file cannot be read as text.
    """
    try:
        source = DotEnvSettingsSource(Settings, env_file=dotenv, env_file_encoding="utf-8-sig", case_sensitive=True)
    except UnicodeDecodeError as error:
        raise SettingsError(str(dotenv), "the file is not UTF-8 text: save it as UTF-8") from error
    except OSError as error:
        raise SettingsError(str(dotenv), f"the file cannot be read ({error.strerror}): mend its permissions") from error
    merged = {**source.env_vars, **(os.environ if environ is None else environ)}
    return {name: value for name, value in merged.items() if value and value.strip()}


def load(variables: Mapping[str, str]) -> Settings:
    """The settings that these variables make. Raises SettingsError naming the first wrong one and how to mend it."""
    known: dict[str, Any] = {name: variables[name] for name in NAMES if name in variables}
    try:
        return Settings(**known)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = str(first["msg"]).removeprefix("Value error, ")
        raise SettingsError(str(first["loc"][0]), message) from None


def system_locale(variables: Mapping[str, str]) -> str:
    """The locale of our words that the system's language asks for (`LC_ALL`, `LC_MESSAGES`, `LANG`, as POSIX ranks)."""
    tags = (variables.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return locale_of(next((tag for tag in tags if tag), ""))


def system_zone() -> str:
    """The IANA name of the machine's time zone (the `TZ` variable first), or UTC when it has no name."""
    try:
        return get_localzone_name() or "UTC"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"


@dataclass(frozen=True, slots=True)
class StorageChoice:
    """Where memory lives: `home` is absolute, None for demo; `reason` is the key of a message with the field `home`."""

    kind: Literal["demo", "local"]
    home: Path | None
    reason: str


def choose_storage(settings: Settings, arguments: Arguments, *, own: Path | None = None) -> StorageChoice:
    """Where memory lives; `own` is the folder used when none is named (by default `~/previously`).

    With a platform token demo is taken only by `STORAGE=demo` (DESIGN 10). Raises SettingsError when GitHub is asked
    for, which this version cannot serve, since another store in its place would hide what was said.
    """
    if settings.storage == "github":
        raise SettingsError("STORAGE", "github comes with a later version; set local or demo")
    if arguments.home:
        return StorageChoice("local", _folder("--home", arguments.home), "settings.home_argument")
    if settings.storage == "demo":
        return StorageChoice("demo", None, "settings.demo_asked")
    if settings.storage is None and settings.github_token and (settings.github_repo_owner or settings.github_repo_name):
        raise SettingsError("GITHUB_TOKEN", "memory on GitHub comes with a later version; set STORAGE to local or demo")
    if settings.previously_home:
        home = _folder("PREVIOUSLY_HOME", settings.previously_home)
        return StorageChoice("local", home, "settings.home_variable")
    if settings.storage == "local" or settings.telegram_bot_token or settings.discord_bot_token:
        folder = own or Path("~/previously")
        return StorageChoice("local", _folder("PREVIOUSLY_HOME", folder), "settings.home_default")
    return StorageChoice("demo", None, "settings.demo_bare")


def _folder(variable: str, path: Path) -> Path:
    try:
        home = path.expanduser().absolute()
        taken = home.exists() and not home.is_dir()
    except (RuntimeError, OSError, ValueError) as error:
        raise SettingsError(variable, f"the folder cannot be used ({error}); name another") from error
    if taken:
        raise SettingsError(variable, f"{home} is a file; name a folder")
    return home


if __name__ == "__main__":
    sys.stdout.write(example())
