"""Whether to ask again after trouble, and when (our own loop: those of the client libraries are switched off)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.llm.driver.wire import TRANSIENT

if TYPE_CHECKING:
    from core.llm.driver.limits import Patience
    from core.llm.driver.wire import Trouble

_ONCE = frozenset({"empty", "notice"})


@dataclass(slots=True)
class Retries:
    """What was tried in one call."""

    patience: Patience
    tried: int = 0
    silent: int = 0
    odd: int = 0

    def wait(self, trouble: Trouble) -> float | None:
        """Seconds to wait before the next try, or None when there is none.

        `Retry-After` is obeyed; a provider that asks for more than the patience there is, is not asked again.
        """
        if trouble.kind not in TRANSIENT or self.tried >= self.patience.retries:
            return None
        self.tried += 1
        if trouble.kind == "slow":
            self.silent += 1
            return 0.0 if self.silent <= self.patience.silent_retries else None
        if trouble.kind in _ONCE:
            self.odd += 1
            return 0.0 if self.odd <= 1 else None
        own = self.patience.backoff * 2.0 ** (self.tried - 1)
        wanted = own if trouble.after is None else max(trouble.after, 0.0)
        return wanted if wanted <= self.patience.longest_wait else None
