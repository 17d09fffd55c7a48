"""Pictures reach models that see them, in each provider's own shape; others are told that there are some."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.llm.base import Image, Message
from core.llm.driver.sight import blinded, sees
from tests.core.llm.driver.bench import ASKED, Audience, driven, target
from tests.doubles.model_server import Fail, ModelServer, Say

if TYPE_CHECKING:
    from core.llm.litellm import LiteLLM

JPEG = b"\xff\xd8\xff\xe0 a lighthouse \xff\xd9"
LINE = "[image/jpeg: beach.jpg]"
LOOK = Message("user", "Where is this?", images=(Image("image/jpeg", JPEG, LINE),))
TALK = (ASKED[0], Message("user", "Hello"), Message("assistant", "Hello!"), LOOK)


async def test_a_picture_goes_to_openai_as_a_data_address_below_its_name(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("A lighthouse.")]

    await driven(wire, target(server, "openai")).complete(TALK, (), Audience().hear)

    assert server.refused == []
    assert server.asked[0][1]["messages"][-1]["content"] == [
        {"type": "text", "text": LINE},
        {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{b64encode(JPEG).decode()}"}},
        {"type": "text", "text": "Where is this?"},
    ]
    assert server.asked[0][1]["messages"][1]["content"] == "Hello"


async def test_a_picture_goes_to_openais_newer_protocol_as_a_part(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("A lighthouse.")]

    await driven(wire, target(server, "responses")).complete(TALK, (), Audience().hear)

    assert server.refused == []
    parts = server.asked[0][1]["input"][-1]["content"]
    assert [part["type"] for part in parts] == ["input_text", "input_image", "input_text"]
    assert parts[1]["image_url"] == f"data:image/jpeg;base64,{b64encode(JPEG).decode()}"


async def test_a_picture_goes_to_anthropic_as_a_block(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("A lighthouse.")]

    await driven(wire, target(server, "anthropic")).complete(TALK, (), Audience().hear)

    assert server.refused == []
    blocks = server.asked[0][1]["messages"][-1]["content"]
    assert [block["type"] for block in blocks] == ["text", "image", "text"]
    source = {"type": "base64", "media_type": "image/jpeg", "data": b64encode(JPEG).decode()}
    assert blocks[1]["source"] == source


async def test_a_model_that_cannot_see_is_told_so_and_gets_no_picture(wire: LiteLLM, server: ModelServer) -> None:
    server.script = [Say("I cannot see it.")]

    await driven(wire, target(server, "deepseek")).complete(TALK, (), Audience().hear)

    assert server.refused == []
    said = server.asked[0][1]["messages"][-1]["content"]
    assert said.startswith("Where is this?\n\n[1 of the files above")
    assert "cannot see" in said


async def test_a_request_that_is_refused_for_its_picture_is_answered_without(
    wire: LiteLLM, server: ModelServer
) -> None:
    server.script = [Fail(400), Say("I cannot see it.")]
    audience = Audience()

    message = await driven(wire, target(server, "openai")).complete(TALK, (), audience.hear)

    assert (message.text, audience.text) == ("I cannot see it.",) * 2
    assert [type(body["messages"][-1]["content"]) for _, body in server.asked] == [list, str]


async def test_what_stands_before_the_newest_message_keeps_its_bytes_with_a_picture_in_it(
    wire: LiteLLM, server: ModelServer
) -> None:
    server.script = [Say("Yes.")]
    model = driven(wire, target(server, "openai"))

    await model.complete(TALK, (), Audience().hear)
    await model.complete((*TALK[:-1], replace(LOOK, images=())), (), Audience().hear)

    first, second = (body["messages"][:-1] for _, body in server.asked)
    assert first == second


@pytest.mark.parametrize(
    ("model", "about", "found"),
    [
        ("gpt-5-mini", {"supports_vision": True}, True),
        ("deepseek-v4-pro", {"supports_vision": False}, False),
        ("claude-that-is-blind", {"max_tokens": 1}, False),
        ("claude-of-tomorrow", {}, True),
        ("qwen2.5-vl:7b", {}, True),
        ("llava", {}, True),
        ("gpt-oss-120b", {}, False),
        ("llama3.1", {}, False),
    ],
)
def test_who_sees_is_known_from_the_table_else_from_the_name(model: str, about: dict[str, object], found: bool) -> None:
    assert sees(model, about) is found


def test_a_message_without_pictures_is_left_as_it_is() -> None:
    assert blinded(ASKED[1]) is ASKED[1]
