"""What is fetched and what is not (reliability 4.3 and 4.6, lines 59 to 67; original.md 3.20, 253 and 255)."""

from __future__ import annotations

import gzip
import resource
from typing import TYPE_CHECKING

import pytest

from core.errors import Refused, TryAgain
from core.web.addresses import is_public
from core.web.fetch import HOPS, fetch
from core.web.http import HttpClient
from core.web.reply import BYTES
from core.web.urls import Provenance, found, sound
from tests.doubles.web import PUBLIC, Pages, endless, says, sends_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ANY = "0.0.0.0"  # noqa: S104 - it must be refused
PRIVATE = (
    "127.0.0.1", "127.255.255.254", ANY, "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.100.100.200", "100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "::1", "::", "::ffff:7f00:1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "fec0::1", "fe80::1", "fe80::1%eth0", "fc00::1",
    "fd00:ec2::254", "ff02::1", "::127.0.0.1", "2001:db8::1", "nonsense", "",
)  # fmt: skip
OPEN = (
    "93.184.216.34", "172.15.0.1", "172.32.0.1", "192.169.0.1", "8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808",
)  # fmt: skip
LOCAL = (
    "http://127.0.0.1/", "http://2130706433/", "http://0x7f000001/", "http://127.1/", "http://[::ffff:7f00:1]/",
    "http://0/", "http://0177.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data", "http://localhost/",
    "http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://127.0.0.1./", "http://[fe80::1%25eth0]/",
)  # fmt: skip
NO_PAGE = (
    "file:///etc/passwd", "gopher://host/", "data:text/html,hi", "ftp://host/x", "javascript:alert(1)", "//host/x",
    "http://user@host/", "http://user:word@host/", "http://host:22/", "http://host:6379/", "https://host:80/",
    "http:///path", "http://", "", "no address", "http://host/a b", "http://host/\n", "http://host\\@evil/",
    "http://[::1", "http://host:99999/", "http://host/" + "x" * 3_000,
)  # fmt: skip


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    made = Pages()
    await made.start()
    yield made
    await made.stop()


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_not_everybody_can_reach_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OPEN)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", LOCAL)
async def test_this_machine_and_its_network_are_never_fetched_in_whatever_spelling(url: str) -> None:
    with pytest.raises((Refused, TryAgain)):
        await fetch(HttpClient(), url)


@pytest.mark.parametrize("url", NO_PAGE)
async def test_what_is_no_plain_address_of_a_page_is_refused_before_anything_is_looked_up(
    pages: Pages, url: str
) -> None:
    with pytest.raises(Refused):
        await fetch(pages.client(), url)

    assert pages.looked == []


async def test_a_page_is_fetched_from_the_address_that_was_judged(pages: Pages) -> None:
    pages.pages["example.com/a"] = "<html><title>A</title><body><p>Hello there.</p><a href='/b?x=1'>b</a></body></html>"

    got = await fetch(pages.client(), "http://EXAMPLE.com/a#part")

    assert (got.url, got.page.title) == ("http://example.com/a", "A")
    assert "Hello there." in got.page.text
    assert got.page.links == ("http://example.com/b?x=1",)
    assert (pages.looked, pages.dialled) == (["example.com"], [PUBLIC])


async def test_a_name_that_changes_its_address_is_connected_to_where_it_was_judged(pages: Pages) -> None:
    pages.pages["rebind.test/"] = "<p>public</p>"
    pages.names["rebind.test"] = [[PUBLIC], ["127.0.0.1"]]

    await fetch(pages.client(), "http://rebind.test/")
    with pytest.raises(Refused):
        await fetch(pages.client(), "http://rebind.test/")

    assert pages.dialled == [PUBLIC]


@pytest.mark.parametrize("answer", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1"], ["fd00::1"]])
async def test_a_name_with_any_private_address_is_refused(pages: Pages, answer: list[str]) -> None:
    pages.names["inside.test"] = [answer]

    with pytest.raises(Refused):
        await fetch(pages.client(), "http://inside.test/")

    assert (pages.asked, pages.dialled) == ([], [])


async def test_an_unknown_name_is_told_to_the_model(pages: Pages) -> None:
    pages.names["nowhere.test"] = [[]]

    with pytest.raises(TryAgain):
        await fetch(pages.client(), "http://nowhere.test/")


@pytest.mark.parametrize(
    "target",
    ["http://169.254.169.254/", "http://127.0.0.1/", "http://[::1]/", "http://[fd00::1]/", "http://[fe80::1]/",
     "http://inside.test/", "file:///etc/passwd", "http://host:22/", "http://user@example.com/"],
)  # fmt: skip
async def test_a_redirect_is_judged_like_a_first_address(pages: Pages, target: str) -> None:
    pages.pages["example.com/"] = sends_to(target)
    pages.names["inside.test"] = [["10.0.0.1"]]

    with pytest.raises((Refused, TryAgain)):
        await fetch(pages.client(), "http://example.com/")

    assert pages.asked == ["http://example.com/"]
    assert pages.dialled == [PUBLIC]


async def test_relative_redirects_are_followed_three_times_and_no_more(pages: Pages) -> None:
    for n in range(5):
        pages.pages[f"example.com/{n}"] = sends_to(f"/{n + 1}")
    pages.pages["example.com/2"] = "<p>here</p>"

    assert (await fetch(pages.client(), "http://example.com/0")).url == "http://example.com/2"
    pages.pages["example.com/2"] = sends_to("/3")
    pages.asked.clear()
    with pytest.raises(Refused):
        await fetch(pages.client(), "http://example.com/0")
    assert len(pages.asked) == HOPS + 1


async def test_a_compressed_page_is_refused_and_never_unpacked(pages: Pages) -> None:
    bomb = gzip.compress(b"0" * 50_000_000, 9)
    pages.pages["example.com/"] = says(bomb, "text/html", **{"Content-Encoding": "gzip"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(Refused):
        await fetch(pages.client(), "http://example.com/")

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


async def test_a_page_without_an_end_is_read_to_the_limit(pages: Pages) -> None:
    pages.pages["example.com/"] = endless(b"<p>" + b"word " * 10_000)

    got = await pages.client().get("http://example.com/")

    assert (len(got.body), got.cut) == (BYTES, True)


async def test_a_page_that_drips_is_given_up(pages: Pages) -> None:
    pages.pages["example.com/"] = endless(b"x", 0.02)

    with pytest.raises(TryAgain, match="in time"):
        await fetch(pages.client(0.2), "http://example.com/", 0.3)


@pytest.mark.parametrize("media", ["application/octet-stream", "image/png", "application/pdf", "application/zip"])
async def test_only_text_is_fetched(pages: Pages, media: str) -> None:
    pages.pages["example.com/"] = says(b"MZ\x90", media)

    with pytest.raises(Refused, match="only text"):
        await fetch(pages.client(), "http://example.com/")


@pytest.mark.parametrize("media", ["text/plain", "application/json", "application/ld+json", "text/html; charset=nope"])
async def test_text_of_every_kind_is_read(pages: Pages, media: str) -> None:
    pages.pages["example.com/"] = says("grüße".encode(), media)

    assert "grüße" in (await fetch(pages.client(), "http://example.com/")).page.text


async def test_a_page_that_is_not_there_is_told(pages: Pages) -> None:
    with pytest.raises(TryAgain, match="404"):
        await fetch(pages.client(), "http://example.com/")


def test_addresses_are_found_in_sentences_without_the_marks_behind_them() -> None:
    text = "See (https://example.com/a_(b)), <http://x.test/?q=1>. 和https://例.test/路。"

    assert found(text) == ["https://example.com/a_(b)", "http://x.test/?q=1", "https://例.test/路"]


def test_a_turn_may_fetch_what_was_named_and_links_of_a_page_on_its_own_site() -> None:
    known = Provenance()
    known.add(found("look at https://Example.com/page?id=3"))
    links = [
        "https://example.com/other",
        "https://example.com/page?id=3&q=memory",
        "https://evil.test/",
        "https://example.com/p?id=3",
    ]
    known.visited("https://example.com/page?id=3", [sound(link) for link in links])

    assert [known.knows(link) for link in links] == [True, False, False, True]
    assert known.knows("https://example.com/page?id=3#part")
    assert not known.knows("https://example.com/page?id=4")
    assert not known.knows("https://example.com:443@evil.test/")
