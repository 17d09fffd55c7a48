"""Who speaks and who is spoken to: the bot's own constitution, and the person as their card introduces them.

The constitution (`identity/SOUL.md`, `identity/DIRECTIVES.md`) is read once and stays byte-stable. The person is read
from the live card's Identity section, in any of its formats (original.md 2.14); a label counts only when it begins
its line, so that "Username: x" is no name (B18).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import Malformed

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS: Final = (
    re.compile(r"##\s+Identity\Z"),
    re.compile(r"###\s+Identity & background\Z"),
    re.compile(r"###?\s+User identity\Z"),
)
"""The headings that introduce a person: card, v3, and v2 or v1; the first that is there counts."""
_LABELS: Final = {
    "name": "name",
    "姓名": "name",
    "名字": "name",
    "address them as": "address",
    "address as": "address",
    "称呼": "address",
    "pronouns": "pronouns",
    "代词": "pronouns",
    "alias": "alias",
    "aliases": "alias",
    "also known as": "alias",
    "aka": "alias",
    "别名": "alias",
    "昵称": "alias",
}
_LABELLED: Final = re.compile(r"([^:：]{1,40})[:：]\s*(\S.*)")
_CALLS_SELF: Final = re.compile(
    r"(?:(?:用户|我)?(?:自称|名叫|叫做)\s*[:：]?|(?:用户|我)叫|叫\s*[:：])\s*[“「\"]?([^\s，,。；;、（(”」\"]+)"
)
_TO_BE_CALLED: Final = re.compile(r"可用\s*[“「\"]?([^\s，,。；;、（(”」\"]+?)[”」\"]?\s*(?:来)?称呼")
_PARENTHESES: Final = re.compile(r"\s*(?:\([^()（）]*\)|（[^()（）]*）)\s*\Z")


@dataclass(frozen=True, slots=True)
class Identity:
    """The constitution: `soul` is voice and self-image, `directives` are the standing rules."""

    soul: str
    directives: str


@dataclass(frozen=True, slots=True)
class Person:
    """The person as the card introduces them; `body` holds every line of the section without its bullet."""

    name: str = ""
    address: str = ""
    pronouns: str = ""
    aliases: tuple[str, ...] = ()
    body: tuple[str, ...] = ()


def load_identity(folder: Path) -> Identity:
    """The constitution in a folder; raises `Malformed` when a part is missing, empty or no UTF-8."""
    return Identity(_part(folder / "SOUL.md"), _part(folder / "DIRECTIVES.md"))


def _part(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(str(path), str(error)) from error
    if not text:
        raise Malformed(str(path), "it is empty")
    return text


def bare(line: str) -> str:
    """An identity line without the remarks in parentheses at its end; an alias line stays as it is."""
    found = _LABELLED.match(line)
    if found and _LABELS.get(found[1].strip().casefold()) == "alias":
        return line
    while (shorter := _PARENTHESES.sub("", line)) != line and shorter.strip():
        line = shorter
    return line


def person_of(card: str) -> Person | None:
    """The person that a card introduces, or None when it does not."""
    body = _bullets([line.strip() for line in card.removeprefix("\ufeff").split("\n")])
    if not body:
        return None
    said: dict[str, str] = {}
    for line in body:
        for what, value in _claims(line):
            said.setdefault(what, value)
    aliases = tuple(part.strip() for part in re.split(r"[,，、]", said.get("alias", "")) if part.strip())
    return Person(said.get("name", ""), said.get("address", ""), said.get("pronouns", ""), aliases, body)


def _bullets(lines: list[str]) -> tuple[str, ...]:
    for heading in SECTIONS:
        start = next((at for at, line in enumerate(lines) if heading.match(line)), None)
        if start is not None:
            rest = lines[start + 1 :]
            end = next((at for at, line in enumerate(rest) if line.startswith("#")), len(rest))
            return tuple(line[2:].strip() for line in rest[:end] if line.startswith("- ") and line[2:].strip())
    return ()


def _claims(line: str) -> list[tuple[str, str]]:
    """What a line says about the person, as pairs of what and value."""
    found = _LABELLED.match(line)
    what = _LABELS.get(found[1].strip().casefold()) if found else None
    if found and what:
        value = re.split(r"[(（]", found[2])[0] if what == "name" else found[2]
        return [(what, value.strip())] if value.strip() else []
    claims = []
    if called := _CALLS_SELF.match(line):
        claims.append(("name", called[1]))
    if called := _TO_BE_CALLED.search(line):
        claims.append(("address", called[1]))
    return claims


def introduction(person: Person, zone: str) -> str:
    """The block of the prompt that says who is assisted: what is known by name, the zone, then every line."""
    known = (
        ("Name", person.name),
        ("Also called", ", ".join(person.aliases)),
        ("Address them as", person.address),
        ("Pronouns", person.pronouns),
        ("Time zone", zone),
    )
    head = [f"{label}: {value}" for label, value in known if value]
    return "\n".join(["# Who you assist", "", *head, "", *(f"- {line}" for line in person.body)]).strip()
