from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.card import rules
from core.card.codec import decode, encode
from core.card.session import TOOLS
from tests.core.card.test_layout import LOVED
from tests.core.card.work import REF, session

texts = st.text(max_size=450) | st.sampled_from(["x" * n for n in (200, 201, 300, 301, 2400, 2401, 3000)])
words = texts | st.sampled_from(["entry", "a", "e", " — refs: [x] ", "| since: 2020-01-01", "\n", "<!-- c -->"])
NOWHERE = "2027/01/01/0000"
some_refs = st.lists(st.sampled_from([REF, "2026-08-30-0700", "bad", "2026/08/31/0700-a_b", NOWHERE]), max_size=3)
takers = [name for name in TOOLS if name.startswith(("remove", "promote", "resolve"))]
PERSONS = ("Written with care, please keep.", "* Locale: fr", "A note of mine below the facts.", "- Brioche: 82 %")


class Edits(RuleBasedStateMachine):
    """Whatever a model calls, in whatever order, no cap breaks and the card reads back."""

    def __init__(self) -> None:
        super().__init__()
        self.work = session(decode(LOVED), missing=(NOWHERE,))

    @rule(field=st.sampled_from(["name", "address_as", "pronouns", "alias", "x"]), value=words)
    def set_identity(self, field: str, value: str) -> None:
        self.work.call("setIdentity", {"field": field, "value": value})

    @rule(text=words, again=st.integers(1, 4))
    def rewrite(self, text: str, again: int) -> None:
        for _ in range(again):
            self.work.call("updatePastProfile", {"text": text})

    @rule(
        tool=st.sampled_from(["addPastAnchor", "addNow", "addHorizon", "addSelfModel"]),
        text=words,
        refs=some_refs,
        day=st.sampled_from(["2026-10-01", "soon", "2026-02-30"]),
        again=st.integers(1, 4),
    )
    def add(self, tool: str, text: str, refs: list[str], day: str, again: int) -> None:
        for _ in range(again):
            self.work.call(tool, {"text": text, "refs": refs, "by": day, "since": day})

    @rule(tool=st.sampled_from(takers), match=words | st.sampled_from(["o", "e", "shop", "oven", "pay", "x"]))
    def take(self, tool: str, match: str) -> None:
        self.work.call(tool, {"match": match, "note": match})

    @invariant()
    def no_cap_is_broken(self) -> None:
        card = self.work.card
        assert len(card.identity) <= rules.IDENTITY_LINES
        assert all(len(line.partition(": ")[2]) <= rules.IDENTITY_CHARACTERS for line in card.identity)
        assert len(card.profile) <= rules.PROFILE_CHARACTERS
        for entries, count, length in (
            (card.anchors, rules.ANCHORS, rules.ANCHOR_CHARACTERS),
            (card.now, rules.HOOKS, rules.HOOK_CHARACTERS),
            (card.horizon, rules.PLANS, rules.PLAN_CHARACTERS),
            (card.self_model, rules.LESSONS, rules.LESSON_CHARACTERS),
        ):
            assert len(entries) <= count
            assert all(0 < len(entry.text) <= length for entry in entries)
        assert len(encode(card)) <= rules.TOTAL_CHARACTERS

    @invariant()
    def the_card_reads_back(self) -> None:
        card = self.work.card
        assert decode(encode(card)) == card
        encode(card).encode()

    @invariant()
    def every_new_entry_rests_on_something_that_exists(self) -> None:
        for entry in self.work.card.entries:
            assert not {"bad", NOWHERE} & set(entry.refs)

    @invariant()
    def the_persons_own_lines_stand(self) -> None:
        written = encode(self.work.card)
        for line in PERSONS:
            assert line in written.split("\n")


TestEdits = Edits.TestCase
TestEdits.settings = settings(max_examples=30, stateful_step_count=25)


@given(
    st.sampled_from(list(TOOLS)),
    st.dictionaries(
        st.sampled_from(["text", "refs", "match", "by", "field", "value"]),
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3)),
    )
    | st.text(),
)
def test_no_call_raises(tool: str, arguments: dict[str, Any] | str) -> None:
    assert session().call(tool, arguments).startswith(("OK", "REJECTED"))
