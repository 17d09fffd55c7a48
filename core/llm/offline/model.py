"""The offline model: asks memory as any model would, and quotes what it is told."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from core.language.questions import is_question
from core.language.tongue import tongue_of
from core.llm.base import OFFLINE, Message, TextDelta, ToolCall
from core.llm.offline import forms
from core.llm.offline.aims import introduces, of_decisions, of_oneself, telling, times, topic
from core.llm.offline.passages import Found, Spoken, choose, notes_of, shortened, turns_of
from core.llm.offline.replies import BARE, HEARD, Replies
from core.llm.offline.results import decided_here, decisions_in, known_of, listed_in
from core.llm.offline.scene import Scene, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from core.i18n import Words
    from core.llm.base import Listen, ToolSpec

_TALKS: Final = 3
"""How many talks are read and quoted."""
_BESIDE: Final = 0.5
"""How well another talk must fit, beside the best, to be quoted too."""
_BEHIND: Final = 0.1
"""What every place further down in the report of recall takes from a talk."""
_HERE: Final = 0.5
"""The share of the question that the conversation at hand must hold to be quoted."""
_PIECE: Final = re.compile(r"\S*\s*")
_SUMMARIES: Final = 12
"""Of how many talks the decisions are looked up."""


class OfflineModel:
    """Answers from memory alone, always the same for the same messages."""

    def __init__(
        self,
        words: Mapping[str, Words],
        intro: str = BARE,
        fields: Mapping[str, str | int] | None = None,
        *,
        keeps: bool = True,
    ) -> None:
        """`intro` is the key of the sentence that says why no model is speaking, `fields` what it is filled with.

        With `.kept` behind it, it is the key of what is said then to words that ask nothing, with `.about` of what it
        can do. Each is said once per conversation; where a model is configured, `.again` and `.again.kept` say it
        shortly from then on. `keeps` says whether what is said outlives the process.
        """
        self._words = words
        self._intro = intro
        self._fields = fields or {}
        self._keeps = keeps

    @property
    def name(self) -> str:
        """What logs call it."""
        return OFFLINE

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        """The next step: a call of a memory tool, a filled form when one is forced, or the answer."""
        forced = next((tool for tool in tools if tool.forced), None)
        if forced:
            filled = json.dumps(forms.fill(forced, messages), ensure_ascii=False)
            return Message("assistant", "", calls=(ToolCall("offline-form", forced.name, filled),), finish="tools")
        scene = read(messages)
        calls = _calls(scene, {tool.name for tool in tools})
        if calls:
            return Message("assistant", "", calls=calls, finish="tools")
        text = self._answer(scene)
        for piece in _PIECE.findall(text):
            if piece:
                await on_event(TextDelta(piece))
        return Message("assistant", text)

    def _answer(self, scene: Scene) -> str:
        words = self._words[tongue_of(scene.asked)]
        keys = [self._intro, f"{self._intro}.kept", f"{self._intro}.about"]
        keys += [HEARD] if self._intro == BARE and not self._keeps else []
        intros = [spoken(key, **self._fields) for spoken in self._words.values() for key in keys]
        known = any(intro in said for said in scene.answers for intro in intros)
        replies = Replies(words, intro=self._intro, known=known, fields=self._fields)
        if not is_question(scene.asked):
            return replies.unkept() if scene.unkept else replies.kept() if self._keeps else replies.heard()
        return _other(scene, replies) or _quoted(scene, replies)


def _other(scene: Scene, replies: Replies) -> str:
    """The answer to what is no topic: the person, their decisions, a time, a mere greeting; "" for a topic."""
    window, named = scene.of("readTimelineWindow"), telling(scene.asked)
    if of_oneself(scene.asked):
        lines = known_of(scene) or tuple(said for said in scene.earlier if introduces(said) and not is_question(said))
        return replies.card(lines, here=not known_of(scene)) if lines else "" if named else replies.nothing()
    if of_decisions(scene.asked) and window:
        return replies.decided(decisions_in(scene), decided_here(scene))
    if window and not named:
        return replies.listed(window[-1].text)
    return "" if named else replies.about()


def _quoted(scene: Scene, replies: Replies) -> str:
    """What was said of the topic."""
    found = _chosen(scene)
    if found:
        return replies.quote(found, _days(scene))
    failed = any(result.text.startswith("ERROR") for result in scene.results)
    return replies.unreadable() if failed else replies.nothing()


def _calls(scene: Scene, tools: set[str]) -> tuple[ToolCall, ...]:
    """What to look up next; nothing when all is known that can be."""
    if not is_question(scene.asked):
        return ()
    if not scene.results:
        return tuple(_first(scene, tools))
    if of_decisions(scene.asked) and "readSliceSummary" in tools:
        if scene.of("readSliceSummary") or not scene.of("readTimelineWindow"):
            return ()
        newest = [one for one, _ in listed_in(scene.of("readTimelineWindow")[-1].text)][:_SUMMARIES]
        return tuple(_call(f"note-{at}", "readSliceSummary", {"sliceId": one}) for at, one in enumerate(newest))
    if scene.of("recall") and not scene.of("readSlice") and "readSlice" in tools:
        keywords = list(_keywords(scene.asked))
        pointed = list(_days(scene))[:_TALKS]
        reads = [_call(f"read-{at}", "readSlice", _range(one, keywords)) for at, one in enumerate(pointed)]
        notes = [_call(f"note-{at}", "readSliceSummary", {"sliceId": one}) for at, one in enumerate(pointed)]
        return (*reads, *(notes if "readSliceSummary" in tools else ()))
    return ()


def _first(scene: Scene, tools: set[str]) -> Iterator[ToolCall]:
    """What is looked up first: the card, the time that is named, the talks about what is named."""
    named, time = telling(scene.asked), [span.text for span in times(scene.asked)]
    if of_oneself(scene.asked) and "readPreviously" in tools:
        yield _call("card", "readPreviously", {})
        return
    decided = of_decisions(scene.asked)
    if (time or decided) and "readTimelineWindow" in tools:
        ends = {"from": time[0], "to": time[-1]} if time else {}
        yield _call("window", "readTimelineWindow", {**ends, "limit": 50})
    if named and not decided and "recall" in tools:
        yield _call("recall", "recall", {"query": scene.asked})


def _range(slice_id: str, keywords: list[str]) -> dict[str, object]:
    return {"sliceId": slice_id, "range": {"mode": "search", "keywords": keywords, "context": 2}}


def _call(name: str, tool: str, arguments: dict[str, object]) -> ToolCall:
    return ToolCall(f"offline-{name}", tool, json.dumps(arguments, ensure_ascii=False))


def _keywords(question: str) -> Iterator[str]:
    """The words to look for, and the beginning that their other forms share."""
    for term in telling(question):
        yield term.surface
        if term.key != term.surface:
            yield term.key


def _days(scene: Scene) -> dict[str, str]:
    """The slices that recall points at, best first, with their local days."""
    days: dict[str, str] = {}
    for result in scene.of("recall"):
        try:
            hits = json.loads(result.text).get("hits", [])
        except (ValueError, AttributeError):
            continue
        days |= {hit["slice_id"]: hit.get("date", "") for hit in hits if isinstance(hit, dict) and "slice_id" in hit}
    return days


def _chosen(scene: Scene) -> list[Found]:
    """What to quote: the conversation at hand where it holds the answer, and the slices that were read."""
    question = topic(scene.asked)
    here = {str(at): [Spoken("user", text)] for at, text in enumerate(scene.earlier) if not is_question(text)}
    near = choose(question, here, small=True)
    now = [Found("", one.passages[:1]) for one in near if one.passages[0].covers >= _HERE]
    ranked = list(_days(scene))
    talks: dict[str, list[Spoken]] = {slice_id: [] for slice_id in ranked}
    for result in scene.results:
        slice_id = str(result.arguments.get("sliceId", ""))
        if slice_id in talks:
            talks[slice_id] += notes_of(result.text) if result.tool == "readSliceSummary" else turns_of(result.text)
    then = {one for window in scene.of("readTimelineWindow") for one, _ in listed_in(window.text)}
    past = choose(question, talks)
    of_then = [one for one in past if one.slice_id in then]
    if of_then and of_then[0].score >= _BESIDE * past[0].score:
        past = of_then  # the time may also be what the talk was about, not when it was
    past.sort(key=lambda one: -one.score * (1 - _BEHIND * ranked.index(one.slice_id)))
    good = [one for one in past if one.score >= _BESIDE * past[0].score]
    return [shortened(one, fully=at == 0) for at, one in enumerate((now[:1] + good)[:_TALKS])]
