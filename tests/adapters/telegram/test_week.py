"""A week on Telegram with restarts and bad days, in English and in Chinese: the chat reads as the golden files have it.

`python -m tests.adapters.telegram.test_week` writes them anew.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from adapters.telegram.client import Webhook
from core.config.values import BOT_PATH
from tests.adapters.telegram.day import Day, day
from tests.adapters.telegram.shown import GOLDEN
from tests.adapters.telegram.stand import MARA, PNG, WORDS
from tests.adapters.telegram.tales import TALES
from tests.adapters.telegram.test_hook import PUBLIC, SECRET, Listening
from tests.adapters.telegram.waiting import until
from tests.adapters.telegram.week import Diary, Friend, StepClock, pressed
from tests.doubles.telegram.refusals import TERMINATED
from tests.doubles.telegram.world import Fault

START = "2026-03-09T07:00:00"


async def said(one: Day, text: str) -> None:
    """The person says it, and it is dealt with."""
    one.mara.say(text)
    await one.idle()


async def noticed(one: Day, locale: str, key: str) -> None:
    """Wait for what the bot says of itself."""
    await until(lambda: any(WORDS[locale](key) in text for text in one.world.shown(MARA)))


async def lived(locale: str) -> tuple[str, Day]:
    """The week; what the chat came to, and what is left of it."""
    tale = TALES[locale]
    words, worker = tale.said, tale.worker()
    clock = StepClock(f"{START}+00:00")
    async with day(zone="", clock=clock) as one:
        one.mara.language = locale if locale == "en" else "zh-hans"
        one.model = model = Friend(clock, tale.answers, tale.recalls)
        diary = Diary(one)

        async with one.life(worker=worker):
            first = one.mara.say(words["hello"])
            late = one.mara.say(words["more"])
            await one.idle()
            await until(lambda: len(one.world.shown(MARA)) > 1 and one.mara.buttons())
            await pressed(one, f"1/timezone/{tale.zone.replace('/', '.')}")
            await until(lambda: tale.zone in one.disk.tree().get(BOT_PATH, b"").decode())
        diary.day("Monday: two messages are one turn; the zone is asked for")

        clock.to("2026-03-09T12:00:00")
        note = one.mara.say(words["five"])
        one.mara.edit(note, words["six"])
        async with one.life(worker=worker):
            await one.idle()
            one.mara.edit(note, words["seven"])
            await until(lambda: "Markup" not in str(one.mara.buttons()) and one.mara.buttons())
            await one.idle()
        diary.day("Monday at noon: an edit before the answer, while nobody listens, and one after it")

        clock.to("2026-03-10T09:00:00")
        async with one.life(worker=worker):
            one.mara.photo(PNG, words["album"], "g1")
            one.mara.photo(PNG, "", "g1")
            await one.idle()
            one.world.fault("getUpdates", Fault(lose="after"))
            clock.to("2026-03-10T09:02:00")
            one.mara.say(words["comment"])
            one.mara.forward(words["forward"])
            await one.idle()
            one.world.enqueue("message", {"message_id": "?", "chat": {"id": MARA, "type": "private"}})
            await noticed(one, locale, "telegram.unreadable")
        diary.day("Tuesday: an album, a batch that comes twice, a forward with its comment, an update nobody can read")

        clock.to("2026-03-11T11:00:00")
        async with one.life(worker=worker):
            one.mara.reply(late, words["quote"], words["quoted"])
            await one.idle()
            one.world.penalise(5, "sendMessage", "editMessageText")
            clock.to("2026-03-11T11:02:00")
            await said(one, words["short"])
            one.world.fault("sendMessage", *[Fault(status=502)] * 3)
            clock.to("2026-03-11T11:04:00")
            await said(one, words["down"])
        diary.day("Wednesday: a quote of Monday; Telegram asks for patience, then is down")

        clock.to("2026-03-12T08:00:00")
        listening = Listening()
        async with listening.running() as real:
            one.server.proxy[PUBLIC] = real
            async with one.life(worker=worker, webhook=Webhook(PUBLIC, listening, SECRET)):
                await until(lambda: one.world.hook)
                await said(one, words["hook"])
                assert 200 in one.server.pushed
        diary.day("Thursday: Telegram calls")

        clock.to("2026-03-13T09:00:00")
        async with one.life(worker=worker):
            model.pause = 2.0
            one.mara.say(words["long"])
            stop = WORDS[locale]("telegram.stop")
            await until(lambda: stop in one.mara.buttons())
            await until(lambda: "4." in one.world.shown(MARA)[-1])
            one.mara.press(stop)
            await one.idle()
            model.pause = 0.0
            clock.to("2026-03-13T09:02:00")
            await said(one, words["next"])
            await said(one, "/retry")
            one.world.fault("getUpdates", Fault(refuse=TERMINATED))
            one.mara.say("/loops")
            await noticed(one, locale, "telegram.rival")
            await one.idle()
        diary.day("Friday: stopped in the middle; answered again; somebody else has the token for a moment")

        clock.to("2026-03-15T10:00:00")
        async with one.life(worker=worker):
            await said(one, words["back"])
        diary.day("Sunday: back after two days")
        async with one.life(worker=worker):
            clock.to("2026-03-15T10:02:00")
            await pressed(one, "kept/" if any("kept/" in str(m) for m in one.mara.chat.messages.values()) else "say/")
            diary.day("After a restart a button of an old briefing still says what it says")
            diary.lines += [f"> ({one.turns()[-2].text})", ""]
            await said(one, "/timeline")
            diary.page("/timeline")
            await pressed(one, "1/timeline/2026-03/")
            diary.page("the month")
        async with one.life(worker=worker):
            await pressed(one, "1/timeline/2026-03-11/")
            diary.page("the day, in a process that knows nothing of the month")
            await pressed(one, "1/slice/2026-03-11-")
            diary.page("the slice")
            await pressed(one, "1/moment/2026-03-11-")
            moment = one.world.last(MARA)
            assert moment["reply_to_message"]["text"] == words["quote"]
            diary.day("The moment: a reply to what was said, so that a tap leads there")
        assert first["message_id"] in one.mara.chat.messages
        return diary.text(), one


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_a_week_reads_as_it_should_and_nothing_is_lost_or_said_twice(locale: str) -> None:
    text, one = await lived(locale)
    words = TALES[locale].said
    for key in ("hello", "more", "seven", "album", "forward", "comment", "quote", "short", "down", "hook", "back"):
        assert (key, sum(turn.text.count(words[key]) for turn in one.turns() if turn.role == "user")) == (key, 1)
    assert not [said for said, count in Counter(one.model.requests).items() if count > 2]
    assert text == (GOLDEN / f"week-{locale}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for one_locale in TALES:
        (GOLDEN / f"week-{one_locale}.txt").write_text(asyncio.run(lived(one_locale))[0], encoding="utf-8")
