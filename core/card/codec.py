r"""The card as text, format v5, byte-compatible with the original (original.md 1.5).

Reading is lenient: byte order mark, CRLF, missing stamp, `## Profile` and `## Recent` of older cards. What the format
does not know (other bullets, plain lines, sections, comments) is kept where it stands; see `core.card.layout`.

A text may hold what the format uses as a mark. `— refs:`, `— by:`, `| since:` and `<!--` inside a text, and `#`, `_`
or a bullet at the start of a profile line, are written with a backslash (`— refs\:`), one more where there is one
already, and read back without. Markdown renders both alike, and the original's reader takes the whole as text (B12).
Lines that the original or a person wrote without the backslash are parsed from their right end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from core.card.layout import NOTES, UNKNOWN, Layout, Piece, Section, merge
from core.card.model import HORIZON, IDENTITY, NOW, PAST, SECTIONS, SELF_MODEL, Card, Entry
from core.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Sequence

    Tails = tuple[tuple[str, re.Pattern[str]], ...]

FORMAT: Final = "user card v2"
STAMP: Final = f"Format: {FORMAT}"
"""What the stamp of a card in today's format contains; the original calls v5 "user card v2"."""
TITLE: Final = "# Previously On"
_ALIASES: Final = {"Profile": PAST, "Recent": NOW}
_STAMPED: Final = re.compile(r"_Active slice:\s*([^|]*?)\s*\|(?:\s*Format: ([^|]*?)\s*\|)?\s*Updated:\s*(.*?)\s*_\Z")
_HEADING: Final = re.compile(r"##?\s+(\S.*)\Z")
_FOREIGN: Final = re.compile(r"[_#]|<!--|[-*+>](?:\s|\Z)|\d+[.)]\s")
_REFS: Final = re.compile(r"\s*— refs:\s*((?:\[[^\[\]]*\][,;，、\s]*)+)\Z")
_SINCE: Final = re.compile(r"\s*\| since:\s*(\d{4}-\d{2}-\d{2})\Z", re.ASCII)
_BY: Final = re.compile(r"\s*— by:\s*(\d{4}-\d{2}-\d{2})\Z", re.ASCII)
_REF: Final = re.compile(r"\[\s*([^\[\]]*?)\s*\]")
_COMMENT: Final = re.compile(r"<!--.*?-->")
_MARK: Final = re.compile(r"(—\s*(?:refs|by)|\|\s*since|<)(\\*)(:|!--)")
_STARTS: Final = re.compile(r"()(\\*)([_#]|<!--|[-*+>](?:\s|\Z))")
_NUMBER: Final = re.compile(r"(\d+)(\\*)([.)]\s)")


def is_card(text: str) -> bool:
    """Whether a text is a card in today's form: by its stamp, or by Identity beside Past, Profile, Now or Horizon."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").split("\n")]
    if any(line.startswith("_") and "Format: user card" in line for line in lines):
        return True
    return "## Identity" in lines and any(f"## {name}" in lines for name in (PAST, NOW, HORIZON, *_ALIASES))


def has_stamp(text: str) -> bool:
    """Whether the card says it is in today's format; one that does not is evolved at the next close (1.6)."""
    return any(line.startswith("_") and STAMP in line for line in text.removeprefix("\ufeff").split("\n"))


def decode(text: str, today: str = "") -> Card:
    """The card that a text holds; a Now entry without a date is `since` today. Raises `Malformed` if it is no card."""
    if not is_card(text):
        raise Malformed("card", "neither a stamp nor the sections of a user card")
    pieces = _pieces(text.removeprefix("\ufeff"), today)
    stamp = next((cast("tuple[str, ...]", piece.value) for piece in pieces if piece.kind == "stamp"), ("", "", ""))
    identity = [str(piece.value) for piece in pieces if piece.kind == "entry" and piece.section == IDENTITY]
    profile = [str(piece.value) for piece in pieces if piece.kind == "profile"]

    def entries(section: str) -> tuple[Entry, ...]:
        found = (piece.value for piece in pieces if piece.kind == "entry" and piece.section == section)
        return tuple(entry for entry in found if isinstance(entry, Entry))

    return Card(
        slice_id=stamp[0],
        updated=stamp[2],
        identity=tuple(identity),
        profile="\n".join(profile),
        anchors=entries(PAST),
        now=entries(NOW),
        horizon=entries(HORIZON),
        self_model=entries(SELF_MODEL),
        layout=Layout(tuple(pieces), bom=text.startswith("\ufeff")),
    )


def encode(card: Card) -> str:
    """The text of a card: as its file had it, with what changed; of a new card, the canonical form."""
    stamp = f"_Active slice: {card.slice_id} | {STAMP} | Updated: {card.updated}_"
    sections = [_rendered(card, name) for name in SECTIONS]
    if isinstance(card.layout, Layout):
        return merge(card.layout, (card.slice_id, FORMAT, card.updated), stamp, sections)
    blocks = ["\n\n".join([f"## {part.name}", *part.blocks]) for part in sections if part.blocks]
    return "\n\n".join([TITLE, stamp, *blocks]) + "\n"


def blank_card(slice_id: str, now: str) -> str:
    """The text of a card that says nothing yet: title and stamp."""
    return encode(Card(slice_id=slice_id, updated=now))


def _rendered(card: Card, name: str) -> Section:
    """What a section shall hold, as values and as the lines that say them."""
    sections: dict[str, Sequence[str | Entry]] = {
        IDENTITY: card.identity,
        PAST: card.anchors,
        NOW: card.now,
        HORIZON: card.horizon,
        SELF_MODEL: card.self_model,
    }
    profile = card.profile.split("\n") if name == PAST and card.profile else []
    return Section(
        name,
        profile=tuple(profile),
        profile_lines=tuple(_guard_start(line) for line in profile),
        values=tuple(sections[name]),
        lines=tuple(_line(name, value) for value in sections[name]),
    )


def _line(section: str, value: str | Entry) -> str:
    if isinstance(value, str):
        return f"- {_guard(value)}"
    refs = f" — refs: {', '.join(f'[{ref}]' for ref in value.refs)}" if value.refs else ""
    by = f" — by: {value.by}" if section == HORIZON and value.by else ""
    since = f" | since: {value.since}" if section == NOW and value.since else ""
    return f"- {_guard(value.text)}{by}{refs}{since}"


def _guard(text: str) -> str:
    return _MARK.sub(r"\1\\\2\3", text)


def _unguard(text: str) -> str:
    return _MARK.sub(lambda found: found[1] + found[2][1:] + found[3], text)


def _guard_start(line: str) -> str:
    for pattern in (_STARTS, _NUMBER):
        if found := pattern.match(line):
            return f"{found[1]}\\{line[found.end(1) :]}"
    return line


def _unguard_start(line: str) -> str:
    for pattern in (_STARTS, _NUMBER):
        if (found := pattern.match(line)) and found[2]:
            return found[1] + line[found.end(1) + 1 :]
    return line


def _pieces(text: str, today: str) -> list[Piece]:
    """The lines of a card, each with what it is."""
    pieces: list[Piece] = []
    section, stamped, in_profile = "", False, True
    *whole, rest = text.split("\n")
    for raw in [*(f"{line}\n" for line in whole), *([rest] if rest else [])]:
        line = raw.strip()
        stamp = _STAMPED.match(line) if not section and not stamped else None
        if heading := _HEADING.match(raw.rstrip()):
            section = _section(line, heading[1])
            pieces.append(Piece("heading", section, raw))
        elif stamp:
            stamped = True
            pieces.append(Piece("stamp", section, raw, (stamp[1], stamp[2] or "", stamp[3])))
        else:
            pieces.append(_piece(raw, section, today, in_profile=in_profile))
            in_profile = in_profile and not (section == PAST and (pieces[-1].kind == "entry" or line == NOTES))
    return pieces


def _section(line: str, name: str) -> str:
    """The section that a heading opens: "" for the title, "?" for one that the format does not know."""
    if line == TITLE:
        return ""
    name = _ALIASES.get(name, name)
    return name if line.startswith("## ") and name in SECTIONS else UNKNOWN


def _piece(raw: str, section: str, today: str, *, in_profile: bool) -> Piece:
    line = raw.strip()
    if not line:
        return Piece("blank", section, raw)
    if section in SECTIONS and raw.startswith("- "):
        value = _value(section, _COMMENT.sub("", line[2:]).strip(), today)
        return Piece("entry", section, raw, value) if value else Piece("other", section, raw)
    if section == PAST and not raw[0].isspace() and not _FOREIGN.match(line):
        return Piece("profile", section, raw, _unguard_start(line)) if in_profile else Piece("note", section, raw)
    return Piece("other", section, raw)


def _value(section: str, text: str, today: str) -> str | Entry | None:
    """What a bullet says, or None for one that says nothing."""
    if section == IDENTITY:
        return _unguard(text) or None
    tails = {NOW: (("refs", _REFS), ("since", _SINCE)), HORIZON: (("refs", _REFS), ("by", _BY))}
    text, found = _strip_tails(text, tails.get(section, (("refs", _REFS),)))
    refs = tuple(ref for ref in _REF.findall(found.get("refs", "")) if ref)
    since = found.get("since", today) if section == NOW else ""
    return Entry(_unguard(text), refs, since, found.get("by", "")) if text else None


def _strip_tails(text: str, tails: Tails) -> tuple[str, dict[str, str]]:
    """Take known marks off the right end of a text, in whatever order they stand, each at most once."""
    found: dict[str, str] = {}
    while True:
        for name, pattern in tails:
            match = None if name in found else pattern.search(text)
            if match and match.start():
                found[name] = match[1]
                text = text[: match.start()]
                break
        else:
            return text, found
