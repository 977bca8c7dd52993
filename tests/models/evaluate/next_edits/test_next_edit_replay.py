"""Commits replayed by the real engine: what is proposed and offered, judged by what the commit did."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich")

from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import select_providers
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.next_edit.rollout.rollout_scorer import FEATURES
from editahead.syntax.language import by_id
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.edit_models.hunk_fit import fit_scorer, top_choices
from editahead_models.evaluate.next_edits.next_edit_cases import cases, load, save
from editahead_models.evaluate.next_edits.offered import Tally, replayed

from tests.suggest.next_edit.test_editor import SHIPPED, needs_bundle

NAMES = ("start", "ready", "work", "rest", "end")
LINES = (f'    log.info("{name}", self.{name})\n    self.step_{name}()\n' for name in NAMES)
BEFORE = "def run(self):\n" + "".join(LINES)
AFTER = BEFORE.replace("log.info(", "log.debug(")


class NoShuffle(random.Random):
    """Draws, but leaves an order as it is."""

    def random(self) -> float:
        return 0.9


def commit(before: str = BEFORE, after: str = AFTER) -> Commit:
    return Commit("c", (FileChange("a.py", before, after),), ())


@needs_bundle
def test_proposals_are_judged_and_after_the_last_edit_none_is_right(tmp_path: Path) -> None:
    language = by_id("python")
    assert language is not None
    editor = NextEditor(load_bundle(SHIPPED[-1], verify=False), select_providers("cpu"))
    found = [case for seed in range(3) for case in cases(editor, commit(), "p", language, NoShuffle(seed))]
    assert len(found) == 12
    middle = [case for case in found if 0 < case.remaining <= 3]
    assert middle
    assert all(case.right.any() for case in middle)
    assert {case.features.shape[1] for case in found} == {len(FEATURES)}
    last = [case for case in found if case.remaining == 0]
    assert last
    assert not any(case.right.any() for case in last)
    save(tmp_path / "p.npz", found)
    again = load(tmp_path / "p.npz", "p")
    assert [(case.remaining, case.right.tolist()) for case in again] == [
        (case.remaining, case.right.tolist()) for case in found
    ]
    for one, two in zip(again, found, strict=True):
        assert np.array_equal(one.features, two.features)
    scores, hits = top_choices(again, fit_scorer(again))
    assert scores[hits].mean() > scores[~hits].mean()


@needs_bundle
def test_a_commit_that_repeats_itself_is_offered_one_that_does_not_is_not() -> None:
    language = by_id("python")
    assert language is not None
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    tally = Tally()
    replayed(engine, commit(), language, NoShuffle(1), tally)
    assert (tally.commits, tally.later) == (1, 4)
    assert tally.offered >= 2
    assert sum(tally.right.values()) == sum(tally.shown.values()) > 0
    report = tally.report()
    assert report["offered"] == tally.offered / 4
    other = Tally()
    unlike = BEFORE.replace("start", "go").replace("work()", "x()")
    replayed(engine, commit(after=unlike), language, NoShuffle(1), other)
    assert other.commits == 1
    replayed(engine, commit(after=BEFORE), language, NoShuffle(1), other)
    assert other.commits == 1  # nothing changed: nothing to ask
