"""`previously doctor`: what is set, whether the other side takes the tokens, and whether memory is whole.

It reads alone, so it needs no lock; `--fix` makes the projections anew and touches nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bot.checkup import Checkup, Finding, home
from bot.tokens import LIMIT, questions, verdicts
from core.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from bot.settings import Settings
    from core.i18n import Words

BAD: Final = 1
SIGNS: Final = {"well": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Patient:
    """What is looked over. `notices` are what a start would tell of the settings; `folder` is None for the demo.

    `checkup` looks at memory, when there is one; `rebuild` makes the projections anew and says how many slices they
    list; it may raise storage trouble.
    """

    settings: Settings
    words: Words
    notices: Sequence[str] = ()
    folder: Path | None = None
    checkup: Checkup | None = None
    rebuild: Callable[[], Awaitable[int]] | None = None
    limit: float = field(default=LIMIT)


async def doctor(patient: Patient, say: Callable[[str], None]) -> int:
    """Tell everything there is to tell; the exit code: 0 when nothing is wrong, or was put right."""
    words = patient.words
    found: list[Finding] = []

    def tell(*more: Finding) -> None:
        for one in more:
            say(f"{SIGNS[one.state]} {one.text}")
            found.append(one)

    tell(*(Finding("note", notice) for notice in patient.notices))
    tell(*await _tokens(patient))
    if patient.folder:
        tell(*home(patient.folder, words))
    if patient.rebuild:
        tell(await _rebuilt(patient.rebuild, words))
    if patient.checkup:
        try:
            tell(*await patient.checkup.all())
        except StorageError as error:
            tell(Finding("bad", words("doctor.memory.closed", why=str(error))))
    wrong = sum(one.state == "bad" for one in found)
    say(words("doctor.wrong", n=wrong) if wrong else words("doctor.well"))
    return BAD if wrong else 0


async def _tokens(patient: Patient) -> list[Finding]:
    words = patient.words
    asked = questions(patient.settings)
    if not asked:
        return [Finding("note", words("doctor.token.none"))]
    found: list[Finding] = []
    for variable, verdict in await verdicts(asked, patient.limit):
        match verdict:
            case "good":
                found.append(Finding("well", words("doctor.token.good", variable=variable)))
            case "refused":
                found.append(Finding("bad", words("doctor.token.refused", variable=variable)))
            case "silent":
                found.append(Finding("bad", words("doctor.token.silent", variable=variable)))
    return found


async def _rebuilt(rebuild: Callable[[], Awaitable[int]], words: Words) -> Finding:
    try:
        return Finding("well", words("doctor.rebuilt", n=await rebuild()))
    except StorageError as error:
        return Finding("bad", words("doctor.rebuilt.not", why=str(error)))
