"""The model of repeated edits in a manifest: read, refused with one line, or not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.bundle import Bundle, BundleError
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead_models.export.bundle_writer import write_bundle

NAMES = ("bias", "left", "right")
IDENTITY = {"method": "identity", "thresholds": {"0.80": 0.7}}


def bundle(folder: Path, repeat: Any, **calibration: Any) -> Bundle:
    manifest: dict[str, Any] = {"version": "1", "graphs": {}, "calibration": calibration}
    if repeat is not None:
        manifest["repeat"] = repeat
    files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
    return write_bundle(folder / "toy-any-1", family="toy", language="any", files=files, manifest=manifest)


def test_probabilities_come_from_the_weights_for_the_number_of_examples(tmp_path: Path) -> None:
    repeat = {"one": {"bias": -50.0}, "many": {"bias": -50.0, "right": 100.0}}
    halved = {"method": "isotonic", "knots": [[0.0, 0.0], [1.0, 0.5]]}
    made = bundle(tmp_path, repeat, repeat_one=IDENTITY, repeat_many=halved)
    model = PatternScorer.of_bundle(made, NAMES)
    assert model is not None
    assert model.probability((1.0, 0.0, 1.0), 1) == pytest.approx(0.0, abs=1e-9)
    assert model.probability((1.0, 0.0, 1.0), 2) == model.probability((1.0, 0.0, 1.0), 5) == pytest.approx(0.5)
    assert model.calibration(1).threshold(0.8) == 0.7


def test_a_bundle_without_the_entry_has_no_such_model(tmp_path: Path) -> None:
    assert PatternScorer.of_bundle(bundle(tmp_path, None), NAMES) is None


@pytest.mark.parametrize(
    ("repeat", "said"),
    [
        ([], "repeat as a JSON object"),
        ({"one": {}}, "repeat.many as a JSON object"),
        ({"one": {"bias": "1"}, "many": {}}, "repeat.one.bias as a finite number"),
        ({"one": {"bias": True}, "many": {}}, "repeat.one.bias as a finite number"),
        ({"one": {}, "many": {"colour": 1.0}}, "repeat.many with features of this version, found 'colour'"),
    ],
)
def test_a_damaged_entry_is_refused_with_one_line(tmp_path: Path, repeat: Any, said: str) -> None:
    made = bundle(tmp_path, repeat, repeat_one=IDENTITY, repeat_many=IDENTITY)
    with pytest.raises(BundleError) as caught:
        PatternScorer.of_bundle(made, NAMES)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_calibration_must_be_there(tmp_path: Path) -> None:
    made = bundle(tmp_path, {"one": {}, "many": {}}, repeat_one=IDENTITY)
    with pytest.raises(BundleError, match=r"calibration\.repeat_many, found nothing"):
        PatternScorer.of_bundle(made, NAMES)


def test_what_a_finished_change_leaves_has_weights_of_its_own(tmp_path: Path) -> None:
    made = bundle(tmp_path, None, check=IDENTITY)
    assert PatternScorer.of_check(made, NAMES) is None
    manifest = {"version": "2", "graphs": {}, "check": {"bias": -50.0, "left": 100.0}}
    files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
    target = tmp_path / "toy-any-2"
    bare = write_bundle(target, family="toy", language="any", files=files, manifest=manifest)
    with pytest.raises(BundleError, match=r"calibration\.check, found nothing"):
        PatternScorer.of_check(bare, NAMES)
    manifest["calibration"] = {"check": IDENTITY}
    full = write_bundle(target, family="toy", language="any", files=files, manifest=manifest)
    model = PatternScorer.of_check(full, NAMES)
    assert model is not None
    assert model.probability((1.0, 1.0, 0.0), 2) == pytest.approx(1.0)
    assert model.probability((1.0, 0.0, 1.0), 9) == pytest.approx(0.0, abs=1e-9)
    assert model.calibration(2).threshold(0.8) == 0.7
    manifest["check"] = {"bias": None}
    broken = write_bundle(target, family="toy", language="any", files=files, manifest=manifest)
    with pytest.raises(BundleError, match=r"check\.bias as a finite number"):
        PatternScorer.of_check(broken, NAMES)
