"""Both plugins begin in the languages that the server has rules of names for; documents and recipes say so."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("editor_languages", ROOT / "scripts" / "editor_languages.py")
assert SPEC is not None
assert SPEC.loader is not None
WRITER = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(WRITER)


@pytest.mark.parametrize("path", [WRITER.MANIFEST, WRITER.EXTENSION, *WRITER.LUA, *WRITER.RECIPES], ids=str)
def test_the_files_name_the_languages_of_the_server(path: Path) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == WRITER.files()[path], "run python scripts/editor_languages.py"


def test_every_language_has_a_row_of_what_other_editors_call_it() -> None:
    from editahead.syntax.language import all_languages

    assert list(WRITER.ELSEWHERE) == [name for language in all_languages() for name in language.editor_ids]


def test_the_languages_that_editors_ask_for_are_known_to_the_server() -> None:
    from editahead.syntax.embedded import hosts
    from editahead.syntax.language import by_id

    assert {"python", "java", "typescript", "typescriptreact", "javascript", "go", "rust"} <= set(WRITER.editor_ids())
    assert all(by_id(name) is not None or name in hosts() for name in WRITER.editor_ids())
    assert set(hosts()) < set(WRITER.editor_ids())
