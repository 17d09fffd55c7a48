"""A memory repository of the original opens and goes on: only what must change does, all else stays byte for byte."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.slices.codec import decode
from core.storage.ram_disk import RamDisk
from tests.bot.test_copied_house import live
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.github.server import GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = "memory/episodic"
OPEN = f"{ROOT}/slices/2026/03/09/1836"
SAMPLES = os.environ.get("PREVIOUSLY_SAMPLES", "")  # noqa: TID251 - the tests' own switch
DERIVED = re.compile(rf"{ROOT}/(?:strands\.json|timeline\.md|timeline/index\.json|slices/2026/03/_index\.json)\Z")
"""What is made from the slices and is therefore written anew when one is born or grows."""

ACTIVE = b"""---
slice_id: 2026-03-09-1836
status: active
start: '2026-03-09T18:36:07.113Z'
timezone: Europe/Paris
open_loops: []
decisions: []
tags:
  - bakery
related_slices: []
loops: []
---
## Turn q1W-_A \xe2\x80\x94 2026-03-09T18:36:07.113Z (user)

Which yeast?

## Turn q1W-_A \xe2\x80\x94 2026-03-09T18:36:30.000Z (agent)

[partial] Fresh
"""
CLOSED = b"""---
slice_id: 2026-03-08-0900
focus: 'Yeast order: second supplier'
status: closed
start: '2026-03-08T09:00:07.113Z'
end: '2026-03-08T09:10:00.000Z'
timezone: Europe/Paris
summary: Odile compares two suppliers.
open_loops:
  - Call Remi
  - '# hash first'
decisions: []
tags:
  - bakery
  - \xe8\x8a\xb1\xe5\x9b\xad
related_slices: []
loops: []
emotional_tone: mixed
closed_by: time_silence
---
## Turn Ab12CQ \xe2\x80\x94 2026-03-08T09:00:07.113Z (user)

Two offers came in.

## Turn ? \xe2\x80\x94 2026-03-08T09:10:00.000Z (user)

ok
"""
LEGACY = b"""---
slice_id: "2026-03-07-0815"
focus: "A note left while the page was closed"
status: "closed"
start: "2026-03-07T08:15:00.000Z"
end: "2026-03-07T08:15:00.000Z"
timezone: "UTC"
summary: "A note."
---

## Turn 1 \xe2\x80\x94 2026-03-07T08:15:00.000Z (user)\r
\r
Written by an unload.\r
"""
CARD = b"""# Previously On

_Active slice: 2026-03-08-0900 | Format: user card v2 | Updated: 2026-03-08T09:10:00.000Z_

## Identity

- Name: Odile

## Now

- Oven repair \xe2\x80\x94 refs: [2026/03/08/0900-Ab12CQ] | since: 2026-03-08
"""
OURS: Mapping[str, bytes] = {
    "README.md": b"# memory\n",
    "memory/user/config.json": b'{\n  "slicing": {\n    "maxTurnsPerSlice": 20,\n    "timeSilenceMinutes": 15\n  },\n'
    b'  "worker": {\n    "mode": "auto",\n    "provider": ""\n  },\n  "onboarded": true,\n  "datasource": "own"\n}',
    "memory/user/profile.md": b"Odile bakes.\n",
    f"{ROOT}/current-previously.md": CARD,
    f"{ROOT}/strands.json": b'{\n  "bakery": [\n    "2026/03/08/0900"\n  ]\n}',
    f"{ROOT}/timeline/index.json": b'{\n  "_schema": 1,\n  "updated_at": "2026-03-08T09:10:01.000Z",\n'
    b'  "slice_count": 0,\n  "needs_marking": 0,\n  "slices": []\n}',
    f"{ROOT}/timeline.md": b"# Timeline\n\n_Generated: 2026-03-08T09:10:01.000Z_\n",
    f"{ROOT}/slices/2026/03/_index.json": b'{\n  "month": "2026-03",\n  "slices": []\n}',
    f"{OPEN}/timeline/core.md": ACTIVE,
    f"{OPEN}/timeline/agent.md": b"## Cognition q1W-_A \xe2\x80\x94 2026-03-09T18:36:30.000Z\n\n### Thinking\nYeast.\n",
    f"{OPEN}/previously.md": CARD,
    f"{ROOT}/slices/2026/03/08/0900/timeline/core.md": CLOSED,
    f"{ROOT}/slices/2026/03/08/0900/previously.md": CARD,
    f"{ROOT}/slices/2026/03/07/0815.md": LEGACY,
}  # fmt: skip


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubDouble]:
    double = GitHubDouble(tmp_path / "repository.git")
    yield double
    wrong, unsound = double.store.fsck(), list(double.refused)
    double.stop()
    assert (wrong, unsound) == ("", [])


async def gone_on(github: GitHubDouble, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The repository after it was opened and one more message was answered."""
    github.store.push(dict(files), "Turn q1W-_A \u2014 agent response")
    world = World(ManualClock(instant=True))
    world.say("And how much salt?")
    await live(github, world, RamDisk(), patient=False)
    return github.store.contents()


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[str]:
    return {path for path, data in before.items() if after.get(path) != data}


async def test_a_turn_goes_on_in_the_open_slice_and_its_bytes_stand_before_it(github: GitHubDouble) -> None:
    after = await gone_on(github, OURS)

    core = f"{OPEN}/timeline/core.md"
    touched = {path for path in changed(OURS, after) if not DERIVED.match(path)}
    assert touched == {core, f"{OPEN}/timeline/agent.md"}
    assert after[core].startswith(ACTIVE)
    assert after[f"{OPEN}/timeline/agent.md"].startswith(OURS[f"{OPEN}/timeline/agent.md"])
    said = [(turn.role, turn.text) for turn in decode(after[core], core).turns]
    assert said[2:] == [("user", "And how much salt?"), ("agent", "answer to «And how much salt?»")]
    assert set(after) - set(OURS) == {f"{OPEN}/timeline/messages.jsonl"}


async def test_after_a_silence_a_slice_is_born_beside_what_the_original_wrote(github: GitHubDouble) -> None:
    closed = {path: data for path, data in OURS.items() if not path.startswith(OPEN)}

    after = await gone_on(github, closed)

    assert {path for path in changed(closed, after) if not DERIVED.match(path)} == set()
    assert any(path.endswith("/core.md") and b"how much salt" in data for path, data in after.items())


@pytest.mark.skipif(not SAMPLES, reason="PREVIOUSLY_SAMPLES is unset")
@pytest.mark.parametrize("person", ["personal_01", "personal_14"])
async def test_real_files_of_the_original_stay_as_they_are(github: GitHubDouble, person: str) -> None:
    folder = Path(SAMPLES) / person
    files = {f"memory/{one.relative_to(folder)}": one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    assert files

    after = await gone_on(github, files)

    derived = re.compile(rf"{ROOT}/(?:strands\.json|timeline\.md|timeline/index\.json|slices/\d+/\d+/_index\.json)\Z")
    assert {path for path in changed(files, after) if not derived.match(path)} == set()
    assert any(b"how much salt" in data for data in after.values())
