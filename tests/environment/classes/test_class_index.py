"""Classes of other files: what one question reads, and what is never opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.analysis.facts.facts import OuterType
from editahead.environment.classes.c_files import CppFiles
from editahead.environment.classes.class_index import MOST_PARSED, ClassIndex, ClassMembers
from editahead.environment.classes.declared_class import read_declared
from editahead.environment.classes.file_facts import LARGEST_FILE, FileFactsCache
from editahead.environment.classes.referencing_file import ReferencingFile
from editahead.environment.classes.rust_modules import RustModules, UsedPath, used_paths

from tests.growth import assert_linear


def asked(index: ClassIndex, root: Path, name: str) -> ClassMembers | None:
    place = ReferencingFile(root / "main.ts", root, "typescript", b"", lambda name: ())
    return index.members(place, OuterType((name,)), f"'./{name.lower()}'")


def write(root: Path, name: str, size: int = 0) -> None:
    text = f"export class {name} {{ {name.lower()} = 1 }}\n"
    (root / f"{name.lower()}.ts").write_text(text + "// filler\n" * (size // 10), encoding="utf-8")


def test_one_question_parses_so_much_and_no_more(tmp_path: Path) -> None:
    index = ClassIndex(tmp_path)
    for name in ("One", "Two"):
        write(tmp_path, name, 2 * MOST_PARSED // 3)
    index.begin()
    assert asked(index, tmp_path, "One") is not None
    assert asked(index, tmp_path, "Two") is None
    index.begin()
    found = asked(index, tmp_path, "Two")
    assert found is not None
    assert found.levels == {"two": 0}
    assert asked(index, tmp_path, "One") is not None  # remembered


def test_large_files_pipes_and_devices_are_left_alone(tmp_path: Path) -> None:
    index = ClassIndex(tmp_path)
    write(tmp_path, "Large", LARGEST_FILE + 10)
    os.mkfifo(tmp_path / "pipe.ts")
    (tmp_path / "zero.ts").symlink_to("/dev/zero")
    (tmp_path / "folder.ts").mkdir()
    for name in ("Large", "Pipe", "Zero", "Folder", "Missing"):
        index.begin()
        assert asked(index, tmp_path, name) is None


def test_what_may_not_be_read_is_not(tmp_path: Path) -> None:
    write(tmp_path, "Box")
    opened = list[Path]()

    def readable(path: Path) -> bool:
        opened.append(path)
        return False

    assert asked(ClassIndex(tmp_path, readable), tmp_path, "Box") is None
    assert tmp_path / "box.ts" in opened


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("use a::b::C;", [("a b C", "C")]),
        ("pub use crate::{a::{B, self}, c as d, e::*};", [
            ("crate a B", "B"), ("crate a", "a"), ("crate c", "d"), ("crate e *", "*"),
        ]),
        ("pub(crate) use super::x::{\n    A,\n    B as C,\n};", [("super x A", "A"), ("super x B", "C")]),
        ("let used = 1; // use a::b", []),
        ("use {a::B, c};", [("a B", "B"), ("c", "c")]),
        ("use a::{b::{", []),
    ],
)  # fmt: skip
def test_paths_of_use_statements(text: str, paths: list[tuple[str, str]]) -> None:
    assert used_paths(text.encode()) == [UsedPath(tuple(names.split()), known_as) for names, known_as in paths]


def test_modules_of_rust_that_hand_on_all_names_of_one_another_end(tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(30)]
    for name in names:
        (tmp_path / f"{name}.rs").write_text("".join(f"pub use crate::{other}::*;\n" for other in names))
    (tmp_path / "lib.rs").write_text("")
    asked_for = list[Path]()

    def used(path: Path) -> list[UsedPath]:
        asked_for.append(path)
        assert len(asked_for) <= len(names) + 1
        return used_paths(path.read_bytes())

    found = list(RustModules(tmp_path, lambda name: (), used).files(tmp_path / "m0.rs", ["A"]))
    assert {path for path, _ in found} == {tmp_path / f"{name}.rs" for name in names}


def test_members_of_long_classes_cost_no_more_than_their_number(tmp_path: Path) -> None:
    def work(size: int) -> Callable[[], object]:
        rows = "".join(f"public:\n  int a{number};\n" for number in range(size))
        data = f"class A {{\n{rows}}};\n".encode()
        return lambda: read_declared(tmp_path / "a.h", data, "A", files)

    files = CppFiles(FileFactsCache(tmp_path, lambda path: True))
    assert_linear(work, 1_000)
