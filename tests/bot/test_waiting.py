"""What the bot posts unasked: briefings that wait, folded up when the talk goes on, quiet hours, the morning nudge."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from core.conversation import Paged
from core.slices.model import CARD_PATH
from tests.bot.living import Living, Worker, living
from tests.doubles.chat import Chat, World
from tests.doubles.clock import ManualClock
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import calls
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.conversation import Outbox, Presenter, Surface, TurnEvent
    from core.llm.base import Listen, Message, ToolSpec

HOUR, MINUTE = 3600, 60
BOT = "memory/user/bot.json"
MARKS = {"focus": "The kiln is cold", "summary": "It is.", "open_loops": ["Call the shop", "Buy clay"]}
CARD = b"""# Previously On

## Identity

- Name: Ann Lee

## Horizon

- Pay the guild \xe2\x80\x94 by: 2026-03-09 \xe2\x80\x94 refs: [2026/03/01/0900]
"""


@dataclass
class Counted(Worker):
    """A worker that counts how often it is asked."""

    asked: int = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked += 1
        return await super().complete(messages, tools, on_event)


def settings(disk: SimDisk, **bot: object) -> None:
    disk.plant(BOT, json.dumps(bot).encode())


def waiting(**bot: object) -> SimDisk:
    """A disk whose person wants briefings to wait."""
    disk = SimDisk()
    settings(disk, briefing={"mode": "waiting"}, **bot)
    return disk


def worker(**more: object) -> Counted:
    return Counted([calls(("mark_slice", {**MARKS, **more}))])


async def tick(home: Living, seconds: float = MINUTE) -> None:
    """Time goes by, and the clock of the process ticks."""
    home.world.clock.shift(seconds)
    before = home.house.rounds.done["look"]
    await home.house.schedule.tick(home.world.clock.now())
    await home.until(lambda: home.house.rounds.done["look"] > before and home.house.rounds.resting)
    await home.idle()


def posted(home: Living) -> list[str]:
    """Briefings that stand whole in the chat."""
    return [text for text in home.world.finals() if text.startswith("PREVIOUSLY ON")]


async def test_a_briefing_waits_in_the_chat_when_the_silence_begins() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await tick(home, 14 * MINUTE)
        assert posted(home) == []
        await tick(home)
        (shown,) = posted(home)

    assert "The kiln is cold" in shown
    assert "↗ Call the shop" in shown
    assert "ago" not in shown  # it is read nobody knows when
    assert "You were last here on 2026-03-09 Mon 18:42." in shown


async def test_it_comes_once_and_not_again_after_a_restart_however_long_nobody_talks() -> None:
    disk, world = waiting(), World(ManualClock(instant=True))
    async with living(EchoModel(), disk=disk, world=world, worker=worker()) as home:
        await home.say("the kiln is cold")
        for _ in range(3):
            await tick(home, 15 * MINUTE)
    for _ in range(3):
        async with living(EchoModel(), disk=disk, world=world) as home:
            await tick(home, 26 * HOUR)

    assert len(posted(home)) == 1


async def test_three_days_asleep_are_one_close_and_one_briefing() -> None:
    disk, world = waiting(), World(ManualClock(instant=True))
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("the kiln is cold")
    world.clock.shift(72 * HOUR)
    async with living(EchoModel(), disk=disk, world=world, worker=worker()) as home:
        await tick(home)
        await tick(home)

    assert len(posted(home)) == 1
    (piece,) = home.slices()
    assert piece.end == piece.turns[-1].at
    assert home.house.rounds.done["close"] == 1


async def test_it_is_folded_into_one_line_when_the_talk_goes_on_and_no_other_comes_before_the_answer() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await tick(home, 15 * MINUTE)
        await home.say("and now", pause=20 * HOUR)
        await tick(home)

    assert posted(home) == []
    assert home.world.finals()[1:] == [
        "— Previously on: The kiln is cold · 2026-03-09 Mon 18:42 —",
        "answer to «and now»",
    ]


async def test_an_answer_to_it_is_understood() -> None:
    asked: list[str] = []

    class Listening(EchoModel):
        async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
            asked.append("\n".join(message.text for message in messages))
            return await super().complete(messages, tools, on_event)

    async with living(Listening(), disk=waiting(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await tick(home, 15 * MINUTE)
        await home.say("the second one, please", pause=9 * HOUR)

    assert "Buy clay" in asked[-1]
    assert "Buy clay" in home.file("timeline/briefing.md")


async def test_a_loop_that_the_last_slice_settled_is_gone_from_it() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker(decisions=["Buy clay"])) as home:
        await home.say("the kiln is cold")
        await tick(home, 15 * MINUTE)

    assert "Call the shop" in posted(home)[0]
    assert "Buy clay" not in posted(home)[0]


async def test_the_next_gap_has_a_briefing_of_its_own_and_one_stands_whole_at_most() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        for number in range(3):
            await home.say(f"day {number}", pause=24 * HOUR)
            await tick(home, 15 * MINUTE)
            assert len(posted(home)) == 1

    assert len([text for text in home.world.finals() if text.startswith("— Previously")]) == 2


@pytest.mark.parametrize(("mode", "before"), [("on_return", 1), ("off", 0)])
async def test_in_the_other_modes_nothing_is_posted_unasked(mode: str, before: int) -> None:
    disk = SimDisk()
    settings(disk, briefing={"mode": mode})
    async with living(EchoModel(), disk=disk, worker=worker()) as home:
        await home.say("the kiln is cold")
        await tick(home, 15 * MINUTE)
        await tick(home, 24 * HOUR)
        assert len(home.world.finals()) == 1
        await home.say("back")

    assert len(posted(home)) == before


async def test_in_quiet_hours_of_the_owners_zone_nothing_is_sent_and_no_model_asked_until_they_are_over() -> None:
    disk = waiting(quiet={"from": "22:00", "to": "07:00"}, timezone="Asia/Shanghai")
    world = World(ManualClock("2026-03-09T13:50:00+00:00", instant=True))  # 21:50 there
    helper = worker()
    async with living(EchoModel(), disk=disk, world=world, worker=helper) as home:
        await home.say("the kiln is cold")
        helper.asked = 0
        for _ in range(9):
            await tick(home, HOUR)
        assert home.slices()[0].closed
        assert (helper.asked, posted(home)) == (0, [])
        await tick(home, HOUR)

    assert helper.asked
    assert len(posted(home)) == 1
    assert home.slices()[0].focus == "The kiln is cold"


async def test_a_platform_that_refuses_leaves_the_briefing_to_the_persons_return() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        await home.say("the kiln is cold")
        home.world.down = 1
        await tick(home, 15 * MINUTE)
        await tick(home)
        assert posted(home) == []
        await home.say("back", pause=HOUR)

    assert len(posted(home)) == 1


class Elsewhere(Chat):
    """Another platform, with a chat of its own."""

    surface: Surface = "discord"
    presented: list[str]

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.presented = []

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        self.presented.append(chat)
        return super().presenter(chat, turn, outbox, replaces)


async def on_discord(home: Living, text: str, channel: str = "77") -> None:
    said = home.world.say(text)
    home.world.queue[-1] = replace(
        said, key=f"dc:{channel}:{said.key.rpartition(':')[2]}", surface="discord", chat=channel
    )
    await home.idle()


async def test_it_goes_to_the_chat_of_the_newest_message_alone() -> None:  # P095
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        there = Elsewhere(World(home.world.clock))
        home.house.queues.join({"double": Chat(home.world), "discord": there})
        await home.say("the kiln is cold")
        await on_discord(home, "it is still cold")
        here = list(home.world.finals())
        await tick(home, 16 * MINUTE)

        assert home.world.finals() == here
        assert there.presented[-1] == "77"
        assert [text for text in there.world.finals() if text.startswith("PREVIOUSLY ON")]


async def test_it_goes_nowhere_when_that_platform_is_not_connected() -> None:
    async with living(EchoModel(), disk=waiting(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await on_discord(home, "it is still cold")
        shown = list(home.world.finals())
        await tick(home, 16 * MINUTE)

    assert home.world.finals() == shown


async def test_on_a_fresh_disk_the_newest_slice_knows_the_chat() -> None:
    disk, world = waiting(), World(ManualClock(instant=True))
    async with living(EchoModel(), disk=disk, world=world) as home:
        await home.say("the kiln is cold")
    fresh = SimDisk()
    for path, data in disk.tree().items():
        if not path.startswith("state/"):
            fresh.plant(path, data)
    async with living(EchoModel(), disk=fresh, world=world, worker=worker()) as home:
        await tick(home, 15 * MINUTE)

    assert len(posted(home)) == 1


def nudging(**more: object) -> SimDisk:
    disk = SimDisk()
    settings(disk, briefing={"nudge": True, **more})
    disk.plant(CARD_PATH, CARD)
    return disk


def nudges(home: Living) -> list[str]:
    return [text for text in home.world.finals() if text.startswith("Good morning, Ann Lee")]


async def days(home: Living, count: int) -> None:
    """So many days go by, with a tick every half hour."""
    for _ in range(count * 48):
        await tick(home, HOUR / 2)


async def test_a_morning_nudge_tells_what_is_due_once_and_not_again_unanswered() -> None:
    async with living(EchoModel(), disk=nudging(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await days(home, 3)
        (shown,) = nudges(home)
        assert "Pay the guild — 1 day overdue" in shown
        assert "Call the shop" in shown
        assert "(Less often)" in shown
        assert "(Stop these)" in shown
        await home.say("the second one")
        await days(home, 1)

    assert len(nudges(home)) == 2
    assert "Buy clay" in home.file("timeline/briefing.md")


@pytest.mark.parametrize(("later", "briefings"), [(1, 0), (30, 1)])
async def test_a_nudge_stands_for_the_briefing_on_its_day_alone(later: int, briefings: int) -> None:
    async with living(EchoModel(), disk=nudging(), worker=worker()) as home:
        await home.say("the kiln is cold")
        await days(home, 1)
        assert len(nudges(home)) == 1
        await home.say("good morning", pause=later * HOUR)

    assert len(posted(home)) == briefings


async def test_nobody_is_nudged_who_did_not_ask_for_it_or_for_whom_nothing_waits() -> None:
    disk = SimDisk()
    settings(disk, briefing={"nudge": True})
    async with living(EchoModel(), disk=nudging(nudge=False), worker=worker()) as home:
        await home.say("the kiln is cold")
        await days(home, 1)
    async with living(EchoModel(), disk=disk) as other:
        await other.say("the kiln is cold")
        await days(other, 1)

    assert len(home.world.finals()) == len(other.world.finals()) == 1


async def test_the_buttons_of_a_nudge_make_it_rarer_and_end_it() -> None:
    async with living(EchoModel(), disk=nudging(), worker=worker()) as home:
        await home.say("/settings bot.briefing.nudgeDays:3")
        assert (await home.house.parts.config.load()).bot.briefing.nudge_days == 3
        await home.say("/settings bot.briefing.nudge:false")
        assert not (await home.house.parts.config.load()).bot.briefing.nudge


@pytest.mark.parametrize(
    ("typed", "hours"),
    [("22:00-07:00", ("22:00", "07:00")), ("22-7", ("22:00", "07:00")), ("21:30 到 8", ("21:30", "08:00")),
     ("2200 0700", ("22:00", "07:00"))],
)  # fmt: skip
async def test_quiet_sets_the_hours_as_they_are_typed(typed: str, hours: tuple[str, str]) -> None:
    async with living(EchoModel()) as home:
        await home.say(f"/quiet {typed}")
        quiet = (await home.house.parts.config.load()).bot.quiet
        await home.say("/quiet off")
        off = (await home.house.parts.config.load()).bot.quiet

    assert (quiet.start, quiet.end) == hours
    assert off.start == off.end
    assert f"from {hours[0]} to {hours[1]} (UTC)" in home.world.finals()[0]
    assert "no quiet hours" in home.world.finals()[1]


@pytest.mark.parametrize("typed", ["soon", "25-7", "22:70-07:00", "22"])
async def test_what_names_no_hours_changes_nothing(typed: str) -> None:
    async with living(EchoModel()) as home:
        await home.say(f"/quiet {typed}")

    assert f"“{typed}” names no hours" in home.world.finals()[0]
    assert home.file("bot.json") == ""


@dataclass
class _Seen:
    pages: list[Paged] = field(default_factory=list)

    async def show(self, event: TurnEvent) -> None:
        if isinstance(event, Paged):
            self.pages.append(event)


class Watched(Chat):
    """Keeps what was shown in it, as events."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.seen = _Seen()

    def presenter(self, chat: str, turn: str, outbox: Outbox, replaces: str = "") -> Presenter:
        return (
            self.seen if turn.startswith(("briefing-", "nudge-")) else super().presenter(chat, turn, outbox, replaces)
        )


async def test_a_briefing_makes_no_sound_and_a_nudge_does() -> None:
    disk = nudging(mode="waiting")
    async with living(EchoModel(), disk=disk, worker=worker()) as home:
        watched = Watched(home.world)
        home.house.queues.join({"double": watched})
        await home.say("the kiln is cold")
        await days(home, 1)

    briefing, nudge = watched.seen.pages
    assert (briefing.quiet, nudge.quiet) == (True, False)
