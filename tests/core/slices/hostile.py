"""Strategies for slices full of what could break their file."""

from __future__ import annotations

from hypothesis import strategies as st

from core.slices.model import SIGNALS, Slice, Turn

PIECES = (
    "## Turn ", "## Turn q1W-_A — 2026-03-09T18:42:07.113Z (user)", "### Turn ", "#\\# Turn x", "#\\\\\\# Turn ", "#",
    "\n\n#", "\n\n## Turn ab", "\n", "\n\n", "\n\n\n", "\r\n", "\r", "\t", "    indented", "---", "\n---\n", "```\n",
    "<<<<<<< HEAD\n", "=======\n", ">>>>>>> main\n", "\\<<<<<<< x", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c",
    "\u202egpj.\u202c", "\u2066", "👨‍👩‍👧", "🎩", "你好", "שלום", "e\u0301", "\ufeff", "\0", "\\", "\\\\", "[partial] ",
    "[deleted] ", "status: closed", "# comment", "- item", "'", '"', ": ", " #", "@", "`", "%", "&a", "*a", "!!x", "|-",
    ">-", "{}", "[]", "null", "~", "no", "0123", "12:30", "?", "…", " ", "\xa0", "\u3000", "word " * 20,
)  # fmt: skip

chars = st.characters(exclude_categories=["Cs"])
wild = st.lists(st.one_of(st.sampled_from(PIECES), st.text(chars, max_size=12)), max_size=10).map("".join)
bodies = wild.map(lambda text: text.strip("\r\n"))
labels = st.one_of(
    st.text("ABCabc019_-", min_size=6, max_size=6), st.just("?"), st.integers(1, 99).map(str),
)  # fmt: skip
instants = st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.000Z"))
turns = st.builds(Turn, label=labels, at=instants, role=st.sampled_from(["user", "agent"]), text=bodies)
_lists = st.lists(wild, max_size=4).map(tuple)


@st.composite
def slices(draw: st.DrawFn) -> Slice:
    status = draw(st.sampled_from(["active", "closed"]))
    return Slice(
        id=draw(st.sampled_from(["2026-03-09-1842", "0001-01-01-0000"])),
        status=status,
        start=draw(st.one_of(instants, wild)),
        end=draw(st.one_of(st.just(""), instants)),
        timezone=draw(st.sampled_from(["UTC", "Europe/Paris", "no"])),
        focus=draw(wild),
        summary=draw(wild),
        open_loops=draw(_lists),
        decisions=draw(_lists),
        tags=draw(_lists),
        related_slices=draw(_lists),
        loops=draw(_lists),
        emotional_tone=draw(wild),
        closed_by=draw(st.sampled_from(SIGNALS)) if status == "closed" else "",
        evolution_summary=draw(wild),
        turns=tuple(draw(st.lists(turns, max_size=5))),
    )
