"""An answer grows in one message and is finished in its place; nothing is doubled, whatever is lost on the way."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from core.conversation import Failed, Finished, Noted, Paged, TextAdded, ThinkingAdded, ToolChanged
from core.document import Address, Choice, Choices, Document, Download, Picture, Text, Title
from core.errors import DiskTrouble, PlatformTrouble, Shut
from tests.adapters.telegram import stand as stands
from tests.adapters.telegram.stand import MARA, standing
from tests.adapters.telegram.waiting import until
from tests.doubles.quick_clock import QuickClock
from tests.doubles.telegram.people import labels
from tests.doubles.telegram.refusals import Refusal, bad, flood
from tests.doubles.telegram.world import Fault

if TYPE_CHECKING:
    from core.conversation import Presenter
    from tests.adapters.telegram.stand import Stand

CHAT = str(MARA)
MARK = "…"


def page(text: str, *choices: Choice) -> Document:
    return Document((Text(text), *((Choices(choices),) if choices else ())))


def begun(stand: Stand, outbox: stands.Noted | None = None, turn: str = "t1", replaces: str = "") -> Presenter:
    return stand.telegram.presenter(CHAT, turn, outbox or stands.Noted(), replaces)


async def grown(stand: Stand, presenter: Presenter, pieces: int = 30, words: str = "some words of an answer ") -> None:
    """Write an answer slowly enough to be seen growing."""
    for number in range(pieces):
        await presenter.show(TextAdded(f"{words}{number} "))
        await stand.clock.sleep(0.5)


async def test_an_answer_is_one_message_that_is_noted_before_it_says_anything() -> None:
    async with standing() as stand:
        outbox = stands.Noted()
        await begun(stand, outbox).show(Finished(page("**Yes**, it is.")))
        assert stand.world.shown(MARA) == ["Yes, it is."]
        (sent,) = stand.world.effects("sendMessage")
        assert sent.text == MARK
        assert outbox.parts == {("t1", 0): str(sent.message)}
        assert stand.world.last(MARA)["entities"] == [{"type": "bold", "offset": 0, "length": 3}]


async def test_an_answer_that_takes_its_time_is_seen_growing_at_a_humane_pace() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await grown(stand, presenter, 40)
        edits = stand.world.effects("editMessageText")
        assert len(edits) >= 4
        gaps = [later.at - before.at for before, later in pairwise(edits)]
        assert min(gaps) > 1.3
        lengths = [len(one.text) for one in edits]
        assert lengths == sorted(lengths)
        assert stand.mara.buttons() == ["Stop"]
        await presenter.show(Finished(page("the whole answer")))
        assert stand.world.shown(MARA) == ["the whole answer"]
        assert not stand.mara.buttons()
        assert len(stand.world.effects("sendMessage")) == 1


async def test_a_quick_answer_is_not_streamed() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await presenter.show(TextAdded("a short answer that is long enough to be shown at all"))
        await presenter.show(Finished(page("a short answer")))
        assert len(stand.world.effects("editMessageText")) == 1


async def test_the_stop_button_stops() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await grown(stand, presenter, 10)
        await until(lambda: stand.mara.buttons() == ["Stop"])
        stand.mara.press("Stop")
        await until(lambda: stand.stops)
        await until(lambda: stand.world.toasts)
        assert not stand.inbox.messages
        await presenter.show(Finished(page("half of it (stopped)")))
        assert stand.world.shown(MARA) == ["half of it (stopped)"]


async def test_a_long_answer_goes_on_in_a_second_message_and_loses_nothing() -> None:  # P017 P027
    async with standing() as stand:
        presenter = begun(stand, outbox := stands.Noted())
        paragraphs = [f"Paragraph {number}. " + "words and words " * 20 for number in range(30)]
        for one in paragraphs:
            await presenter.show(TextAdded(f"{one}\n\n"))
            await stand.clock.sleep(0.4)
        await until(lambda: len(stand.world.shown(MARA)) >= 2)
        await presenter.show(Finished(page("\n\n".join(paragraphs))))
        shown = stand.world.shown(MARA)
        assert [number for number in range(30) if f"Paragraph {number}." not in "".join(shown)] == []
        assert "".join(shown).count("Paragraph 7.") == 1
        assert len(outbox.parts) == len(shown) >= 3


async def test_messages_that_the_final_form_does_not_need_are_taken_away() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await grown(stand, presenter, 20, "many words that fill a message until it is full of them " * 6)
        await until(lambda: len(stand.world.shown(MARA)) >= 2)
        await presenter.show(Finished(page("short after all")))
        assert stand.world.shown(MARA) == ["short after all"]


async def test_a_turn_that_an_earlier_process_began_is_finished_in_its_message() -> None:  # P003
    async with standing() as stand:
        outbox = stands.Noted()
        await grown(stand, begun(stand, outbox), 10)
        await until(lambda: outbox.parts)
        await begun(stand, outbox).show(Finished(page("the answer")))
        await begun(stand, outbox).show(Finished(page("the answer")))
        assert [text for text in stand.world.shown(MARA) if text == "the answer"] == ["the answer"]


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
@pytest.mark.parametrize("lose", ["before", "after"])
async def test_a_lost_connection_never_makes_two_answers(method: str, lose: str) -> None:
    async with standing() as stand:
        stand.world.fault(method, Fault(lose=lose))
        await begun(stand).show(Finished(page("the answer")))
        shown = stand.world.shown(MARA)
        assert shown.count("the answer") == 1
        assert set(shown) <= {"the answer", MARK}


async def test_what_was_noted_but_is_gone_from_the_chat_is_sent_anew() -> None:
    async with standing() as stand:
        outbox = stands.Noted({("t1", 0): "99999"})
        await begun(stand, outbox).show(Finished(page("the answer")))
        assert stand.world.shown(MARA) == ["the answer"]


async def test_flood_control_skips_frames_and_the_end_arrives_whole_once() -> None:  # P025
    async with standing() as stand:
        presenter = begun(stand)
        await grown(stand, presenter, 6)
        stand.world.penalise(30, "editMessageText")
        before = stand.server.calls.count("editMessageText")
        began = stand.clock.monotonic()
        await grown(stand, presenter, 10)
        assert stand.clock.monotonic() - began < 20
        await presenter.show(Finished(page("all of it")))
        assert stand.world.shown(MARA) == ["all of it"]
        assert stand.server.calls.count("editMessageText") - before <= 4


async def test_a_penalty_on_edits_does_not_hold_up_a_button() -> None:
    async with standing() as stand:
        await begun(stand).show(Finished(page("pick", Choice("Timeline", Address("timeline")))))
        stand.world.penalise(40, "editMessageText", "sendMessageDraft", "sendChatAction")
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(begun(stand, turn="t2").show(Finished(page("later"))))
            began = stand.clock.monotonic()
            stand.mara.press("Timeline")
            await until(lambda: stand.world.toasts)
            assert stand.clock.monotonic() - began < 20
            assert not waiting.done()
        assert stand.world.shown(MARA)[-1] == "later"


async def test_a_long_penalty_is_given_back_so_that_the_turn_is_shown_later() -> None:
    async with standing() as stand:
        stand.world.fault("sendMessage", Fault(refuse=flood(3600)))
        with pytest.raises(PlatformTrouble):
            await begun(stand).show(Finished(page("x")))


async def test_refused_entities_become_plain_text_and_refused_buttons_go() -> None:
    async with standing() as stand:
        stand.world.fault("editMessageText", Fault(refuse=bad("can't parse entities: something")))
        await begun(stand).show(Finished(page("**bold** words", Choice("Go", Address("timeline")))))
        assert stand.world.shown(MARA) == ["bold words"]
        assert "entities" not in stand.world.last(MARA)
        assert stand.mara.buttons() == ["Go"]
        stand.world.fault("editMessageText", *[Fault(refuse=bad("BUTTON_DATA_INVALID"))] * 2)
        await begun(stand, turn="t2").show(Finished(page("more words", Choice("Go", Address("timeline")))))
        assert stand.world.shown(MARA)[-1] == "more words"


async def test_what_somebody_who_blocked_the_bot_did_not_get_does_not_count_as_shown() -> None:
    async with standing() as stand:
        stand.mara.chat.alive = False
        for event in (Finished(page("nobody reads this")), Paged(page("nor this"))):
            with pytest.raises(Shut):
                await begun(stand).show(event)
        assert stand.world.shown(MARA) == []


async def test_a_server_that_is_down_is_trouble_that_passes() -> None:
    async with standing() as stand:
        stand.world.fault("sendMessage", *[Fault(refuse=Refusal(502, "Bad Gateway"))] * 4)
        with pytest.raises(PlatformTrouble):
            await begun(stand).show(Finished(page("x")))
        await begun(stand).show(Finished(page("x")))
        assert stand.world.shown(MARA) == ["x"]


async def test_a_failure_takes_the_place_of_what_was_begun_with_its_way_out() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await grown(stand, presenter, 8)
        await presenter.show(Failed(page("The model did not answer.", Choice("Try again", say="/retry"))))
        assert stand.world.shown(MARA) == ["The model did not answer."]
        stand.mara.press("Try again")
        assert [one.text for one in await stand.kept(1)] == ["/retry"]


async def test_the_sign_of_life_lasts_until_the_answer_and_no_longer() -> None:  # P013
    async with standing(clock=QuickClock(speed=15), drafts=False) as stand:
        stand.mara.say("think hard")
        await stand.kept(1)
        presenter = begun(stand)
        for _ in range(10):
            await presenter.show(ThinkingAdded("hm "))
            await stand.clock.sleep(2)
        typed = stand.world.effects("sendChatAction")
        assert len(typed) >= 4
        assert max(later.at - before.at for before, later in pairwise(typed)) < 6
        await presenter.show(Finished(page("done")))
        count = len(stand.world.effects("sendChatAction"))
        await stand.clock.sleep(12)
        assert len(stand.world.effects("sendChatAction")) == count
        assert stand.world.log[-1].method == "editMessageText"


async def test_the_sign_of_life_is_there_before_anything_is_known_and_ends_with_a_failure() -> None:
    async with standing(drafts=False) as stand:
        stand.mara.say("hello")
        await until(lambda: stand.world.effects("sendChatAction"))
        await begun(stand).show(Failed(page("no")))
        count = len(stand.world.effects("sendChatAction"))
        await stand.clock.sleep(12)
        assert len(stand.world.effects("sendChatAction")) == count


async def test_a_draft_says_what_is_being_done_and_has_a_stop() -> None:
    async with standing() as stand:
        stand.mara.say("what did I say about Rome?")
        await until(lambda: stand.mara.chat.draft)
        presenter = begun(stand)
        await presenter.show(ToolChanged("1", "running", "Looking for Rome"))
        await until(lambda: stand.mara.chat.draft and "Looking for Rome" in stand.mara.chat.draft.get("text", ""))
        stand.mara.stop()
        await until(lambda: stand.stops)
        await presenter.show(Finished(page("stopped")))
        assert stand.mara.chat.draft is None
        assert not stand.world.effects("sendChatAction")
        await stand.clock.sleep(12)
        assert stand.mara.chat.draft is None


async def test_without_drafts_at_telegram_typing_is_shown_instead() -> None:
    async with standing() as stand:
        stand.world.fault("sendMessageDraft", Fault(refuse=bad("method not available")))
        stand.mara.say("hello")
        await until(lambda: stand.world.effects("sendChatAction"))
        assert stand.server.calls.count("sendMessageDraft") == 1


async def test_what_is_said_during_an_answer_is_marked_as_seen() -> None:
    async with standing() as stand:
        stand.mara.say("first")
        await stand.kept(1)
        presenter = begun(stand)
        await presenter.show(ThinkingAdded("hm"))
        second = stand.mara.say("second")
        await until(lambda: stand.world.reactions)
        assert stand.world.reactions == {(MARA, second["message_id"]): ["👀"]}
        await presenter.show(Finished(page("done")))
        await until(lambda: stand.mara.chat.draft)


async def test_thinking_and_tools_are_folded_below_the_answer() -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await presenter.show(ThinkingAdded("first this, then that"))
        await stand.clock.sleep(2)
        await presenter.show(ToolChanged("1", "error", "Looking for Rome"))
        await presenter.show(Finished(page("The answer.")))
        message = stand.world.last(MARA)
        assert message["text"].startswith("The answer.")
        assert "✗ Looking for Rome (failed)" in message["text"]
        assert "Thought · " in message["text"]
        assert [one["type"] for one in message["entities"]].count("expandable_blockquote") == 2


async def test_a_page_takes_the_place_of_the_message_whose_button_asked() -> None:
    async with standing() as stand:
        await begun(stand).show(Paged(page("Timeline", Choice("March", Address("timeline", "2026-03")))))
        message = stand.world.last(MARA)
        stand.mara.press("March")
        (kept,) = await stand.kept(1)
        await begun(stand, turn="t2", replaces=kept.replaces).show(Paged(page("March 2026")))
        await begun(stand, turn="t3", replaces=kept.replaces).show(Paged(page("March 2026")))
        assert stand.world.shown(MARA) == ["March 2026"]
        assert stand.world.last(MARA)["message_id"] == message["message_id"]


async def test_a_page_whose_place_is_gone_is_sent() -> None:
    async with standing() as stand:
        await begun(stand, replaces="12345").show(Paged(page("March 2026")))
        assert stand.world.shown(MARA) == ["March 2026"]


async def test_a_picture_comes_with_its_words_and_gives_way_to_text() -> None:
    async with standing() as stand:
        heat = Document((Title("Timeline"), Picture((("2026-03-09", 3),), "three talks in March")))
        await begun(stand).show(Paged(heat))
        message = stand.world.last(MARA)
        assert message["photo"]
        assert "three talks in March" in message["caption"]
        await begun(stand, turn="t2", replaces=str(message["message_id"])).show(Paged(page("March")))
        assert stand.world.shown(MARA) == ["March"]


async def test_a_page_that_was_sent_before_the_process_died_is_not_sent_again() -> None:
    async with standing() as stand:
        outbox = stands.Noted()
        await begun(stand, outbox).show(Paged(page("Status")))
        await begun(stand, outbox).show(Paged(page("Status")))
        assert stand.world.shown(MARA) == ["Status"]


async def test_a_briefing_before_an_answer_is_a_message_of_its_own() -> None:
    async with standing() as stand:
        presenter = begun(stand, outbox := stands.Noted())
        await presenter.show(Paged(page("Previously on Mara")))
        await presenter.show(Finished(page("The answer.")))
        assert stand.world.shown(MARA) == ["Previously on Mara", "The answer."]
        await begun(stand, outbox).show(Finished(page("The answer.")))
        assert len(stand.world.shown(MARA)) == 2


async def test_an_answer_asked_for_by_a_command_grows_and_ends_in_one_message() -> None:
    async with standing() as stand:
        presenter = begun(stand, outbox := stands.Noted())
        await grown(stand, presenter, 8)
        await until(lambda: outbox.parts)
        await begun(stand, outbox).show(Paged(page("Another answer.")))
        assert stand.world.shown(MARA) == ["Another answer."]


async def test_files_come_once_and_notes_come_quietly() -> None:
    async with standing() as stand:
        outbox = stands.Noted()
        taken = Document((Text("Here it is."), Download("memory.zip", b"PK")))
        await begun(stand, outbox).show(Paged(taken))
        await begun(stand, outbox).show(Paged(taken))
        assert [one.method for one in stand.world.effects("sendDocument")] == ["sendDocument"]
        await begun(stand, turn="t2").show(Noted("A slice was closed."))
        assert stand.world.effects("sendMessage")[-1].given["disable_notification"] == "true"


async def test_a_quiet_page_makes_no_sound() -> None:
    async with standing() as stand:
        await begun(stand).show(Paged(page("Briefing"), quiet=True))
        assert stand.world.effects("sendMessage")[-1].given["disable_notification"] == "true"


async def test_what_cannot_be_noted_is_trouble_with_the_disk() -> None:
    class Full(stands.Noted):
        async def note(self, turn: str, part: int, message: str) -> None:
            raise DiskTrouble("state/journal.jsonl", 28, "full")

    async with standing() as stand:
        with pytest.raises(DiskTrouble):
            await begun(stand, Full()).show(Finished(page("x")))
        assert stand.world.shown(MARA) == [MARK]


async def test_a_turn_is_shown_while_the_platform_is_not_served() -> None:
    async with standing(serve=False) as stand:
        presenter = begun(stand)
        await presenter.show(TextAdded("words of an answer that nobody sees growing, since nothing runs"))
        await presenter.show(Finished(page("the end")))
        assert stand.world.shown(MARA) == ["the end"]
        await stand.telegram.api.close()


async def test_a_long_thing_to_say_is_said_whole_like_a_short_one() -> None:
    async with standing() as stand:
        long = "What did Dra. Filomena Assis say about the choir book in Portalegre in the end?"
        await begun(stand).show(Paged(page("Ask", Choice("The choir book", say=long), Choice("Hm", say="And then?"))))
        assert labels(stand.world.last(MARA)) == ["The choir book", "Hm"]
        stand.mara.press("The choir book")
        stand.mara.press("Hm")
        assert [one.text for one in await stand.kept(2)] == [long, "And then?"]
        assert {one.replaces for one in stand.inbox.messages} == {""}


async def test_a_button_of_another_version_says_so() -> None:
    async with standing() as stand:
        said = stand.mara.say("x")
        await stand.kept(1)
        tap = stand.mara.tap(said, "0/old/thing")
        await until(lambda: stand.world.toasts)
        assert stand.world.toasts == [(tap, "That button is too old. Ask again, please.")]
        stand.mara.tap(said, "1/card//0", inaccessible=True)
        assert (await stand.kept(2))[1].replaces == ""


@pytest.mark.parametrize(
    "text", ["a\x00b \ud800 **x", "```\n" * 50, "| a |\n|", "<b>" * 200, "[x](javascript:1)" * 30, "\u200b", ""]
)
async def test_whatever_a_model_writes_is_shown_in_some_form(text: str) -> None:
    async with standing() as stand:
        presenter = begun(stand)
        await presenter.show(TextAdded("some words before it, so that it grows at once: \n" + text))
        await stand.clock.sleep(2.5)
        await presenter.show(Finished(page(text)))
        await presenter.show(Noted(f"noted {text[:50]}"))
        assert len(stand.world.shown(MARA)) == 2


async def test_a_moment_is_a_silent_reply_to_its_message_and_leaves_the_page_alone_that_asked_for_it() -> None:
    async with standing() as stand:
        said = stand.mara.say("The kiln is hot.")["message_id"]
        await begun(stand).show(Paged(page("the slice")))
        asking = str(stand.world.last(MARA)["message_id"])

        await begun(stand, turn="t2", replaces=asking).show(Paged(page("Here it was said."), True, f"tg:{CHAT}:{said}"))

        assert stand.world.shown(MARA) == ["the slice", "Here it was said."]
        assert stand.world.last(MARA)["reply_to_message"]["message_id"] == said


@pytest.mark.parametrize("key", ["tg:7:1", "dc:42:1", f"tg:{CHAT}:x", f"tg:{CHAT}:999999", ""])
async def test_a_moment_whose_message_is_not_there_is_told_all_the_same(key: str) -> None:
    async with standing() as stand:
        await begun(stand).show(Paged(page("Here it was said."), reply_to=key))

        assert stand.world.shown(MARA) == ["Here it was said."]
        assert "reply_to_message" not in stand.world.last(MARA)
