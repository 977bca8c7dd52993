"""What stands in the file and can stand at the cursor is listed, at the end of the list where it is not likely."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.suggest.documents import document


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def labels(engine: Engine, text: str, language_id: str) -> list[str]:
    made, at = document(text, language_id)
    decision = engine.complete(made, at, Cancel())
    assert isinstance(decision, Shown)
    assert sum(item.probability for item in decision.value.items) <= 1 + 1e-6
    assert len(decision.value.items) <= made.settings.max_completions
    return [item.label for item in decision.value.items]


C = "static void open(edata_t *edata, int size) {{\n\tuse(edata, size);\n}}\n\nstatic void close({}"
GO = (
    "package p\n\nfunc first(path string) {\n\tif failure := open(path); failure != nil {\n\t\tpanic(failure)\n\t}\n}\n"
)
SCRIPT = "const first = (quarter, unit) => quarter * unit;\n\nconst rest = (quarter, unit) => unit;\n\nconst last = ("
ASSOCIATED = "impl<C> Each for Flat<C> {\n    type Folder = FlatFolder<C::‸\n}\n\nfn fold(folder: Folder) {}\n"
VARIANT = "fn kind(source: Source) -> bool {\n    matches!(source, Source::Quoted(Inner::‸))\n}\n"
SHARP = "class A\n{\n    void First(TimeSpan delay) { Wait(delay); }\n\n    void Second(TimeSpan ‸"


@pytest.mark.parametrize(
    ("text", "language_id", "name"),
    [
        pytest.param(C.format("edata_t *‸"), "c", "edata", id="parameter-behind-a-pointer"),
        pytest.param(GO + "\nfunc second(path string) {\n\tif ‸\n}\n", "go", "failure", id="head-of-an-if"),
        pytest.param(f"{SCRIPT}‸", "typescript", "quarter", id="parameter-of-an-arrow"),
        pytest.param(ASSOCIATED, "rust", "Folder", id="type-of-the-same-name"),
        pytest.param(VARIANT, "rust", "Quoted", id="variant-of-the-same-name"),
        pytest.param(SHARP, "c_sharp", "delay", id="parameter-at-the-end-of-the-text"),
    ],
)
def test_a_name_that_can_stand_there(engine: Engine, text: str, language_id: str, name: str) -> None:
    assert name in labels(engine, text, language_id)


WORDS = (
    "anchor bridge canyon desert engine forest garden harbor island jungle kettle ladder magnet needle orchid".split()
)


def test_visible_names_fill_the_list(engine: Engine) -> None:
    rows = "".join(f"def {word}(): pass\n\n\n" for word in WORDS)
    assert set(WORDS[-9:]) <= set(
        labels(engine, f"{rows}def draw(rows):\n    for row in rows:\n        total = ‸\n", "python")
    )


def test_members_of_other_receivers_fill_the_list_behind_a_dot(engine: Engine) -> None:
    uses = "".join(f"    print(box.{word}, {word})\n" for word in WORDS)
    listed = labels(engine, f"def draw(box, rows):\n{uses}    for row in rows:\n        x = row.‸\n", "python")
    assert set(WORDS[-8:]) <= set(listed)
    assert not {"rows", "row", "box", "draw"} & set(listed)


def test_names_that_follow_no_dot_do_not(engine: Engine) -> None:
    head = "class Order:\n    def __init__(self, rows: list[str]):\n        self.rows = rows\n\n"
    text = f"{head}    def add(self):\n        self.‸\n"
    assert {"rows", "add"} <= set(labels(engine, text, "python"))
    assert not {"list", "str", "Order", "self"} & set(labels(engine, text, "python"))


ENUM = "    enum Status { OPEN, PAID, CLOSED }\n"
LABEL = (
    "class A {{\n    void f(Status s) {{\n        switch (s) {{\n            case OPEN:\n                break;\n"
    "            case {}‸\n"
)
REST = "        }\n    }\n"


@pytest.mark.parametrize(("letters", "due"), [("", ["PAID", "CLOSED"]), ("C", ["CLOSED"])])
def test_a_label_is_a_constant_of_what_is_switched_upon(engine: Engine, letters: str, due: list[str]) -> None:
    assert sorted(labels(engine, f"{LABEL.format(letters)}{REST}{ENUM}}}\n", "java")) == sorted(due)


def test_a_label_of_an_unknown_type_may_be_anything(engine: Engine) -> None:
    assert "MAX" in labels(engine, f"{LABEL.format('')}{REST}    static final int MAX = 3;\n}}\n", "java")


@pytest.mark.parametrize(
    ("text", "language_id", "name"),
    [
        pytest.param("fn f(name: &str, value: f‸) {\n}\n", "rust", "f64", id="rust"),
        pytest.param("def f(rows):\n    return [v‸ for row in rows]\n", "python", "vars", id="python"),
        pytest.param("void f(void) {\n    p‸\n}\n", "c", "puts", id="c"),
        pytest.param("package p\n\nfunc f(x uintp‸) {\n}\n", "go", "uintptr", id="go"),
    ],
)
def test_built_in_names_go_on_with_the_letters(engine: Engine, text: str, language_id: str, name: str) -> None:
    assert name in labels(engine, text, language_id)


@pytest.mark.parametrize(
    ("text", "language_id", "name"),
    [
        ("const v = <li className={a} c‸></li>;\n", "tsx", "clearTimeout"),
        ("const text = s‸\n", "typescript", "string"),
    ],
)
def test_built_in_names_where_they_cannot_stand(engine: Engine, text: str, language_id: str, name: str) -> None:
    assert name not in labels(engine, text, language_id)


TASK = "export interface Task {\n  title: string;\n  unlikelyFlag: boolean;\n  ownerOfIt: string;\n}\n"


@pytest.mark.parametrize(("letters", "due"), [("", {"title", "unlikelyFlag", "ownerOfIt"}), ("u", {"unlikelyFlag"})])
def test_all_members_of_a_class_of_another_file_are_listed(
    engine: Engine, tmp_path: Path, letters: str, due: set[str]
) -> None:
    (tmp_path / "task.ts").write_text(TASK)
    text = f'import {{ Task }} from "./task";\n\nfunction f(task: Task) {{\n  return task.{letters}‸;\n}}\n'
    made, at = document(text, "typescript")
    decision = engine.complete(replace(made, path=tmp_path / "use.ts", root=tmp_path), at, Cancel())
    assert isinstance(decision, Shown)
    assert due <= {item.label for item in decision.value.items}


def test_variables_are_no_members_after_a_letter_either(engine: Engine) -> None:
    """Words that go on with the letters were added whatever they are."""
    text = "def overdue(invoices, today):\n    for invoice in invoices:\n        if invoice.inv‸\n"
    assert not {"invoices", "invoice"} & set(labels(engine, text, "python"))
    field = "class A:\n    def __init__(self, invoices):\n        self.in‸\n"
    assert "invoices" in labels(engine, field, "python")
    functions = "class A:\n    def get(self):\n        self.movements = 1\n        self.m‸\n\n\ndef main():\n    A()\n"
    assert "main" not in labels(engine, functions, "python")


def test_locals_of_other_functions_do_not(engine: Engine) -> None:
    rows = "def other():\n    hidden_name = 1\n    return hidden_name\n\n\ndef draw(rows):\n    return f(‸)\n"
    assert "hidden_name" not in labels(engine, rows, "python")
