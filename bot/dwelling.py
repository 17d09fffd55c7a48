"""The choice where memory lives: this machine's folder, a repository, or the demo person (DESIGN 10)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.errors import SettingsError

if TYPE_CHECKING:
    from bot.arguments import Arguments
    from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class StorageChoice:
    """Where memory lives: `home` is absolute, None for demo; `reason` is the key of a message with the field `home`.

    `ack` says when a platform may forget a message; `notice` is the key of one more thing to be told, "" for nothing.
    """

    kind: Literal["demo", "local", "github"]
    home: Path | None
    reason: str
    ack: Literal["disk", "push"] = "disk"
    notice: str = ""


def choose_storage(settings: Settings, arguments: Arguments, *, own: Path | None = None) -> StorageChoice:
    """Where memory lives; `own` is the folder used when none is named (by default `~/previously`).

    STORAGE first, then --home, then GitHub when its three variables are set, then a local folder when a platform's
    token or PREVIOUSLY_HOME is, else the demo person (DESIGN 10). Raises SettingsError when what was asked for cannot
    be had, since another store in its place would hide what was said.
    """
    platform = bool(settings.telegram_bot_token or settings.discord_bot_token)
    if _wants_github(settings, arguments, platform=platform):
        return _github(settings, arguments, own)
    if arguments.home:
        return StorageChoice("local", _folder("--home", arguments.home), "settings.home_argument")
    if settings.storage == "demo":
        return StorageChoice("demo", None, "settings.demo_asked")
    if settings.previously_home:
        home = _folder("PREVIOUSLY_HOME", settings.previously_home)
        return StorageChoice("local", home, "settings.home_variable", notice=_unnamed(settings))
    if settings.storage == "local" or platform:
        folder = own or Path("~/previously")
        return StorageChoice("local", _folder("PREVIOUSLY_HOME", folder), "settings.home_default")
    return StorageChoice("demo", None, "settings.demo_bare", notice=_unnamed(settings))


def _wants_github(settings: Settings, arguments: Arguments, *, platform: bool) -> bool:
    """Whether memory belongs on GitHub; with a platform a token alone is a wish that must not be passed over."""
    if settings.storage == "github":
        return True
    if settings.storage or arguments.home or not settings.github_token:
        return False
    return platform or bool(settings.github_repo_owner and settings.github_repo_name)


def _github(settings: Settings, arguments: Arguments, own: Path | None) -> StorageChoice:
    """Memory in a repository, with its files in a folder of this machine first."""
    need_repository(settings)
    if arguments.home:
        home, reason = _folder("--home", arguments.home), "settings.github_home"
    elif settings.previously_home:
        home, reason = _folder("PREVIOUSLY_HOME", settings.previously_home), "settings.github_home"
    else:
        folder = f"{own or '~/previously'}-{settings.github_repo_owner}-{settings.github_repo_name}"
        home, reason = _folder("PREVIOUSLY_HOME", Path(folder)), "settings.github"
    ack = settings.previously_ack or ("push" if reason == "settings.github" else "disk")
    if ack == "push":
        _need_owners(settings)
    return StorageChoice("github", home, reason, ack=ack)


def need_repository(settings: Settings) -> None:
    """Raise SettingsError naming the first variable that a repository needs and that is not set."""
    for name in ("github_token", "github_repo_owner", "github_repo_name"):
        if not getattr(settings, name):
            raise SettingsError(name.upper(), "memory on GitHub needs this too: set it, or set STORAGE=local")


def _need_owners(settings: Settings) -> None:
    """On a disk that does not last, who may speak must stand in the environment: a claim would be forgotten."""
    for platform in ("telegram", "discord"):
        variable = f"{platform}_owner_id"
        if getattr(settings, f"{platform}_bot_token") and not getattr(settings, variable):
            raise SettingsError(
                variable.upper(),
                "where messages are kept on GitHub alone (PREVIOUSLY_ACK=push) your numeric id must be set here; "
                "or set PREVIOUSLY_HOME to a folder on a disk that lasts",
            )


def _unnamed(settings: Settings) -> str:
    """A token of GitHub without a repository does nothing: that is told, once, where nothing else is wrong with it."""
    named = settings.github_repo_owner and settings.github_repo_name
    return "settings.github_unnamed" if settings.storage is None and settings.github_token and not named else ""


def _folder(variable: str, path: Path) -> Path:
    try:
        home = path.expanduser().absolute()
        taken = home.exists() and not home.is_dir()
    except (RuntimeError, OSError, ValueError) as error:
        raise SettingsError(variable, f"the folder cannot be used ({error}); name another") from error
    if taken:
        raise SettingsError(variable, f"{home} is a file; name a folder")
    return home
