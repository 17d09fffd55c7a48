"""The house, alive on a healthy disk."""

from __future__ import annotations

from tests.doubles.sim_disk import SimDisk
from tests.house.check import faults, orphans
from tests.house.life import Lives, Story
from tests.house.stories import BRIEF, EVERYDAY, say


def test_a_message_is_stored_once_and_answered_once() -> None:
    lives = Lives(SimDisk(), Story([say("m1", "hello there {}")]))

    lives.run()

    stored = "\n".join(data.decode() for path, data in lives.disk.tree().items() if path.endswith("core.md"))
    assert stored.count("\nhello there <m1>") == 1
    assert lives.person.finals()[-1] == "answer to «hello there <m1>»"


def test_the_stories_are_told_without_a_fault_on_a_healthy_disk() -> None:
    for acts in (EVERYDAY, BRIEF):
        lives = Lives(SimDisk(), Story(acts))

        lives.run()

        assert faults(lives) == []
        assert lives.endings == ["told"]
        assert orphans(lives.person) == 0
