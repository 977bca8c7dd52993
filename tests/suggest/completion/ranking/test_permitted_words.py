"""Where no name can stand: behind an operand, before a word, outside a class, in the head of a function."""

from __future__ import annotations

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.call_parameters import head_parameters
from editahead.suggest.completion.ranking.permitted_words import NOTHING, forbidden_words, permitted_words
from editahead.suggest.completion.ranking.slots import slot_at
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.suggest.documents import document

JAVA = "package a.b;\n\nimport java.util.List;\n\nclass Box {\n  int size;\n\n  "


def labels(engine: Engine, text: str, language_id: str = "python") -> list[str]:
    made, at = document(text, language_id)
    decision = engine.complete(made, at, Cancel())
    return [item.label for item in decision.value.items] if isinstance(decision, Shown) else []


def permitted(text: str, language_id: str = "python", *, at_top: bool = False) -> frozenset[str] | None:
    made, at = document(text, language_id)
    place = place_at(made, at)
    return permitted_words(place, slot_at(place.lines, language_id), language_id, at_top=at_top)


@pytest.mark.parametrize(
    "text",
    ["x = f(a)‸", "x = rows[0]‸", "x = f(2‸", "f('text'‸", "x = {1: 2}‸", "def f(a)‸", "def f(a) ‸", "class A(B) ‸"],
)
def test_nothing_stands_behind_an_operand_in_python(engine: Engine, text: str) -> None:
    assert permitted(text) == NOTHING
    assert labels(engine, f"import os\nsize = 1\n{text}") == []


@pytest.mark.parametrize(
    ("text", "word", "absent"),
    [
        ("x = f(a) ‸", "if", "from"), ("raise Wrong(a) ‸", "from", "as"), ("from os ‸", "import", "as"),
        ("with open(a) ‸", "as", "import"), ("x = [a for b ‸", "in", "as"), ("if a ‸", "and", "from"),
    ],
)  # fmt: skip
def test_keywords_go_on_behind_an_operand(text: str, word: str, absent: str) -> None:
    found = permitted(text)
    assert found is not None
    assert word in found
    assert absent not in found


@pytest.mark.parametrize(
    "text",
    ["x = ‸", "f(‸", "f(a, ‸", "match ‸", "x = not ‸", 'x = f"{‸', "x = f\"{a['b'] + ‸", "return ‸", "await ‸", "@‸",
     "x = a if ‸", "self.x‸", "x[‸", "x = 'a' + ‸", "x2‸",
     "class A:\n    x = (\n    def ‸"],
)  # fmt: skip
def test_names_stand_elsewhere_in_python(text: str) -> None:
    assert permitted(text) is None


@pytest.mark.parametrize(
    "text",
    ["foo(a)‸", "int x = rows[0]‸", 'foo("a"‸', "x = y + 2‸", "byte[‸", "new ArrayList<>(a)‸", "int x = foo('a'‸"],
)
def test_nothing_stands_behind_an_operand_in_java(engine: Engine, text: str) -> None:
    assert permitted(f"{JAVA}void run() {{ {text}", "java") == NOTHING
    assert labels(engine, f"{JAVA}void run() {{ {text}", "java") == []


@pytest.mark.parametrize(
    "text",
    ["int x = (int) ‸", "if (size > 0) ‸", "for (int i : all) ‸", "String[] ‸", "List<String> ‸", "Box ‸",
     "for (Box ‸", "run(Box ‸", "if (size instanceof Box ‸", "x = map(Box ‸",
     '@Foo("a") ‸', "@a.Foo(1) ‸", "return ‸", "new byte[‸", "x.foo(a).‸", "catch (Wrong e) ‸"],
)  # fmt: skip
def test_names_stand_elsewhere_in_java(text: str) -> None:
    assert permitted(f"{JAVA}{text}", "java") is None


@pytest.mark.parametrize("text", ["if (size ‸", "while (a.size ‸", "int x = size ‸", "return size ‸"])
def test_no_name_follows_a_value_in_java(text: str) -> None:
    assert permitted(f"{JAVA}void run() {{\n    {text}", "java") == frozenset(("instanceof",))


def test_a_method_of_java_may_throw(engine: Engine) -> None:
    assert labels(engine, f"{JAVA}public void run() t‸", "java")[:1] == ["throws"]
    assert "size" not in labels(engine, f"{JAVA}public void run() ‸", "java")


def test_modifiers_stand_before_a_type_and_a_name(engine: Engine) -> None:
    found = permitted(f"{JAVA}private ‸ String read(int size) {{}}", "java")
    assert found is not None
    assert "static" in found
    assert not {"private", "String"} & found
    assert "Box" not in labels(engine, f"{JAVA}private ‸ List<String> read(int size) {{}}\n}}\n", "java")
    assert permitted(f"{JAVA}private ‸ read(int size) {{}}", "java") is None


def test_outside_of_classes_java_begins_with_keywords(engine: Engine) -> None:
    head = "package a.b;\n\nimport java.util.List;\n‸\n\nclass Box {\n  List<String> all;\n}\n"
    assert labels(engine, head, "java")[:1] == ["import"]
    assert not {"List", "Box", "all"} & set(labels(engine, head, "java"))
    assert permitted("void main() {}\n‸", "java", at_top=True) is None  # a file without a class has no package


def test_nothing_is_listed_before_a_word(engine: Engine) -> None:
    text = "class Box:\n    ‸property\n    def size(self):\n        return 1\n"
    assert labels(engine, text) == []
    assert permitted("x = box.‸size") is None


def test_a_colon_behind_the_cursor_leaves_clauses() -> None:
    assert permitted("def f(a):\n    ‸:\n        pass\n") == frozenset(("try", "else", "finally", "except"))
    assert permitted("def f(a):\n    a‸:\n        pass\n") is None


def test_the_class_around_is_not_bound_while_its_body_runs(engine: Engine) -> None:
    body = "class Keeper:\n    def __init__(self, size: int = 1, owner: int = ‸"
    assert "Keeper" not in labels(engine, f"{body}):\n        self.size = size\n")
    several = (
        "class Keeper:\n    def __init__(\n        self,\n        size: int = 1,\n        owner: int = ‸,\n    ):\n"
    )
    assert "Keeper" not in labels(engine, f"{several}        self.size = size\n")
    assert "Keeper" in labels(engine, "class Keeper:\n    def copy(self):\n        return Ke‸\n")


@pytest.mark.parametrize("head", ["def run(size, depth=‸):", "def run(\n    size,\n    depth=‸,\n    height=2,\n):"])
def test_a_default_value_uses_no_parameter(engine: Engine, head: str) -> None:
    assert not {"size", "depth", "height"} & set(labels(engine, f"import os\nLIMIT = 2\n\n\n{head}\n    return size\n"))


def test_a_parameter_is_declared_once(engine: Engine) -> None:
    head = "def run(state, ‸, clinic):\n    return state + clinic + other\n"
    assert "other" in labels(engine, head)
    assert not {"state", "clinic"} & set(labels(engine, head))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(a, b: int = 2, *args, c=‸)", {"a", "b", "args", "c"}),
        ("async def f(\n    a: Map[str, int],\n    ‸\n    d: int = 1,\n    **more,\n):\n    e: int = 2\n", {"a", "d"}),
        ("def f(a: List[‸], b=1)", {"a", "b"}),
        ("def f[T](a: T, ‸)", {"a"}),
        ("f(a, b=‸)", None), ("def f(a, b=g(‸))", {"a", "b"}), ("def f(g(‸", set()), ("x = (a, ‸)", None),
    ],
)  # fmt: skip
def test_parameters_of_a_head(text: str, names: set[str] | None) -> None:
    made, at = document(text)
    found = head_parameters(place_at(made, at))
    assert found is None if names is None else found is not None and names <= found


def test_methods_alone_have_a_super_class(engine: Engine) -> None:
    function = "class Box:\n    pass\n\n\ndef run(size):\n    count = size + 1\n    ‸\n"
    assert not {"super", "self", "cls"} & set(labels(engine, function))
    assert "super" in labels(engine, "class Box(Other):\n    def run(self, size):\n        su‸\n")


def test_the_label_of_a_case_is_a_constant(engine: Engine) -> None:
    head = f"{JAVA}static final int LIMIT = 2;\n  int read(int rank) {{\n    int depth = rank;\n    switch (rank) {{\n"
    listed = labels(engine, f"{head}      case ‸:\n        return rank;\n    }}\n  }}\n}}\n", "java")
    assert not {"rank", "depth"} & set(listed)
    assert "rank" in labels(engine, f"{head}      case LIMIT:\n        return ‸;\n    }}\n  }}\n}}\n", "java")


@pytest.mark.parametrize("head", ["@Nullable Object ", "final @Nullable Object ", "void run(@a.b.Nullable Object "])
def test_a_name_follows_an_annotated_type(head: str) -> None:
    assert permitted(f"{JAVA}{head}‸", "java") is None
    assert permitted(f"{JAVA}Object item ‸", "java") == NOTHING


def test_a_name_may_stand_before_another_where_a_comma_can_follow() -> None:
    assert permitted("f(‸ other)") is None
    assert permitted("‸ one in many:") != NOTHING
    assert "one" not in (permitted("‸ one in many:") or ())


PYTHON_CLASS = "class Alpha:\n    def begin(self): ...\n    def other(self): ...\n\ndef f(a: Alpha | None, text):\n    "
SCRIPT_CLASS = "class Alpha {\n  begin() {}\n  other() {}\n}\nfunction f(text: string, a: Alpha) {\n  "


@pytest.mark.parametrize(
    ("text", "language_id"),
    [
        (f"{PYTHON_CLASS}a.‸\n", "python"), (f"{PYTHON_CLASS}x = a.‸\n    return x\n", "python"),
        (f"{SCRIPT_CLASS}a.‸;\n}}\n", "typescript"), (f"{SCRIPT_CLASS}const x = a.‸\n  return x;\n}}\n", "typescript"),
    ],
)  # fmt: skip
def test_behind_the_dot_of_a_known_class_stands_neither_a_keyword_nor_a_variable(
    engine: Engine, text: str, language_id: str
) -> None:
    found = labels(engine, text, language_id)
    assert {"begin", "other"} <= set(found)
    assert not {"def", "None", "class", "function", "text", "f", "a", "x"} & set(found)


def test_a_field_may_be_named_as_a_parameter_is(engine: Engine) -> None:
    assert "size" in labels(engine, "class Alpha:\n    def __init__(self, size):\n        self.‸\n")


@pytest.mark.parametrize(
    ("text", "language_id", "word"),
    [
        ("let x = file.aw‸", "rust", "await"), ("Object o = Box.cl‸", "java", "class"),
        ("promise.cat‸", "javascript", "catch"),
    ],
)  # fmt: skip
def test_some_keywords_stand_behind_a_dot(text: str, language_id: str, word: str) -> None:
    made, at = document(text, language_id)
    place = place_at(made, at)
    assert word not in forbidden_words(place, slot_at(place.lines, language_id), made.syntax.language)


def test_most_keywords_do_not_stand_behind_a_dot() -> None:
    made, at = document("x = a.‸", "python")
    place = place_at(made, at)
    assert {"def", "None", "import"} <= forbidden_words(place, slot_at(place.lines, "python"), made.syntax.language)
