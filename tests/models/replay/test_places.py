"""Which names are drawn, what stands around the cursor there, and what a name does in its file."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from editahead.syntax.language import by_id
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project
from editahead_models.publishing.ghost_text import is_right
from editahead_models.publishing.name_roles import ATTRIBUTE, IMPORT, IN_SCOPE, NEW, OTHER, NameRoles
from editahead_models.replay.places import CUT, LINE, DrawnPlace, draw, source_files
from editahead_models.replay.stretches import draw_stretches

PYTHON = by_id("python")
assert PYTHON is not None
CODE = b"""import os

def first(self, size):
    total = size + 1
    return total

def second(path):
    total_size = first(path)
    return os.sep, total_size.bit_length(), len(path)
"""


@pytest.mark.parametrize(
    "path",
    ["tests/a.py", "a/test_b.py", "a/b_test.go", "src/test/java/A.java", "a/BTest.java", "x/a.spec.ts", "conftest.py"],
)
def test_tests_are_passed_over(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path", ["a/contest.py", "latest/a.py", "Attest.java", "inspect.py", "a/testify.go", "Iterator.java"]
)
def test_files_that_are_no_tests_are_kept(path: str) -> None:
    assert not is_test(path)


def test_names_of_three_letters_are_drawn_without_self() -> None:
    files = [("a.py", CODE, PYTHON), ("tests/b.py", b"hidden_name = 1\n", PYTHON)]
    found = draw(files, 100, random.Random(0), names_only=True)
    names = {place.token for place in found}
    assert {"first", "size", "total", "path", "sep", "len"} <= names
    assert not names & {"self", "os", "hidden_name", "def", "return"}
    assert [place.start for place in found] == sorted(place.start for place in found)
    assert {place.situation for place in found} == {CUT, LINE}


def project(folder: Path, content: bytes) -> Project:
    folder.mkdir()
    (folder / "a.py").write_bytes(content)
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.autocrlf=false")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    return Project("o/p", folder, "HEAD", "MIT")


def test_files_with_the_line_ends_of_windows_give_the_places_of_those_of_unix(tmp_path: Path) -> None:
    unix, windows = (
        list(source_files(project(tmp_path / name, (CODE * 3).replace(b"\n", line_end)), "python"))
        for name, line_end in (("u", b"\n"), ("w", b"\r\n"))
    )
    for names_only in (True, False):
        drawn = draw(unix, 12, random.Random(1), names_only=names_only)
        assert len(drawn) == 12
        assert draw(windows, 12, random.Random(1), names_only=names_only) == drawn
    assert draw_stretches(windows, 1, random.Random(1)) == draw_stretches(unix, 1, random.Random(1)) != []


def test_a_file_with_other_carriage_returns_gives_no_place(tmp_path: Path) -> None:
    files = list(source_files(project(tmp_path / "a", (CODE * 3).replace(b"\n", b"\r\n") + b"# a\rb\n"), "python"))
    assert draw(files, 20, random.Random(1), names_only=True) == draw_stretches(files, 1, random.Random(1)) == []


def test_a_line_is_missing_from_the_cursor_on() -> None:
    start = CODE.index(b"size + 1")
    place = DrawnPlace("a.py", PYTHON, CODE, start, start + 4, True, LINE)
    assert place.before(2).endswith(b"total = si")
    assert place.missing(2) == "ze + 1"
    assert place.below.startswith(b"\n    return total")
    cut = DrawnPlace("a.py", PYTHON, CODE, start, start + 4, True, CUT)
    assert cut.below == b""
    assert cut.missing().startswith("size + 1\n    return total")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"os\n", IMPORT), (b"size)", NEW), (b"size + 1", IN_SCOPE), (b"total = ", NEW), (b"total\n", IN_SCOPE),
        (b"sep", ATTRIBUTE), (b"bit_length", ATTRIBUTE), (b"len", OTHER), (b"first(path)", IN_SCOPE),
    ],
)  # fmt: skip
def test_the_role_of_a_name(text: bytes, expected: str) -> None:
    start = CODE.index(text)
    name = text.decode().split("(")[0].rstrip(" )\n=+1").strip()
    assert NameRoles(CODE, PYTHON).role(start, name) == expected


def test_locals_of_other_functions() -> None:
    roles = NameRoles(CODE, PYTHON)
    inside = CODE.index(b"first(path)")
    found = {name: roles.is_local_elsewhere(inside, name) for name in ("size", "total", "path", "first", "os", "print")}
    assert found == {"size": True, "total": True, "path": False, "first": False, "os": False, "print": False}


@pytest.mark.parametrize(
    ("insert", "expected"),
    [("size", True), ("si", False), ("size + 1", True), ("size + 2", False), ("", False), ("size + 1\n    ", True),
     ("size + 1\n  ", False)],
)  # fmt: skip
def test_ghost_text_is_right_up_to_a_word_or_an_indentation(insert: str, expected: bool) -> None:
    assert is_right(insert, "size + 1\n    return total") is expected
