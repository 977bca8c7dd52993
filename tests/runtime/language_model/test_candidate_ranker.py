"""The ranker as it is served: the formula, a sum of one, arrays that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from editahead.runtime.bundle import Bundle, BundleError
from editahead.runtime.language_model.candidate_ranker import (
    ARRAYS,
    FILE,
    IMPORT_CANDIDATE,
    IMPORT_FILE,
    IMPORT_PLACE,
    MEMBER_CANDIDATE,
    MEMBER_FILE,
    MEMBER_PLACE,
    CandidateRanker,
    open_import_ranker,
    open_member_ranker,
    open_ranker,
)
from editahead_models.export.bundle_writer import write_bundle

from tests.runtime.conftest import npz

C, S, H = 5, 3, 4


@pytest.fixture
def ranker() -> CandidateRanker:
    random = np.random.default_rng(1)
    shapes = [(H, C), (H, S), (H,), (H,), (C,), (H, S), (H,), (H,)]
    arrays = {name: random.normal(size=shape) for name, shape in zip(ARRAYS, shapes, strict=True)}
    return CandidateRanker.from_arrays(arrays)


def test_probabilities_are_the_softmax_of_the_formula(ranker: CandidateRanker) -> None:
    random = np.random.default_rng(2)
    rows, place = random.normal(size=(6, C)).astype(np.float32), random.normal(size=S).astype(np.float32)
    scores = [
        ranker.out @ np.maximum(ranker.candidate @ row + ranker.place @ place + ranker.bias, 0) + ranker.direct @ row
        for row in rows
    ]
    scores.append(ranker.none_out @ np.maximum(ranker.none_place @ place + ranker.none_bias, 0))
    wanted = np.exp(scores) / np.exp(scores).sum()
    assert np.allclose(ranker.probabilities(rows, place), wanted, atol=1e-5)
    assert ranker.probabilities(rows, place).sum() == pytest.approx(1, abs=1e-5)


def test_without_candidates_it_is_none_of_them(ranker: CandidateRanker) -> None:
    assert ranker.probabilities(np.zeros((0, C), np.float32), np.zeros(S, np.float32)).tolist() == [1.0]


def test_the_order_of_candidates_does_not_matter(ranker: CandidateRanker) -> None:
    random = np.random.default_rng(3)
    rows, place = random.normal(size=(7, C)).astype(np.float32), random.normal(size=S).astype(np.float32)
    order = random.permutation(7)
    straight, mixed = ranker.probabilities(rows, place), ranker.probabilities(rows[order], place)
    assert np.allclose(straight[:-1][order], mixed[:-1], atol=1e-6)


def test_arrays_of_another_shape_are_refused(ranker: CandidateRanker) -> None:
    with pytest.raises(ValueError, match="none_place of shape"):
        CandidateRanker.from_arrays({**ranker.arrays(), "none_place": np.zeros((H, S + 1))})
    with pytest.raises(KeyError):
        CandidateRanker.from_arrays({name: array for name, array in ranker.arrays().items() if name != "out"})


def imports_of(
    ranker: CandidateRanker, candidate: int = IMPORT_CANDIDATE, place: int = IMPORT_PLACE
) -> CandidateRanker:
    """Weights that see further features, with a seed."""
    random = np.random.default_rng(4)
    shapes = [(H, C + candidate), (H, S + place), (H,), (H,), (C + candidate,), (H, S + place), (H,), (H,)]
    arrays = {name: random.normal(size=shape) for name, shape in zip(ARRAYS, shapes, strict=True)}
    return CandidateRanker.from_arrays(arrays)


def bundle_with(folder: Path, files: Mapping[str, CandidateRanker | bytes]) -> Bundle:
    held = {name: one if isinstance(one, bytes) else npz(**one.arrays()) for name, one in files.items()}
    return write_bundle(folder / "toy-python-1", family="toy", language="python", files=held, manifest={"version": "1"})


def test_a_bundle_may_have_weights_of_its_own_for_imports(ranker: CandidateRanker, tmp_path: Path) -> None:
    without = bundle_with(tmp_path / "a", {FILE: ranker})
    assert open_ranker(without) is not None
    assert open_import_ranker(without, ranker) is None
    own = imports_of(ranker)
    found = open_import_ranker(bundle_with(tmp_path / "b", {FILE: ranker, IMPORT_FILE: own}), ranker)
    assert found is not None
    assert all(np.array_equal(found.arrays()[name], array) for name, array in own.arrays().items())


def test_a_bundle_may_have_weights_of_its_own_for_members(ranker: CandidateRanker, tmp_path: Path) -> None:
    assert open_member_ranker(bundle_with(tmp_path / "a", {FILE: ranker}), ranker) is None
    own = imports_of(ranker, MEMBER_CANDIDATE, MEMBER_PLACE)
    found = open_member_ranker(bundle_with(tmp_path / "b", {FILE: ranker, MEMBER_FILE: own}), ranker)
    assert found is not None
    assert all(np.array_equal(found.arrays()[name], array) for name, array in own.arrays().items())
    with pytest.raises(BundleError, match=r"member_ranker\.npz: expected .*found 11 and 12"):
        open_member_ranker(bundle_with(tmp_path / "c", {FILE: ranker, MEMBER_FILE: imports_of(ranker)}), ranker)


@pytest.mark.parametrize("fault", ["bytes", "features", "array", "alone"])
def test_bad_weights_for_imports_are_one_line(ranker: CandidateRanker, tmp_path: Path, fault: str) -> None:
    arrays = imports_of(ranker).arrays()
    bad, message = {
        "bytes": (b"no archive", r"import_ranker\.npz"),
        "features": (
            imports_of(ranker, IMPORT_CANDIDATE - 1),
            r"import_ranker\.npz: expected .* 11 and 12 .*, found 10 and 12",
        ),
        "array": (npz(**{name: one for name, one in arrays.items() if name != "out"}), r"import_ranker\.npz: .*out"),
        "alone": (imports_of(ranker), r"import_ranker\.npz: .*found no ranker\.npz"),
    }[fault]
    bundle = bundle_with(tmp_path, {IMPORT_FILE: bad})
    with pytest.raises(BundleError, match=message) as caught:
        open_import_ranker(bundle, None if fault == "alone" else ranker)
    assert "\n" not in str(caught.value)
