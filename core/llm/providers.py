"""The nine providers: their addresses, and a few models of each that stand in when its own list cannot be had."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.config.values import ALIASES

if TYPE_CHECKING:
    from collections.abc import Mapping

CUSTOM: Final = "custom"
"""The provider behind a base URL of one's own: any server that speaks OpenAI's protocol."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A model that may be chosen; `size` is how many tokens it takes (0: unknown), `thinks` whether it can think."""

    id: str
    provider: str
    size: int = 0
    thinks: bool = True


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider is reached: `base` for answers ("" leaves it to the client), `listing` for the list of models.

    `thinks` is what is believed of models that nobody described; `light` is the cheap one for work inside.
    """

    name: str
    listing: str
    base: str = ""
    thinks: bool = False
    light: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """What the settings give: keys by provider in the order of `PROVIDERS`, other addresses, and a server's key."""

    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    bases: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    """The names of the settings that hold the keys, by provider."""

    @property
    def providers(self) -> tuple[str, ...]:
        """Who can be asked, always in the same order (original.md 2.15)."""
        own = (CUSTOM,) if self.bases.get(CUSTOM) else ()
        return (*(name for name in PROVIDERS if self.keys.get(name, "").strip()), *own)


PROVIDERS: Final[Mapping[str, Provider]] = {
    one.name: one
    for one in (
        Provider("deepseek", "https://api.deepseek.com/models", "https://api.deepseek.com", True, "deepseek-v4-flash"),
        Provider("anthropic", "https://api.anthropic.com/v1/models", thinks=True, light="claude-haiku-4-5"),
        Provider("openai", "https://api.openai.com/v1/models", "https://api.openai.com/v1", light="gpt-5-mini"),
        Provider("moonshot", "https://api.moonshot.ai/v1/models", "https://api.moonshot.ai/v1"),
        Provider(
            "dashscope",
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/models",
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            light="qwen3.8-flash",
        ),
        Provider(
            "google",
            "https://generativelanguage.googleapis.com/v1beta/openai/models",
            light="gemini-3.5-flash-lite",
        ),
        Provider("mistral", "https://api.mistral.ai/v1/models", light="mistral-small-latest"),
        Provider("xai", "https://api.x.ai/v1/models", "https://api.x.ai/v1", light="grok-4.20-non-reasoning"),
        Provider(
            "groq",
            "https://api.groq.com/openai/v1/models",
            "https://api.groq.com/openai/v1",
            light="openai/gpt-oss-20b",
        ),
    )
}

CURATED: Final = (
    Entry("deepseek-v4-pro", "deepseek", 393_216),
    Entry("deepseek-v4-flash", "deepseek", 393_216),
    Entry("deepseek-v4-flash-vision-exp", "deepseek", 393_216),
    Entry("claude-sonnet-5", "anthropic", 200_000),
    Entry("claude-opus-4-8", "anthropic", 200_000),
    Entry("claude-haiku-4-5", "anthropic", 200_000),
    Entry("gpt-5.4", "openai", 1_050_000),
    Entry("gpt-5-mini", "openai", 272_000),
    Entry("kimi-k3", "moonshot", 1_048_576),
    Entry("kimi-k2.6", "moonshot", 262_144),
    Entry("qwen3.8-max", "dashscope", 991_808),
    Entry("qwen3.8-flash", "dashscope", 991_808),
    Entry("gemini-3.8-flash", "google", 1_048_576),
    Entry("gemini-3.5-flash-lite", "google", 1_048_576),
    Entry("mistral-large-4", "mistral", 1_048_576),
    Entry("mistral-small-latest", "mistral", 262_144),
    Entry("grok-4.7", "xai", 500_000),
    Entry("grok-4.20-non-reasoning", "xai", 1_000_000, thinks=False),
    Entry("openai/gpt-oss-120b", "groq", 131_072),
    Entry("openai/gpt-oss-20b", "groq", 131_072),
)
"""The default of each provider comes first (seeds, Configuration: the first curated one whose key is set)."""


def variable(access: Access, provider: str) -> str:
    """The name of the setting that holds the key of a provider, or would hold it."""
    return access.variables.get(provider) or ("PREVIOUSLY" if provider == CUSTOM else provider.upper()) + "_API_KEY"


def current(name: str) -> str:
    """The present name of a model that an older name means."""
    return ALIASES.get(name, name)
