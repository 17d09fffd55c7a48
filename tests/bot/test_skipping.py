"""A backlog is told of, and can be stored without answers; also when the process dies in the middle."""

from __future__ import annotations

from tests.bot.living import living
from tests.doubles.echo_model import EchoModel
from tests.doubles.model import EndlessModel


async def test_who_is_far_behind_is_told_and_may_have_it_only_stored() -> None:
    model = EndlessModel("half ")
    async with living(model) as home:
        home.world.say("the first")
        await model.silent.wait()
        for number in range(60):
            home.world.say(f"waiting {number}")
            home.world.clock.shift(20)
        await home.until(lambda: not home.world.queue)
        home.world.say("/skip")
        await home.until(lambda: any("60 messages are stored" in text for text in home.world.messages.values()))
        await home.house.queues.stop()
        await home.idle()

        said = [text for role, text in home.texts() if role == "user"]
        answered = [text for role, text in home.texts() if role == "agent"]
        assert "\n\n".join(said).count("waiting") == 60
        assert len(answered) == 1
        assert "(no reply: the person asked that it is only stored)" in home.file("/agent.md")


async def test_what_is_said_after_a_skip_is_answered() -> None:
    async with living(EchoModel()) as home:
        await home.say("/skip")
        await home.say("hello")

        assert ("agent", "answer to «hello»") in home.texts()
        assert any("Nothing is waiting" in text for text in home.world.messages.values())


async def test_a_backlog_is_told_of_once() -> None:
    async with living(EchoModel(), accept=False) as home:
        for number in range(100):
            home.world.say(f"line {number} " + "x" * 4000)
        updates = await home.world.pending()
        await home.house.door.accept(updates)
        home.world.acknowledge(updates)
        await home.idle()

        told = [text for text in home.world.messages.values() if "wait behind this one" in text]
        assert len(told) == 1
        assert "\n".join(text for _, text in home.texts()).count("line 99") >= 1
