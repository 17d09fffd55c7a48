"""What is done beside the talk: it may fail without harm, and nobody asks for it later."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from core.errors import PlatformTrouble, StorageError

if TYPE_CHECKING:
    from collections.abc import Coroutine

_log = logging.getLogger("previously.telegram")


class Forgetful:
    """The outbox of what belongs to no turn."""

    def sent(self, turn: str, part: int) -> str | None:
        """Nothing was sent before."""
        del turn, part
        return None

    async def note(self, turn: str, part: int, message: str) -> None:
        """Nobody asks for it later."""


def unheard(_chat: str) -> None:
    """Nobody asks who is heard of."""


async def harmless(work: Coroutine[object, object, object]) -> None:
    """Do it; its failure is logged and harms nobody."""
    try:
        await work
    except (PlatformTrouble, StorageError) as error:
        _log.warning("something small could not be shown: %s", error)
    except Exception:  # noqa: BLE001 - what is beside the talk must not end it; logged with its traceback
        _log.exception("something small failed")


def first(several: BaseException) -> BaseException:
    """The error at the bottom of groups."""
    while isinstance(several, BaseExceptionGroup):
        several = several.exceptions[0]
    return several
