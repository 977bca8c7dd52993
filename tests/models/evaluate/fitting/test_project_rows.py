"""Rows that are kept, one file a project: the same again, and none of other features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from editahead.check.search import CHECK_FEATURES
from editahead_models.evaluate.check.cases import CheckCase, HunkCase
from editahead_models.evaluate.check.data import CheckCases
from editahead_models.evaluate.fitting.project_files import load_rows, save_rows


def test_rows_are_kept_as_they_are(tmp_path: Path) -> None:
    x = np.linspace(0.0, 1.0, 2 * len(CHECK_FEATURES)).reshape(2, -1)
    edits = [CheckCase("a/b", "c", 2, True, x, np.array([True, False]), ("call", "removed-name"))]
    before = CheckCases(edits, [HunkCase("a/b", "c", True, ("call",), ("call",)), HunkCase("a/b", "c", False, ())])
    save_rows(tmp_path / "new" / "a.rows", [before], CHECK_FEATURES)
    (after,) = load_rows(tmp_path / "new" / "a.rows", CHECK_FEATURES)
    assert after.hunks == before.hunks
    assert np.array_equal(after.edits[0].features, x)
    assert after.edits[0].right.tolist() == [True, False]
    assert after.edits[0].left == ("call", "removed-name")
    save_rows(tmp_path / "none.rows", [])
    assert load_rows(tmp_path / "none.rows") == []


def test_rows_of_other_features_are_not_mixed_in(tmp_path: Path) -> None:
    save_rows(tmp_path / "a.rows", [1], ("one",))
    with pytest.raises(ValueError, match=r"a\.rows: rows of other features .*delete this file$"):
        load_rows(tmp_path / "a.rows", ("one", "more"))
