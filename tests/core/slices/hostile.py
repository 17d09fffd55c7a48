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
wild = st.lists(st.one_of(st.sampled_from(PIECES), st.text(chars, max_size=8)), max_size=6).map("".join)
bodies = wild.map(lambda text: text.strip("\r\n"))
labels = st.one_of(
    st.text("ABCabc019_-", min_size=6, max_size=6), st.just("?"), st.integers(1, 99).map(str),
)  # fmt: skip
instants = st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.000Z"))
turns = st.builds(Turn, label=labels, at=instants, role=st.sampled_from(["user", "agent"]), text=bodies)
_lists = st.lists(wild, max_size=4).map(tuple)
_texts = st.dictionaries(st.sampled_from(["focus", "summary", "emotional_tone", "evolution_summary", "end"]), wild)
_tuples = st.dictionaries(st.sampled_from(["open_loops", "decisions", "tags", "related_slices", "loops"]), _lists)


@st.composite
def slices(draw: st.DrawFn) -> Slice:
    """A slice as it may stand on file: a closed one says why, an active one does not."""
    closed = draw(st.booleans())
    texts, tuples = draw(_texts), draw(_tuples)
    return Slice(
        id=draw(st.sampled_from(["2026-03-09-1842", "0001-01-01-0000"])),
        status="closed" if closed else "active",
        start=draw(instants),
        end=texts.get("end", ""),
        timezone=draw(st.sampled_from(["UTC", "Europe/Paris", "no"])),
        focus=texts.get("focus", ""),
        summary=texts.get("summary", ""),
        open_loops=tuples.get("open_loops", ()),
        decisions=tuples.get("decisions", ()),
        tags=tuples.get("tags", ()),
        related_slices=tuples.get("related_slices", ()),
        loops=tuples.get("loops", ()),
        emotional_tone=texts.get("emotional_tone", ""),
        closed_by=draw(st.sampled_from(SIGNALS)) if closed else "",
        evolution_summary=texts.get("evolution_summary", ""),
        turns=tuple(draw(st.lists(turns, max_size=4))),
    )
