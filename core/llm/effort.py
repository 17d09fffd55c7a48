"""Thinking and effort in each provider's own words (original.md 2.15; seeds, Configuration)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Thinking = Literal["", "low", "medium", "high"]

BUDGETS: Final[Mapping[str, int]] = {"low": 4_000, "medium": 12_000, "high": 32_000}
"""Tokens to think with, for models that take a budget. The API refuses thinking without one, so "low" has one too."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a model takes: `adaptive` thinks by effort, not by budget; `none` and `minimal` are efforts it knows."""

    thinks: bool = True
    adaptive: bool = False
    none: bool = False
    minimal: bool = True


def options(provider: str, thinking: Thinking, traits: Traits) -> dict[str, Any]:
    """What is added to a request so that the model thinks as hard as that, or expressly not at all ("").

    A model that cannot think gets nothing: it would refuse the words.
    """
    if not traits.thinks:
        return {}
    return _WAYS.get(provider, _deepseek)(thinking, traits)


def _deepseek(thinking: Thinking, _: Traits) -> dict[str, Any]:
    """DeepSeek's words, which are also those for a provider that nobody knows."""
    if not thinking:
        return {"extra_body": {"thinking": {"type": "disabled"}}}
    return {"extra_body": {"thinking": {"type": "enabled"}, "reasoning_effort": thinking}}


def _anthropic(thinking: Thinking, traits: Traits) -> dict[str, Any]:
    if not thinking:
        return {"thinking": {"type": "disabled"}}
    if traits.adaptive:
        return {"reasoning_effort": thinking}
    return {"thinking": {"type": "enabled", "budget_tokens": BUDGETS[thinking]}}


def _openai(thinking: Thinking, traits: Traits) -> dict[str, Any]:
    least = "none" if traits.none else "minimal" if traits.minimal else "low"
    return {"reasoning_effort": thinking or least}


def _dashscope(thinking: Thinking, _: Traits) -> dict[str, Any]:
    budget = {"thinking_budget": BUDGETS[thinking]} if thinking else {}
    return {"extra_body": {"enable_thinking": bool(thinking), **budget}}


def _moonshot(thinking: Thinking, _: Traits) -> dict[str, Any]:
    return {"extra_body": {"thinking": {"type": "enabled" if thinking else "disabled"}}}


def _switched(thinking: Thinking, _: Traits) -> dict[str, Any]:
    """For litellm's own clients, which turn `none` into what the model takes."""
    return {"reasoning_effort": thinking or "none"}


def _always(thinking: Thinking, _: Traits) -> dict[str, Any]:
    """For models that cannot stop thinking: as little as they can."""
    return {"reasoning_effort": thinking or "low"}


_WAYS: Final[Mapping[str, Callable[[Thinking, Traits], dict[str, Any]]]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "custom": _openai,
    "google": _switched,
    "mistral": _switched,
    "xai": _always,
    "groq": _always,
    "dashscope": _dashscope,
    "moonshot": _moonshot,
}
