from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.checks import parse_bases
from bot.models import SPENDING, DiskLedger, supply
from bot.settings import load
from core.config import Config
from core.errors import SettingsError
from core.i18n import load_words
from core.llm.base import Message, Usage, ignore
from core.llm.ceiling import Ceiling, Spending
from core.storage.memory import MemoryStorage
from core.storage.ram_disk import RamDisk
from tests.doubles.clock import ManualClock
from tests.tree import ROOT

if TYPE_CHECKING:
    from core.storage.disk import Disk

WORDS = load_words(ROOT / "locales")


def disk() -> Disk:
    made = RamDisk()
    if made.stat("state") is None:
        made.make_folder("state")
    return made


def test_the_first_of_googles_keys_counts() -> None:
    settings = load({"GEMINI_API_KEY": "g3", "GOOGLE_GENERATIVE_AI_API_KEY": "g2", "DEEPSEEK_API_KEY": "d"})

    assert settings.access().keys == {"deepseek": "d", "google": "g2"}
    assert settings.access().providers == ("deepseek", "google")


def test_recordings_are_written_down_by_the_model_that_is_named_for_it_and_by_none_else() -> None:
    clock, memory = ManualClock(), MemoryStorage()
    for named, found in (("OpenAI/whisper-1", "whisper-1"), ("custom/org/whisper", "org/whisper")):
        made = supply(load({"PREVIOUSLY_TRANSCRIBE": named}), clock, WORDS, Config(memory, clock))
        assert made.hearing is not None
        assert made.hearing.name == found
        made.shut()

    bare = supply(load({"OPENAI_API_KEY": "k"}), clock, WORDS, Config(memory, clock))
    assert bare.hearing is None
    bare.shut()


def test_a_server_of_ones_own_is_named_by_its_address() -> None:
    settings = load({"PREVIOUSLY_API_BASE": "http://localhost:11434/v1/", "PREVIOUSLY_API_KEY": "own"})

    access = settings.access()

    assert access.providers == ("custom",)
    assert (access.bases, access.keys) == ({"custom": "http://localhost:11434/v1"}, {"custom": "own"})


def test_providers_may_be_reached_elsewhere() -> None:
    found = parse_bases("anthropic=http://proxy:1/a, deepseek=https://proxy/d  http://localhost:1/v1?".rstrip("?"))

    assert found == {
        "anthropic": "http://proxy:1/a", "deepseek": "https://proxy/d", "custom": "http://localhost:1/v1",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["localhost:11434", "ftp://host", "nobody=http://host", "http://a http://b", "http://user name@x", "http://"],
)
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="PREVIOUSLY_API_BASE"):
        load({"PREVIOUSLY_API_BASE": text})


def test_the_ceiling_is_read_and_a_wrong_one_refused() -> None:
    assert load({"PREVIOUSLY_CEILING": "500k tokens"}).ceiling() == Ceiling(500_000.0, "tokens")
    assert load({}).ceiling() is None
    with pytest.raises(SettingsError, match="PREVIOUSLY_CEILING: write an amount"):
        load({"PREVIOUSLY_CEILING": "a lot"})


def test_no_key_shows_in_the_text_of_settings_or_access() -> None:
    settings = load({"OPENAI_API_KEY": "sk-hidden", "PREVIOUSLY_API_KEY": "own-hidden"})

    assert "hidden" not in f"{settings!r} {settings.access()!r}"
    assert set(settings.secrets()) == {"sk-hidden", "own-hidden"}


def test_the_ledger_keeps_the_newest_count_on_the_disk() -> None:
    held, clock = disk(), ManualClock()
    first = Spending(clock, DiskLedger(held))
    first.add(Usage(10, 5, 0, 0.5))
    first.add(Usage(10, 5, 0, 0.5))

    again = Spending(clock, DiskLedger(held)).today()

    assert (again.usd, again.tokens, again.calls) == (1.0, 30, 2)
    assert held.stat(f"{SPENDING}.new") is None


def test_a_half_written_count_of_an_earlier_process_is_in_nobodys_way() -> None:
    held = disk()
    held.close(held.create(f"{SPENDING}.new"))

    DiskLedger(held).save("{}")

    assert DiskLedger(held).load() == "{}"


async def test_without_a_key_nothing_is_asked_and_memory_answers() -> None:
    clock = ManualClock()
    made = supply(load({}), clock, WORDS, Config(MemoryStorage(), clock), disk())

    message = await made.models.main.complete([Message("user", "hello")], [], ignore)
    made.shut()

    assert message.text.startswith(WORDS["en"]("offline.intro.kept"))
    assert not made.models.configured
