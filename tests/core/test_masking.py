from __future__ import annotations

import pytest

from core.masking import masked

SECRETS = {
    "github": "ghp_" + "a1B2" * 9,
    "github fine-grained": "github_pat_" + "1A" * 11 + "_" + "b2" * 30,
    "anthropic": "sk-ant-api03-" + "Ab1-" * 10,
    "openai": "sk-proj-" + "aB3_" * 12,
    "deepseek": "sk-" + "0a1b" * 8,
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "google": "AIza" + "Sy0a_" * 7,
    "slack": "xoxb-" + "123456789012-abcDEF",
    "telegram": "123456789:AA" + "Hx_0-" * 6 + "abc",
    "discord": "M" + "TIz" * 8 + "." + "GabcDe" + "." + "x1_" * 9,
    "stripe": "sk_live_" + "0aB1" * 6,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "s1G_" * 8,
    "private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXk=\n-----END OPENSSH PRIVATE KEY-----",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_is_replaced_and_the_words_around_it_stay(secret: str) -> None:
    text = masked(f"my key is {secret}, keep it")

    assert secret not in text
    assert text.startswith("my key is ‹secret: ")
    assert text.endswith("›, keep it")


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_masking_again_changes_nothing(secret: str) -> None:
    once = masked(secret)

    assert masked(once) == once


def test_the_same_secret_has_the_same_mask_and_another_another() -> None:
    one, two = SECRETS["github"], "ghp_" + "z9Y8" * 9

    assert masked(one) == masked(one)
    assert masked(one) != masked(two)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a plain sentence about sk-learn and AKIA the dog",
        "https://example.org/wiki/Main_Page?id=0123456789abcdef0123456789abcdef",
        "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "我的钥匙在门口的花盆下面",
        "call me at 123456789: 10 o'clock",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert masked(text) == text


def test_a_long_text_is_looked_through_in_no_time() -> None:
    assert masked("a-_." * 250_000) == "a-_." * 250_000
