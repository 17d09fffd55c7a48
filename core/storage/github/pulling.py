"""Taking over what a person changed in the repository: only what differs is read, and every join is of three sides."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from core.clock import iso
from core.errors import Conflict, NotAFile, PathRefused, RepositoryTrouble
from core.storage.base import ABSENT, Delete, Write, version_of
from core.storage.github.forest import Forest, entry_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from core.storage.base import Change
    from core.storage.github.desk import Desk
    from core.storage.github.repository import Commit, Node

MANY: Final = 40
"""Files above which one tarball is read in place of single blobs."""
TOGETHER: Final = 100
"""Files that are written by one commit where nothing stands yet."""
RECENT: Final = 100
"""Files of a copied archive that are looked at for turns: the newest slices are among them."""
MOST_GONE: Final = 20
"""Files that may vanish at once before the owner is asked."""
TRIES: Final = 5


class Stopped(Exception):
    """Nothing more is pushed or taken over until the owner has decided; `why` is one of rewound, forced, emptied."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Pull:
    """Brings the local files, and what is known of the branch, up to a commit of it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._archive: Mapping[str, bytes] | None = None

    async def take(self, head: str, tag: str = "", *, trusting: bool = False) -> None:
        """Take over the commit `head`. With `trusting` its history is not looked at (the owner has decided).

        Raises `Stopped`, `RepositoryTrouble`, `StorageError`; what was taken over before stands, and doing it again is
        safe.
        """
        mirror, repository = self._desk.mirror, self._desk.repository
        self._archive = None
        commit = await repository.commit(head)
        if mirror.head and not trusting and commit.parents[:1] != (mirror.head,):
            await self._check_history(head)
        if len(mirror.files):
            theirs = {path: entry async for path, entry in self._differing(mirror.files, commit.tree)}
        else:
            theirs = await self._whole(commit)
        if not trusting:
            self._check_loss(theirs)
        await self._join_all(commit, theirs)
        mirror.note(head=commit.sha, tree=commit.tree, tag=tag, sent={})

    async def learn(self, commit: Commit) -> None:
        """Know what stands in a commit without taking anything over."""
        mirror = self._desk.mirror
        theirs = await self._whole(commit)
        mirror.note(head=commit.sha, tree=commit.tree, tag="", sent={}, files=theirs)

    async def _check_history(self, head: str) -> None:
        """Whether their commit grew out of ours; a rewound or rewritten branch is for the owner to judge."""
        match await self._desk.repository.relation(self._desk.mirror.head, head):
            case "behind":
                raise Stopped("rewound")
            case "diverged" | "missing":
                raise Stopped("forced")
            case _:
                return

    def _check_loss(self, theirs: Mapping[str, str | None]) -> None:
        gone = sum(entry is None for entry in theirs.values())
        if gone > MOST_GONE and 2 * gone > len(self._desk.mirror.files):
            raise Stopped("emptied")

    async def _whole(self, commit: Commit) -> dict[str, str | None]:
        """Everything in a commit, by one tarball; what an archive leaves out (links, ignored files) is asked for."""
        packed = await self._packed(commit)
        self._archive = {path: data for path, (_, data) in packed.items()}
        entries = {path: entry_of(mode, version_of(data)) for path, (mode, data) in packed.items()}
        rest = [found async for found in self._differing(Forest(entries), commit.tree)]
        return {**entries, **dict(rest)}

    async def _packed(self, commit: Commit) -> dict[str, tuple[str, bytes]]:
        """The commit's tarball; nothing where such are not offered, so that all is read by single requests."""
        try:
            return await self._desk.repository.tarball(commit.sha)
        except RepositoryTrouble as error:
            if error.kind != "missing":
                raise
            return {}

    async def _differing(self, files: Forest, tree: str) -> AsyncIterator[tuple[str, str | None]]:
        """What stands otherwise in their tree than we know, by descending into differing folders (reliability 3.4)."""
        todo = [("", tree)]
        while todo:
            path, sha = todo.pop()
            if files.tree_id(path) == sha:
                continue
            nodes = None if files.folder(path) else await self._desk.repository.tree(sha, whole=True)
            if nodes is None:
                nodes = await self._desk.repository.tree(sha) or ()
            prefix = f"{path}/" if path else ""
            for node in nodes:
                if node.folder:
                    todo.append((f"{prefix}{node.path}", node.sha))
                elif files.get(f"{prefix}{node.path}") != node.entry:
                    yield f"{prefix}{node.path}", node.entry
            for gone in _gone(files, path, nodes):
                yield gone, None

    async def _join_all(self, commit: Commit, theirs: Mapping[str, str | None]) -> None:
        desk, mirror = self._desk, self._desk.mirror
        mine = {path for path, entry in theirs.items() if path in mirror.sent and mirror.sent[path] == entry}
        if mine:
            mirror.note(turns=mirror.coming)
        rest = [path for path in theirs if path not in mine and desk.is_ours(path)]
        if len(rest) > MANY and self._archive is None:
            self._archive = {path: data for path, (_, data) in (await self._packed(commit)).items()}
        # What was forgotten is known before anything is joined (DESIGN 5).
        rest.sort(key=lambda path: path != desk.scribe.graves)
        done = set() if mirror.head else await self._copy(rest, theirs)
        for path in rest:
            if path not in done:
                await self._join(path, theirs[path])
                mirror.note(files={path: theirs[path]})  # so that a pull which breaks off has got somewhere
        if theirs:
            mirror.note(files=dict(theirs))
        desk.touched |= set(theirs)

    async def _copy(self, paths: Sequence[str], theirs: Mapping[str, str | None]) -> set[str]:
        """Write what is missing here, many files at once: for a disk on which nothing stands; the paths written."""
        wanted = [path for path in paths if theirs[path] in {version_of(data) for data in self._found(path)}]
        missing = [path for path in wanted if path != self._desk.scribe.graves and await self._desk.read(path) is None]
        done: set[str] = set()
        bulk = self._desk.bulk
        storage = bulk.storage if bulk else self._desk.local
        for start in range(0, len(missing), TOGETHER):
            some = missing[start : start + TOGETHER]
            with suppress(Conflict, PathRefused, NotAFile):  # then each is looked at by itself
                await storage.commit([Write(path, self._found(path)[0], ABSENT) for path in some], "copied")
                done |= set(some)
            await self._desk.clock.sleep(0)
        if bulk:
            bulk.flush()  # before the mirror says that they stand here
        for path in sorted(done)[-RECENT:]:
            self._recognise(path, self._found(path)[0])
        return done

    def _recognise(self, path: str, data: bytes) -> None:
        """Know the turns in their file as pushed, so that no later commit names them again."""
        turns = [one for one in self._desk.scribe.turns(path, data) if one not in self._desk.mirror.turns]
        if turns:
            self._desk.mirror.note(turns=turns)

    def _found(self, path: str) -> Sequence[bytes]:
        """The file in the archive, if it is there."""
        data = self._archive.get(path) if self._archive else None
        return () if data is None else (data,)

    async def _join(self, path: str, entry: str | None) -> None:
        """Make one local file what it and theirs are together; a turn that writes at the same moment is met again."""
        if entry and " " in entry:
            return  # a link or submodule is no file of memory
        for _ in range(TRIES):
            try:
                await self._try(path, entry)
            except Conflict:
                continue
            except (PathRefused, NotAFile):
                self._desk.tell("github.refused_name", path=path)
            return
        raise RepositoryTrouble("again", f"{path} keeps changing")

    async def _try(self, path: str, entry: str | None) -> None:
        desk = self._desk
        ours, known = await desk.read(path), desk.mirror.files.get(path)
        mine = None if ours is None else version_of(ours)
        if mine == entry:
            return
        theirs = await self._bytes(path, entry)
        if theirs is not None:
            self._recognise(path, theirs)
        at = iso(desk.clock.now())
        if mine == known:
            joined, aside = theirs, {}
        else:
            base = await self._base(known)
            found = desk.scribe.join(path, base, ours, theirs, at)
            joined, aside = found.data, dict(found.aside)
        graves = await desk.read(desk.scribe.graves)
        if joined is not None and graves:
            joined = desk.scribe.remains(path, joined, graves)
        changes: list[Change] = [Write(await self._free(place, data), data, ABSENT) for place, data in aside.items()]
        kept = [change.path for change in changes]
        if joined is None and mine is not None:
            changes.append(Delete(path, mine))
        elif joined is not None and joined != ours:
            changes.append(Write(path, joined, mine))
        await desk.local.commit(changes, f"joined {path}")
        desk.touched |= {change.path for change in changes}
        desk.rewoven = desk.rewoven or not desk.scribe.is_derived(path)
        for place in kept:
            desk.tell("github.aside", path=path, aside=place)

    async def _free(self, place: str, data: bytes) -> str:
        """The path itself, or with a number behind it when something else stands there."""
        stem, _, suffix = place.rpartition(".")
        found = place
        for number in range(2, 100):
            there = await self._desk.read(found)
            if there is None or there == data:
                break
            found = f"{stem}-{number}.{suffix}"
        return found

    async def _bytes(self, path: str, entry: str | None) -> bytes | None:
        if entry is None:
            return None
        for found in self._found(path):
            if version_of(found) == entry:
                return found
        return await self._desk.repository.blob(entry)

    async def _base(self, known: str | None) -> bytes | None:
        """What both sides began from; unknown when it is gone from the repository or never was there."""
        if known is None:
            return None
        try:
            return await self._desk.repository.blob(known)
        except RepositoryTrouble as error:
            if error.kind not in {"missing", "empty"}:
                raise
            return None


def _gone(files: Forest, path: str, nodes: Sequence[Node]) -> list[str]:
    """What we know in a folder and they no longer have."""
    known = files.folder(path)
    there = {node.path: node for node in nodes}
    prefix = f"{path}/" if path else ""
    gone = []
    for name, found in list(known.names.items()) if known else ():
        node = there.get(name)
        if isinstance(found, str):
            gone += [f"{prefix}{name}"] if node is None else []
        elif node is None or not node.folder:
            gone += [below for below, _ in files.below(f"{prefix}{name}")]
    return gone
