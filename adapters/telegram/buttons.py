"""What a button carries in its 64 bytes, and what pressing it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapters.telegram.rendered import Button
    from core.conversation import Sayings

LIMIT: Final = 64
STOP: Final = "stop"
_SAY: Final = "say/"
_KEPT: Final = "kept/"


def packed(button: Button, sayings: Sayings) -> str:
    """The data of a button. What it says, when too long, is kept, or else is its label."""
    if button.data:
        return button.data
    said = f"{_SAY}{button.say}"
    return said if len(said.encode("utf-8", "replace")) <= LIMIT else f"{_KEPT}{sayings.keep(button.say)}"


def meant(data: str, labels: Mapping[str, str], sayings: Sayings) -> str:
    """What pressing a button says or asks for, as if it was typed; "" when it is of another version.

    `labels` are the labels of the message's buttons by their data: they stand for what is not kept any more.
    """
    if data.startswith(_SAY):
        return data.removeprefix(_SAY)
    if data.startswith(_KEPT):
        return sayings.find(data.removeprefix(_KEPT)) or labels.get(data, "")
    address = Address.decode(data)
    return address.command if address else ""
