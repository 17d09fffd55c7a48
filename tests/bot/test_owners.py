from __future__ import annotations

import asyncio
import errno
import json
import logging
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from bot.house import ROOT
from bot.owners import OWNERS, WRONG, Claims, OwnersFile, welcome_page
from core.errors import DiskLost, DiskTrouble, Malformed
from core.i18n import load_words
from core.storage.os_disk import OsDisk
from core.storage.ram_disk import RamDisk
from tests.doubles.chat import plain
from tests.doubles.clock import ManualClock, settle
from tests.doubles.fault_disk import FaultDisk, refuse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from core.conversation import Surface
    from core.storage.disk import Disk

WORDS = load_words(ROOT / "locales")
LINK = "https://t.me/previously_bot?start="
MARA = "123456789"


class Desk:
    """An operator at the log of one process."""

    def __init__(self, disk: Disk | None = None, named: dict[Surface, str] | None = None, locale: str = "en") -> None:
        self.clock = ManualClock()
        self.told: list[str] = []
        self.disk = disk or ready(RamDisk())
        self.claims = Claims(OwnersFile(self.disk), self.clock, WORDS[locale], named or {}, self._tell)

    async def _tell(self, text: str) -> None:
        self.told.append(text)

    @property
    def code(self) -> str:
        """The code that was told last."""
        found = re.findall(r"(?:start=|/start )([\w-]{22})", self.told[-1])
        assert len(found) == 1
        return str(found[0])

    @asynccontextmanager
    async def open(self, surface: Surface = "telegram", link: str = LINK) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(self.claims.watch())
            self.claims.introduce(surface, "@previously_bot", link)
            await settle()
            yield
            watching.cancel()


def ready(disk: RamDisk) -> RamDisk:
    disk.make_folder("state")
    return disk


async def test_the_code_that_the_operator_saw_makes_its_sender_the_owner_once() -> None:
    desk = Desk()
    async with desk.open():
        code = desk.code
        assert desk.told == [desk.told[0]]
        assert LINK + code in desk.told[0]
        assert "TELEGRAM_OWNER_ID" in desk.told[0]
        assert desk.claims.owner("telegram") is None

        assert desk.claims.claim("telegram", MARA, code)

        assert desk.claims.owner("telegram") == MARA
        assert desk.claims.owner("discord") is None
        assert not desk.claims.claim("telegram", "987", code)
        assert desk.claims.owner("telegram") == MARA


async def test_without_a_link_the_code_is_typed() -> None:
    desk = Desk(locale="zh")
    async with desk.open("discord", ""):
        assert f"/start {desk.code}" in desk.told[0]
        assert "DISCORD_OWNER_ID" in desk.told[0]
        assert not re.search(r"[a-z]{4,} [a-z]{3,}", desk.told[0].replace("/start ", ""))


async def test_a_claim_lasts_beyond_the_process(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    first = Desk(OsDisk(tmp_path))
    async with first.open():
        assert first.claims.claim("telegram", MARA, first.code)

    second = Desk(OsDisk(tmp_path))
    async with second.open():
        assert second.claims.owner("telegram") == MARA
        assert second.told == []
    assert (tmp_path / OWNERS).stat().st_mode & 0o777 == 0o600
    assert [one.name for one in (tmp_path / "state").iterdir()] == ["owners.json"]
    assert json.loads((tmp_path / OWNERS).read_bytes()) == {"telegram": MARA}


async def test_a_second_surface_is_claimed_beside_the_first() -> None:
    disk = ready(RamDisk())
    first = Desk(disk)
    async with first.open():
        assert first.claims.claim("telegram", MARA, first.code)
    second = Desk(disk)
    async with second.open("discord", ""):
        assert second.claims.claim("discord", "42", second.code)

    assert OwnersFile(disk).load() == {"telegram": MARA, "discord": "42"}


async def test_an_owner_named_by_the_settings_goes_before_one_who_claimed_and_no_code_is_made() -> None:
    disk = ready(RamDisk())
    OwnersFile(disk).save({"telegram": "1"})
    desk = Desk(disk, {"telegram": MARA})

    async with desk.open():
        assert desk.claims.owner("telegram") == MARA
        assert desk.told == []
        assert not desk.claims.claim("telegram", "2", "")


async def test_a_code_dies_after_ten_minutes_and_another_one_is_told() -> None:
    desk = Desk()
    async with desk.open():
        old = desk.code
        await desk.clock.advance(599)
        assert len(desk.told) == 1
        await desk.clock.advance(1)

        assert not desk.claims.claim("telegram", MARA, old)
        assert desk.code != old
        assert desk.claims.claim("telegram", MARA, desk.code)
        await desk.clock.advance(3600)
        assert len(desk.told) == 2


async def test_a_code_is_dead_at_its_end_even_if_nobody_made_another(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk = Desk()
    async with desk.open():
        desk.clock.shift(600)

        assert not desk.claims.claim("telegram", MARA, desk.code)
        assert desk.code not in caplog.text


async def test_wrong_codes_end_the_claiming_until_the_next_start(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    async with desk.open():
        right = desk.code
        for wrong in ("", "x", right[:-1], right.upper(), "é\ud800", right + " ", "0" * 22)[: WRONG + 1]:
            assert not desk.claims.claim("telegram", MARA, wrong)

        assert not desk.claims.claim("telegram", MARA, right)
        await desk.clock.advance(3600)
        assert len(desk.told) == 1
        assert right not in caplog.text
        assert "5 wrong codes" in caplog.text

    again = Desk(desk.disk)
    async with again.open():
        assert again.claims.claim("telegram", MARA, again.code)


async def test_a_code_of_one_surface_does_not_open_another() -> None:
    desk = Desk()
    async with desk.open():
        assert not desk.claims.claim("discord", MARA, desk.code)
        assert desk.claims.claim("telegram", MARA, desk.code)


@pytest.mark.parametrize("person", ["", "@mara", "-100123", "١٢٣"])
async def test_nobody_without_a_numeric_id_becomes_the_owner(person: str) -> None:
    desk = Desk()
    async with desk.open():
        assert not desk.claims.claim("telegram", person, desk.code)
        assert desk.claims.claim("telegram", MARA, desk.code)


async def test_a_platform_that_connects_again_gets_no_second_code() -> None:
    desk = Desk()
    async with desk.open():
        desk.claims.introduce("telegram", "@previously_bot", LINK)
        await settle()

        assert len(desk.told) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"telegram": 5}', '{"telegram": "@mara"}'])
def test_a_file_of_owners_that_cannot_be_understood_is_never_taken_for_none(text: str) -> None:
    disk = ready(RamDisk())
    handle = disk.create(OWNERS)
    disk.write(handle, text.encode())
    disk.close(handle)

    with pytest.raises(Malformed, match="delete the file"):
        Desk(disk)


async def test_a_claim_that_the_disk_refuses_is_none_wherever_it_refuses_and_can_be_made_again() -> None:
    refused = 0
    for k in range(1, 30):
        disk = FaultDisk(ready(RamDisk()))
        desk = Desk(disk)
        async with desk.open():
            before = disk.operations
            disk.fail_at(before + k, refuse(errno.ENOSPC))
            claimed: bool | type[BaseException]
            try:
                claimed = desk.claims.claim("telegram", MARA, desk.code)
            except (DiskTrouble, DiskLost) as error:
                claimed = type(error)
            if claimed is True:
                break
            refused += 1
            assert (claimed is DiskLost) == disk.fuse.names[-1].startswith("sync")
            assert desk.claims.owner("telegram") is None
            disk.fail_at(0)
            assert desk.claims.claim("telegram", MARA, desk.code)
            assert OwnersFile(disk).load() == {"telegram": MARA}
    assert refused >= 5


async def test_the_new_owner_is_told_the_id_and_the_line_to_set() -> None:
    for locale in ("en", "zh"):
        page = plain(welcome_page("telegram", MARA, WORDS[locale]))

        assert f"`TELEGRAM_OWNER_ID={MARA}`" in page
