from __future__ import annotations

import pytest

from core.llm.driver.notice import is_notice, may_be

NOTICES = [
    ("<!DOCTYPE html><html><body>502</body></html>", 40),
    ("  <html>\n<head></head></html>", 40),
    ('{"error": {"message": "Overloaded", "type": "overloaded_error"}}', 20),
    ('{"type": "error", "error": {"type": "api_error"}}', 20),
    ('{"detail": "Not found"}', 0),
    ("Rate limit exceeded. Please try again later.", 0),
    ("Upstream error: 502", 0),
    ("429 Too Many Requests", 1),
    ("Error code: 503 - service unavailable", 0),
    ("Insufficient Balance", 0),
]
ANSWERS = [
    ("Rate limit exceeded means that you asked too often.", 12),
    ("Too many requests is what 429 stands for.", 10),
    ('{"error": {"code": 1}, "hits": []}', 9),
    ('{"error": "is a key', 5),
    ("<html> is the root element of a page. ", 9),
    ("Service unavailable? " + "That is a long story. " * 30, 0),
    ("The upstream error was in March.", 0),
    ("You said: rate limit exceeded.", 0),
    ("太多请求。", 0),
    ("", 0),
]


@pytest.mark.parametrize(("text", "counted"), NOTICES)
def test_a_notice_is_known_and_held_back_while_it_streams(text: str, counted: int) -> None:
    assert is_notice(text, counted)
    for end in range(len(text), len(text) - 3, -1):
        assert may_be(text[:end])


@pytest.mark.parametrize(("text", "counted"), [pair for pair in ANSWERS if not pair[0].startswith("<html>")])
def test_an_answer_that_looks_like_one_is_an_answer(text: str, counted: int) -> None:
    assert not is_notice(text, counted)


def test_a_page_is_a_notice_even_when_the_model_was_paid_for_it() -> None:
    assert is_notice("<html><body>We are down.</body></html>", 50)


@pytest.mark.parametrize("text", ["Hello", "It is blue.", "{'a': 1}", '{"hits": []}', "错误", "Rates fell.", "< 3"])
def test_an_ordinary_beginning_is_shown_at_once(text: str) -> None:
    assert not may_be(text)
