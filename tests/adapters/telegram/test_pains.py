"""What people report of other bots, as they would meet it here: the lines that no other test of this folder covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from adapters.telegram.render import render
from core.conversation import Finished, TextAdded, ThinkingAdded
from core.document import Document, Text
from core.llm.base import Message
from tests.adapters.telegram import stand as stands
from tests.adapters.telegram.day import day
from tests.adapters.telegram.stand import MARA, WORDS, standing
from tests.adapters.telegram.waiting import until
from tests.bot.living import living
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec

THOUGHT = "the person must not see this"
LONGEST = 4096


class Muttering:
    """A model that says one word, or none, to whatever it is asked."""

    name = "muttering"

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.asked += 1
        return Message("assistant", self.word)


@pytest.mark.parametrize("sign", ["&", ".", "<", "_", "!"])
def test_four_thousand_signs_that_escaping_would_lengthen_stay_one_message(sign: str) -> None:  # P021
    text = "a" + sign * 3999
    (part,) = render(Document((Text(text),)), WORDS["en"]).parts
    assert part.text == text
    assert len(part.text) <= LONGEST


async def test_reasoning_is_never_in_the_answer_while_it_grows_and_folded_at_its_end() -> None:  # P029
    async with standing() as stand:
        presenter = stand.telegram.presenter(str(MARA), "t1", stands.Noted())
        for number in range(20):
            await presenter.show(ThinkingAdded(f"{THOUGHT} {number} "))
            await presenter.show(TextAdded(f"what is said of it, number {number}. "))
            await stand.clock.sleep(0.5)
        grown = [str(effect.given) for effect in stand.world.effects("sendMessage", "editMessageText", chat=MARA)]
        drafts = [str(effect.given) for effect in stand.world.effects("sendMessageDraft", chat=MARA)]
        await presenter.show(Finished(Document((Text("what is said of it"),))))
        assert len(grown) > 2
        assert not [text for text in (*grown, *drafts) if THOUGHT in text]
        last = stand.world.last(MARA)
        folded = [one for one in last["entities"] if one["type"] == "expandable_blockquote"]
        assert str(last["text"]).index(THOUGHT) >= min(one["offset"] for one in folded)


@pytest.mark.parametrize("word", ["NONE", "OK", "NO_REPLY", ""])
async def test_a_word_of_the_worker_to_itself_is_never_seen_and_the_question_is_answered(word: str) -> None:  # P031
    worker = Muttering(word)
    async with living(EchoModel(), worker=worker) as home:
        await home.say("Do you remember the choir book?")
        await home.say("And the kiln?", pause=3600)
        shown = home.world.finals()
    assert worker.asked
    assert sum("choir book" in text for text in shown if text.startswith("answer to")) == 1
    assert sum("kiln" in text for text in shown if text.startswith("answer to")) == 1
    assert not [text for text in shown if word and word in text]


async def test_a_model_that_says_nothing_leaves_a_sentence_and_never_silence() -> None:  # P031
    async with day() as one:
        one.model = Muttering("")
        async with one.life():
            one.mara.say("hello?")
            await one.idle()
        assert len(one.world.shown(MARA)) == 1
        assert len(one.world.shown(MARA)[0]) > len("hello?")


async def test_stop_is_labelled_in_the_language_that_was_set() -> None:
    async with day() as one, one.life():
        one.mara.say("/language zh")
        await one.idle()
        one.model.pause, one.model.filler = 0.4, 400
        one.mara.say("tell me everything <m1>")
        stop = WORDS["zh"]("telegram.stop")
        await until(lambda: stop in one.mara.buttons())
        one.mara.press(stop)
        await one.idle()
