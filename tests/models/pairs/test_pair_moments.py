"""After one hunk of a commit: which later ones the engine has, by relation."""

from __future__ import annotations

import random

import pytest
from editahead.analysis.edit_relations import EditRelation
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.syntax.language import by_path
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.consequences.follower_replays import replays
from editahead_models.evaluate.next_edits.pair_command import figures
from editahead_models.evaluate.next_edits.pair_moments import cases

PATH = "a.py"
BEFORE = (
    "def f(rows):\n    width = 1\n    a = rows\n    b = a\n    return g(width)\n\n\n"
    "space = 1\n\n\ndef h(x):\n    return x\n"
)
AFTER = BEFORE.replace("width", "size").replace("return x", "return [x]")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def test_a_case_holds_the_later_edits_of_one_relation(engine: Engine) -> None:
    language = by_path(PATH)
    assert language is not None
    commit = Commit("c", (FileChange(PATH, BEFORE, AFTER),), ())
    found = {}
    for seed in range(6):  # the first hunk is drawn
        for case in cases(engine, "p", language, commit, random.Random(seed)):
            found[case.first, case.relation] = case
    case = found[0, EditRelation.RENAME.value]
    assert (case.edits, case.held, case.shown, case.in_place, case.sources) == (1, 1, True, True, ("rename",))
    other = found[0, EditRelation.OTHER.value]
    assert (other.edits, other.held, other.shown, other.in_place) == (1, 0, False, False)
    row = figures([case.row(), found[1, EditRelation.RENAME.value].row()])
    assert (row["cases"], row["held"], row["by source"]) == (2, 2, {"rename": 2})


def test_what_follows_by_likeness_is_replayed_with_its_source() -> None:
    before = "a = load(x, 1)\nb = 2\nc = 3\nd = load(y, 1)\ne = 4\nf = 5\ng = load(z, 1)\n"
    after = before.replace("load(x, 1)", "load(x)").replace("load(y, 1)", "load(y)")
    language = by_path(PATH)
    assert language is not None
    commit = Commit("c", (FileChange(PATH, before, after),), ())
    rows = [one.row() for one in replays(commit, "p", language, random.Random(2))]  # from top to bottom
    first = [(row["label"], row["first"]) for row in rows if row["label"].startswith("argument")]
    assert ("argument removed/place/same/once", "right") in first
    assert ("argument removed/place/same/again", "kept") in first
