"""Text that is made to be slow: what looks through words of others takes time in proportion to their length.

Such a text needs no trick to get here: a page, a file that is imported, an answer that a page has talked a model into.
"""

from __future__ import annotations

import time
from datetime import date
from typing import TYPE_CHECKING

import pytest

from bot.logs import Redactor
from core.language.dates import spans
from core.language.sentences import sentences
from core.masking import masked
from core.slices import filed
from core.slices.codec import decode
from core.slices.foreign import own, written
from core.slices.notes import spoken
from core.slices.taint import holds_foreign
from core.slices.text import escape, normalise, unescape
from core.turn.tame import tamed
from core.web.extract import plain_text
from core.web.urls import Provenance, found

if TYPE_CHECKING:
    from collections.abc import Callable

CHARACTERS = 15_000
SECONDS = 0.3
"""Of CPU; in proportion it is a hundredth of a second, at the square of the length and more many of them."""

TODAY = date(2026, 3, 9)
KNOWN = Provenance()
LOOKS: dict[str, Callable[[str], object]] = {
    "masking": masked,
    "taming": lambda text: tamed(f"a.b: {text}", KNOWN.knows),
    "addresses": found,
    "door": normalise,
    "writing": escape,
    "reading": unescape,
    "own words": own,
    "written words": written,
    "spoken words": spoken,
    "foreign words": holds_foreign,
    "files": filed.links,
    "slice": lambda text: decode(f"---\nstatus: active\n---\n\n{text}", "x"),
    "log": Redactor(()).masked,
    "dates": lambda text: spans(text, TODAY),
    "sentences": sentences,
    "page": plain_text,
}
PIECES = (
    "-eyJ", "eyJ.", "eyJaaaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A ", "M-", "sk-", "123456:",
    "1", "bot1", "[", "](", "](a:b", "![", "[a](", "[a](b:", "[[a]", "<", "<http:", "www.", "a.", "a.b", "a-",
    "http://", "//a", "`", "`a``", "```\n", "> [forwarded: ", "> \n", "\n> [quoted: x]\n", "[image/jpeg: ",
    "[a]: ", " ", "\n", "\t", "\n \n", "## Turn ", "#\\", "<<<<<<<", "<a ", "<a", "</a", "<!--", "<![", "<?",
    "<a b='", "<a b=\"x'", '<a href="http://x/?', "<script>", "<svg>", "&", "&#", "&lt", "in 3 days ",
    "last year ", "\u4e09", "3 \u6708", "2026-", ". ", "?", "(", "_",
)  # fmt: skip


@pytest.mark.timeout(120)
@pytest.mark.parametrize("look", LOOKS)
def test_looking_through_a_text_takes_time_in_proportion_to_its_length(look: str) -> None:
    slow: dict[str, float] = {}
    for piece in PIECES:
        text = (piece * (CHARACTERS // len(piece) + 1))[:CHARACTERS]
        began = time.process_time()
        try:
            LOOKS[look](text)
        except ValueError:
            continue
        finally:
            slow[piece] = time.process_time() - began

    assert {piece: round(seconds, 1) for piece, seconds in slow.items() if seconds > SECONDS} == {}


def test_what_is_bounded_is_still_found() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE+a/b==\n-----END RSA PRIVATE KEY-----"
    jwt = f"eyJ{'a' * 300}.eyJ{'b' * 3000}.{'c' * 43}"
    aim = "(tg://resolve?domain=evil)"

    assert "MIIE" not in masked(f"so: {key}, and {key}")
    assert "bbbb" not in masked(f"Bearer {jwt}")
    assert "[secret]" in Redactor(()).masked("MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789")
    assert f"]{aim}" not in tamed(f"[{'x' * 5_000}]{aim} [a [b] c]{aim} [{'[' * 2_000}]{aim}", KNOWN.knows)
    assert "`evil.test/x`" in tamed("..evil.test/x", KNOWN.knows)
