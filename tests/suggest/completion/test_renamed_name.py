"""A name that is typed over takes the new name that the user gave to the same name elsewhere.

In the marked text `«old>new»` was typed over before, and `«old>let‸»` is being typed over.
"""

from __future__ import annotations

import re

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.renamed_name import renamed_name
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import name_changes
from editahead.suggest.types import Completion, Document, Shown
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView

from tests.suggest.documents import document

_REPLACED = re.compile(r"«(\w*)>(\w*)(‸?)»")
PYTHON = (
    "class Cart:\n    def show(self):\n        print(self.«calculate_total>compute_sum»())\n\n"
    "    def «calculate_total>{}‸»(self):\n        return sum(self.rows)\n"
)
JAVA = "class A {{\n  private int «sum>computeSum»;\n  int main() {{\n    return this.«sum>{}‸» + sum;\n  }}\n}}\n"
JAVA_FIELD = (
    "class A {{\n  private int «calculateTotal>{}‸»;\n  int main() {{\n"
    "    return this.«calculateTotal>computeSum» + calculateTotal;\n  }}\n}}\n"
)
SCRIPT = (
    "class A {{\n  main() {{\n    return this.«calculateTotal>computeSum»() + this.calculateTotal();\n  }}\n"
    "  «calculateTotal>{}‸»() {{\n    return 0;\n  }}\n}}\n"
)
GO = (
    "package p\n\ntype Cart struct {{\n\t«calculateTotal>{}‸» int\n}}\n\nfunc run(cart Cart) int {{\n"
    "\treturn cart.«calculateTotal>computeSum» + cart.calculateTotal\n}}\n"
)
PLACES = [
    pytest.param(PYTHON, "python", "compute_sum", id="python"),
    pytest.param(JAVA, "java", "computeSum", id="java-use"),
    pytest.param(JAVA_FIELD, "java", "computeSum", id="java-field"),
    pytest.param(SCRIPT, "typescript", "computeSum", id="typescript"),
    pytest.param(GO, "go", "computeSum", id="go"),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def typed_over(marked: str, language_id: str) -> tuple[Document, int]:
    """The document of a marked text, with the history that led to it."""
    spans, before, at = list[tuple[int, str, str, bool]](), "", 0
    for match in _REPLACED.finditer(marked):
        before += marked[at : match.start()]
        spans.append((len(before), match[1], match[2], bool(match[3])))
        before, at = before + match[1], match.end()
    before += marked[at:]
    settled, pending, done = list[CoalescedEdit](), None, list[tuple[int, int]]()
    for start, old, new, is_typed in sorted(spans, key=lambda span: span[3]):
        shift = sum(delta for other, delta in done if other < start)
        edit = CoalescedEdit(start + shift, old.encode(), new.encode(), 0.0)
        done.append((start, len(new) - len(old)))
        if is_typed:
            pending = edit
        else:
            settled.append(edit)
    history = HistoryView(Buffer(before.encode()), tuple(settled), pending, 0)
    made, byte = document(_REPLACED.sub(r"\2\3", marked), language_id, history=history)
    assert history.current() == made.syntax.buffer.data
    return made, byte


def items(engine: Engine, marked: str, language_id: str) -> tuple[Completion, ...]:
    decision = engine.complete(*typed_over(marked, language_id), Cancel())
    return decision.value.items if isinstance(decision, Shown) else ()


def ghost(engine: Engine, marked: str, language_id: str) -> str:
    decision = engine.inline(*typed_over(marked, language_id), Cancel())
    return decision.value.insert if isinstance(decision, Shown) else ""


@pytest.mark.parametrize("letters", [0, 1, 2, 4])
@pytest.mark.parametrize(("marked", "language_id", "new"), PLACES)
def test_the_new_name_is_first(engine: Engine, marked: str, language_id: str, new: str, letters: int) -> None:
    listed = items(engine, marked.format(new[:letters]), language_id)
    assert listed[0].label == new
    assert sum(item.probability for item in listed) <= 1 + 1e-6


@pytest.mark.parametrize("letters", [1, 2, 4])
@pytest.mark.parametrize(("marked", "language_id", "new"), PLACES)
def test_ghost_text_is_the_rest_of_it(engine: Engine, marked: str, language_id: str, new: str, letters: int) -> None:
    assert ghost(engine, marked.format(new[:letters]), language_id) == new[letters:]


def test_it_goes_to_the_part_that_was_left(engine: Engine) -> None:
    marked = "def f(rows):\n    a = «calculate>compute»_total(rows)\n    return «calculate>comp‸»_total(rows)\n"
    assert items(engine, marked, "python")[0].label == "compute_total"
    assert ghost(engine, marked, "python") == "ute"


@pytest.mark.parametrize("letters", ["x", "sum"])
def test_other_letters_are_another_name(engine: Engine, letters: str) -> None:
    assert "compute_sum" not in {item.label for item in items(engine, PYTHON.format(letters), "python")}
    assert ghost(engine, PYTHON.format(letters), "python") != "compute_sum"


def test_a_name_that_was_not_replaced_elsewhere_has_none(engine: Engine) -> None:
    marked = "def f(rows, count):\n    print(«size>count»)\n    print(«rows>‸»)\n"
    own = items(engine, marked.replace("«size>count»", "count"), "python")
    assert [item.label for item in items(engine, marked, "python")][:1] == [item.label for item in own][:1]


def test_the_latest_new_name_counts(engine: Engine) -> None:
    marked = "def f(rows):\n    a = «size>width»\n    b = «size>weight»\n    return «size>w‸» + rows\n"
    assert items(engine, marked, "python")[0].label == "weight"


def test_no_ghost_text_before_a_letter_is_typed(engine: Engine) -> None:
    assert ghost(engine, PYTHON.format(""), "python") != "compute_sum"


def test_the_history_is_not_read_where_nothing_is_typed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key costs nothing then: the words of a hundred edits take milliseconds."""
    read = list[object]()
    monkeypatch.setattr(name_changes, "typed_name", lambda *parts: read.append(parts))
    made, byte = typed_over("def f(rows):\n    a = «size>width»\n    return «rows>w‸»\n", "python")
    assert renamed_name(made, place_at(made, byte)) is None
    assert len(read) == 1
    elsewhere = document(f"{made.syntax.buffer.data.decode()}\n\nwid‸", history=made.history)
    assert renamed_name(elsewhere[0], place_at(*elsewhere)) is None
    assert len(read) == 1
