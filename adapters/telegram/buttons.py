"""What a button carries in its 64 bytes, and what pressing it means; nothing is remembered between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.document import Address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapters.telegram.rendered import Button

LIMIT: Final = 64
STOP: Final = "stop"
_SAY: Final = "say/"
_LABEL: Final = "label/"


def packed(button: Button, place: str) -> str:
    """The data of a button. What it says, when too long, is found again by the label at that `place`."""
    if button.data:
        return button.data
    said = f"{_SAY}{button.say}"
    return said if len(said.encode()) <= LIMIT else f"{_LABEL}{place}"


def meant(data: str, labels: Mapping[str, str]) -> str:
    """What pressing a button says or asks for, as if it was typed; "" when it is of another version.

    `labels` are the labels of the message's buttons by their data.
    """
    if data.startswith(_SAY):
        return data.removeprefix(_SAY)
    if data.startswith(_LABEL):
        return labels.get(data, "")
    address = Address.decode(data)
    return address.command if address else ""
