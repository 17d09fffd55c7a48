"""The house, alive on a healthy disk."""

from __future__ import annotations

from tests.doubles.sim_disk import SimDisk
from tests.house.life import Lives, Story


def test_a_message_is_stored_once_and_answered_once() -> None:
    disk = SimDisk()
    lives = Lives(disk, Story([lambda world: world.say("hello there") and None]))

    lives.run(lambda dead: dead)

    stored = "\n".join(data.decode() for path, data in disk.tree().items() if path.endswith("core.md"))
    assert stored.count("\nhello there") == 1
    assert lives.world.finals()[-1] == "answer to «hello there»"
