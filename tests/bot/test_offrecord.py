"""Talk off the record: answered, and kept nowhere; not even when it is delivered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.llm.offline.model import OfflineModel
from core.slices.messages import decode_messages
from tests.bot.living import WORDS, Living, living
from tests.doubles.echo_model import EchoModel
from tests.doubles.sim_disk import SimDisk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from core.llm.base import Listen, Message, ToolSpec

WORD = "Zanzibarine"


class Down:
    """A model that breaks in a way nobody foresaw."""

    name = "down"

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        raise RuntimeError("down")


def holding(home: Living, word: str = WORD) -> list[str]:
    return [path for path, data in home.disk.tree().items() if word in data.decode(errors="replace")]


@pytest.fixture
async def home() -> AsyncIterator[Living]:
    async with living(EchoModel()) as house:
        yield house


async def test_it_is_answered_and_then_nowhere_in_the_home(home: Living) -> None:
    await home.say("The tulips are up.")
    await home.say("/offrecord")

    await home.say(f"About the {WORD}.")

    answer = home.world.finals()[-1]
    assert f"About the {WORD}." in answer
    assert "off the record: this is not kept" in answer
    assert holding(home) == []
    assert [text for role, text in home.texts() if role == "user"] == ["The tulips are up."]


async def test_its_keys_stay_so_that_nothing_stores_it_later(home: Living) -> None:
    await home.say("The tulips are up.")
    await home.say("/offrecord")
    said = await home.say(f"About the {WORD}.")
    await home.say("/offrecord off")

    home.world.deliver(said)
    home.world.edit(said, f"More about the {WORD}.")
    home.world.delete(said)
    await home.idle()

    entries = decode_messages(home.file("messages.jsonl").encode()).entries
    assert [one.role for one in entries if one.key == said.key] == ["off"]
    assert holding(home) == []


async def test_in_an_empty_memory_the_keys_stay_among_what_is_forgotten() -> None:
    disk = SimDisk()
    async with living(EchoModel(), disk=disk) as home:
        await home.say("/offrecord")
        said = await home.say(f"About the {WORD}.")
        assert home.slices() == []
        assert said.key in home.file("forgotten.jsonl")
        assert holding(home) == []
    for path in [path for path in disk.tree() if path.startswith("state/")]:
        disk.uproot(path)
    async with living(EchoModel(), disk=disk, world=home.world) as again:
        again.world.deliver(said)
        await again.idle()
        assert holding(again) == []


async def test_it_ends_by_a_command(home: Living) -> None:
    await home.say("/offrecord")
    await home.say(f"About the {WORD}.")

    await home.say("/offrecord off")
    await home.say("The tulips are up.")

    assert "I remember again" in "\n".join(home.world.finals())
    assert ("user", "The tulips are up.") in home.texts()
    assert holding(home) == []


async def test_it_ends_by_silence_and_says_so(home: Living) -> None:
    await home.say("/offrecord")
    await home.say(f"About the {WORD}.", pause=14 * 60)
    await home.say(f"Still the {WORD}.", pause=14 * 60)
    assert home.slices() == []

    await home.say("The tulips are up.", pause=15 * 60)

    assert "off the record is over" in "\n".join(home.world.finals())
    assert ("user", "The tulips are up.") in home.texts()
    assert holding(home) == []


async def test_it_lasts_over_a_new_start() -> None:
    disk = SimDisk()
    async with living(EchoModel(), disk=disk) as home:
        await home.say("/offrecord")
    async with living(EchoModel(), disk=disk, world=home.world) as again:
        await again.say(f"About the {WORD}.")
        assert holding(again) == []
        assert again.slices() == []


async def test_within_the_talk_an_answer_knows_what_was_said_before() -> None:
    model = EchoModel()
    async with living(model) as home:
        await home.say("/offrecord")
        await home.say(f"About the {WORD}.")
        await home.say("Go on.")

        assert "Go on." in home.world.finals()[-1]
        assert holding(home) == []


async def test_a_failed_answer_says_so_too_and_nothing_stays() -> None:
    async with living(Down()) as home:
        await home.say("/offrecord")
        await home.say(f"About the {WORD}.", pause=30)

        assert holding(home) == []
        assert home.slices() == []


@pytest.mark.parametrize(("locale", "said"), [("en", "nothing of this is kept"), ("zh", "这些也都不会留下")])
async def test_the_stand_in_does_not_say_that_it_kept_it(locale: str, said: str) -> None:
    async with living(OfflineModel(WORDS)) as home:
        await home.say("/offrecord")
        await home.say("I bought a boat." if locale == "en" else "我买了一条船。")

        assert said in home.world.finals()[-1]
        assert "Kept." not in home.world.finals()[-1]
