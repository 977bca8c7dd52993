"""Tables of names with eight bits a number: near the originals, exact in integers, shared by the graphs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from editahead.runtime.bundle import BundleError, find_bundles, load_bundle
from editahead.runtime.language_model.graphs import FILE, HIGHEST, NameTables, QuantizedTable
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import open_sessions
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

ROWS = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 12), st.integers(1, 8)), elements=st.floats(-100, 100, width=32)
)


@given(ROWS)
def test_a_number_is_at_most_half_a_step_of_its_row_away(rows: np.ndarray) -> None:
    table = QuantizedTable.of(rows)
    back = table.rows(np.arange(len(rows)))
    step = np.abs(rows).max(1, keepdims=True) / HIGHEST
    assert (np.abs(back - rows) <= 0.501 * step + 1e-6).all()
    assert table.codes.nbytes == rows.size  # a byte a number


@given(ROWS)
def test_rounding_what_is_rounded_changes_nothing(rows: np.ndarray) -> None:
    once = QuantizedTable.of(rows).rows(np.arange(len(rows)))
    assert np.allclose(QuantizedTable.of(once).rows(np.arange(len(rows))), once, atol=1e-5, rtol=1e-5)


def test_a_step_is_the_sum_of_its_word_its_kind_and_its_parts() -> None:
    rng = np.random.default_rng(3)
    word, part, kind = (rng.normal(size=(n, 6)).astype(np.float32) for n in (20, 30, 9))
    part[0] = 0  # no part
    tables = NameTables(QuantizedTable.of(word), QuantizedTable.of(part), kind)
    words, kinds, parts = np.array([3, 3, 19]), np.array([0, 8, 1]), np.array([[0, 0], [5, 29], [7, 0]])
    wanted = word[words] + kind[kinds] + part[parts].sum(1)
    assert np.allclose(tables.embed(words, kinds, parts), wanted, atol=0.08)
    again = NameTables.from_arrays(tables.arrays())
    assert np.array_equal(again.embed(words, kinds, parts), tables.embed(words, kinds, parts))


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    rng = np.random.default_rng(4)
    tables = NameTables(
        QuantizedTable.of(rng.normal(size=(5, 6)).astype(np.float32)),
        QuantizedTable.of(rng.normal(size=(5, 6)).astype(np.float32)),
        np.zeros((9, 6), np.float32),
    ).arrays()
    with pytest.raises(ValueError, match="scales"):
        NameTables.from_arrays({**tables, "word_scale": tables["word_scale"][:-1]})
    with pytest.raises(ValueError, match="features"):
        NameTables.from_arrays({**tables, "kind": np.zeros((9, 5), np.float32)})
    with pytest.raises(KeyError):
        NameTables.from_arrays({key: value for key, value in tables.items() if key != "part"})


def shipped() -> list[Path]:
    return [path for path in find_bundles() if path.name.startswith("spn-")]


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.name)
def test_the_tables_of_a_shipped_model_stand_in_its_bundle_once(path: Path) -> None:
    bundle = load_bundle(path)
    codes = bundle.arrays(FILE)["word"].nbytes
    for name in bundle.manifest.graphs:
        if name in ("encode", "head"):
            assert bundle.file(f"{name}.onnx").stat().st_size < codes  # no table inside a graph
    assert sum(entry.bytes for entry in bundle.manifest.files.values()) < 6e6


def test_a_bundle_without_the_tables_says_so_in_one_line(tmp_path: Path) -> None:
    path = shipped()[0]
    broken = tmp_path / path.name
    broken.mkdir()
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["files"] = [entry for entry in manifest["files"] if entry["path"] != FILE]
    for graph in manifest["graphs"].values():
        graph.pop("shared", None)
    (broken / "manifest.json").write_text(json.dumps(manifest))
    for entry in manifest["files"]:
        (broken / entry["path"]).write_bytes((path / entry["path"]).read_bytes())
    with pytest.raises(BundleError, match=r"expected a language model with its tables in names\.npz"):
        LanguageModel(load_bundle(broken), select_providers("cpu"))


def test_a_graph_says_which_array_it_misses(tmp_path: Path) -> None:
    path = shipped()[0]
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["graphs"]["head"]["shared"] = {"word_codes": f"{FILE}:nothing"}
    for entry in manifest["files"]:
        (tmp_path / entry["path"]).write_bytes((path / entry["path"]).read_bytes())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BundleError, match="expected an array called nothing"):
        open_sessions(load_bundle(tmp_path), select_providers("cpu"))
    manifest["graphs"]["head"]["shared"] = {"word_codes": "elsewhere.npz:word"}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BundleError, match="FILE:ARRAY"):
        load_bundle(tmp_path)
