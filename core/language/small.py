"""Words that may stand beside a date and name nothing themselves: "everything from", "那天的对话"."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = re.compile(
    r"[\W_]+|\b(?:in|on|from|of|the|at|all|everything|whole|day|days|that|said|was|what|i|we)\b"
    r"|全部|所有|一切|那天|一整天|整天|当天|内容|对话|的|了|在|这|那|我|说过|说|话",
    re.IGNORECASE,
)


def names_nothing(text: str) -> bool:
    """Whether there is nothing in the text but such words."""
    return not _SMALL.sub("", text)
