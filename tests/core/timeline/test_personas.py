from __future__ import annotations

import json

import pytest

from core.slices.store import Slices
from core.storage.memory import MemoryStorage
from core.timeline.projections import Projections
from tests.doubles.clock import ManualClock
from tests.tree import ROOT

PERSONAS = sorted(path.name for path in (ROOT / "identity/personas").iterdir() if path.is_dir())


@pytest.mark.parametrize("persona", PERSONAS)
async def test_the_projections_of_a_demo_person_come_out_of_the_slices_alone(persona: str) -> None:
    root = ROOT / "identity/personas" / persona
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    stamp = json.loads(files["memory/episodic/timeline/index.json"])["updated_at"]
    truth = {path: data for path, data in files.items() if path.endswith("core.md")}
    storage = MemoryStorage(truth)

    await Projections(storage, Slices(storage), ManualClock(stamp.replace("Z", "+00:00"))).rebuild()

    made = {path: data for path, data in storage.files.items() if path not in truth}
    names = ("/_index.json", "/timeline/index.json", "/timeline.md", "/strands.json")
    assert made == {path: data for path, data in files.items() if path.endswith(names) and path not in truth}
