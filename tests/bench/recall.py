"""How well the search by words finds slices: `python -m tests.bench.recall FOLDER [PREDICTIONS [BASE]]`.

FOLDER holds one folder per memory and a `qa.json` with `id`, `sample_id`, `question`, `category` and `evidence_slices`.
Printed are hit@1, hit@5, all@5 and MRR by category, beside baselines over the whole set, then milliseconds. Where a
scorer lies beside FOLDER it is run over the predictions; BASE names others to compare with.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import UTC, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from core.clock import instant
from core.recall.lexical import Index
from core.slices.codec import decode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MOST = 10
MISLEADING = 5
NAMES = ("hit@1", "hit@5", "all@5", "MRR")
BASELINES: dict[str, dict[str, tuple[float | None, ...]]] = {
    "locomo": {
        "plain BM25, stems and stop words": (0.667, 0.905, 0.787, 0.771),
        "text, date and best window": (0.724, 0.925, 0.803, 0.813),
        "the best found so far": (None, 0.938, None, 0.832),
    },
    "memorybank-zh": {"BM25 over pairs, with the date": (0.900, 0.990, None, 0.942)},
}


def memory(folder: Path) -> tuple[Index, datetime, float]:
    """The index of one memory, a moment some days after its last word, and the seconds that the index took."""
    entries = [decode(path.read_bytes(), str(path)) for path in sorted(folder.rglob("core.md"))]
    index, begun = Index(), time.process_time()
    for entry in entries:
        index.add(entry)
    took = time.process_time() - begun
    last = max(entry.last_at for entry in entries)
    return index, (instant(last) or instant("2026-01-01") or sys.exit("no time")) + timedelta(days=3), took


def predict(folder: Path, questions: Sequence[dict[str, Any]]) -> tuple[dict[str, list[str]], str]:
    """The ranked slice ids by question id, and what building and asking took."""
    memories = {name: memory(folder / name) for name in sorted({one["sample_id"] for one in questions})}
    begun = time.process_time()
    ranked = {}
    for one in questions:
        index, now, _ = memories[one["sample_id"]]
        ranked[one["id"]] = [hit.slice_id for hit in index.search(one["question"], now, UTC, limit=MOST)]
    each = 1000 * (time.process_time() - begun) / len(questions)
    slices = sum(len(index) for index, _, _ in memories.values())
    built = 1000 * sum(took for _, _, took in memories.values()) / slices
    return ranked, f"{each:.1f} ms CPU a query, {built:.1f} ms CPU to take in a slice ({slices} slices)"


def score(questions: Sequence[dict[str, Any]], ranked: dict[str, list[str]]) -> dict[str, float]:
    """Shares over the questions that have evidence, without those made to mislead (category 5)."""
    return _shares([one for one in questions if one.get("category") != MISLEADING], ranked)


def _shares(questions: Sequence[dict[str, Any]], ranked: dict[str, list[str]]) -> dict[str, float]:
    rows = []
    for one in questions:
        gold = set(one["evidence_slices"])
        if gold:
            found = ranked[one["id"]]
            rank = next((place for place, slice_id in enumerate(found, 1) if slice_id in gold), 0)
            rows.append((rank == 1, 0 < rank <= 5, gold <= set(found[:5]), 1 / rank if rank else 0.0))
    return {name: sum(row[at] for row in rows) / len(rows) for at, name in enumerate(NAMES)} if rows else {}


def main(folder: Path, predictions: Path | None = None, base: Path | None = None) -> dict[str, float]:
    """Run and print; returns the shares."""
    questions = json.loads((folder / "qa.json").read_text(encoding="utf-8"))
    ranked, took = predict(folder, questions)
    shares = score(questions, ranked)
    lines = [_line(folder.name, tuple(shares.values()), len(questions))]
    kinds = sorted({str(one.get("category_name", "")) for one in questions} - {""})
    for kind in kinds if len(kinds) > 1 else ():
        those = [one for one in questions if one.get("category_name") == kind]
        lines.append(_line(f"  {kind}", tuple(_shares(those, ranked).values()), len(those)))
    lines += [_line(f"  baseline: {name}", row) for name, row in BASELINES.get(folder.name, {}).items()]
    print("\n".join([*lines, f"  {took}"]))  # noqa: T201
    with TemporaryDirectory() as room:
        written = predictions or Path(room) / "predictions.json"
        written.write_text(json.dumps(ranked), encoding="utf-8")
        _score_outside(folder, written, base)
    return shares


def _line(name: str, row: Sequence[float | None], count: int = 0) -> str:
    cells = "  ".join(
        f"{label} {'  -  ' if share is None else f'{share:.3f}'}" for label, share in zip(NAMES, row, strict=False)
    )
    return f"{name:<46}{cells}{f'  n {count}' if count else ''}"


def _score_outside(folder: Path, predictions: Path, base: Path | None) -> None:
    """Run the scorer that came with the data, where there is one and somebody looks."""
    scorer = folder.parent / "score_recall.py"
    if __name__ == "__main__" and scorer.is_file():
        beside = ["--base", str(base)] if base else []
        subprocess.run([sys.executable, str(scorer), str(folder / "qa.json"), str(predictions), *beside], check=False)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4] if argument))
