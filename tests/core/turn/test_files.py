"""Files that come with a message: kept beside it, or said not to be; the words are stored whatever happens."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from core.conversation import Attachment, Incoming
from core.errors import PlatformTrouble, TooLarge, Unavailable
from core.journal.open_turn import Waiting
from core.journal.records import In
from core.llm.base import Message
from core.owning.export import Exporter
from core.turn.burst import Burst
from core.turn.files import Files, ending
from tests.bot.living import WORDS, Living, living
from tests.doubles.echo_model import EchoModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.llm.base import Listen, ToolSpec
    from core.turn.parts import Fetch

JPEG = b"\xff\xd8\xff\xe0 beach \xff\xd9"
PNG = b"\x89PNG\r\n\x1a\n door"
OGG = b"OggS\x00 voice"
PHOTO = Attachment("beach.jpg", "image/jpeg", len(JPEG), "photo-handle")
VOICE = Attachment("voice-7.ogg", "audio/ogg", len(OGG), "voice-handle")
SONG = Attachment("song.mp3", "audio/mpeg", 0, "song-handle")
SLICE = "2026-03-09-1842"


@dataclass
class Seer:
    """A model that notes the pictures of every request."""

    name: str = "seer"
    seen: list[list[tuple[str, bytes]]] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_event: Listen) -> Message:
        self.seen.append([(image.media, image.data) for message in messages for image in message.images])
        assert not any(message.images for message in messages[:-1] if message.role != "tool")
        return Message("assistant", "I see.")


@dataclass
class Listener:
    """Writes every recording down as the same words, or fails."""

    text: str = "Call Dr. Sommer"
    name: str = "whisper-1"
    fails: bool = False
    heard: list[tuple[str, bytes]] = field(default_factory=list)

    async def transcribe(self, name: str, data: bytes) -> str:
        self.heard.append((name, data))
        if self.fails:
            raise Unavailable("down", key="model.server")
        return self.text


def tree(home: Living) -> dict[str, bytes]:
    """The kept files by their names."""
    return {path.rpartition("/")[2]: data for path, data in home.disk.tree().items() if "/files/" in path}


def burst(*files: Attachment, text: str = "look", deleted: bool = False) -> Burst:
    update = Incoming("tg:1:5", "telegram", "1", datetime(2026, 3, 9, tzinfo=UTC), text, attachments=files)
    changes = (In(replace(update, kind="deletion", text=""), "2026-03-09T18:43:00.000Z"),) if deleted else ()
    return Burst("turn01", (Waiting(In(update, "2026-03-09T18:42:00.000Z"), changes),))


async def test_a_file_stands_beside_its_turn_and_no_handle_of_the_platform_anywhere() -> None:
    async with living(EchoModel()) as home:
        home.world.files["photo-handle"] = JPEG
        await home.say("our beach", attachments=(PHOTO,))

    [turn] = [one for one in home.turns() if one.role == "user"]
    assert turn.text == f"[image/jpeg: beach.jpg](files/{turn.label}-1.jpg)\n\nour beach"
    assert tree(home) == {f"{turn.label}-1.jpg": JPEG}
    assert not any(b"photo-handle" in data for path, data in home.disk.tree().items() if path.startswith("memory/"))


async def test_a_file_that_cannot_be_fetched_costs_no_word_and_the_person_hears_of_it() -> None:
    async with living(EchoModel()) as home:
        await home.say("our beach", attachments=(PHOTO,))

    assert home.texts()[0] == ("user", "[image/jpeg: beach.jpg] (not kept: could not be fetched)\n\nour beach")
    assert "beach.jpg could not be fetched" in home.world.finals()[0]
    assert tree(home) == {}


async def test_a_file_beyond_what_the_platform_hands_out_is_said_to_be() -> None:
    async def refuse(update: Incoming, file: Attachment) -> bytes:
        raise TooLarge("Bad Request: file is too big")

    async with living(EchoModel()) as home:
        files = Files(replace(home.house.parts, fetch=refuse))
        large = Attachment("film.mp4", "video/mp4", 30 << 20, "x")
        told, notes = await files.keep(burst(large, replace(large, size=0)), SLICE, WORDS["en"])
        gone, others = await files.keep(burst(PHOTO), SLICE, WORDS["en"])

    line = "[video/mp4: film.mp4] (not kept: larger than 20 MB)"
    assert told.text == f"{line}\n\n{line}\n\nlook"
    assert notes == [
        "film.mp4 is larger than the 20 MB that I am handed here, so only its name is kept, with your words."
    ]
    assert gone.text.startswith("[image/jpeg: beach.jpg] (not kept: no longer to be had)")
    assert len(others) == 1


async def test_a_platform_that_hangs_or_crashes_does_not_hold_the_words_up() -> None:
    async def hang(update: Incoming, file: Attachment) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def crash(update: Incoming, file: Attachment) -> bytes:
        raise ValueError("a fault in an adapter")

    async with living(EchoModel()) as home:
        for fetch in (hang, crash):
            files = Files(replace(home.house.parts, fetch=fetch), each=0.01, whole=0.02)
            async with asyncio.timeout(5):
                told, notes = await files.keep(burst(*[PHOTO] * 5), SLICE, WORDS["en"])
            assert told.text.count("(not kept: could not be fetched)") == 5
            assert len(notes) == 1


async def test_what_failed_once_is_asked_for_again_and_what_is_kept_is_not() -> None:
    asked: list[str] = []

    async def shaky(update: Incoming, file: Attachment) -> bytes:
        asked.append(file.name)
        if len(asked) == 1:
            raise PlatformTrouble("a moment")
        return JPEG

    async with living(EchoModel()) as home:
        files = Files(replace(home.house.parts, fetch=shaky))
        first, _ = await files.keep(burst(PHOTO), SLICE, WORDS["en"])
        again, _ = await files.keep(burst(PHOTO), SLICE, WORDS["en"])

    assert first.text == again.text == "[image/jpeg: beach.jpg](files/turn01-1.jpg)\n\nlook"
    assert asked == ["beach.jpg", "beach.jpg"]


async def test_nothing_is_fetched_for_a_turn_that_crashed_with_its_files() -> None:
    async def never(update: Incoming, file: Attachment) -> bytes:
        raise AssertionError

    async with living(EchoModel()) as home:
        told, _ = await Files(replace(home.house.parts, fetch=never)).keep(
            burst(PHOTO), SLICE, WORDS["en"], fetch=False
        )

    assert told.text == "[image/jpeg: beach.jpg] (not kept: could not be fetched)\n\nlook"


async def test_a_file_of_a_message_that_was_taken_back_is_let_go_of() -> None:
    async def give(update: Incoming, file: Attachment) -> bytes:
        return JPEG

    async with living(EchoModel()) as home:
        files = Files(replace(home.house.parts, fetch=give))
        await files.keep(burst(PHOTO), SLICE, WORDS["en"])
        assert tree(home) == {"turn01-1.jpg": JPEG}
        told, notes = await files.keep(burst(PHOTO, deleted=True), SLICE, WORDS["en"])

    assert tree(home) == {}
    assert told.text == "[deleted] [image/jpeg: beach.jpg]\n\n[deleted] look"
    assert notes == []


async def test_something_else_where_files_belong_costs_no_word() -> None:
    async def give(update: Incoming, file: Attachment) -> bytes:
        return JPEG

    async with living(EchoModel()) as home:
        home.disk.plant("memory/episodic/slices/2026/03/09/1842/files", b"mine\n")
        told, notes = await Files(replace(home.house.parts, fetch=give)).keep(burst(PHOTO), SLICE, WORDS["en"])

    assert told.text == "[image/jpeg: beach.jpg] (not kept: something else stands in its place)\n\nlook"
    assert len(notes) == 1


async def test_an_edit_that_changes_nothing_but_the_platforms_data_adds_nothing() -> None:
    async with living(EchoModel()) as home:
        home.world.files |= {"photo-handle": JPEG}
        said = await home.say("our beach", attachments=(PHOTO,))
        before = home.texts()
        home.world.edit(said, "our beach")
        await home.idle()
        assert home.texts() == before
        home.world.edit(said, "your beach")
        await home.idle()

    assert home.texts()[0][1].startswith(before[0][1])
    assert home.texts()[0][1].endswith("your beach")


async def test_the_readable_pages_of_an_export_link_to_the_files_in_it() -> None:
    async with living(EchoModel()) as home:
        home.world.files["photo-handle"] = JPEG
        await home.say("our beach", attachments=(PHOTO,))
        parts, zone = home.house.parts, "UTC"
        exporter = Exporter(parts.storage, parts.slices, lambda: parts.clock.sleep(0))
        [part] = [one async for one in exporter.parts(WORDS["en"], zone, "2026-03-09T18:45:00.000Z")]

    with ZipFile(BytesIO(part.data)) as found:
        month = found.read("readable/2026-03.md").decode()
        [link] = re.findall(r"\[image/jpeg: beach\.jpg\]\(\.\./([^)]*)\)", month.partition("**Previously**")[0])
        assert found.read(link) == JPEG


# recordings


async def test_a_voice_message_is_the_persons_own_words_and_a_song_is_somebody_elses() -> None:
    listener = Listener()
    async with living(EchoModel()) as home:
        files = Files(
            replace(home.house.parts, fetch=_of({"voice-handle": OGG, "song-handle": b"ID3"}), hearing=listener)
        )
        told, notes = await files.keep(burst(VOICE, SONG, text=""), SLICE, WORDS["en"])

    assert told.text == (
        "[audio/ogg: voice-7.ogg](files/turn01-1.ogg)\nCall Dr. Sommer\n\n"
        "[audio/mpeg: song.mp3](files/turn01-2.mp3)\n> [quoted: song.mp3]\n> Call Dr. Sommer"
    )
    assert replace(told, said=told.text).own == "Call Dr. Sommer"
    assert listener.heard == [("turn01-1.ogg", OGG), ("turn01-2.mp3", b"ID3")]
    assert notes == []


async def test_a_recording_that_cannot_be_written_down_is_kept_and_the_person_hears_so() -> None:
    async with living(EchoModel()) as home:
        parts = replace(home.house.parts, fetch=_of({"voice-handle": OGG}), hearing=Listener(fails=True))
        told, notes = await Files(parts).keep(burst(VOICE), SLICE, WORDS["en"])
        assert tree(home) == {"turn01-1.ogg": OGG}

    assert told.text == "[audio/ogg: voice-7.ogg](files/turn01-1.ogg)\n\nlook"
    assert notes == [WORDS["en"]("media.mute", name="voice-7.ogg", model="whisper-1")]


async def test_without_a_model_for_it_the_person_is_told_once_a_slice_which_setting_is_missing() -> None:
    async with living(EchoModel()) as home:
        home.world.files["voice-handle"] = OGG
        for _ in range(2):
            await home.say("", attachments=(VOICE,))
        await home.say("", 20 * 60, attachments=(VOICE,))

    told = [text for text in home.world.finals() if "PREVIOUSLY_TRANSCRIBE" in text]
    assert len(told) == 2
    assert len(tree(home)) == 3


# pictures


async def test_the_model_sees_the_pictures_of_the_newest_turns_with_the_newest_message_alone() -> None:
    seer = Seer()
    async with living(seer) as home:
        home.world.files |= {"photo-handle": JPEG, "door": PNG, "lie": b"<html>"}
        await home.say("", attachments=(PHOTO,))
        await home.say("and this?", attachments=(Attachment("door.png", "image/png", 0, "door"),))
        await home.say("thanks", attachments=(Attachment("lie.jpg", "image/jpeg", 0, "lie"),))
        await home.say("and now?")
        await home.say("bye")

    beach, door = ("image/jpeg", JPEG), ("image/png", PNG)
    assert seer.seen == [[beach], [beach, door], [beach, door], [door], []]


async def test_more_pictures_than_there_is_room_for_are_left_out() -> None:
    seer = Seer()
    async with living(seer) as home:
        home.world.files |= {"photo-handle": JPEG, "huge": JPEG + bytes(4_000_000)}
        await home.say("", attachments=(Attachment("huge.jpg", "image/jpeg", 0, "huge"), *[PHOTO] * 6))

    assert [len(seen) for seen in seer.seen] == [4]
    assert all(data == JPEG for _, data in seer.seen[0])


@pytest.mark.parametrize(
    ("name", "media", "found"),
    [
        ("a.JPG", "image/jpeg", "jpg"),
        ("a.tar.gz", "application/gzip", "gz"),
        ("../../a.p/hp", "text/plain", "txt"),
        ("noending", "audio/ogg", "ogg"),
        ("a.endinglong", "x/y", "bin"),
        ("a.ö", "image/png", "png"),
    ],
)
def test_the_ending_is_the_names_own_if_memory_may_have_it(name: str, media: str, found: str) -> None:
    assert ending(Attachment(name, media)) == found


def _of(files: dict[str, bytes]) -> Fetch:
    async def fetch(update: Incoming, file: Attachment) -> bytes:
        return files[file.ref]

    return fetch
