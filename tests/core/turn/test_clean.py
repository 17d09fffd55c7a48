"""Answers as they may be shown: secrets masked also in a stream, strange addresses as code (reliability 4.2, 4.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.turn.tame import tamed
from core.turn.veil import MASK, Veil
from core.web.urls import Provenance, found

SECRETS = ("sk-abcdef123456", "abcdef123456xyz", "123456:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp")


def known(*urls: str) -> Provenance:
    made = Provenance()
    made.add([one for url in urls for one in found(url)])
    return made


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_masked_wherever_it_stands(secret: str) -> None:
    assert Veil(SECRETS).text(f"the key is {secret}.") == f"the key is {MASK}."


@given(
    st.lists(st.sampled_from([*SECRETS, "sk-abc", "def", " ", "plain", "1234", "56", "sk-"]), max_size=12), st.data()
)
def test_a_stream_shows_what_the_masked_whole_says_however_it_is_cut(parts: list[str], data: st.DataObject) -> None:
    text, veil = "".join(parts), Veil(SECRETS)
    stream, shown, place = veil.stream(), "", 0
    while place < len(text):
        size = data.draw(st.integers(1, 9))
        shown += stream.feed(text[place : place + size])
        place += size
    shown += stream.rest()

    assert not any(secret in shown for secret in SECRETS)
    if not any(secret in text for secret in SECRETS):
        assert shown == text


def test_short_values_are_no_secrets() -> None:
    assert Veil(["on", "true", ""]).text("it is true") == "it is true"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://evil.test/?q=memory now", "see `https://evil.test/?q=memory` now"),
        ("[click](https://evil.test/?q=memory)", "click (`https://evil.test/?q=memory`)"),
        ("![x](https://evil.test/p.png?q=memory)", "x `https://evil.test/p.png?q=memory`"),
        ("![x](https://good.test/)", "x `https://good.test/`"),
        ("<https://evil.test/>", "`https://evil.test/`"),
        ("[a]: https://evil.test/x", "[a]: `https://evil.test/x`"),
        ("www.evil.test/?q=1 and evil.test/q/memory.", "`www.evil.test/?q=1` and `evil.test/q/memory`."),
        ("[x](tg://resolve?domain=evil) [y](javascript:alert(1))", None),
        ("[x](//evil.test/a)", "x (`//evil.test/a`)"),
        ("read https://good.test/ and [it](https://good.test/)", "read https://good.test/ and [it](https://good.test/)"),
        ("`https://evil.test/` stays", "`https://evil.test/` stays"),
        ("```\ncurl https://evil.test/\n```", "```\ncurl https://evil.test/\n```"),
        ("plain words, 3.5 kg and 12:30", "plain words, 3.5 kg and 12:30"),
    ],
)  # fmt: skip
def test_an_address_that_nobody_named_is_code(text: str, shown: str | None) -> None:
    found = tamed(text, known("https://good.test/").knows)

    if shown is None:
        assert "](" not in found
    else:
        assert found == shown


@given(st.text(alphabet="ab`[]()!<> \n.:/https?=&~*", max_size=80))
def test_taming_never_fails_and_is_done_at_once(text: str) -> None:
    once = tamed(text, known().knows)

    assert "](http" not in tamed(once, known().knows)
