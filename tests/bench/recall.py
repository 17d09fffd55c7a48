"""How well the lexical index finds slices: `python -m tests.bench.recall FOLDER` over slice trees with questions.

FOLDER holds one folder per memory and a `qa.json` with `id`, `sample_id`, `question` and `evidence_slices`. Printed are
hit@1, hit@5, all@5, MRR, and milliseconds; predictions are written where the second argument says.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.clock import instant
from core.recall.lexical import Index
from core.slices.codec import decode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MOST = 10


def memory(folder: Path) -> tuple[Index, datetime]:
    """The index of one memory, and a moment some days after its last word."""
    index, last = Index(), ""
    for path in sorted(folder.rglob("core.md")):
        entry = decode(path.read_bytes(), str(path))
        index.add(entry)
        last = max(last, entry.last_at)
    return index, (instant(last) or instant("2026-01-01") or sys.exit("no time")) + timedelta(days=3)


def predict(folder: Path, questions: Sequence[dict[str, Any]]) -> tuple[dict[str, list[str]], float]:
    """The ranked slice ids by question id, and the milliseconds of a query."""
    memories = {name: memory(folder / name) for name in sorted({one["sample_id"] for one in questions})}
    begun = time.process_time()
    ranked = {}
    for one in questions:
        index, now = memories[one["sample_id"]]
        ranked[one["id"]] = [hit.slice_id for hit in index.search(one["question"], now, UTC, limit=MOST)]
    return ranked, 1000 * (time.process_time() - begun) / len(questions)


def score(questions: Sequence[dict[str, Any]], ranked: dict[str, list[str]]) -> dict[str, float]:
    """Shares over the questions that have evidence, without those made to mislead (category 5)."""
    rows = []
    for one in questions:
        gold = set(one["evidence_slices"])
        if not gold or one.get("category") == 5:
            continue
        found = ranked[one["id"]]
        rank = next((place for place, slice_id in enumerate(found, 1) if slice_id in gold), 0)
        rows.append((rank == 1, 0 < rank <= 5, gold <= set(found[:5]), 1 / rank if rank else 0.0))
    names = ("hit@1", "hit@5", "all@5", "MRR")
    return {name: sum(row[at] for row in rows) / len(rows) for at, name in enumerate(names)}


def main(folder: Path, predictions: Path | None = None) -> dict[str, float]:
    """Run and print; returns the shares."""
    questions = json.loads((folder / "qa.json").read_text(encoding="utf-8"))
    ranked, each = predict(folder, questions)
    if predictions:
        predictions.write_text(json.dumps(ranked), encoding="utf-8")
    shares = score(questions, ranked)
    print(f"{folder.name}: " + "  ".join(f"{name} {share:.3f}" for name, share in shares.items()) + f"  {each:.1f} ms")  # noqa: T201
    return shares


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
