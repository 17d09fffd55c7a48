"""Emphasis beside Chinese, Japanese and Korean, where CommonMark's rules see none (pre-pass, ux.md 3).

CommonMark takes no mark of emphasis between a letter and a full stop, so that `**重要：**的内容` is not bold, or the
wrong words are. Here a sign of these scripts counts as neither: what the parser must see as a letter gets a joint
beside it, which is taken out again after the conversion.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from adapters.telegram.markdown import JOINT

_RUN: Final = re.compile(r"(?<!\\)(?:\*+|~~)")
_ENDS: Final = ':.!?"”’'
"""Marks behind which models close a bold heading right before a word, in every language."""
_DIGIT: Final = re.compile(r"[0-9]")
_SCRIPTS: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def jointed(prose: str) -> str:
    """The text with joints, and with a stroke before a star that multiplies numbers."""
    return _RUN.sub(lambda found: _joint(found, prose), prose)


def _joint(found: re.Match[str], prose: str) -> str:
    run, before, after = found[0], prose[found.start() - 1 : found.start()], prose[found.end() : found.end() + 1]
    closes = not _closes(before, after, ours=False) and _closes(before, after, ours=True)
    opens = not _closes(after, before, ours=False) and _closes(after, before, ours=True)
    if (
        run == "*"
        and before.isalnum()
        and after.isalnum()
        and (before + after).isascii()
        and _DIGIT.search(before + after)
    ):
        return "\\*"
    if len(run) > 1 and before and before in _ENDS and after.isalnum():
        closes = True
    if run == "*":  # a single star is often an operator
        closes, opens = closes and _is_script(after), opens and _is_script(before)
    return (JOINT if closes else "") + run + (JOINT if opens else "")


def _closes(inner: str, outer: str, *, ours: bool) -> bool:
    """Whether a run may close between these two (or, with the two changed over, open); `ours`: by the rule above."""
    if _is_blank(inner):
        return False
    if not _is_mark(inner, ours=ours):
        return True
    return _is_blank(outer) or _is_mark(outer, ours=ours) or (ours and _is_script(outer))


def _is_blank(sign: str) -> bool:
    return not sign or sign.isspace()


def _is_mark(sign: str, *, ours: bool) -> bool:
    return unicodedata.category(sign)[0] in "PS" and not (ours and _is_script(sign))


def _is_script(sign: str) -> bool:
    return bool(sign and _SCRIPTS.match(sign))
