"""A run on edits as a bundle: calibrated, with what was fitted on patterns before, opened by the server's own code."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from editahead.runtime.bundle import find_bundles, load_bundle  # noqa: E402
from editahead.runtime.edit_model.model import EditModel  # noqa: E402
from editahead.runtime.ort import select_providers  # noqa: E402
from editahead.suggest.next_edit.editor import NextEditor  # noqa: E402
from editahead_models.evaluate.next_edits.candidates_command import bundles_with  # noqa: E402
from editahead_models.export.edits_release import release  # noqa: E402
from editahead_models.export.kept_fit import with_kept_patterns  # noqa: E402
from editahead_models.train.edits import train  # noqa: E402

from tests.models.train.test_edit_training import SMALL, data  # noqa: E402, F401

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
needs_bundle = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")


@pytest.mark.slow
@needs_bundle
def test_a_run_becomes_a_bundle_with_its_window_and_the_patterns_of_the_one_before(
    data: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDITAHEAD_PRODUCTS", "float32")
    shutil.copytree(data, tmp_path / "data")
    shutil.copytree(data / "train", tmp_path / "data" / "fit")
    recipe = replace(SMALL, tokens=200, window=400, served_window=100)
    train(tmp_path / "data", tmp_path / "run", recipe)
    made = release(tmp_path / "run", tmp_path / "data", tmp_path, version="9", language="any", cases=8, instances=6)
    assert made.path.name == "implicit-attention-any-9"
    earlier = load_bundle(SHIPPED[0])
    kept = with_kept_patterns(made, earlier)
    assert kept.manifest["repeat"] == earlier.manifest["repeat"]
    assert kept.manifest["check"] == earlier.manifest["check"]
    for name in ("repeat_one", "repeat_many", "check"):
        assert kept.calibration(name).to_manifest() == earlier.calibration(name).to_manifest()
    assert kept.manifest["calibration"]["next_edit"] == made.manifest["calibration"]["next_edit"]
    model = EditModel(kept, select_providers("cpu"))
    assert model.window_limit == 100
    assert NextEditor(kept, select_providers("cpu")) is not None
    assert bundles_with(None) == find_bundles()
    others = bundles_with(kept.path)
    assert others[0] == kept.path
    assert not set(others) & set(SHIPPED)
    assert len(others) == 1 + len(find_bundles()) - len(SHIPPED)
