"""Bundles: what is written loads again, and every kind of damage is one line that names file and fault."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from editahead.runtime.bundle import (
    Bundle,
    BundleError,
    find_bundles,
    load_bundle,
    verify_files,
    verify_optional,
)
from editahead.runtime.calibration import Calibration
from editahead.runtime.manifest import MAX_FILE_BYTES, MAX_MANIFEST_BYTES
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import open_sessions, self_test
from editahead_models.export.bundle_writer import write_bundle

from .conftest import DATA, golden, make_bundle, npz

CPU = select_providers("cpu")
M = "manifest.json"
Rewrite = Callable[[Path, Callable[[dict[str, Any]], Any]], None]


def test_round_trip(bundle: Bundle) -> None:
    loaded = load_bundle(bundle.path)
    manifest = loaded.manifest
    assert manifest.name == loaded.path.name == "toy-python-1"
    assert (manifest.family, manifest.flavour, manifest.language) == ("toy", "plain", "python")
    assert manifest["data_hash"] == "1" * 16
    assert manifest.limits["tokens"] == 1000
    assert manifest.graphs["step"].inputs == {"tokens": ("time",), "state": (1,)}
    assert manifest.graphs["step"].outputs == {"logits": ("time",), "state_out": (1,)}
    assert loaded.vocab() == {"words": ["<unk>", "self"]}
    assert loaded.calibration("completion").method == "isotonic"
    assert loaded.calibration("completion").n == 100
    assert loaded.calibration("unheard-of") == Calibration()
    assert loaded.file("model.onnx").read_bytes() == (DATA / "step.onnx").read_bytes()
    with pytest.raises(TypeError):
        manifest["limits"]["tokens"] = 1


def test_golden_self_test(bundle: Bundle) -> None:
    assert self_test(bundle, open_sessions(bundle, CPU)) == 0.0


def test_self_test_finds_a_model_that_answers_differently(tmp_path: Path) -> None:
    near = make_bundle(tmp_path / "near", golden=golden(5e-4))
    assert self_test(near, open_sessions(near, CPU)) == pytest.approx(5e-4, rel=1e-3)
    far = make_bundle(tmp_path / "far", golden=golden(0.5))
    with pytest.raises(BundleError, match=r"golden\.npz: expected output logits .* within 0\.001, found .* 0\.5"):
        self_test(far, open_sessions(far, CPU))
    lenient = make_bundle(tmp_path / "lenient", golden=golden(0.5), tolerance=1.0)
    assert self_test(lenient, open_sessions(lenient, CPU)) == pytest.approx(0.5)
    broken = make_bundle(tmp_path / "nan", golden=golden(float("nan")), tolerance=1.0)
    with pytest.raises(BundleError, match="inf"):
        self_test(broken, open_sessions(broken, CPU))


def test_self_test_needs_every_input(tmp_path: Path) -> None:
    arrays = {"in/step/tokens": np.ones(2, np.float32), "out/step/logits": np.ones(2, np.float32)}
    short = make_bundle(tmp_path, golden=npz(**arrays))
    with pytest.raises(BundleError, match=r"golden\.npz.*state"):
        self_test(short, open_sessions(short, CPU))


def test_card_tells_the_manifest(bundle: Bundle) -> None:
    card = (bundle.path / "CARD.md").read_text(encoding="utf-8")
    for text in (
        "# toy-python-1",
        "| top1 | 0.41 |",
        "| Apache-2.0 | 3 |",
        "| step | model.onnx |",
        "isotonic",
        "0" * 16,
    ):
        assert text in card
    for entry in bundle.manifest.files.values():
        assert entry.sha256 in card


def test_card_lists_projects_as_a_table(tmp_path: Path) -> None:
    projects = [{"project": "a|b", "licence": "MIT"}, {"project": "c", "licence": "BSD", "tokens": 5}]
    made = make_bundle(tmp_path, licences=projects, recipe={"training": {"steps": 7, "rates": [0.1, 0.25]}})
    card = (made.path / "CARD.md").read_text(encoding="utf-8")
    assert "| project | licence | tokens |" in card
    assert "| a\\|b | MIT |  |" in card
    assert "| c | BSD | 5 |" in card
    assert "| training | steps: 7, rates: 0.1, 0.25 |" in card


def _bytes_too_few(folder: Path) -> None:
    file = folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:-7])


def _other_bytes(folder: Path) -> None:
    file = folder / "vocab.json"
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(bytes(data))


def _folder_for_file(folder: Path) -> None:
    (folder / "vocab.json").unlink()
    (folder / "vocab.json").mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no manifest": (lambda d: (d / M).unlink(), r"manifest\.json: expected a readable file"),
    "not JSON": (lambda d: (d / M).write_text("{'a'}"), r"manifest\.json: expected valid JSON"),
    "not an object": (lambda d: (d / M).write_text("[]"), "as a JSON object, found an empty list"),
    "not UTF-8": (lambda d: (d / M).write_bytes(b'{"\xff"}'), "found an invalid byte at offset 2"),
    "deep JSON": (lambda d: (d / M).write_text("[" * 100_000), "valid JSON"),
    "huge": (lambda d: (d / M).write_bytes(b" " * (MAX_MANIFEST_BYTES + 1)), "at most 4194304 bytes"),
    "no file": (lambda d: (d / "golden.npz").unlink(), r"golden\.npz: expected a file of \d+ bytes"),
    "folder for a file": (_folder_for_file, r"vocab\.json: .* found no regular file"),
    "truncated": (_bytes_too_few, r"model\.onnx: expected \d+ bytes, found \d+ bytes"),
    "changed": (_other_bytes, r"vocab\.json: expected SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_on_disk(bundle: Bundle, damage: str) -> None:
    inflict, message = DAMAGE[damage]
    inflict(bundle.path)
    with pytest.raises(BundleError, match=message) as caught:
        load_bundle(bundle.path)
    assert "\n" not in str(caught.value)
    assert caught.value.file
    assert caught.value.expected
    assert caught.value.actual


def _first(manifest: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = manifest["files"][0]
    return entry


WRONG: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "schema 2": (lambda m: m.update(schema=2), "expected schema 1, found schema 2"),
    "schema true": (lambda m: m.update(schema=True), "found schema True"),
    "no schema": (lambda m: m.pop("schema"), "found schema None"),
    "no family": (lambda m: m.pop("family"), "expected family"),
    "family with a slash": (lambda m: m.update(family="../x"), "expected family"),
    "no files": (lambda m: m.update(files=[]), "files as a list"),
    "files an object": (lambda m: m.update(files={}), "files as a list"),
    "no graphs": (lambda m: m.pop("graphs"), "graphs as a JSON object, found nothing"),
    "parent path": (
        lambda m: _first(m).update(path="../../etc/passwd"),
        r"files\[0\]\.path inside the bundle",
    ),
    "absolute path": (lambda m: _first(m).update(path="/etc/passwd"), r"files\[0\]\.path inside the bundle"),
    "drive path": (lambda m: _first(m).update(path="C:\\x"), r"files\[0\]\.path inside the bundle"),
    "hidden parent": (lambda m: _first(m).update(path="a/../../x"), r"files\[0\]\.path inside the bundle"),
    "path twice": (lambda m: m["files"].append(dict(_first(m))), "each path once"),
    "negative size": (lambda m: _first(m).update(bytes=-1), r"files\[0\]\.bytes"),
    "size too large": (lambda m: _first(m).update(bytes=MAX_FILE_BYTES + 1), r"files\[0\]\.bytes"),
    "size as text": (lambda m: _first(m).update(bytes="12"), r"files\[0\]\.bytes"),
    "no digest": (lambda m: _first(m).pop("sha256"), r"files\[0\]\.sha256"),
    "short digest": (lambda m: _first(m).update(sha256="ab"), r"files\[0\]\.sha256"),
    "unlisted graph": (lambda m: m["graphs"]["step"].update(file="other.onnx"), "graphs.step.file listed"),
    "odd axes": (lambda m: m["graphs"]["step"].update(inputs={"x": [1.5]}), "graphs.step.inputs.x"),
    "odd opset": (lambda m: m["graphs"]["step"].update(opset="17"), "graphs.step.opset"),
    "NaN in calibration": (
        lambda m: m["calibration"]["completion"].update(ece=float("nan")),
        "valid JSON, found NaN is not a number of JSON",
    ),
    "calibration out of range": (
        lambda m: m["calibration"]["completion"].update(ece=7),
        "calibration.completion.*ece",
    ),
    "falling knots": (
        lambda m: m["calibration"]["completion"].update(knots=[[0.1, 0.9], [0.2, 0.1]]),
        "calibration.completion, found knots must rise",
    ),
    "tolerance": (lambda m: m.update(tolerance="small"), "tolerance"),
    "normaliser": (lambda m: m.update(normaliser_version=[1]), "normaliser_version"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_manifest(bundle: Bundle, rewrite: Rewrite, wrong: str) -> None:
    how, message = WRONG[wrong]
    rewrite(bundle.path, how)
    with pytest.raises(BundleError, match=message) as caught:
        load_bundle(bundle.path)
    assert str(bundle.path / "manifest.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_link_out_of_the_bundle_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes((bundle.path / "vocab.json").read_bytes())
    (bundle.path / "vocab.json").unlink()
    os.symlink(outside, bundle.path / "vocab.json")
    with pytest.raises(BundleError, match="found a link that leaves it"):
        load_bundle(bundle.path)


def test_a_link_loop_is_refused(bundle: Bundle) -> None:
    (bundle.path / "vocab.json").unlink()
    os.symlink("vocab.json", bundle.path / "vocab.json")
    with pytest.raises(BundleError, match=r"vocab\.json"):
        load_bundle(bundle.path)


def test_a_graph_that_does_not_open(bundle: Bundle, rewrite: Rewrite) -> None:
    broken = (bundle.path / "model.onnx").read_bytes()[:40]
    (bundle.path / "model.onnx").write_bytes(broken)

    def relist(manifest: dict[str, Any]) -> None:
        entry = next(e for e in manifest["files"] if e["path"] == "model.onnx")
        entry.update(bytes=len(broken), sha256=hashlib.sha256(broken).hexdigest())

    rewrite(bundle.path, relist)
    loaded = load_bundle(bundle.path)
    with pytest.raises(BundleError, match=r"model\.onnx: expected an ONNX graph that opens") as caught:
        open_sessions(loaded, CPU)
    assert "\n" not in str(caught.value)


def test_a_graph_with_other_names_than_declared(bundle: Bundle, rewrite: Rewrite) -> None:
    rewrite(bundle.path, lambda m: m["graphs"]["step"].update(inputs={"ids": ["time"]}))
    with pytest.raises(BundleError, match="expected inputs ids, found state, tokens"):
        open_sessions(load_bundle(bundle.path), CPU)


def test_checksums_may_wait(bundle: Bundle) -> None:
    _other_bytes(bundle.path)
    loaded = load_bundle(bundle.path, verify=False)
    with pytest.raises(BundleError, match=r"vocab\.json"):
        verify_files(loaded)


def test_another_normaliser_is_refused(bundle: Bundle) -> None:
    load_bundle(bundle.path, normaliser_version=1)
    with pytest.raises(BundleError, match="expected normaliser_version 2, found 1"):
        load_bundle(bundle.path, normaliser_version=2)


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (trap,)

    for data in (npz(**{"in/step/tokens": np.array([Trap()], dtype=object)}), pickle.dumps(Trap())):
        bundle = make_bundle(tmp_path, golden=data)
        with pytest.raises(BundleError, match=r"an \.npz file of plain arrays"):
            self_test(bundle, open_sessions(bundle, CPU))
    assert not trap.exists()


@pytest.mark.parametrize("text", [b"[]", b"{", b"\xff"])
def test_a_vocabulary_that_is_none(tmp_path: Path, text: bytes) -> None:
    files = {"vocab.json": text}
    bundle = write_bundle(
        tmp_path / "toy-java-2", family="toy", language="java", files=files, manifest={"version": "2"}
    )
    with pytest.raises(BundleError, match=r"vocab\.json"):
        bundle.vocab()


def test_a_bundle_is_replaced_whole_or_not_at_all(bundle: Bundle, tmp_path: Path) -> None:
    before = load_bundle(bundle.path).manifest.files
    with pytest.raises(BundleError):
        make_bundle(tmp_path, calibration={"completion": {"method": "guess"}})
    with pytest.raises(BundleError, match="a directory called toy-python-3, found toy-python-1"):
        make_bundle(tmp_path, version="3")
    assert load_bundle(bundle.path).manifest.files == before
    make_bundle(tmp_path, golden=golden(1e-5))
    assert load_bundle(bundle.path).manifest.files != before
    assert [entry.name for entry in tmp_path.iterdir()] == ["toy-python-1"]


def test_a_manifest_is_plain_json_in_readable_text(bundle: Bundle) -> None:
    raw = json.loads((bundle.path / "manifest.json").read_text(encoding="utf-8"))
    assert raw["schema"] == 1
    assert {entry["path"] for entry in raw["files"]} == {"model.onnx", "vocab.json", "golden.npz"}


def test_find_bundles(bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    users = tmp_path / "users"
    make_bundle(users)
    monkeypatch.setattr("editahead.runtime.bundle.user_bundles", lambda: users)
    missing, empty = tmp_path / "missing", tmp_path / "empty-parent" / "damaged-python-1"
    empty.mkdir(parents=True)
    found = find_bundles([bundle.path, missing, empty.parent, bundle.path])
    assert found[:4] == [bundle.path, missing, empty, users / "toy-python-1"]
    assert len(set(found)) == len(found)
    with pytest.raises(BundleError, match="expected a bundle directory, found nothing"):
        load_bundle(missing)


def test_damage_to_an_optional_file_is_found_only_when_it_is_asked_for(tmp_path: Path) -> None:
    made = make_bundle(tmp_path, optional=["vocab.json"])
    _other_bytes(made.path)
    loaded = load_bundle(made.path, verify=False)
    verify_files(loaded)
    with pytest.raises(BundleError, match=r"vocab\.json: expected SHA-256"):
        verify_optional(loaded)
    with pytest.raises(BundleError, match=r"vocab\.json"):
        load_bundle(made.path)
    (made.path / "vocab.json").unlink()
    with pytest.raises(BundleError, match=r"vocab\.json"):
        verify_optional(load_bundle(made.path, verify=False))


def test_optional_files_must_be_listed(bundle: Bundle, rewrite: Rewrite) -> None:
    rewrite(bundle.path, lambda m: m.update(optional=["speller.onnx"]))
    with pytest.raises(BundleError, match="optional as a list of names in files"):
        load_bundle(bundle.path)


def test_only_the_graphs_asked_for_are_opened(bundle: Bundle) -> None:
    assert open_sessions(bundle, CPU, graphs=["step"]).keys() == {"step"}
    assert open_sessions(bundle, CPU, graphs=[]) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names as POSIX has them")
def test_a_manifest_that_is_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(BundleError, match="a regular file"):
        load_bundle(tmp_path)


def test_a_path_that_no_system_takes_is_reported_and_hides_no_other_bundle(bundle: Bundle) -> None:
    found = find_bundles([Path("a\0b"), bundle.path])
    assert found[:2] == [Path("a\0b"), bundle.path]
    with pytest.raises(BundleError, match="found nothing"):
        load_bundle(found[0])
