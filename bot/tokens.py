"""Asking the other side whether a token is any good: one request each, with a limit, and no word of theirs repeated."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.settings import Settings

LIMIT: Final = 10.0
"""Seconds that an answer may take."""

_REFUSED: Final = frozenset({401, 403, 404})
_AGENT: Final = "DiscordBot (previously, 1)"

Verdict = Literal["good", "refused", "silent"]


@dataclass(frozen=True, slots=True)
class Question:
    """Where to ask about the token of a variable."""

    variable: str
    address: str
    headers: Mapping[str, str]


def questions(settings: Settings) -> list[Question]:
    """What is to be asked: one question for each token that is set."""
    found: list[Question] = []
    if settings.telegram_bot_token:
        base = settings.telegram_base_url or "https://api.telegram.org"
        token = settings.telegram_bot_token.get_secret_value()
        found.append(Question("TELEGRAM_BOT_TOKEN", f"{base.removesuffix('/bot')}/bot{token}/getMe", {}))
    if settings.discord_bot_token:
        base = settings.discord_api_url or "https://discord.com/api/v10"
        token = settings.discord_bot_token.get_secret_value()
        headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        found.append(Question("DISCORD_BOT_TOKEN", f"{base}/users/@me", headers))
    if settings.github_token and settings.github_repo_owner and settings.github_repo_name:
        base = settings.github_api_url or "https://api.github.com"
        headers = {"Authorization": f"Bearer {settings.github_token.get_secret_value()}", "User-Agent": "previously"}
        path = f"/repos/{settings.github_repo_owner}/{settings.github_repo_name}"
        found.append(Question("GITHUB_TOKEN", f"{base}{path}", headers))
    return found


async def verdicts(asked: list[Question], limit: float = LIMIT) -> list[tuple[str, Verdict]]:
    """What became of each question, by variable, all asked at once."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.to_thread(_ask, one, limit)) for one in asked]
    return [(one.variable, task.result()) for one, task in zip(asked, tasks, strict=True)]


class _Straight(urllib.request.HTTPRedirectHandler):
    """Follows nothing: a token goes to the address it is for."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """No other address."""


def _ask(question: Question, limit: float) -> Verdict:
    request = urllib.request.Request(question.address, headers=dict(question.headers))  # noqa: S310 - http(s) alone, by `bot.checks`
    opener = urllib.request.build_opener(_Straight)
    try:
        with opener.open(request, timeout=limit) as answer:
            return "good" if answer.status < http.client.MULTIPLE_CHOICES else "silent"
    except urllib.error.HTTPError as error:
        error.close()
        return "refused" if error.code in _REFUSED else "silent"
    except (OSError, http.client.HTTPException, ValueError):
        return "silent"
