"""Names and keywords that cannot stand at the cursor are not listed."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.extra_names import NO_NAMES
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.completion.ranking.pool import can_stand
from editahead.suggest.context import place_at

from tests.suggest.documents import document


def possible(text: str, language_id: str, name: str) -> bool:
    made, at = document(text, language_id)
    return can_stand(name, place_evidence(made, place_at(made, at), NO_NAMES))


JAVA = "class A {{\n    int count;\n{}    void run(int size) {{\n{}    }}\n}}\n"
SHARP = "class A\n{{\n    int count;\n{}    void Run(int size)\n    {{\n{}    }}\n}}\n"
SCRIPT = "class A {{\n  count = 1;\n{}  run(size: number) {{\n{}  }}\n}}\n"
RUST = "struct A;\n{}\nfn run(size: u8) {{\n{}}}\n"
GO = "package p\n{}\nfunc run(size int) {{\n{}}}\n"
C = "int count;\n{}\nvoid run(int size)\n{{\n{}}}\n"


@pytest.mark.parametrize(
    ("text", "language_id", "words", "others"),
    [
        (JAVA.format("    ‸\n", ""), "java", "return if for throw", "private void class int"),
        (JAVA.format("", "        ‸\n"), "java", "private import package", "return if int size final"),
        (SHARP.format("    ‸\n", ""), "c_sharp", "return if foreach throw", "private void class int"),
        (SHARP.format("", "        ‸\n"), "c_sharp", "private namespace", "return if int size using"),
        (SCRIPT.format("  ‸\n", ""), "typescript", "return if const", "private static readonly delete catch import"),
        (SCRIPT.format("", "    ‸\n"), "typescript", "private export", "return if const size from"),
        (RUST.format("‸\n", ""), "rust", "return if let match", "fn pub struct use"),
        (RUST.format("", "    ‸\n"), "rust", "pub", "return if let match size crate mod"),
        (GO.format("‸\n", ""), "go", "return if for defer", "func type var const"),
        (GO.format("", "\t‸\n"), "go", "import package", "return if for var size"),
        (C.format("‸\n", ""), "c", "return if for", "static struct int"),
        (C.format("‸\n", ""), "cpp", "return if for", "static struct int template"),
        (C.format("", "    ‸\n"), "cpp", "private", "return if for int size namespace"),
        ("def run(size):\n    pass\n\n\n‸\n", "python", "return yield", "def if import run"),
    ],
)
def test_keywords_of_other_bodies(text: str, language_id: str, words: str, others: str) -> None:
    assert [word for word in words.split() if possible(text, language_id, word)] == []
    assert [word for word in others.split() if not possible(text, language_id, word)] == []


def test_a_body_whose_end_is_lost_in_an_error_has_all_keywords() -> None:
    text = "class A {\n    void first() {\n        if (a {\n    }\n\n    ‸\n\n    void second() {\n    }\n}\n"
    assert possible(text, "java", "private")


@pytest.mark.parametrize(
    ("text", "language_id", "words"),
    [
        ("def i‸\n", "python", "import if in is"),
        ("class ‸\n", "java", "import if int"),
        ("function i‸\n", "typescript", "import if in"),
        ("const i‸\n", "typescript", "import if in"),
        ("package p\n\nfunc i‸\n", "go", "import if interface"),
        ("fn i‸\n", "rust", "if impl in"),
        ("struct i‸\n", "c", "if int inline"),
        ("class i‸\n", "c_sharp", "if int internal"),
    ],
)
def test_no_keyword_is_declared(text: str, language_id: str, words: str) -> None:
    assert [word for word in words.split() if possible(text, language_id, word)] == []


CASES = "switch (s) {{\n        case OPEN:\n            break;\n        case ‸\n    }}\n"


@pytest.mark.parametrize(
    ("text", "language_id", "taken", "other"),
    [
        ("void f(int s) {\n    " + CASES.format() + "}\nenum a { OPEN, PAID };\n", "c", "OPEN", "PAID"),
        ("class A {\n    def run(self): pass\n    def stop(self): pass\n\n    def ‸\n", "python", "run", "walk"),
        ("struct A;\nimpl A {\n    fn new() {}\n\n    fn ‸\n}\n", "rust", "new", "old"),
        ("package p\n\nfunc (q *Q) Close() {\n}\n\nfunc (q *Q) ‸\n", "go", "Close", "Open"),
        ("const [first, second] = f();\nconst third = 1;\nconst ‸\n", "typescript", "third", "fourth"),
        ("const [first, second] = f();\nconst [‸\n", "typescript", "second", "fourth"),
        ("const { first, a: second } = f();\nlet [third, ‸\n", "tsx", "second", "fourth"),
        ("match k {\n    Kind::Open => 1,\n    Kind::‸\n}\nenum Kind { Open, Paid }\n", "rust", "Open", "Paid"),
    ],
)
def test_a_name_that_a_line_beside_has_taken(text: str, language_id: str, taken: str, other: str) -> None:
    assert not possible(text, language_id, taken)
    assert possible(text, language_id, other)


@pytest.mark.parametrize(
    ("text", "language_id", "name"),
    [
        ("class A:\n    @property\n    def size(self): pass\n\n    @size.setter\n    def ‸\n", "python", "size"),
        ("struct A;\nimpl A {\n    fn new() {}\n}\n\nimpl B {\n    fn ‸\n}\n", "rust", "new"),
        ("package p\n\nfunc (q *Q) Close() {\n}\n\nfunc (r *R) ‸\n", "go", "Close"),
        ("function pick(x: number): number;\nfunction ‸\n", "typescript", "pick"),
        ("void f(int s, int t) {\n    switch (t) {\n    case OPEN:\n        break;\n    }\n    " + CASES.format()[:13]
         + "    case ‸\n    }\n}\nenum a { OPEN };\n", "c", "OPEN"),
        ("partial class A { }\n\npartial class ‸\n", "c_sharp", "A"),
    ],
)  # fmt: skip
def test_a_name_that_may_be_declared_again(text: str, language_id: str, name: str) -> None:
    assert possible(text, language_id, name)


@pytest.mark.parametrize(
    ("text", "language_id", "values", "types"),
    [
        ("class A {\n    int size;\n    void run(int n) {\n        o = new ‸\n    }\n}\n", "java", "size n run", "A"),
        ("class A {\n    int size;\n    List<‸\n}\n", "java", "size", "A String"),
        ("interface A {}\nconst size = 1;\nfunction f(count: ‸\n", "typescript", "size", "A string"),
        ("interface A {}\nconst size = 1;\nconst [a] = useState<‸\n", "typescript", "size", "A"),
        ("struct A;\nfn run(size: u8) {}\nfn stop(size: ‸\n", "rust", "run", "A u8"),
        ("MAX_SIZE = 1\nlogger = None\nT = TypeVar('T')\n\ndef run(size: ‸\n", "python", "MAX_SIZE logger", "T int"),
    ],
)  # fmt: skip
def test_values_are_no_types(text: str, language_id: str, values: str, types: str) -> None:
    assert [name for name in values.split() if possible(text, language_id, name)] == []
    assert [name for name in types.split() if not possible(text, language_id, name)] == []


@pytest.mark.parametrize(
    ("text", "language_id"),
    [
        ("def run(task):\n    print(task.title)\n    return ‸\n", "python"),
        ("function run(task) {\n  log(task.title);\n  return ‸\n}\n", "typescript"),
        ("package p\n\nfunc run(task Task) {\n\tlog(task.title)\n\treturn ‸\n}\n", "go"),
        ("fn run(task: Task) -> u8 {\n    log(task.title);\n    return ‸\n}\n", "rust"),
    ],
)
def test_a_member_is_no_name_without_its_object(text: str, language_id: str) -> None:
    assert not possible(text, language_id, "title")
    assert possible(text, language_id, "task")


def test_a_name_of_an_attribute_in_jsx_may_be_that_of_a_member() -> None:
    text = "function A({ task }) {\n  const a = task.title;\n  return <p id={task.id} ‸></p>;\n}\n"
    assert possible(text, "tsx", "title")


@pytest.mark.parametrize(
    ("text", "language_id", "impossible", "others"),
    [
        ("import json\nfrom store.‸\n\nMAX = 1\nclass Kind: pass\n", "python", "MAX Kind import from None", "money"),
        ("import json\nfrom store import ‸\n\nMAX = 1\nclass Kind: pass\n", "python", "MAX Kind import from", "Money"),
        ("import { ‸ } from './a';\nconst size = 1;\n", "typescript", "size import if", "Money default"),
        ("void f(void) {\n    ‸\n}\n", "c", "private class template new", "struct int return"),
        ("void f(void) {\n    int new = 1;\n    return ‸\n}\n", "c", "private", "new"),
        ("function f() {\n  ‸\n}\n", "javascript", "interface private enum", "class const"),
        ("class A:\n    def ‸\n", "python", "self cls", "run"),
        (
            "function Row(other) {}\nfunction A({ task, label }) {\n  return <‸\n}\n",
            "tsx",
            "task other if return setTimeout",
            "Row label section",
        ),
        ("function A({ task, row }) {\n  return row < ‸\n}\n", "tsx", "", "task"),
    ],
)
def test_words_of_other_places_and_languages(text: str, language_id: str, impossible: str, others: str) -> None:
    assert [name for name in impossible.split() if possible(text, language_id, name)] == []
    assert [name for name in others.split() if not possible(text, language_id, name)] == []
