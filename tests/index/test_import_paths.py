"""Quoted import paths of a file: which are read, the form in which they are kept, and what that costs."""

from __future__ import annotations

import time

import pytest
from editahead.index.import_paths import as_written, read_path_imports, to_absolute_path
from editahead.index.lexicon import lexicon_of
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

GO = b"""package shop // import "shop"

import "os"

import (
\t"fmt"
\ttext "strings" // of names

\t. "github.com/shop/prices/v2"
)

const greeting = `
"not a path"
`

func main() { fmt.Println("shop") }
"""
SCRIPT = b"""import React, { useState as state, type Props } from "react";
import './style.css'
import type { Price,
  Currency as Unit } from "../lib/prices.js"
const fs = require('fs')
export * from "./all"
export async function total() {}
export default class Order {}
export const [a, b] = pair, text = "import"
"""
INCLUDE = b"""#include <stdio.h>
 # include "shop/price.h"
// #include "old.h"
int main() { puts("#include"); }
"""


def test_paths_of_go() -> None:
    read = read_path_imports(GO, "go", "shop/main.go")
    assert [path for path, _ in read.imports] == ["os", "fmt", "strings", "github.com/shop/prices/v2"]


def test_paths_and_names_of_scripts() -> None:
    read = read_path_imports(SCRIPT, "javascript", "src/ui/order.ts")
    assert [path for path, name in read.imports if not name] == [
        "react", "/src/ui/style.css", "/src/lib/prices.js", "fs", "/src/ui/all",
    ]  # fmt: skip
    taken = {(path, name) for path, name in read.imports if name}
    assert {("react", "default React"), ("react", "useState"), ("react", "Props")} <= taken
    assert {("/src/lib/prices.js", "Price"), ("/src/lib/prices.js", "Currency")} <= taken
    assert not {name for _, name in taken} & {"state", "Unit", "type", "as"}
    assert set(read.declared) == {"total", "default Order"}


def test_paths_of_c_and_their_kind_of_quote() -> None:
    read = read_path_imports(INCLUDE, "c", "main.c")
    assert [path for path, _ in read.imports] == ["<stdio.h", '"shop/price.h']


@pytest.mark.parametrize("family", ["python", "java", "rust"])
def test_other_languages_have_none(family: str) -> None:
    assert read_path_imports(GO + SCRIPT + INCLUDE, family, "x") == ((), ())


PARTS = st.text("abz", min_size=1, max_size=3)


@given(st.lists(PARTS, max_size=3), st.lists(st.one_of(PARTS, st.just("..")), min_size=1, max_size=4))
def test_a_relative_path_means_the_same_file_from_any_folder(folder: list[str], parts: list[str]) -> None:
    where = "/".join([*folder, "own.ts"])
    kept = to_absolute_path("./" + "/".join(parts), where, "javascript")
    assert kept.startswith("/")
    assert to_absolute_path(as_written(kept, where), where, "javascript") == kept


@given(st.binary(max_size=400), st.sampled_from(["go", "javascript", "c"]))
def test_any_bytes_are_read(data: bytes, family: str) -> None:
    for path, _ in read_path_imports(data, family, "a/b").imports:
        assert path


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("javascript", b"export "),
        ("javascript", b"import {a from "),
        ("javascript", b'from"'),
        ("go", b'"a" '),
        ("c", b"#"),
    ],
)
def test_reading_is_linear(family: str, text: bytes) -> None:
    def cost(size: int) -> float:
        data = text * (size // len(text))
        best = min(_seconds(data, family) for _ in range(5))
        return max(best, 1e-5)

    small, large = cost(8_000), cost(64_000)
    assert large < 40 * small  # eight times the text; a square would be 64


def _seconds(data: bytes, family: str) -> float:
    began = time.process_time()
    read_path_imports(data, family, "x")
    return time.process_time() - began


def table(files: dict[str, bytes], language_id: str) -> StreamTable:
    language = by_id(language_id)
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    streams = StreamTable(10_000)
    for where, text in files.items():
        finish(streams.read(where, Buffer(text), lexicon))
    return streams


def test_votes_leave_out_the_file_itself_and_count_its_neighbours() -> None:
    head = b'package a\nimport (\n\t"fmt"\n'
    files = {"a/one.go": head + b'\t"os"\n)\n', "a/two.go": head + b'\t"io"\n)\n', "b/three.go": b'import "io"\n'}
    imports = finish(table(files, "go").ngrams(files))["go"].imports
    votes = imports.path_votes({"fmt"}, "a/one.go")
    assert votes["fmt"].files == 1
    assert votes["io"].files == 2
    assert "os" not in votes  # no other file imports it
    assert votes["io"].alike > 0
    assert votes["io"].folder == 1.0


def test_an_import_that_changes_in_its_quotes_alone_is_read_again() -> None:
    language = by_id("go")
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    streams = StreamTable(10_000)
    for path in (b"os", b"io"):
        finish(streams.read("a.go", Buffer(b'package a\nimport "%s"\n' % path), lexicon))
    imports = finish(streams.ngrams({"a.go"}))["go"].imports
    assert set(imports.holders) == {"io"}
    finish(streams.read("a.go", None, lexicon))
    assert not finish(streams.ngrams({"a.go"}))["go"].imports.holders
