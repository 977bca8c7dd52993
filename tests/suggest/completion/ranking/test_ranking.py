"""What the ranker is told: scopes, members, modules, the pool of candidates, features in their columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.completions import evidence
from editahead.suggest.completion.extra_names import NO_NAMES
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES, PlaceEvidence
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.completion.ranking.pool import can_stand
from editahead.suggest.completion.ranking.ranked import ListedCandidates, listed_candidates, order_by_value
from editahead.suggest.completion.ranking.scope_evidence import LineScopes
from editahead.suggest.context import place_at, read_cursor
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead.text.history import CoalescedEdit, HistoryView

from tests.growth import assert_linear
from tests.suggest.documents import document


class Told(NamedTuple):
    evidence: PlaceEvidence
    listed: ListedCandidates

    def row(self, text: str) -> dict[str, float]:
        row = self.listed.candidates[self.listed.texts.index(text)]
        return dict(zip(CANDIDATE_FEATURES, row.tolist()[: len(CANDIDATE_FEATURES)], strict=True))

    def place(self) -> dict[str, float]:
        return dict(zip(PLACE_FEATURES, self.listed.position.tolist()[: len(PLACE_FEATURES)], strict=True))


Ask = Callable[..., Told]


@pytest.fixture(scope="module")
def models() -> dict[str, LanguageModel]:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    found = {language: engine.language_model(language) for language in ("python", "java")}
    return {language: model for language, model in found.items() if model is not None}


@pytest.fixture
def told(models: dict[str, LanguageModel]) -> Ask:
    def ask(text: str, language_id: str = "python", path: Path | None = None, typed: str = "") -> Told:
        """What is told at the mark `|`."""
        before, _, after = text.partition("|")
        document = document_of(before + after, language_id, path, typed)
        model = models[language_id]
        place = place_at(document, len(before.encode()))
        reading = read_cursor(model, document, place, Cancel())
        found = evidence(model, reading, DocumentCaches[Line](words_of), document, place, Cancel(), with_ranking=True)
        assert found.ranking is not None
        return Told(found.ranking, listed_candidates(model, found, found.ranking))

    return ask


def document_of(text: str, language_id: str = "python", path: Path | None = None, typed: str = "") -> Document:
    language = by_id(language_id)
    assert language is not None
    buffer = Buffer(text.encode())
    edits = (CoalescedEdit(0, b"", typed.encode(), 0.0),) if typed else ()
    history = HistoryView(buffer, edits, None, 0)
    root = path.parent if path is not None else None
    syntax = SyntaxSnapshot.open(buffer, language)
    return Document("file:///a", path, language_id, 0, syntax, history, Settings(), root)


TWO = """import os

LIMIT = 3

def first(alpha, beta):
    gamma = alpha + beta
    return gamma

def second(delta):
    epsilon = delta
    return |
"""


def test_what_can_be_seen_and_what_cannot(told: Ask) -> None:
    scopes = told(TWO).evidence.scopes
    assert {"delta", "epsilon", "LIMIT", "first", "second", "os"} <= scopes.visible.keys()
    assert {"alpha", "beta", "gamma"} <= scopes.hidden
    assert scopes.visible["delta"].kind == "parameter"
    assert scopes.visible["delta"].distance < scopes.visible["LIMIT"].distance


def test_hidden_names_are_no_candidates_where_only_bound_names_can_stand(told: Ask) -> None:
    listed = told(TWO).listed
    assert not {"alpha", "beta", "gamma"} & set(listed.texts)
    assert {"delta", "epsilon", "LIMIT"} <= set(listed.texts)
    again = told(TWO.replace("return |", "alpha = 1\n    |"))  # a new local may have any name
    assert again.row("gamma")["hidden"] == 1


def test_a_block_goes_on_as_far_as_it_is_indented(told: Ask) -> None:
    inside = told("def f(a):\n    b = a\n    x = |\n")
    assert "a" in inside.evidence.scopes.visible
    behind = told("def f(a):\n    b = a\n\nx = |\n")
    assert "a" not in behind.evidence.scopes.visible
    assert "a" in behind.evidence.scopes.hidden
    method = told("class A:\n    def f(self, a):\n        return a\n\n    def g(self, c):\n        |\n")
    assert {"self", "c"} <= method.evidence.scopes.visible.keys()
    assert "a" in method.evidence.scopes.hidden


def test_names_used_below_and_bound_nowhere_come_first_among_new_ones(told: Ask) -> None:
    asked = told("def f(items):\n    |\n    for item in items:\n        total.append(item)\n    print(rest)\n")
    unbound = asked.evidence.scopes.unbound
    assert sorted(unbound, key=unbound.__getitem__) == ["total", "rest"]
    assert asked.row("total")["unbound"] == 1
    assert asked.row("total")["unbound_nearness"] == 1
    assert asked.row("rest")["unbound_nearness"] == pytest.approx(1 / 2)


def test_what_the_statement_assigns_is_marked(told: Ask) -> None:
    asked = told("count = 1\ncount = |\n")
    assert asked.row("count")["target"] == 1
    assert asked.row("count")["visible"] == 1


def test_members_of_a_class_of_the_file(told: Ask) -> None:
    text = """class Dog:
    legs = 4
    def __init__(self, name):
        self.name = name
    def bark(self): ...

class Puppy(Dog):
    def play(self): ...

def walk(dog: Puppy):
    dog.|
"""
    asked = told(text)
    assert {"legs", "name", "bark", "play", "__init__"} <= asked.evidence.scopes.members
    assert asked.row("bark")["member"] == 1
    assert asked.place()["receiver_known"] == 1
    assert asked.place()["slot_member"] == 1
    typing = text.replace("    def play(self): ...", "    def play(self):\n        self.|\n")
    mine = told(typing.replace("dog.|", "pass"))
    assert {"bark", "play", "name"} <= mine.evidence.scopes.members


def test_members_of_modules_and_of_imported_classes(told: Ask, tmp_path: Path) -> None:
    (tmp_path / "animals.py").write_text("class Cat:\n    def purr(self): ...\n\ndef make(colour, size): ...\n")
    here = tmp_path / "here.py"
    assert "join" in told("import os\nos.path.|\n", path=here).evidence.scopes.members
    assert "purr" in told("from animals import Cat\ncat = Cat()\ncat.|\n", path=here).evidence.scopes.members
    assert "purr" in told("from animals import Cat\n\ndef f(cat: Cat):\n    cat.|\n", path=here).evidence.scopes.members
    assert told("from animals import |\n", path=here).evidence.scopes.members == {"Cat", "make"}
    assert "animals" in told("import |\n", path=here).evidence.scopes.members
    assert {"colour", "size"} <= told("from animals import make\nmake(|\n", path=here).evidence.scopes.parameters
    inherits = told("from animals import Cat\nclass Kitten(Cat):\n    def f(self):\n        self.|\n", path=here)
    assert "purr" in inherits.evidence.scopes.members
    assert inherits.evidence.scopes.has_all_members


def test_what_is_imported_is_not_imported_again(told: Ask) -> None:
    assert "os" not in told("import os\nimport |\n").listed.texts
    assert "os" in told("import os\nfrom |\n").listed.texts
    assert "os" in told("import sys\nimport |\n").listed.texts


def test_where_a_base_is_not_found_nothing_is_ruled_out(told: Ask) -> None:
    asked = told("from nowhere import Base\nclass A(Base):\n    def f(self):\n        self.|\n")
    assert not asked.evidence.scopes.has_all_members
    assert asked.place()["receiver_known"] == 0
    assert asked.place()["receiver_known_in_part"] == 1


def test_files_that_are_left_alone_are_not_read(told: Ask, tmp_path: Path) -> None:
    (tmp_path / "my_secret.py").write_text("KEY = 1\n")
    (tmp_path / "plain.py").write_text("KEY = 1\n")
    here = tmp_path / "here.py"
    assert told("import plain\nplain.|\n", path=here).evidence.scopes.members == {"KEY"}
    assert told("import my_secret\nmy_secret.|\n", path=here).evidence.scopes.members is None


def test_parameters_of_what_is_called(told: Ask) -> None:
    asked = told("def paint(wall, colour=None): ...\n\npaint(|)\n")
    assert {"wall", "colour"} <= asked.evidence.scopes.parameters
    assert asked.row("colour")["parameter_of_callee"] == 1


def test_what_was_just_typed_is_recent(told: Ask) -> None:
    asked = told("value = 1\nother = 2\nprint(|)\n", typed="other = 2")
    assert asked.evidence.recent == {"other"}
    assert told("value = 1\nother = 2\nprint(other, |)\n", typed="other = 2").evidence.recent == set()


def test_java_scopes_and_members(told: Ask) -> None:
    text = """class Box {
  int width;
  int area(int depth) { int hidden = depth; return hidden; }
  int getWidth() { return |; }
}
"""
    asked = told(text, "java")
    assert "width" in asked.evidence.scopes.visible
    assert "hidden" in asked.evidence.scopes.hidden
    assert "hidden" not in asked.listed.texts
    mine = told(text.replace("return |;", "return this.|;"), "java")
    assert {"width", "area"} <= mine.evidence.scopes.members


def test_without_letters_in_common_nothing_is_listed(told: Ask) -> None:
    asked = told("alpha = 1\nprint(zzq|)\n")
    assert all(text.startswith("zzq") for text in asked.listed.texts)


def scopes_of(document: Document, mark: str = "@") -> LineScopes:
    place = place_at(document, document.syntax.buffer.data.index(mark.encode()))
    found = document_scopes(document, place)
    assert found is not None
    return found


def test_letters_of_a_line_change_nothing_and_cost_nothing() -> None:
    text = "def f(a):\n    b = a\n    @\n    return b\n"
    first = scopes_of(document_of(text.replace("@", "x @")))
    again = scopes_of(document_of(text.replace("@", "x = (b @")))
    assert again is first
    other = scopes_of(document_of(text.replace("return b", "return c")))
    assert other is not first
    assert "c" in other.evidence.unbound


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("def f(a):\n    if a @\n        b = a\n    return b\n", {"a", "b", "f"}),
        ("def f(a):\n    return a\n\ndef g(a, @):\n    b = a\n    return b\n", {"f"}),
        ("def f(a):\n    g(\n        a,\n        @\n    )\n    b = 1\n", {"a", "b", "f"}),
        ("class A:\n    def f(self):\n        @\n\n    def g(self, c): ...\n", {"self", "A"}),
        ("for x in y:\n    @\n", {"x"}),
        ("def f(a):\n    return a\n\n@\n\ndef g(b):\n    return b\n", {"f", "g"}),
    ],
)
def test_half_a_line_hides_nothing_of_what_stands_around_it(text: str, visible: set[str]) -> None:
    whole = scopes_of(document_of(text.replace("@", "0 @"))).evidence.visible.keys()
    assert visible <= whole
    broken = scopes_of(document_of(text.replace("@", "(((@"))).evidence.visible.keys()
    assert broken == whole


def test_of_far_code_only_the_names_are_read(told: Ask) -> None:
    far = "import json as js, os.path\nfrom a import (b, c as d)\nLIMIT: int = 3\nx == y\n\ndef far(p):\n    q = p\n"
    text = "# head\n" * 60 + far + "\n" + "pass\n" * 400 + "value = |\n"
    asked = told(text)
    assert {"js", "os", "b", "d", "LIMIT", "far"} <= asked.evidence.scopes.visible.keys()
    assert not {"p", "q", "x", "c", "a", "path"} & asked.evidence.scopes.visible.keys()
    assert asked.evidence.scopes.visible["far"].kind == "function"
    assert asked.evidence.scopes.visible["js"].kind == "import"


def test_names_that_a_body_uses_are_new_parameters(told: Ask) -> None:
    asked = told("def area(|):\n    return width * height\n")
    assert set(asked.evidence.scopes.unbound) == {"width", "height"}
    assert asked.place()["slot_parameter"] == 1


def test_names_of_the_line_itself_can_be_used_on_it(told: Ask) -> None:
    asked = told("rows = []\nfound = [row for row in rows if |]\n")
    assert asked.row("row")["visible"] == 1
    assert "found" not in told("x = 1\nfound = |\n").evidence.scopes.visible


def test_what_scopes_say_costs_what_the_file_is_long() -> None:
    def work(size: int) -> Callable[[], object]:
        document = document_of("def f(a):\n    b = a\n    return b\n" * size + "@")
        return lambda: scopes_of(document)

    assert_linear(work, 300)


def test_the_type_of_a_variable_of_another_function_tells_nothing(told: Ask, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("class Order:\n    def ship(self):\n        pass\n", encoding="utf-8")
    text = "from shop import Order\n\n\ndef first(item: Order):\n    {0}\n\n\ndef second(item):\n    {1}\n"
    path = tmp_path / "main.py"
    own, others = (told(text.format(*places), path=path) for places in (("item.|", "pass"), ("pass", "item.|")))
    assert own.evidence.scopes.members == {"ship"}
    assert others.evidence.scopes.members is None


def assert_read_once(text: str, typed: tuple[str, ...]) -> None:
    """With each of the texts typed at `{0}`, the scopes of the Java file are the same object."""
    scopes = []
    for letters in typed:
        document = document_of(text.replace("{0}", letters), "java")
        scopes.append(document_scopes(document, place_at(document, text.index("{0}") + len(letters))))
    assert scopes[0] is not None
    assert {"size", "width"} <= scopes[0].evidence.visible.keys()
    assert all(one is scopes[0] for one in scopes)


def test_in_a_language_of_braces_the_indentation_of_an_empty_line_is_not_read_anew() -> None:
    assert_read_once(
        "class A {\n    int width;\n\n    int get(int size) {\n{0}\n        return 1;\n    }\n}\n",
        ("", "  ", "        "),
    )


def test_letters_of_a_line_that_opens_a_block_are_not_read_anew() -> None:
    head = "class A {\n    int width;\n\n    int get(int size) {\n"
    text = head + "        if ({0}) {\n            return 1;\n        }\n        return 2;\n    }\n}\n"
    assert_read_once(text, ("", "s", "si"))


def test_a_name_bound_out_of_sight_is_worth_less_where_a_statement_begins() -> None:
    p_N = np.array([0.5, 0.3, 0.2], np.float32)
    texts = ["hidden", "seen", "return"]
    assert order_by_value(p_N, texts, {"return"}, None)[0] == [0, 1, 2]
    order, chances = order_by_value(p_N, texts, {"return"}, None, {"hidden"})
    assert order == [1, 0, 2]
    assert chances == sorted(chances, reverse=True)


def test_a_class_is_no_member_of_an_object() -> None:
    head = "import org.lib.Fact;\n\nclass Box {\n  void run(Config config) {\n    "
    for text, possible in (("config.‸();\n  }\n}\n", False), ("org.lib.‸;\n  }\n}\n", True)):
        made, at = document(head + text, "java")
        assert can_stand("Fact", place_evidence(made, place_at(made, at), NO_NAMES)) == possible
