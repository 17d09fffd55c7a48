"""What the value of a variable may be: types that refuse a wrong one with a sentence that says how to mend it."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, SecretStr

from core.llm.ceiling import parse_ceiling
from core.llm.providers import CUSTOM, PROVIDERS

TELEGRAM_TOKEN: Final = re.compile(r"\d+:[\w-]{30,}", re.ASCII)
ADDRESS: Final = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?")
HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")


def _unquoted(value: object) -> object:
    """The value without blanks around it; quotes around it are a mistake that copying from a shell leaves."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        raise ValueError("remove the quotes around the value")
    return text


def _visible(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", secret.get_secret_value()):
        raise ValueError("a token or key has only visible ASCII characters: copy it again, without blanks")
    return secret


def _telegram(secret: SecretStr) -> SecretStr:
    if not TELEGRAM_TOKEN.fullmatch(secret.get_secret_value()):
        raise ValueError(
            "a token of a Telegram bot is digits, a colon and 30 or more characters: copy it from BotFather"
        )
    return secret


def _webhook_secret(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[\w-]{16,256}", secret.get_secret_value(), re.ASCII):
        raise ValueError("Telegram takes 16 to 256 letters, digits, dashes and underscores: choose such a secret")
    return secret


def _guessable(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value()) < 16:  # noqa: PLR2004  the sentence says it
        raise ValueError("a secret shorter than 16 characters can be guessed: choose a longer one")
    return secret


def _one_of(*allowed: str) -> BeforeValidator:
    """One of these words, in any letter case."""

    def checked(value: object) -> object:
        text = _unquoted(value.lower() if isinstance(value, str) else value)
        if text not in allowed:
            raise ValueError(f"write {' or '.join(allowed)}, or remove the line")
        return text

    return BeforeValidator(checked)


def _number(least: int, most: int) -> BeforeValidator:
    """A whole number between two, both included."""

    def checked(value: object) -> object:
        text = _unquoted(value)
        digits = str(text)
        if not re.fullmatch(r"[0-9]{1,9}", digits) or not least <= int(digits) <= most:
            raise ValueError(f"write a whole number from {least} to {most}")
        return int(digits)

    return BeforeValidator(checked)


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
        raise ValueError("a name on GitHub has letters, digits, dots, dashes and underscores only, no address")
    return text


def _telegram_id(text: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]{0,15}", text):
        raise ValueError("an owner is named by the numeric id alone, as 123456789, not by @name or the id of a group")
    return text


def _discord_id(text: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]{14,19}", text):
        raise ValueError("an id on Discord is 15 to 20 digits: switch developer mode on and choose Copy ID")
    return text


def _link(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise ValueError("write an address as https://example.org, without a name, password, ? or # in it")
    return text.rstrip("/")


def _webhook(text: str) -> str:
    if not _link(text).startswith("https://"):
        raise ValueError("Telegram calls https addresses only: write https://...")
    return text.rstrip("/")


def _socket(text: str) -> str:
    if not re.fullmatch(r"wss?://[^\s/?#@]+(?:/[^\s#]*)?", text):
        raise ValueError("write the address of a gateway as wss://gateway.example.org")
    return text.rstrip("/")


def _host(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        if HOST.fullmatch(text):
            return text
    raise ValueError("name an address of this machine, as 127.0.0.1, without a port")


def _model(text: str) -> str:
    provider, found, model = text.partition("/")
    known = (*PROVIDERS, CUSTOM)
    if not found or not model.strip() or provider.lower() not in known:
        raise ValueError(f"write PROVIDER/MODEL, as openai/whisper-1; providers are {', '.join(known)}")
    return f"{provider.lower()}/{model.strip()}"


def parse_bases(text: str) -> dict[str, str]:
    """The addresses by provider; one without a provider is that of a server of one's own. Raises ValueError."""
    bases: dict[str, str] = {}
    for part in re.split(r"[\s,]+", text.strip()):
        name, found, rest = part.partition("=")
        provider, address = (name.strip().lower(), rest) if found and "/" not in name else (CUSTOM, part)
        if provider != CUSTOM and provider not in PROVIDERS:
            raise ValueError(f"{provider} is no provider; known are {', '.join(PROVIDERS)}")
        if not re.fullmatch(r"https?://[^\s/?#]+(?:/[^\s?#]*)?", address):
            raise ValueError("write addresses as http://localhost:11434/v1, or provider=https://...")
        if provider in bases:
            raise ValueError(f"there are two addresses for {provider}; leave one")
        bases[provider] = address.rstrip("/")
    return bases


def _bases(text: str) -> str:
    parse_bases(text)
    return text


def _ceiling(text: str) -> str:
    parse_ceiling(text)
    return text


_Plain = BeforeValidator(_unquoted)

Folder = Annotated[Path, _Plain]
Secret = Annotated[SecretStr, _Plain, AfterValidator(_visible)]
TelegramToken = Annotated[Secret, AfterValidator(_telegram)]
WebhookSecret = Annotated[Secret, AfterValidator(_webhook_secret)]
AccessSecret = Annotated[Secret, AfterValidator(_guessable)]
GitHubName = Annotated[str, _Plain, AfterValidator(_name)]
TelegramId = Annotated[str, _Plain, AfterValidator(_telegram_id)]
DiscordId = Annotated[str, _Plain, AfterValidator(_discord_id)]
Link = Annotated[str, _Plain, AfterValidator(_link)]
WebhookAddress = Annotated[str, _Plain, AfterValidator(_webhook)]
Socket = Annotated[str, _Plain, AfterValidator(_socket)]
Host = Annotated[str, _Plain, AfterValidator(_host)]
ModelName = Annotated[str, _Plain, AfterValidator(_model)]
Bases = Annotated[str, _Plain, AfterValidator(_bases)]
CeilingText = Annotated[str, _Plain, AfterValidator(_ceiling)]
Port = Annotated[int, _number(1, 65_535)]
Context = Annotated[int, _number(8_000, 1_000_000)]
Kind = Annotated[Literal["local", "github", "demo"], _one_of("local", "github", "demo")]
Ack = Annotated[Literal["disk", "push"], _one_of("disk", "push")]
Public = Annotated[Literal["yes"], _one_of("yes")]
