"""How consequences are measured: what a commit did at a place, what another program says, and the fitted rates."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.syntax.language import by_id
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate import references
from editahead_models.evaluate.consequences.fit import crossed, fitted
from editahead_models.evaluate.consequences.rate_moments import RateRow, rate_rows
from editahead_models.evaluate.consequences.rename_chains import Drawn, References, followed
from editahead_models.publishing.figures import rename_table

PYTHON, JAVA = by_id("python"), by_id("java")
assert PYTHON is not None
assert JAVA is not None
JAVAC = Path(references.__file__).with_name("JavacReferences.java")


def _commit(before: str, after: str, path: str = "w/home.py", *more: FileChange) -> Commit:
    return Commit("c", (FileChange(path, before, after), *more), ())


def _rows(commit: Commit) -> set[tuple[str, str, str]]:
    """What is given in some orders of the hunks."""
    drawn = (row for seed in range(4) for row in rate_rows("p", PYTHON, commit, random.Random(seed)))
    return {(row.source, row.label, row.first) for row in drawn}


def test_a_replaced_declaration_is_replayed_with_what_the_commit_did_at_the_first_place() -> None:
    before = "def f(old):\n    x = old\n    return old + x\n"
    rows = _rows(_commit(before, before.replace("old", "new")))
    assert {first for source, _, first in rows if source == "rename"} == {"right"}
    assert {label for source, label, _ in rows if source == "rename"} & {
        "parameter/declaration/once", "parameter/use/once",
    }  # fmt: skip


def test_a_name_that_the_commit_keeps_elsewhere_is_kept() -> None:
    before = "def f(old):\n    x = old\n    return old + x\n"
    rows = _rows(_commit(before, before.replace("f(old)", "f(new)") + "\n\ny = 1\n"))
    assert {first for source, _, first in rows if source == "rename"} == {"kept"}


def test_a_parameter_that_went_is_replayed() -> None:
    before = "def f(a, b):\n    return a\n\nf(1, 2)\n"
    after = "def f(a):\n    return a\n\nf(1)\n"
    assert ("parameter", "removed/function", "right") in _rows(_commit(before, after))
    kept = _rows(_commit(before, after.replace("f(1)", "f(1, 2)") + "\ny = 1\n"))
    assert ("parameter", "removed/function", "kept") in kept


def test_imports_are_replayed_in_both_directions() -> None:
    before = "import os\n\n\ndef f():\n    return os.sep\n\n\ndef g():\n    return 1\n"
    after = "def f():\n    return 2\n\n\ndef g():\n    return 1\n"
    assert ("import", "unused/statement", "right") in _rows(_commit(before, after))
    kept = _rows(_commit(before, f"import os\n\n\n{after}"))
    assert ("import", "unused/statement", "kept") in kept
    before = "import sys\n\nprint(1)\nprint(sys.path)\n"
    after = "import sys\nfrom m import load\n\nprint(load)\nprint(sys.path)\n"
    other = ("w/other.py", "from m import load\n")
    rows = _rows(Commit("c", (FileChange("w/home.py", before, after),), (other,)))
    assert ("import", "missing/as-others", "right") in rows


def test_rates_lean_on_their_kin_and_are_crossed_by_project() -> None:
    rows = [
        RateRow(project, "python", "x", label, first)
        for project in ("a", "b")
        for label, first in [("x/declaration/once", "right")] * 30 + [("x/use/once", "kept")] * 30
    ]
    table = fitted([*rows, RateRow("a", "python", "x", "y/declaration/once", "kept")])
    assert table["x/declaration/once"]["probability"] > 0.95
    assert table["x/use/once"]["probability"] < 0.1
    assert table["y/declaration/once"]["probability"] > 0.7  # one moment says little
    assert crossed(rows)["0.8"] == {"shown": 0.5, "due": 1.0, "exact": 1.0}


def test_a_typed_rename_is_followed_to_its_end_and_a_wrong_edit_is_counted() -> None:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    text = "def f(old):\n    x = old\n    return old + x\n"
    truth = frozenset({6, 20, 35})
    right = followed(engine, Drawn("a.py", text, 6, "old", "new_name", "parameter", truth), PYTHON)
    assert (right.offered, right.steps, right.wrong, right.missed, right.half_typed, right.after) == (
        True, 2, 0, 0, 0, False,
    )  # fmt: skip
    wrong = followed(engine, Drawn("a.py", text, 6, "old", "new_name", "parameter", frozenset({6, 35})), PYTHON)
    assert (wrong.wrong, wrong.missed) == (1, 1)
    group = rename_table([chain.row() | {"project": "p"} for chain in (right, wrong)])["locals, parameters, imports"]
    assert [group[name]["share"] for name in ("offered", "to the end")] == [1.0, 0.5]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler")
def test_the_compiler_of_java_says_what_means_the_same() -> None:
    text = "class A {\n  int x;\n  A(int x) { this.x = x; }\n  int m(Missing o) { return o.x + x; }\n}\n"
    program = References(["java", str(JAVAC)])
    try:
        field, parameter = text.index("x;"), text.index("x)")
        assert program.of("A.java", text, field) == {field, text.index("x = x"), text.index("x; }\n}")}
        assert program.of("A.java", text, parameter) == {parameter, text.index("x; }\n  int m")}
        assert program.of("A.java", text, 0) is None
    finally:
        program.close()


def test_a_program_that_fails_gives_no_answer() -> None:
    program = References([sys.executable, "-c", "import sys\nfor row in sys.stdin: print('null', flush=True)"])
    try:
        assert program.of("a.py", "x = 1\n", 0) is None
    finally:
        program.close()


@pytest.mark.parametrize(("call", "first"), [("f(1, 2)", "right"), ("f(1)", "kept")])
def test_a_place_is_right_where_the_commit_edited_its_line(call: str, first: str) -> None:
    before = "def f(a):\n    return a\n\n\nprint(f(1))\n"
    after = before.replace("f(a)", "f(a, b)").replace("f(1)", call)
    assert ("parameter-place", "function", first) in _rows(_commit(before, after))


def test_the_uses_of_a_removed_import_are_places_too() -> None:
    before = "import json\n\n\ndef f(a):\n    b = json.dumps(a)\n    return b\n"
    after = before.replace("import json\n", "").replace("json.dumps", "dump")
    assert ("unbound-place", "import", "right") in _rows(_commit(before, after))


def test_the_place_of_an_import_is_right_where_one_is_to_come_among_the_imports() -> None:
    before = "import os\n\n\ndef f(a):\n    return os.sep\n\n\nprint(f(1))\n"
    after = before.replace("import os\n", "import os\nfrom m import Dump\n").replace("os.sep", "os.sep + Dump(a)")
    assert ("undeclared-place", "called", "right") in _rows(_commit(before, after))
