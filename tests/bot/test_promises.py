"""What is asked of memory from outside, end to end: what was to be remembered is, and the clock is the person's.

Pains P071 and P077; P067, P069 and P073 are told in `tests/core/recall/test_finder.py`, P079 and P081 in
`tests/core/turn/test_context.py`, P083 in `tests/matrix`, P085 in `tests/injection`.
"""

from __future__ import annotations

from core.llm.offline.model import OfflineModel
from tests.bot.living import WORDS, living
from tests.doubles.chat import World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk


async def test_what_was_to_be_remembered_is_told_with_its_source_after_a_restart_in_another_slice() -> None:
    disk, world = SimDisk(), World(ManualClock(instant=True))
    async with living(OfflineModel(WORDS), disk=disk, world=world) as home:
        await home.say("Please remember: the scrum is on 10 September.")
        (first,) = home.slices()
    world.clock.shift(3 * 86_400)
    async with living(OfflineModel(WORDS), disk=disk, world=world) as home:
        await home.say("When is the scrum?")
        found = home.texts()[-1]
        count = len(home.slices())

    assert count == 2
    assert found[0] == "agent"
    assert "10 September" in found[1]
    assert first.id[:10] in found[1]


async def test_a_clock_that_runs_on_utc_stores_the_persons_zone_and_shows_their_day() -> None:
    world = World(ManualClock("2026-03-09T20:30:00+00:00", instant=True))  # in Shanghai half past four of the tenth
    async with living(EchoModel(), world=world) as home:
        await home.say("/timezone Asia/Shanghai", pause=0)
        await home.say("你好", pause=0)
        (piece,) = home.slices()
        await home.say("/timeline", pause=1)
        page = world.finals()[-1]

    assert piece.timezone == "Asia/Shanghai"
    assert piece.id == "2026-03-09-2030"
    assert piece.turns[0].at == "2026-03-09T20:30:00.000Z"
    assert "2026-03-10 Tue" in page
    assert "2026-03-09" not in page
