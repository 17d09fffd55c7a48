"""What the courier does when all is well, and when a person edits, GitHub refuses or the network is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.slices import forgotten
from core.slices.model import CARD_PATH, core_path, messages_path
from core.storage.base import ABSENT, Write, version_of
from core.storage.github.mirror import Mirror
from tests.core.storage.github.given import Replica
from tests.core.storage.github.talk import SLICE, Talker, turns

if TYPE_CHECKING:
    from tests.doubles.github.server import GitHubDouble

CORE = core_path(SLICE)
INDEX = "memory/episodic/timeline/index.json"


def titles(double: GitHubDouble) -> list[str]:
    return [commit.message.split("\n")[0] for commit in double.store.log()]


def edited(double: GitHubDouble, path: str, old: bytes, new: bytes) -> None:
    """A person's edit on the site."""
    data = double.store.read(path)
    assert data
    assert old in data
    double.store.push({path: data.replace(old, new)}, "edited by hand")


class TestQuiet:
    async def test_a_turn_is_one_commit_of_one_request_and_one_look(self, talker: Talker) -> None:
        double = talker.replica.double
        double.requests.clear()

        await talker.say("bbbbbb")
        await talker.replica.round()
        assert double.count("POST") == 0  # its words wait for the answer
        await talker.answer("bbbbbb")
        await talker.replica.round()

        assert [one.split()[0] for one in double.requests] == ["GET", "POST"]
        commit = double.store.log()[0]
        assert commit.message == f"Turn {SLICE} bbbbbb\n\nTurn-Id: bbbbbb"
        assert turns(double.store.read(CORE)) == ["aaaaaa user", "aaaaaa agent", "bbbbbb user", "bbbbbb agent"]

    async def test_by_rest_a_turn_is_three_writes_and_one_look(self, talker: Talker) -> None:
        double = talker.replica.double
        talker.replica.repository.graphql = False
        double.requests.clear()

        await talker.both("bbbbbb")
        await talker.replica.round()

        assert [one.split()[0] for one in double.requests] == ["GET", "POST", "POST", "PATCH"]
        assert double.store.read(CORE) == await talker.replica.data(CORE)

    async def test_where_graphql_is_refused_rest_takes_over(self, talker: Talker) -> None:
        double = talker.replica.double
        double.graphql = False

        await talker.both("bbbbbb")
        await talker.replica.round()

        assert not talker.replica.repository.graphql
        assert turns(double.store.read(CORE))[-1] == "bbbbbb agent"

    async def test_a_look_at_what_has_not_changed_costs_nothing_of_the_limit(self, talker: Talker) -> None:
        double, clock = talker.replica.double, talker.replica.clock
        clock.shift(400)
        await talker.replica.round()
        used = double.used

        clock.shift(400)
        await talker.replica.round()

        assert double.used == used

    async def test_turns_share_a_commit_when_the_pace_would_break_the_limits(self, talker: Talker) -> None:
        double = talker.replica.double
        await talker.both("bbbbbb")
        await talker.replica.courier.round()  # at once: too early for another push
        await talker.both("cccccc")
        await talker.replica.round()

        assert double.store.log()[0].message.endswith("and 1 more\n\nTurn-Id: bbbbbb\nTurn-Id: cccccc")

    async def test_indexes_go_along_at_birth_and_close_and_not_with_every_turn(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        await replica.storage.commit([Write(INDEX, b"{}", ABSENT)], "projections")
        await replica.round()
        assert double.store.read(INDEX) is None

        await talker.close("Plans for the harbour")
        await replica.round()

        assert double.store.read(INDEX) == b"{}"
        assert titles(double)[0] == f"Close {SLICE}: Plans for the harbour"

    async def test_the_commit_that_brought_a_change_of_the_card_is_known_also_to_the_next_process(
        self, talker: Talker
    ) -> None:
        replica, path = talker.replica, core_path(SLICE).replace("core.md", "evolution-1.md")
        await replica.storage.commit([Write(path, b"a change\n", ABSENT)], "care card")
        await replica.round(force=True)
        brought = replica.double.head()
        await talker.both("bbbbbb")
        await replica.round(force=True)

        assert replica.mirror.commit_of(path) == brought
        assert replica.mirror.commit_of(CORE) == ""
        replica.mirror.save()
        assert Mirror.open(replica.disk).commit_of(path) == brought

    async def test_no_title_tells_what_was_said(self, talker: Talker) -> None:
        await talker.say("bbbbbb", "my secret words")
        await talker.answer("bbbbbb", "a secret answer")
        await talker.close()
        await talker.replica.round()

        assert "secret" not in "".join(commit.message for commit in talker.replica.double.store.log())

    async def test_what_was_written_while_no_process_ran_is_pushed_by_the_next(self, talker: Talker) -> None:
        old = talker.replica
        await talker.both("bbbbbb")
        new = Replica(old.double, disk=old.disk)

        await new.courier.begin()
        await new.round()

        assert turns(old.double.store.read(CORE))[-1] == "bbbbbb agent"
        assert old.double.store.log()[0].message.endswith("Turn-Id: bbbbbb")
        new.close()

    async def test_a_lost_mirror_costs_a_comparison_and_not_a_word(self, talker: Talker) -> None:
        old = talker.replica
        await talker.both("bbbbbb")
        old.disk.remove("state/mirror.jsonl")
        new = Replica(old.double, disk=old.disk)

        await new.courier.begin()
        await new.round()

        assert turns(await new.data(CORE)) == turns(old.double.store.read(CORE))
        assert len(turns(await new.data(CORE))) == 4
        assert new.told == []
        new.close()


class TestPeople:
    async def test_an_edit_on_the_site_comes_to_the_disk(self, talker: Talker) -> None:
        edited(talker.replica.double, CORE, b"words of aaaaaa", b"other words")

        talker.replica.clock.shift(400)
        await talker.replica.round()

        assert b"other words" in (await talker.replica.data(CORE) or b"")
        assert talker.replica.desk.rewoven is False or talker.replica.courier.rewoven is None

    async def test_a_new_turn_and_an_edit_of_an_old_one_both_survive(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        edited(double, CORE, b"words of aaaaaa", b"other words")
        await replica.round(force=True)

        data = double.store.read(CORE) or b""
        assert data == await replica.data(CORE)
        assert b"other words" in data
        assert turns(data) == ["aaaaaa user", "aaaaaa agent", "bbbbbb user", "bbbbbb agent"]

    async def test_a_turn_that_a_person_took_away_does_not_come_back(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        data = double.store.read(CORE) or b""
        place = data.index(b"## Turn aaaaaa", data.index(b"## Turn aaaaaa") + 1)
        double.store.push({CORE: data[:place]})
        await replica.round(force=True)

        assert turns(double.store.read(CORE)) == ["aaaaaa user", "bbbbbb user", "bbbbbb agent"]

    async def test_a_slice_that_a_person_deleted_keeps_only_what_was_said_since(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        double.store.push({CORE: None})
        await replica.round(force=True)

        assert turns(double.store.read(CORE)) == ["bbbbbb user", "bbbbbb agent"]

    async def test_a_deletion_on_the_site_is_one_here(self, talker: Talker) -> None:
        replica = talker.replica
        replica.double.store.push({CORE: None})
        replica.clock.shift(400)
        await replica.round()

        assert await replica.data(CORE) is None

    async def test_two_edits_of_one_card_line_leave_both_versions_and_no_markers(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await replica.storage.commit([Write(CARD_PATH, b"# Card\n- a boat\n", ABSENT)], "care card")
        await replica.round()
        double.store.push({CARD_PATH: b"# Card\n- a red boat\n"})
        card = version_of(b"# Card\n- a boat\n")
        await replica.storage.commit([Write(CARD_PATH, b"# Card\n- a blue boat\n", card)], "care card")
        await replica.round(force=True)

        there = double.store.contents()
        aside = [path for path in there if ".conflict-" in path]
        assert there[CARD_PATH] == await replica.data(CARD_PATH) == b"# Card\n- a red boat\n"
        assert [there[path] for path in aside] == [b"# Card\n- a blue boat\n"]
        assert replica.told == [("github.aside", {"path": CARD_PATH, "aside": aside[0]})]
        assert not any(b"<<<<<<<" in data for data in there.values())

    async def test_files_of_others_stay_as_they_are(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.store.push({"README.md": b"mine", ".github/workflows/x.yml": b"on: push\n", "memory/Notes.md": b"n"})
        await talker.both("bbbbbb")
        await replica.round(force=True)

        assert double.store.read("README.md") == b"mine"
        assert double.store.read("memory/Notes.md") == b"n"
        assert replica.mirror.files.tree_id() == replica.mirror.tree

    async def test_a_forgotten_turn_never_comes_back_by_a_merge(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.store.push({CORE: (double.store.read(CORE) or b"").replace(b"answer to", b"reply to")})
        old = await replica.data(CORE) or b""
        place = old.index(b"## Turn")
        grave = forgotten.encode([forgotten.Forgetting("f1", "2026-03-09T18:50:00.000Z", ("aaaaaa",))])
        changes = [Write(CORE, old[:place], version_of(old)), Write(forgotten.PATH, grave, ABSENT)]
        await replica.storage.commit(changes, "care forget")
        await replica.round(force=True)

        assert turns(double.store.read(CORE)) == []
        assert turns(await replica.data(CORE)) == []

    async def test_what_one_disk_forgot_another_does_not_bring_back(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        grave = forgotten.encode([forgotten.Forgetting("f1", "2026-03-09T18:50:00.000Z", ("bbbbbb", "aaaaaa"))])
        data = double.store.read(CORE) or b""
        double.store.push({forgotten.PATH: grave, CORE: data[: data.index(b"## Turn")], messages_path(SLICE): None})
        await replica.round(force=True)

        assert turns(double.store.read(CORE)) == []
        assert b"bbbbbb" not in (double.store.read(messages_path(SLICE)) or b"")


class TestStops:
    async def test_a_rewound_branch_stops_the_pushing_and_the_owner_is_asked(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        await replica.round()
        rewound = double.store.log()[1].sha
        double.store.set_ref("refs/heads/main", rewound)

        await talker.both("cccccc")
        await replica.round(force=True)
        await replica.round(force=True)

        assert double.head() == rewound  # nothing was brought back
        assert len(turns(await replica.data(CORE))) == 6  # and nothing wiped
        assert replica.told == [("github.stopped.rewound", {"repository": "mara/memory"})]
        assert replica.courier.lag().stopped == "rewound"

    async def test_by_rest_too_a_rewound_branch_is_noticed_before_the_push(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        replica.repository.graphql = False
        await talker.both("bbbbbb")
        await replica.round()
        rewound = double.store.log()[1].sha
        double.store.set_ref("refs/heads/main", rewound)

        await talker.both("cccccc")
        await replica.round(force=True)

        assert double.head() == rewound
        assert replica.mirror.stopped == "rewound"

    async def test_a_rewritten_branch_stops_the_pushing(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        tree = double.store.log()[0].tree
        double.store.set_ref("refs/heads/main", double.store.write_commit(tree, [], "squashed"))

        await talker.both("bbbbbb")
        await replica.round(force=True)

        assert replica.mirror.stopped == "forced"

    async def test_a_vanished_branch_stops_the_pushing(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.store.set_ref("refs/heads/main", None)

        await talker.both("bbbbbb")
        await replica.round(force=True)

        assert (replica.mirror.stopped, double.head()) == ("emptied", None)
        assert len(turns(await replica.data(CORE))) == 4

    async def test_a_commit_that_deletes_most_of_memory_is_not_followed(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        notes = {f"memory/notes/n{number}.md": b"x" for number in range(30)}
        double.store.push(dict(notes))
        replica.clock.shift(400)
        await replica.round()
        assert await replica.data("memory/notes/n7.md") == b"x"

        double.store.push(dict.fromkeys(notes))
        replica.clock.shift(400)
        await replica.round()

        assert replica.mirror.stopped == "emptied"
        assert await replica.data("memory/notes/n7.md") == b"x"

    @pytest.mark.parametrize("theirs", [True, False], ids=["take theirs", "bring back ours"])
    async def test_the_owner_decides_and_it_goes_on(self, talker: Talker, theirs: bool) -> None:
        replica, double = talker.replica, talker.replica.double
        await talker.both("bbbbbb")
        await replica.round()
        double.store.set_ref("refs/heads/main", double.store.log()[1].sha)
        await talker.both("cccccc")
        await replica.round(force=True)

        await replica.courier.decide(theirs=theirs)
        await replica.round(force=True)

        said = {line.split()[0] for line in turns(double.store.read(CORE))}
        assert said == ({"aaaaaa", "cccccc"} if theirs else {"aaaaaa", "bbbbbb", "cccccc"})
        assert await replica.data(CORE) == double.store.read(CORE)
        assert replica.mirror.stopped == ""

    async def test_a_repository_that_became_public_gets_nothing_more_until_it_is_private(self, talker: Talker) -> None:
        replica, double = talker.replica, talker.replica.double
        double.private = False
        replica.clock.shift(4000)
        await talker.both("bbbbbb")
        head = double.head()
        await replica.round(force=True)
        assert (double.head(), replica.mirror.stopped) == (head, "public")
        assert replica.told == [("github.stopped.public", {"repository": "mara/memory"})]

        double.private = True
        replica.clock.shift(4000)
        await replica.round()

        assert turns(double.store.read(CORE))[-1] == "bbbbbb agent"
