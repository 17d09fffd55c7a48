"""How a turn tells of files that came with it: a line each, a link when the file is kept, what was said in it below.

The forms are stable, so that readers can tell such lines from the person's own words, and the same message reads the
same however often it is stored: `[image/jpeg: beach.jpg](files/<turn>-1.jpg)`, or `[...] (not kept: ...)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Why = Literal["large", "gone", "away", "barred"]
"""Why a file is not kept."""

NAME: Final = r"[A-Za-z0-9_-]{1,16}-[0-9]{1,4}\.[a-z0-9]{1,8}"
"""A file's name in the folder `files` of its slice (core.storage.paths)."""

_WHY: Final[Mapping[Why, str]] = {
    "large": "larger than {limit} MB",
    "gone": "no longer to be had",
    "away": "could not be fetched",
    "barred": "something else stands in its place",
}
_HEAD: Final = r"^\[[^\s\[\]:/]+(?:/[^\s\[\]:]+)?: [^\n\[\]]*\]"
_TAIL: Final = rf"(?:\(files/{NAME}\)| \(not kept: [^()\n]*\))"
_LINE: Final = re.compile(rf"({_HEAD}){_TAIL}(?:\n(?!\n)[^\n]+)*", re.MULTILINE)
_LINK: Final = re.compile(rf"({_HEAD})\(files/({NAME})\)", re.MULTILINE)
_VOICE: Final = re.compile(
    rf"^\[(?:audio|video)/[\w.+-]+: (?:voice|video-note)[^\n\[\]]*\]\(files/{NAME}\)(?:\n+|\Z)", re.MULTILINE
)
_SAID: Final = re.compile(
    rf"^\[(?:audio|video)/[\w.+-]+: (?:voice|video-note)[^\n\[\]]*\]\(files/{NAME}\)\n(?!\n)([^\n>][^\n]*)",
    re.MULTILINE,
)
_LINKING: Final = re.compile(r"[/\\<>\[\]`]+")
_MEDIA: Final = re.compile(r"[a-z]+(?:/[A-Za-z0-9.+_-]+)?")
_UNKNOWN: Final = "application/octet-stream"


def named(media: str, name: str) -> str:
    """The beginning of a line; name and type, which a stranger may have chosen, can neither be a link nor end it."""
    return f"[{media if _MEDIA.fullmatch(media) else _UNKNOWN}: {tame(name)}]"


def tame(name: str) -> str:
    """A name as it may stand in a line."""
    return " ".join(_LINKING.sub("_", name).split())


def linked(head: str, name: str) -> str:
    """The line of a file that is kept under that name."""
    return f"{head}(files/{name})"


def unkept(head: str, why: Why, limit: int = 0) -> str:
    """The line of a file that is not kept; `limit` is how many megabytes its platform hands out."""
    return f"{head} (not kept: {_WHY[why].format(limit=limit)})"


def bare(text: str) -> str:
    """The text with its files as they are told before anybody looks for them: neither links nor what is said in one."""
    return _LINE.sub(r"\1", text)


def links(text: str) -> list[tuple[str, str]]:
    """The files that the text links to, in order: what its line calls it, and its name in the folder `files`."""
    return [(found[1], found[2]) for found in _LINK.finditer(text)]


def led(text: str, folder: str) -> str:
    """The text as it stands elsewhere: its links to files lead to that folder of the slice."""
    return _LINK.sub(rf"\1({folder}/files/\2)", text)


def recorded(media: str, name: str) -> bool:
    """Whether the person has spoken it into the chat: a voice message or a video note, rather than a file."""
    return media.startswith(("audio/", "video/")) and name.startswith(("voice", "video-note"))


def unvoiced(text: str) -> str:
    """The text without the lines of what the person has spoken: what is said there are their own words."""
    return _VOICE.sub("", text)


def heard(text: str) -> list[str]:
    """What the person has spoken, as it was written down."""
    return [found[1] for found in _SAID.finditer(text)]
