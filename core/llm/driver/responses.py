"""Which of OpenAI's models are asked by its Responses protocol, and what is asked for there beside the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.llm.driver.wire import Target

_NAME: Final = re.compile(r"gpt-(\d+)(?:\.(\d+))?(?!.*search)")
_FIRST: Final = (5, 4)

PRIVATELY: Final[Mapping[str, Any]] = {"store": False, "include": ["reasoning.encrypted_content"]}
"""OpenAI keeps what it is asked for thirty days unless told not to; reasoning then comes sealed, to be given back."""


def speaks_responses(target: Target, about: Mapping[str, Any]) -> bool:
    """Whether a model is asked by that protocol; `about` is what the library's table says of it.

    From gpt-5.4 on chat completions refuses tools while the model reasons. The library takes the other protocol then,
    request by request; here a model has one protocol for all it is asked. Servers that merely speak OpenAI's protocol
    seldom know the newer one, whatever their models are called.
    """
    if target.provider != "openai":
        return False
    found = _NAME.match(target.model)
    newer = found is not None and (int(found[1]), int(found[2] or 0)) >= _FIRST
    return newer or about.get("mode") == "responses"
