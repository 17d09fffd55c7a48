"""PyGithub, in one thread, without its own retries: it sleeps for up to an hour and never repeats what matters.

Nothing else imports the library. What an answer means is `core.storage.github.verdict`'s to say (reliability 3.3).
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.errors import RepositoryTrouble, SettingsError
from core.storage.github.verdict import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from github.Requester import Requester

Found = TypeVar("Found")

ADDRESS: Final = "https://api.github.com"
PATIENCE: Final = 15
"""Seconds without a byte after which a call counts as lost."""
LONGEST: Final = 60.0
"""Seconds that a call may take in all; a tarball has ten times as long."""


class Wire:
    """Calls to one GitHub with one token. `requests` counts them."""

    def __init__(self, token: str, address: str = ADDRESS, *, patience: int = PATIENCE, spacing: float = 0.0) -> None:
        """`spacing` is how many seconds the library leaves between two calls in its thread."""
        self._token = token
        self._address = address
        self._patience = patience
        self._spacing = spacing
        self._requester: Requester | None = None
        self._thread = ThreadPoolExecutor(1, "github")
        self.requests = 0

    async def ask(self, method: str, path: str, data: object = None, headers: Mapping[str, str] | None = None) -> Reply:
        """The answer, whatever its status. Raises `RepositoryTrouble` (offline) when none came."""
        return await self._run(lambda: self._ask(method, path, data, dict(headers or {})), LONGEST)

    async def mutate(self, query: str, variables: Mapping[str, object]) -> Reply:
        """The answer of GraphQL. Raises `RepositoryTrouble` (offline)."""
        asked = {"query": query, "variables": dict(variables)}
        return await self._run(lambda: self._ask("POST", self._connected().graphql_url, asked, {}), LONGEST)

    async def fetch(self, path: str) -> bytes:
        """The bytes of a file behind a redirect. Raises `RepositoryTrouble`."""
        return await self._run(lambda: self._fetch(path), 10 * LONGEST)

    def close(self) -> None:
        """End the thread as soon as its call is over."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, call: Callable[[], Found], limit: float) -> Found:
        self.requests += 1
        try:
            async with asyncio.timeout(limit):
                return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        except TimeoutError as error:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread, self._requester = ThreadPoolExecutor(1, "github"), None
            raise RepositoryTrouble("offline", f"no answer within {limit:.0f} s") from error

    def _ask(self, method: str, path: str, data: object, headers: dict[str, Any]) -> Reply:
        try:
            return Reply(*self._connected().requestJson(method, path, headers=headers, input=data))
        except (OSError, ValueError, RuntimeError) as error:  # what requests raises is an OSError
            raise RepositoryTrouble("offline", type(error).__name__) from error

    def _fetch(self, path: str) -> bytes:
        try:
            _, _, chunks = self._connected().getStream(path, chunk_size=65536)
            return b"".join(chunks)
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            status = getattr(getattr(error, "response", None), "status_code", 0)
            if status in {404, 405, 501}:
                raise RepositoryTrouble("missing", f"status {status}") from error
            raise RepositoryTrouble("offline", type(error).__name__) from error

    def _connected(self) -> Requester:
        """The library's client, imported when it is first needed: that takes a while."""
        if self._requester is None:
            try:
                from github import Auth, Github  # noqa: PLC0415
            except ImportError as error:
                hint = "what GitHub needs is not installed: run make run, or: pip install '.[github]'"
                raise SettingsError("GITHUB_TOKEN", hint) from error
            logging.getLogger("github").setLevel(logging.CRITICAL)
            client = Github(
                auth=Auth.Token(self._token),
                base_url=self._address,
                retry=None,
                timeout=self._patience,
                seconds_between_requests=self._spacing or None,
                seconds_between_writes=self._spacing or None,
                user_agent="previously",
            )
            self._requester = client.requester
        return self._requester
