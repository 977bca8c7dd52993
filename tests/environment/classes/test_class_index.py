"""Classes of other files: what one question reads, and what is never opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.analysis.facts.facts import OuterType
from editahead.environment.classes import class_index
from editahead.environment.classes.by_language import CppFiles
from editahead.environment.classes.class_files import MAX_FILE_BYTES, FileFactsCache, ReferencingFile
from editahead.environment.classes.class_index import (
    MAX_PARSED_BYTES,
    ClassIndex,
    ClassMembers,
    names_of,
    read_declared,
)
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
        write(tmp_path, name, 2 * MAX_PARSED_BYTES // 3)
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
    write(tmp_path, "Large", MAX_FILE_BYTES + 10)
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


@pytest.mark.slow
def test_members_of_long_classes_cost_no_more_than_their_number(tmp_path: Path) -> None:
    def work(size: int) -> Callable[[], object]:
        rows = "".join(f"public:\n  int a{number};\n" for number in range(size))
        data = f"class A {{\n{rows}}};\n".encode()
        return lambda: read_declared(path, data, found, "A", files) if (found := names_of(path, data, files)) else None

    path, files = tmp_path / "a.h", CppFiles(FileFactsCache(tmp_path, lambda path: True))
    assert work(1)() is not None
    assert_linear(work, 1_000)


def test_classes_of_one_file_are_read_of_one_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[Path]()
    real = class_index.names_of
    monkeypatch.setattr(class_index, "names_of", lambda path, *rest: read.append(path) or real(path, *rest))
    names = [f"A{number}" for number in range(20)]
    header = tmp_path / "a.h"
    header.write_text("".join(f"struct {name} {{ int x; }};\n" for name in names), encoding="utf-8")
    place = ReferencingFile(tmp_path / "main.cpp", tmp_path, "cpp", b'#include "a.h"\n', lambda name: ())
    index = ClassIndex(tmp_path)

    def members(name: str) -> list[str]:
        found = index.members(place, OuterType((name,)), "")
        return list(found.levels) if found is not None else []

    assert [members(name) for name in names] == [["x"]] * len(names)
    assert read == [header]
    header.write_text("struct A0 { int y, z; };\n", encoding="utf-8")
    assert (members("A0"), members("A1")) == (["y", "z"], [])
    assert read == [header] * 2


@pytest.mark.slow
def test_trees_of_few_files_are_kept(tmp_path: Path) -> None:
    index = ClassIndex(tmp_path)
    for number in range(12):
        write(tmp_path, f"Class{number}", MAX_PARSED_BYTES // 3)
        index.begin()
        assert asked(index, tmp_path, f"Class{number}") is not None
    assert sum(read.size for read in index._files_read.values()) <= class_index._HELD
