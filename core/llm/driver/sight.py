"""Pictures in a request: what they become for a model that sees, and what is said of them to one that does not."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.llm.base import Message

UNSEEN: Final = (
    "[{n} of the files above are pictures, and the model in use cannot see pictures. Say so if the answer depends on"
    " them; never guess what they show.]"
)
_SEEING: Final = re.compile(
    r"vision|(?:^|[-_/.])vl(?:$|[-_.:\d])|gpt-(?:4o|4\.1|[5-9](?!\d)(?!.*oss))|claude|gemini|gemma-?[3-9]|llava|pixtral"
    r"|grok-[4-9]|kimi-k(?:2\.[5-9]|[3-9])|qwen3\.[5-9]",
    re.IGNORECASE,
)
"""Names of models that see, for those that the library's table does not know."""


def sees(model: str, about: Mapping[str, Any]) -> bool:
    """Whether a model sees pictures: by what is known of it, else by its name."""
    return about.get("supports_vision") is True if about else bool(_SEEING.search(model))


def blinded(message: Message) -> Message:
    """The message without its pictures, saying so."""
    if not message.images:
        return message
    return replace(message, text=f"{message.text}\n\n{UNSEEN.format(n=len(message.images))}".lstrip(), images=())


def shown(message: Message) -> list[dict[str, Any]]:
    """The content of a message with pictures, as OpenAI's protocol has it: each below the line that names it."""
    content: list[dict[str, Any]] = []
    for image in message.images:
        url = f"data:{image.media};base64,{b64encode(image.data).decode()}"
        content += [_text(image.label)] if image.label else []
        content.append({"type": "image_url", "image_url": {"url": url}})
    return [*content, _text(message.text)] if message.text else content


def pictured(messages: Sequence[Message]) -> bool:
    """Whether any of the messages has pictures."""
    return any(message.images for message in messages)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
