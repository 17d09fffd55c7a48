from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import PathRefused
from core.storage.paths import (
    MAX_DEPTH,
    MAX_NAME,
    MAX_PATH,
    ancestors,
    check_file,
    check_folder,
    is_allowed,
    is_protected,
    parent,
    refuse_twin,
)

SLICE = "memory/episodic/slices/2026/03/09/1842"

# The numbers are the lines of reliability 4.6 (24 to 26 need a disk: test_os_disk).
REFUSED: list[tuple[str, object]] = [
    ("1 traversal", "../etc/passwd"),
    ("2 climbing out", "memory/../../etc/passwd"),
    ("2 climbing and coming back", "memory/../memory/a.md"),
    ("4 absolute", "/memory/a.md"),
    ("5 percent", "%2e%2e/etc"),
    ("5 percent inside", "memory/%2e%2e/a.md"),
    ("7 backslash", "memory\\..\\x"),
    ("8 drive", "C:/memory/a.md"),
    ("10 newline inside", "memory/a\n.md"),
    ("10 newline at the end", "memory/a.md\n"),
    ("11 full-width dots", "memory/\uff0e\uff0e/x"),
    ("12 one-dot leaders", "memory/\u2024\u2024/x"),
    ("13 right-to-left override", "memory/\u202egpj.md"),
    ("14 upper-case root", "Memory/a.md"),
    ("15 a root is no file", "memory"),
    ("16 git", "memory/.git/config"),
    ("16 git in upper case", "memory/.GIT/config"),
    ("16 git's short name", "memory/git~1/config"),
    ("18 trailing dot", "memory/a.md."),
    ("18 trailing space", "memory/a.md "),
    ("18 trailing dot of a folder", "memory/a./b.md"),
    ("19 alternate stream", "memory/a.md::$DATA"),
    ("20 name of 300", f"memory/{'a' * 300}"),
    ("20 name one too long", f"memory/{'a' * (MAX_NAME + 1)}"),
    ("20 path of 400", "memory/" + "/".join(["a" * 97] * 4)),
    ("20 path one too long", "memory/" + "a" * 97 + "/" + "b" * 96),
    ("20 50 levels", "memory/" + "/".join(["a"] * 49)),
    ("20 one level too deep", "memory/" + "/".join(["a"] * MAX_DEPTH)),
    ("21 lone surrogate", "memory/\ud800.md"),
    ("22 None", None),
    ("22 a number", 5),
    ("22 a list", ["memory/a.md"]),
    ("22 bytes", b"memory/a.md"),
    ("nothing", ""),
    ("a dot", "memory/."),
    ("dots", "memory/.."),
    ("empty name", "memory//a.md"),
    ("trailing slash", "memory/a/"),
    ("NUL", "memory/a\x00.md"),
    ("tab", "memory/a\t.md"),
    ("quote", 'memory/a".md'),
    ("star", "memory/*.md"),
    ("leading dash", "memory/-rf"),
    ("leading dot", "memory/.hidden"),
    ("our temp name", "memory/.a.md.12.0123abcd.tmp"),
    ("outside", "etc/passwd"),
    ("source", "src/app.py"),
    ("state", "state/journal.jsonl"),
    ("a longer root", "memory2/a.md"),
    ("Kelvin sign", "memory/\u212a.md"),
    ("long s", "memory/\u017f.md"),
    ("dotted I", "memory/\u0130.md"),
    ("dotless i", "memory/\u0131.md"),
    ("decomposed", "memory/e\u0301.md"),
    ("Arabic digits", "memory/\u0661.md"),
    ("upper-case name", "memory/Notes.md"),
    ("device", "memory/con"),
    ("device with extension", "memory/nul.md"),
    ("device as folder", "memory/aux/a.md"),
    ("numbered device", "memory/com1.txt"),
    ("device in upper case", "memory/CON"),
    ("attachment outside a slice", "memory/files/AbCdEf-1.jpg"),
    ("attachment of a task", "tasks/files/AbCdEf-1.jpg"),
    ("attachment without number", f"{SLICE}/files/AbCdEf.jpg"),
    ("attachment with upper-case extension", f"{SLICE}/files/AbCdEf-1.JPG"),
    ("attachment with a path", f"{SLICE}/files/Ab/CdEf-1.jpg"),
    ("attachment in digits of another script", "memory/episodic/slices/\u0662026/03/09/1842/files/AbCdEf-1.jpg"),
    ("attachment with a newline", f"{SLICE}/files/AbCdEf-1.jpg\n"),
    ("attachment with a second extension", f"{SLICE}/files/AbCdEf-1.jpg.exe"),
    ("upper-case folder beside files", f"{SLICE}/Files/AbCdEf-1.jpg"),
    ("conflict copy of an upper-case name", "memory/Core.conflict-20260309T184207.md"),
    ("conflict copy as a folder", "memory/core.conflict-20260309T184207.md/a.md"),
    ("conflict copy without a time", "memory/core.conflict-T.md"),
    ("conflict copy of a device", "memory/con.conflict-20260309T184207.md"),
]

ALLOWED = [
    "memory/a",
    "memory/notes/idea.md",
    "tasks/2026-03-09_call-the-bank.md",
    "sessions/1.json",
    f"{SLICE}/timeline/core.md",
    f"{SLICE}/timeline/agent.md",
    f"{SLICE}/timeline/messages.jsonl",
    f"{SLICE}/timeline/core.conflict-20260309T184207.md",
    f"{SLICE}/timeline/core.conflict-20260309T184207-2.md",
    f"{SLICE}/previously.md",
    f"{SLICE}/previously.conflict-20260309T184207.md",
    f"{SLICE}/files/q1W-_A-1.jpg",
    f"{SLICE}/files/-_AAAA-12.pdf",
    f"{SLICE}/files/CON-1.txt",
    "memory/episodic/slices/2026/03/09/1842.md",
    "memory/episodic/slices/2026/03/_index.json",
    "memory/episodic/strands.json",
    "memory/episodic/timeline/index-2025.json",
    "memory/episodic/current-previously.md",
    "memory/user/config.json",
    "memory/console.md",
    "memory/a..b",
    "memory/com10.md",
    f"memory/{'a' * MAX_NAME}",
    "memory/" + "/".join(["a"] * (MAX_DEPTH - 1)),
    "memory/" + "a" * 97 + "/" + "b" * 95,
]


@pytest.mark.parametrize("path", [path for _, path in REFUSED], ids=[name for name, _ in REFUSED])
def test_a_bad_path_is_refused_with_the_right_form(path: object) -> None:
    with pytest.raises(PathRefused, match=r"memory/notes/ideas\.md") as caught:
        check_file(path)

    message = str(caught.value)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 500


@pytest.mark.parametrize("path", [path for name, path in REFUSED if path != "memory"])
def test_a_bad_path_is_no_folder_either(path: object) -> None:
    with pytest.raises(PathRefused):
        check_folder(path)


@pytest.mark.parametrize("path", ALLOWED)
def test_a_good_path_comes_back_as_it_is(path: str) -> None:
    assert check_file(path) is path
    assert check_folder(path) is path
    assert is_allowed(path)


@pytest.mark.parametrize("root", ["memory", "tasks", "sessions"])
def test_a_root_is_a_folder_and_no_file(root: str) -> None:
    assert check_folder(root) == root

    with pytest.raises(PathRefused, match="a folder, not a file"):
        check_file(root)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (None, "not NoneType"),
        ("notes/a.md", "not below memory/"),
        ("memory/Notes/a.md", r"the name 'Notes'"),
        ("memory/" + "a/" * 20 + "b", "names deep"),
        ("memory/" + "a" * 300, "longer than"),
    ],
)
def test_the_refusal_says_what_is_wrong(path: object, reason: str) -> None:
    with pytest.raises(PathRefused, match=reason):
        check_file(path)


@given(st.text(max_size=60) | st.text(alphabet="memory/.AZaz09-_\\ :%~\n", max_size=40).map("memory/".__add__))
def test_whatever_passes_is_ascii_without_dots_at_the_ends_of_names(path: str) -> None:
    if not is_allowed(path):
        return

    names = path.split("/")

    assert set(path) <= set(string.ascii_letters + string.digits + "_.-/")
    assert names[0] in {"memory", "tasks", "sessions"}
    assert not any(name.startswith(".") or name.endswith(".") or not name for name in names)
    assert len(path) <= MAX_PATH


@pytest.mark.parametrize(
    ("path", "protected"),
    [
        ("memory/episodic/slices/2026/03/09/1842/timeline/core.md", True),
        ("memory/episodic/note.md", True),
        ("memory/user/config.json", True),
        ("memory/notes/_index.json", True),
        ("tasks/strands.json", True),
        ("memory/notes/strands.md", False),
        ("memory/episodic.md", False),
        ("memory/users/a.md", False),
        ("tasks/today.md", False),
        ("sessions/memory/user/a.md", False),
    ],
)
def test_what_the_system_keeps_is_protected(path: str, protected: bool) -> None:
    assert is_protected(path) is protected


def test_parents_and_ancestors_are_named_from_the_root_down() -> None:
    assert parent("memory/a/b.md") == "memory/a"
    assert parent("memory") == ""
    assert ancestors("memory/a/b.md") == ["memory", "memory/a"]
    assert ancestors("memory") == []


def test_a_twin_is_an_allowed_name_that_differs_by_case_alone() -> None:
    path = f"{SLICE}/files/AbCdEf-1.jpg"

    refuse_twin(path, ["AbCdEf-1.jpg", "abcdef-2.jpg", "ABCDEF-1.JPG"])
    with pytest.raises(PathRefused, match=r"abcdef-1\.jpg stands there already"):
        refuse_twin(path, ["other.txt", "abcdef-1.jpg"])


def test_a_foreign_name_in_another_case_is_no_twin() -> None:
    refuse_twin("memory/notes/readme.md", ["README.md", "Readme.md"])
