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
from editahead_models.evaluate.consequences import (
    import_replays,
    parameter_replays,
    place_replays,
    rename_replays,
)
from editahead_models.evaluate.consequences.fit import crossed, fitted
from editahead_models.evaluate.consequences.rename_chains import Drawn, References, followed
from editahead_models.evaluate.consequences.rename_figures import figures
from editahead_models.evaluate.consequences.rename_replays import Alignment

PYTHON, JAVA = by_id("python"), by_id("java")
assert PYTHON is not None
assert JAVA is not None
JAVAC = Path(references.__file__).with_name("JavacReferences.java")


def _commit(before: str, after: str, path: str = "w/home.py", *more: FileChange) -> Commit:
    return Commit("c", (FileChange(path, before, after), *more), ())


def test_an_alignment_says_what_a_commit_did_at_a_place() -> None:
    found = Alignment("a = old\nb = old\nc = old\n", "a = new\nb = old\nc = other(1)\n")
    assert found.replaced == {4: ("old", "new")}
    assert [found.verdict(at, "old", "new") for at in (4, 12, 20)] == ["right", "kept", "other"]


def test_a_replaced_declaration_is_replayed_with_what_the_commit_did_at_the_first_place() -> None:
    before = "def f(old):\n    x = old\n    return old + x\n"
    commit = _commit(before, before.replace("old", "new"))
    rows = list(rename_replays.replays(commit, "p", PYTHON, random.Random(1)))
    assert {row.first for row in rows} == {"right"}
    assert {"parameter/declaration/once", "parameter/use/once"} <= {row.label for row in rows}


def test_a_function_that_was_copied_beside_itself_is_no_renaming() -> None:
    before = "def f(a):\n    return a\n\nf(1)\n"
    after = "def g(a):\n    return a\n\ndef f(a):\n    return a\n\nf(1)\n"
    assert list(rename_replays.replays(_commit(before, after), "p", PYTHON, random.Random(1))) == []


def test_a_parameter_that_went_is_replayed() -> None:
    before = "def f(a, b):\n    return a\n\nf(1, 2)\n"
    after = "def f(a):\n    return a\n\nf(1)\n"
    (row,) = parameter_replays.replays(_commit(before, after), "p", PYTHON, random.Random(1))
    assert (row.label, row.first) == ("removed/function", "right")
    (row,) = parameter_replays.replays(_commit(before, after.replace("f(1)", "f(1, 2)")), "p", PYTHON, random.Random(1))
    assert row.first == "kept"


def test_imports_are_replayed_in_both_directions() -> None:
    before = "import os\nimport sys\n\nprint(os.sep)\nprint(sys.path)\n"
    after = "import sys\nfrom m import load\n\nprint(load)\nprint(sys.path)\n"
    other = FileChange("w/other.py", "x = 1\n", "from m import load\n")
    rows = list(import_replays.replays(_commit(before, after, "w/home.py", other), "p", PYTHON, random.Random(1)))
    assert [(row.label, row.first) for row in rows] == [("unused/statement", "right"), ("missing/as-others", "right")]
    kept = list(import_replays.replays(_commit(before, f"import os\n{after}"), "p", PYTHON, random.Random(1)))
    assert [(row.label, row.first) for row in kept] == [("unused/statement", "kept")]


def test_rates_lean_on_their_kin_and_are_crossed_by_project() -> None:
    rows = [
        {"project": project, "label": label, "first": first}
        for project in ("a", "b")
        for label, first in [("x/declaration/once", "right")] * 30 + [("x/use/once", "kept")] * 30
    ]
    table = fitted([*rows, {"project": "a", "label": "y/declaration/once", "first": "kept"}])
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
    group = figures([right, wrong])["locals, parameters, imports"]
    assert (group["renames"], group["offered"], group["led to the end"]) == (2, 1.0, 0.5)


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
    (row,) = place_replays.calls(_commit(before, after), "p", PYTHON, random.Random(1))
    assert (row.label, row.first) == ("function", first)


def test_the_uses_of_a_removed_import_are_places_too() -> None:
    before = "import json\n\n\ndef f(a):\n    b = json.dumps(a)\n    return b\n"
    after = before.replace("import json\n", "").replace("json.dumps", "dump")
    (row,) = place_replays.names(_commit(before, after), "p", PYTHON, random.Random(1))
    assert (row.label, row.first) == ("import", "right")
