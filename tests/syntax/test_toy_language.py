"""CONTRIBUTING's recipe for a new language: a grammar in a wheel, a definition, an entry in the registry."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import tree_sitter
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax import grammars, language
from editahead.syntax.language import by_id, by_path
from editahead.syntax.language_definition import Ancestors, Language, Role
from editahead.syntax.regions.quoting import quoting_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.string_syntax import StringPatterns
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

REPOSITORY = Path(__file__).resolve().parents[2]


def role_of(node: tree_sitter.Node, ancestors: Ancestors, field: str | None, data: bytes) -> tuple[Role, str | None]:
    """The file in `syntax/languages/` of a language in which only functions are declared."""
    declares = bool(ancestors) and ancestors[-1][0].type == "function_definition" and field == "name"
    return (Role.FUNCTION if declares else Role.USE), None


TOY = Language(id="toy", extensions=(".toy",), role_of=role_of, line_comment="#")
TEXT = "def total(values):\n    return values\n\n\ndef average(values):\n    return total(values) / len(values)\n"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Language]:
    (tmp_path / "tree_sitter_toy.py").write_text("from tree_sitter_python import language\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(language, "REGISTRY", (*language.REGISTRY, TOY))
    by_id.cache_clear()
    yield TOY
    by_id.cache_clear()
    grammars.load_grammar.cache_clear()
    sys.modules.pop("tree_sitter_toy", None)


def document(text: str, history: History | None = None) -> Document:
    buffer = Buffer(text.encode())
    view = (history or History(buffer, lambda: 0.0)).view()
    return Document("file:///a.toy", Path("/a.toy"), "toy", 1, SyntaxSnapshot.open(buffer, TOY), view, Settings())


def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def test_it_is_known_by_its_id_and_its_extension(toy: Language) -> None:
    assert by_id("toy") is toy
    assert by_path("src/a.toy") is toy


def test_its_names_have_the_roles_of_its_own_rules(toy: Language) -> None:
    syntax = document(TEXT).syntax
    declared = {token.text for line in range(6) for token in syntax.line_tokens(line) if token.role is Role.FUNCTION}
    assert declared == {"total", "average"}
    assert syntax.error_count() == 0


def test_it_gets_completions_of_its_own_words(toy: Language) -> None:
    text = TEXT + "x = aver"
    answer = engine().complete(document(text), len(text), Cancel())
    assert isinstance(answer, Shown)
    assert "average" in [item.label for item in answer.value.items]


@pytest.mark.skipif(not find_bundles(), reason="no bundle is shipped")
def test_it_gets_the_next_place_of_a_repeated_edit(toy: Language) -> None:
    text = "".join(f"a{n} = load({n})\n" for n in range(5))
    buffer = Buffer(text.encode())
    history = History(buffer, lambda: 0.0)
    for number in range(2):
        at = buffer.data.index(f"load({number})".encode()) + len("load(0")
        edit = ByteEdit(at, at, b", now")
        history.push(edit, buffer)
        history.settle(None)
        buffer = buffer.apply(edit)
    answer = engine().next_edits(document(buffer.text, history), 0, Cancel())
    assert isinstance(answer, Shown), answer
    assert {item.line for item in answer.value.items} == {2, 3, 4}


def test_the_recipe_names_the_places_that_the_toy_needs() -> None:
    recipe = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").split("- A language:")[1].split("\n- ")[0]
    assert "server/editahead/syntax/languages/" in recipe
    module = (REPOSITORY / "server/editahead/syntax/languages/python.py").read_text(encoding="utf-8")
    for name in ("SCOPE_TABLE", "STRING_PATTERNS"):
        assert f"`{name}`" in recipe
        assert f"\n{name} = " in module


def test_its_patterns_of_strings_are_part_of_its_definition() -> None:
    own = StringPatterns((rb"<[^>]*>",), before=rb"(?!x<)")
    found = quoting_of(replace(TOY, string_patterns=own))
    assert (found.before, found.string) == (own.before, own.patterns[0])
    assert found.comment == quoting_of(TOY).comment


def test_quotes_are_read_by_no_table_of_languages_that_have_a_module() -> None:
    modules = {path.stem for path in (REPOSITORY / "server/editahead/syntax/languages").glob("[a-z]*.py")}
    text = (REPOSITORY / "server/editahead/syntax/regions/quoting.py").read_text(encoding="utf-8")
    assert modules & set(re.findall(r"\w+", text.split('"""', 2)[2])) == {"lua"}  # quotes as in other languages
