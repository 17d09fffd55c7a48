"""The settings of the process: the only reader of the environment and of `.env`.

The table of names, defaults and effects is `bot.variables`; `python -m bot.settings` prints `.env.example` from it.
"""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfoNotFoundError

from dotenv.parser import parse_stream
from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from tzlocal import get_localzone_name

from bot.checks import (
    AccessSecret,
    Ack,
    Bases,
    CeilingText,
    Context,
    DiscordId,
    Folder,
    GitHubName,
    Host,
    Kind,
    Link,
    ModelName,
    Port,
    Public,
    Secret,
    Socket,
    TelegramId,
    TelegramToken,
    WebhookAddress,
    WebhookSecret,
    parse_bases,
)
from bot.variables import VARIABLES, example
from core.errors import SettingsError
from core.i18n import locale_of
from core.llm.ceiling import Ceiling, parse_ceiling
from core.llm.providers import CUSTOM, PROVIDERS, Access
from core.turn.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.conversation import Surface

DOTENV: Final = Path(".env")
NAMES: Final = tuple(variable.name for variable in VARIABLES)
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (f"{name}_api_key",) for name in PROVIDERS if name != "google"},
    "google": ("google_api_key", "google_generative_ai_api_key", "gemini_api_key"),
    CUSTOM: ("previously_api_key",),
}
"""The fields that hold the key of each provider."""


class Settings(BaseSettings):
    """The variables of `bot.variables`, validated; None where nothing is set. Secrets never show in its text."""

    model_config = SettingsConfigDict(
        alias_generator=str.upper, frozen=True, extra="ignore", hide_input_in_errors=True, case_sensitive=True
    )

    storage: Kind | None = None
    previously_home: Folder | None = None
    telegram_bot_token: TelegramToken | None = None
    telegram_owner_id: TelegramId | None = None
    telegram_base_url: Link | None = None
    telegram_file_url: Link | None = None
    webhook_url: WebhookAddress | None = None
    webhook_secret: WebhookSecret | None = None
    discord_bot_token: Secret | None = None
    discord_owner_id: DiscordId | None = None
    discord_channel_id: DiscordId | None = None
    discord_api_url: Link | None = None
    discord_gateway_url: Socket | None = None
    github_token: Secret | None = None
    github_repo_owner: GitHubName | None = None
    github_repo_name: GitHubName | None = None
    github_api_url: Link | None = None
    previously_public: Public | None = None
    previously_ack: Ack | None = None
    port: Port | None = None
    previously_bind: Host | None = None
    access_secret: AccessSecret | None = None
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
    previously_api_base: Bases | None = None
    previously_api_key: Secret | None = None
    previously_ceiling: CeilingText | None = None
    previously_context: Context | None = None
    previously_transcribe: ModelName | None = None
    previously_searxng_url: Link | None = None
    benchmark_base_url: Link | None = None

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

    def owners(self) -> dict[Surface, str]:
        """The numeric ids of the owner, by surface, as far as they are set."""
        found: dict[Surface, str] = {}
        if self.telegram_owner_id:
            found["telegram"] = self.telegram_owner_id
        if self.discord_owner_id:
            found["discord"] = self.discord_owner_id
        return found

    def github_key(self) -> str:
        """The token for the repository, "" when none is set."""
        return self._first("github_token")

    def access_key(self) -> str:
        """What a caller of PORT must send to be told more than ok, "" when nobody is."""
        return self._first("access_secret")

    def access(self) -> Access:
        """The keys and addresses of the models' providers; of Google's three names the first set wins (seeds)."""
        keys = {name: self._first(*names) for name, names in KEYS.items()}
        named = {name: next((one for one in names if self._first(one)), "").upper() for name, names in KEYS.items()}
        bases = parse_bases(self.previously_api_base) if self.previously_api_base else {}
        return Access({name: key for name, key in keys.items() if key}, bases, named)

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

    Raises SettingsError when the file cannot be read as text, or a line of it is none that sets something.
    """
    try:
        _look_over(dotenv)
        source = DotEnvSettingsSource(Settings, env_file=dotenv, env_file_encoding="utf-8-sig", case_sensitive=True)
    except UnicodeDecodeError as error:
        raise SettingsError(str(dotenv), "the file is not UTF-8 text: save it as UTF-8") from error
    except OSError as error:
        raise SettingsError(str(dotenv), f"the file cannot be read ({error.strerror}): mend its permissions") from error
    merged = {**source.env_vars, **(os.environ if environ is None else environ)}
    return {name: value for name, value in merged.items() if value and value.strip()}


def _look_over(dotenv: Path) -> None:
    """Raise SettingsError naming the first line that is not understood: it would be passed over without a word."""
    if not dotenv.is_file():
        return
    for binding in parse_stream(StringIO(dotenv.read_text(encoding="utf-8-sig"))):
        if binding.error:
            line = binding.original.line
            raise SettingsError(f"{dotenv}, line {line}", "write NAME=value there, a quote closed by its like, or #")


def load(variables: Mapping[str, str]) -> Settings:
    """The settings that these variables make. Raises SettingsError naming the first wrong one and how to mend it."""
    known: dict[str, Any] = {name: variables[name] for name in NAMES if name in variables}
    try:
        settings = Settings(**known)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = str(first["msg"]).removeprefix("Value error, ")
        raise SettingsError(str(first["loc"][0]), message) from None
    _agree(settings)
    return settings


def _agree(settings: Settings) -> None:
    """Raise SettingsError when one variable needs another that is not set."""
    if settings.webhook_url and settings.port is None:
        raise SettingsError("WEBHOOK_URL", "a webhook needs a port to listen on: set PORT too, or remove WEBHOOK_URL")
    if settings.previously_bind and settings.port is None:
        raise SettingsError("PREVIOUSLY_BIND", "there is nothing to bind without a port: set PORT too")


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


if __name__ == "__main__":
    sys.stdout.write(example())
