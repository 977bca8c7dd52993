"""Sources that came after the scorer was fitted change nothing for the candidates of the others."""

from __future__ import annotations

from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.scoring.candidate_features import LATER, SCORED_SOURCES, moment_facts, rate_features

from tests.suggest.next_edit.consequences.marked_renames import played

TEXT = (
    "def f(a):\n    b = «a>c»\n    if b «==>is» None:\n        b = 1\n    if a == None:\n        return a\n"
    "    return b == None\n"
)


def test_no_feature_of_others_is_about_them() -> None:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    document = played(TEXT)
    items = engine.rated_candidates(document, 30, Cancel()).items
    everything = [one.candidate for one in items]
    others = [one for one in everything if one.source not in LATER]
    assert {one.source for one in everything} & LATER
    assert {one.source for one in others} & {"repeat", "lines"}
    rows = rate_features(moment_facts(document, 30), everything, None)
    kept = [row for row, one in zip(rows, everything, strict=True) if one.source not in LATER]
    assert kept == rate_features(moment_facts(document, 30), others, None)


def test_later_sources_are_scored() -> None:
    assert set(SCORED_SOURCES) > LATER
