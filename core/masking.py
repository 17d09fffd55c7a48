"""Passwords and keys of well-known forms, masked before anything is stored (reliability 3.5 and 4.6).

A mask says the kind and the first eight hex digits of the secret's sha256, so that one can tell two apart and recognise
one's own: `‹secret: github a1b2c3d4›`. What stands in memory can then be pushed, exported and shown.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

MASK: Final = "‹secret: "
"""How every mask begins."""
_KEY: Final = r"(?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"
_FORMS: Final = (
    ("private key", rf"-----BEGIN {_KEY}[^-]*+(?:-(?!----)[^-]*+)*+-----END {_KEY}"),
    ("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b"),
    ("anthropic", r"\bsk-ant-[A-Za-z0-9_-]{24,}"),
    ("key", r"\bsk-(?:proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{24,}"),
    ("aws", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("google", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("slack", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("telegram", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("discord", r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    ("stripe", r"\b[rs]k_live_[A-Za-z0-9]{16,}\b"),
    ("gitlab", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("npm", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("hugging face", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("groq", r"\bgsk_[A-Za-z0-9]{40,}\b"),
    ("xai", r"\bxai-[A-Za-z0-9]{40,}\b"),
    ("jwt", r"\beyJ[A-Za-z0-9_-]{10,500}+\.eyJ[A-Za-z0-9_-]{10,8000}+\.[A-Za-z0-9_-]{20,}"),
)  # fmt: skip
_ANY: Final = re.compile(
    "|".join(f"(?P<g{number}>{pattern})" for number, (_, pattern) in enumerate(_FORMS)), re.ASCII | re.DOTALL
)
_HINT: Final = re.compile(r"-----BEGIN|[A-Za-z0-9_.:-]{16}", re.ASCII)
"""What every secret has: without it a text is not looked at closely."""


def masked(text: str) -> str:
    """The text with every such secret replaced by its mask; the same text when there is none."""
    return _ANY.sub(_mask, text) if _HINT.search(text) else text


def _mask(found: re.Match[str]) -> str:
    kind = _FORMS[int((found.lastgroup or "g0")[1:])][0]
    digest = sha256(found[0].encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{MASK}{kind} {digest}›"
