"""The one table of variables: name, default, effect; needs nothing installed, so that the installer can read it too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX: Final = "PREVIOUSLY_"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  hosts that set PORT reach the process from outside


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable; `effect` is a sentence for people, `extra` the optional packages that its feature needs."""

    name: str
    effect: str
    default: str = ""
    secret: bool = False
    extra: str = ""


def _key(name: str, provider: str) -> Variable:
    effect = f"Key for {provider}'s models. With any key set, what you say is sent to the provider of the chosen model."
    return Variable(name, effect, secret=True, extra="models")


_ALSO: Final = "Another name for GOOGLE_API_KEY; of the three, the first that is set counts."

VARIABLES: Final = (
    Variable(
        "STORAGE",
        "Where memory lives: local (a folder), github (a repository of yours, with a folder as its first copy) or demo "
        "(a built-in person, nothing is kept).",
        default="github when its three variables are set, else local with a folder or a platform token, else demo",
    ),
    Variable(
        "PREVIOUSLY_HOME",
        "The folder that holds your memory; it is created when missing. --home goes before it.",
        default="~/previously, when memory is local",
    ),
    Variable(
        "TELEGRAM_BOT_TOKEN",
        "Token of your Telegram bot. With it memory is kept, never demo by default.",
        secret=True,
        extra="telegram",
    ),
    Variable(
        "TELEGRAM_OWNER_ID",
        "Your numeric id on Telegram; the bot is silent to everybody else.",
        default="whoever opens the one-time link that is printed at the start",
    ),
    Variable(
        "TELEGRAM_BASE_URL",
        "Address of a Bot API server of your own, to which /bot and the token are added.",
        default="https://api.telegram.org",
    ),
    Variable(
        "TELEGRAM_FILE_URL",
        "Address of its files, to which /file/bot and the token are added.",
        default="the same as TELEGRAM_BASE_URL",
    ),
    Variable(
        "WEBHOOK_URL",
        "Public https address of this process; with it (and PORT) Telegram calls, instead of being asked.",
    ),
    Variable(
        "WEBHOOK_SECRET",
        "What Telegram must send with every call of the webhook.",
        default="made anew at each start",
        secret=True,
    ),
    Variable(
        "DISCORD_BOT_TOKEN",
        "Token of your Discord bot. With it memory is kept, never demo by default.",
        secret=True,
        extra="discord",
    ),
    Variable(
        "DISCORD_OWNER_ID",
        "Your numeric id on Discord (developer mode, Copy User ID); the bot is silent to everybody else.",
        default="whoever sends the one-time code that is printed at the start",
    ),
    Variable(
        "DISCORD_CHANNEL_ID",
        "A private channel in which the bot also answers you; it needs the message content intent.",
        default="direct messages only",
    ),
    Variable("DISCORD_API_URL", "Address of Discord's API, if it is not Discord's own."),
    Variable(
        "DISCORD_GATEWAY_URL", "Address of Discord's gateway (wss://...), if it is not the one that the API names."
    ),
    Variable(
        "GITHUB_TOKEN",
        "Token for the private repository that holds your memory: a fine-grained one, for that repository alone, with "
        "Contents read and write (docs/github.md).",
        secret=True,
        extra="github",
    ),
    Variable("GITHUB_REPO_OWNER", "Owner of the repository that holds memory on GitHub."),
    Variable("GITHUB_REPO_NAME", "Name of the repository that holds memory on GitHub."),
    Variable(
        "GITHUB_API_URL", "Address of GitHub's API, for a server of your company.", default="https://api.github.com"
    ),
    Variable(
        "PREVIOUSLY_PUBLIC",
        "yes allows a repository that everybody can read; without it nothing is pushed to one.",
    ),
    Variable(
        "PREVIOUSLY_ACK",
        "When a platform may forget a message: disk (it stands on this machine's disk) or push (it is on GitHub, for "
        "hosts whose disk does not last).",
        default="disk, or push when memory is on GitHub and no PREVIOUSLY_HOME is set",
    ),
    Variable(
        "PORT",
        "Port of /healthz, /readyz and Telegram's webhook; hosts of the Heroku kind set it themselves.",
        default="none: nothing listens",
    ),
    Variable("PREVIOUSLY_BIND", "Address on which PORT listens.", default=EVERYWHERE),
    Variable(
        "ACCESS_SECRET",
        "What a caller of PORT must send as the header x-access-key to be told more than ok.",
        default="nobody is told more",
        secret=True,
    ),
    _key("DEEPSEEK_API_KEY", "DeepSeek"),
    _key("ANTHROPIC_API_KEY", "Anthropic"),
    _key("OPENAI_API_KEY", "OpenAI"),
    _key("MOONSHOT_API_KEY", "Moonshot AI"),
    _key("DASHSCOPE_API_KEY", "Alibaba (DashScope)"),
    _key("GOOGLE_API_KEY", "Google"),
    Variable("GOOGLE_GENERATIVE_AI_API_KEY", _ALSO, secret=True, extra="models"),
    Variable("GEMINI_API_KEY", _ALSO, secret=True, extra="models"),
    _key("MISTRAL_API_KEY", "Mistral"),
    _key("XAI_API_KEY", "xAI"),
    _key("GROQ_API_KEY", "Groq"),
    Variable(
        "PREVIOUSLY_API_BASE",
        "Address of a server that speaks OpenAI's protocol (Ollama, vLLM, llama.cpp), as http://localhost:11434/v1; "
        "or PROVIDER=ADDRESS to reach a provider elsewhere. Several are parted by commas.",
        extra="models",
    ),
    Variable("PREVIOUSLY_API_KEY", "Key for the server at PREVIOUSLY_API_BASE, if it wants one.", secret=True),
    Variable(
        "PREVIOUSLY_CEILING",
        "What models may cost a day: 2.50 (US dollars) or 500k tokens. Near it only answers are paid for; beyond it "
        "answers come from memory alone until the next day.",
        default="no ceiling",
    ),
    Variable(
        "PREVIOUSLY_CONTEXT",
        "How many tokens a question to the model may have at most, by estimate: 8000 to 1000000. What memory adds and "
        "what work inside asks scales with it.",
        default="48000",
    ),
    Variable(
        "PREVIOUSLY_TRANSCRIBE",
        "The model that writes down voice messages, as PROVIDER/MODEL (openai/whisper-1), by that provider's key.",
        default="none: voice is kept as a file and you are told so",
    ),
    Variable("PREVIOUSLY_SEARXNG_URL", "Address of a SearXNG server, through which the model may search the web."),
    Variable(
        "BENCHMARK_BASE_URL",
        "Address of a folder with demo people of the original (manifest.json and their files); they are read when they "
        "are asked for.",
    ),
)

# Read by the tests alone, so they are known but stand in no table for people.
TESTING: Final = ("PREVIOUSLY_SAMPLES", "PREVIOUSLY_BENCH")

SHORTEST: Final = 6  # PORT lies one edit from too many words

# Real variables of other products that lie within one edit of ours.
FOREIGN: Final = frozenset({"ZAI_API_KEY"})


@dataclass(frozen=True, slots=True)
class Suspect:
    """A variable that is set but not read: `meant` is the known name that it resembles, or empty."""

    found: str
    meant: str


def suspects(names: Iterable[str]) -> list[Suspect]:
    """The set names that look like mistakes: one edit or the letter case away from ours, or with our prefix alone."""
    known = [*(variable.name for variable in VARIABLES), *TESTING]
    found = [_suspect(name, known) for name in sorted(set(names) - FOREIGN) if name not in known]
    return [suspect for suspect in found if suspect]


def _suspect(name: str, known: list[str]) -> Suspect | None:
    upper = name.upper()
    for candidate in known:
        if len(candidate) >= SHORTEST and within_one_edit(upper, candidate):
            return Suspect(name, candidate)
    if upper.startswith(PREFIX):
        return Suspect(name, "")
    for length in (len(PREFIX) - 1, len(PREFIX), len(PREFIX) + 1):
        head, rest = upper[:length], upper[length:]
        if rest and head.endswith("_") and within_one_edit(head, PREFIX):
            meant = PREFIX + rest
            return Suspect(name, meant if meant in known else "")
    return None


def within_one_edit(one: str, other: str) -> bool:
    """Whether at most one insertion, deletion, substitution or swap of neighbours leads from one to the other."""
    if one == other:
        return True
    start = _shared(one, other)
    left, right = one[start:], other[start:]
    swapped = len(left) > 1 and left[1::-1] + left[2:] == right
    return swapped or left[1:] == right or left == right[1:] or left[1:] == right[1:]


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def example() -> str:
    """The text of `.env.example`."""
    head = (
        "# Settings of Previously. Copy this file to .env beside it (or set the same names in the environment, which\n"
        "# goes before the file) and remove the # before what you set. Everything is optional.\n"
    )
    return head + "".join(_entry(variable) for variable in VARIABLES)


def _entry(variable: Variable) -> str:
    notes = [f"# {variable.effect}"]
    if variable.default:
        notes.append(f"# Default: {variable.default}.")
    if variable.secret:
        notes.append("# Secret: never shown, logged or stored in memory.")
    return "\n" + "\n".join(notes) + f"\n# {variable.name}=\n"
