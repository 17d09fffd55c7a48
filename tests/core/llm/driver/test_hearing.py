"""Recordings are written down by the unmodified library, over a loopback server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.errors import ModelError, Unavailable, Unusable
from core.llm.driver.wire import Target
from core.llm.hearing import Hearing
from tests.doubles.model_server import KEY, Fail, ModelServer

if TYPE_CHECKING:
    from core.llm.litellm import LiteLLM

OGG = b"OggS\x00 a voice"


def hearing(wire: LiteLLM, server: ModelServer, *, key: str = KEY, seconds: float = 15.0) -> Hearing:
    return Hearing(wire, Target("openai", "whisper-1", key, server.base("openai")), seconds)


async def test_what_is_said_is_written_down(wire: LiteLLM, server: ModelServer) -> None:
    server.speech = "Call Dra. Filomena. 给外婆打电话。"

    text = await hearing(wire, server).transcribe("a-1.ogg", OGG)

    assert text == "Call Dra. Filomena. 给外婆打电话。"
    assert server.listened == [("whisper-1", "a-1.ogg", OGG)]
    assert server.refused == []


@pytest.mark.parametrize(
    ("status", "kind", "key"), [(400, Unusable, "model.request"), (500, Unavailable, "model.server")]
)
async def test_what_a_provider_refuses_is_an_error_of_ours(
    wire: LiteLLM, server: ModelServer, status: int, kind: type[ModelError], key: str
) -> None:
    server.speech = Fail(status)

    with pytest.raises(kind) as caught:
        await hearing(wire, server).transcribe("a-1.ogg", OGG)

    assert caught.value.key == key
    assert "raw words" not in str(caught.value)
    assert len(server.listened) == 1


async def test_a_wrong_key_is_said_to_be_wrong(wire: LiteLLM, server: ModelServer) -> None:
    with pytest.raises(Unavailable) as caught:
        await hearing(wire, server, key="sk-wrong").transcribe("a-1.ogg", OGG)

    assert caught.value.key == "model.key"


async def test_a_provider_that_never_answers_is_not_waited_for(wire: LiteLLM, server: ModelServer) -> None:
    with pytest.raises(Unavailable) as caught:
        await hearing(wire, server, seconds=0.3).transcribe("a-1.ogg", OGG)

    assert caught.value.key == "model.slow"
