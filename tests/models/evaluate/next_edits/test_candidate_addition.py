"""The weights of a source that came after the scorer was fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import CandidateScorer, shipped_scorer
from editahead_models.evaluate.next_edits.candidate_addition import crossed, padded, with_source
from editahead_models.evaluate.next_edits.candidate_moments import Moment

IS, ODDS, RENAME = (FEATURES.index(name) for name in ("is_unbound", "odds_unbound", "is_rename"))


def _moment(right: bool, odds: float, kind: str = "between") -> Moment:
    features = np.zeros((2, len(FEATURES)))
    features[0, IS], features[0, ODDS], features[1, RENAME] = 1.0, odds, 1.0
    flags = np.asarray([right, False])
    return Moment(
        "p", "python", "c", kind, 1, 0, "other", ("unbound", "rename"), features, flags, flags,
        np.ones(2, np.bool_), np.zeros(2), ("a", "b"), (),
    )  # fmt: skip


def _fitted(shares: dict[float, float]) -> list[float]:
    """Log odds of the new source by its own odds, fitted where these shares of its candidates are right."""
    rows = [_moment(at < 40 * share, odds) for odds, share in shares.items() for at in range(40)]
    scorer = with_source(shipped_scorer(), rows, "unbound")
    assert scorer.decision is not None
    x = np.stack([_moment(True, odds).features[0] for odds in shares])
    return [float(one) for one in scorer.decision.odds(x, scorer.network_odds(x))]


def test_a_source_is_as_likely_as_it_was_right() -> None:
    low, high = _fitted({-1.0: 0.25, 1.0: 0.75})
    assert low == pytest.approx(np.log(1 / 3), abs=0.15)
    assert high == pytest.approx(np.log(3), abs=0.15)


def test_other_sources_keep_their_probabilities() -> None:
    before = shipped_scorer()
    after = with_source(before, [_moment(True, 1.0)] * 20, "unbound")
    x = np.random.default_rng(1).normal(size=(50, len(FEATURES)))
    x[:, [IS, ODDS]] = 0.0
    assert np.allclose(before.raw(x), after.raw(x))
    assert replace(after, calibration=before.calibration).threshold(0.8) == before.threshold(0.8)


def test_each_project_is_judged_by_weights_of_the_others() -> None:
    right, wrong = (
        [replace(_moment(good, 1.0), project=name) for _ in range(40)] for good, name in ((True, "a"), (False, "b"))
    )
    assert crossed(shipped_scorer(), [*right, *wrong], "unbound", 0.8) == {
        "moments": 80, "shown": 40, "place": 0, "right": 0,
    }  # fmt: skip


def test_moments_without_the_source_are_refused() -> None:
    row = _moment(True, 1.0)
    features = row.features.copy()
    features[:, IS] = 0.0
    with pytest.raises(ValueError, match="no moment has a candidate of unbound"):
        with_source(shipped_scorer(), [replace(row, features=features), _moment(True, 1.0, "undo")], "unbound")


def test_a_scorer_of_fewer_features_says_the_same_with_all_of_them() -> None:
    data = shipped_scorer().to_json()
    named = [at for at, name in enumerate(data["features"]) if name not in ("is_sibling", "odds_sibling")]

    def less(values: list[object]) -> list[object]:
        return [values[at] for at in named]

    layer = data["decision"]
    decision = {**layer, **{name: less(layer[name]) for name in ("mean", "scale", "weights")}}
    arrays = {name: less(data[name]) for name in ("features", "mean", "scale", "hidden")}
    again = CandidateScorer.from_json(padded({**data, **arrays, "decision": decision}))
    x = np.random.default_rng(1).normal(size=(50, len(FEATURES)))
    x[:, [FEATURES.index("is_sibling"), FEATURES.index("odds_sibling")]] = 0.0
    assert np.allclose(again.raw(x), shipped_scorer().raw(x), atol=1e-6)
