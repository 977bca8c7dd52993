"""What modules bring in and hand on, and what configurations say of paths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.environment.classes import by_language
from editahead.environment.classes.by_language import ScriptFiles
from editahead.environment.classes.class_files import FileFactsCache, ReferencingFile
from editahead.environment.classes.script_modules import ForeignName, read_config, read_script_file

from tests.growth import assert_linear

IMPORTED = {
    "import A, { B as C, type D } from './a';": {"A": "default", "C": "B", "D": "D"},
    "import type { A } from './a'": {"A": "A"},
    "import * as a from './a';": {"a": "*"},
    "import {\n  A, // first\n  B, /* last */\n} from './a';": {"A": "A", "B": "B"},
    "import Ä, { größe as Ö } from './a';": {"Ä": "default", "Ö": "größe"},
    "import './a'": {},
    "const a = await import('./a');": {},
}
EXPORTED = {
    "export { A, B as C } from './a';": {"A": ("./a", "A"), "C": ("./a", "B")},
    "export { default } from './a';": {"default": ("./a", "default")},
    "const A = 1;\nexport { A as B };": {"B": ("", "A")},
    "export default class A {}": {"default": ("", "A")},
    "export default { a, b };": {},
    "export type A = { a: 1 };": {},
    "export * as a from './a';": {"a": ("./a", "*")},
    "export type { A } from './a';": {"A": ("./a", "A")},
}
LONG = ["import {", "export {", "export default {", "export * ", "import a", "import type ", "export {a as b, c} "]


@pytest.mark.parametrize("text", IMPORTED)
def test_names_that_a_file_brings_in(text: str) -> None:
    assert read_script_file(text.encode()).imported == {
        name: ForeignName("./a", there) for name, there in IMPORTED[text].items()
    }


@pytest.mark.parametrize("text", EXPORTED)
def test_names_that_a_file_exports(text: str) -> None:
    assert read_script_file(text.encode()).exported == EXPORTED[text]


@pytest.mark.parametrize("part", LONG)
def test_reading_a_module_takes_time_by_its_length(part: str) -> None:
    def work(size: int) -> Callable[[], object]:
        data = part.encode() * size
        return lambda: read_script_file(data)

    assert_linear(work, 2_000)


@pytest.mark.parametrize("part", ["/*", "//", '"', ", ", ",\n", "\\", "{", "["])
def test_reading_a_configuration_takes_time_by_its_length(part: str) -> None:
    def work(size: int) -> Callable[[], object]:
        data = part.encode() * size
        return lambda: read_config(data)

    assert_linear(work, 4_000)


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000, b'{"compilerOptions": 1, "extends": [1, "./a"]}'])
def test_a_configuration_may_be_anything(data: bytes) -> None:
    assert read_config(data).paths == ()


def test_so_many_modules_that_hand_on_a_name_are_read_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_language, "_MAX_FILES", 4)
    (tmp_path / "all.ts").write_text("".join(f"export * from './part{number}';\n" for number in range(12)))
    for number in range(12):
        (tmp_path / f"part{number}.ts").write_text(f"export class A{number} {{}}\n")
    data = b"import { Box } from './all';\n"
    source = ReferencingFile(tmp_path / "main.ts", tmp_path, "typescript", data, lambda name: ())
    facts = FileFactsCache(tmp_path, lambda path: True)
    facts.begin()
    assert len(list(ScriptFiles(facts).places(source, ("Box",), "./all"))) == 4
