"""Crates as rust-analyzer is told of them, and names of which it cannot know all places."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead_models.evaluate.references.rust_references import crates, in_doubt, is_shorthand, unseen_in_macros

TEXT = """trait Shape { fn area(&self) -> u32; }
impl Shape for Square { fn area(&self) -> u32 { self.side } }
impl Square { fn side(&self) -> u32 { let shown = 1; println!("{shown}"); shown } }
fn make(x: u32) -> Square { let y = x; log!(y); Square { side: y, x } }
"""


def place(word: str, nth: int = 0) -> tuple[int, int]:
    """Line and column of a word, or of a later one."""
    at = -1
    for _ in range(nth + 1):
        at = TEXT.index(word, at + 1)
    return TEXT.count("\n", 0, at) + 1, at - TEXT.rfind("\n", 0, at) - 1


@pytest.mark.parametrize(
    ("word", "doubt"),
    [("area", True), ("area(&self) -> u32 {", True), ("side(", False), ("shown", True), ("y =", False)],
)
def test_names_of_traits_and_in_strings_are_in_doubt(word: str, doubt: bool) -> None:
    assert in_doubt(TEXT, *place(word)) is doubt


def test_a_name_in_a_macro_must_be_found_there() -> None:
    line, column = place("y =")
    assert unseen_in_macros(TEXT, "y", [[line, column]])
    assert not unseen_in_macros(TEXT, "y", [[line, column], [*place("y);")]])
    assert not unseen_in_macros(TEXT, "x", [])


def test_a_name_that_stands_alone_in_braces_is_a_field_too() -> None:
    assert is_shorthand(TEXT, *place("x }"))
    assert not is_shorthand(TEXT, *place("y, x }"))
    assert not is_shorthand("f(a, b, c)", 1, 5)


def test_crates_know_those_beside_them(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["*"]\n', encoding="utf-8")
    for name, more in (
        ("core-lib", ""),
        ("shell", '[dependencies]\ncore-lib = { path = "..", optional = true }\nlog = "1"\n'),
    ):
        folder = tmp_path / name / "src"
        folder.mkdir(parents=True)
        (folder / "lib.rs").touch()
        text = f'[package]\nname = "{name}"\nedition = "2021"\n{more}[features]\nfast = []\n'
        (tmp_path / name / "Cargo.toml").write_text(text, encoding="utf-8")
    (tmp_path / "shell/src/main.rs").touch()
    core, shell, program = crates(tmp_path)
    assert (core["deps"], shell["deps"]) == ([], [{"crate": 0, "name": "core_lib"}])
    assert program["deps"] == [{"crate": 0, "name": "core_lib"}, {"crate": 1, "name": "shell"}]
    assert program["root_module"] == str(tmp_path / "shell/src/main.rs")
    assert {'feature="fast"', 'feature="core-lib"'} <= {*shell["cfg"]}
