"""What the evolving model may ask of the card: the arguments of every mutation tool (seeds, "User Card")."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else [] if value is None else value


def _text(value: object) -> object:
    return "" if value is None else value


Refs = Annotated[
    list[str],
    BeforeValidator(_listed),
    Field(description="the slices that say so, copied exactly: YYYY/MM/DD/HHMM, or with -turn behind it"),
]
Day = Annotated[str, BeforeValidator(_text), Field(description="YYYY-MM-DD")]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore")


class SetIdentity(_Arguments):
    """Set or replace one line of Identity. Name and pronouns change only on the person's explicit request."""

    field: Literal["name", "address_as", "pronouns", "alias"]
    value: str


class UpdatePastProfile(_Arguments):
    """Rewrite the profile: one flowing paragraph in the third person, at most 2400 characters."""

    text: str


class AddPastAnchor(_Arguments):
    """Add a durable fact, decision or red line that will almost certainly still hold in three years."""

    model_config = ConfigDict(json_schema_extra={"required": ["text", "refs"]})
    text: str
    refs: Refs = Field(default_factory=list)


class AddNow(_Arguments):
    """Add a hook to what is alive at present: one line, not a story. `since` is a date, by default today."""

    model_config = ConfigDict(json_schema_extra={"required": ["text", "refs"]})
    text: str
    refs: Refs = Field(default_factory=list)
    since: Day = ""


class AddHorizon(_Arguments):
    """Add a commitment, deadline or awaited reply with the date it is due `by`."""

    model_config = ConfigDict(json_schema_extra={"required": ["text", "by", "refs"]})
    text: str
    by: Day = ""
    refs: Refs = Field(default_factory=list)


class AddSelfModel(_Arguments):
    """Add a lesson about working with this person that the standing directives do not already say."""

    text: str
    refs: Refs = Field(default_factory=list)


class Match(_Arguments):
    """Names an entry by any part of its text."""

    match: str


class RemovePastAnchor(Match):
    """Remove the first anchor that contains `match`."""


class RemoveNow(Match):
    """Remove the first Now hook that contains `match`."""


class PromoteNowToPast(Match):
    """Turn the first Now hook that contains `match` into a Past anchor; its refs go with it."""


class ResolveHorizon(Match):
    """Take the first Horizon entry that contains `match` off the card, because it is settled; say how in `note`."""

    note: Annotated[str, BeforeValidator(_text)] = ""


class RemoveSelfModel(Match):
    """Remove the first lesson that contains `match`."""


Wish = (
    SetIdentity
    | UpdatePastProfile
    | AddPastAnchor
    | AddNow
    | AddHorizon
    | AddSelfModel
    | RemovePastAnchor
    | RemoveNow
    | PromoteNowToPast
    | ResolveHorizon
    | RemoveSelfModel
)
