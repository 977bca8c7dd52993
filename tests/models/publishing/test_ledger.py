"""The ledger of reads: two for one set of bundles, and what makes a set another one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.bundle import load_bundle
from editahead_models.publishing import ledger

from tests.check.repos import bundle

READ = ledger.Read("1", "python", "key", {"spn-python-1": "key"}, {"identifiers": 1}, 1, "c0ffee", "tree", "2026-01-01")


def test_a_third_read_of_the_same_bundles_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    ledger.begin(path, READ)
    ledger.begin(path, replace(READ, id="2", date="2026-01-02"))
    with pytest.raises(ledger.ThirdReadError) as error:
        ledger.begin(path, replace(READ, id="3", date="2026-01-03"))
    assert str(error.value) == (
        "python: spn-python-1 were measured on the test projects on 2026-01-01 and 2026-01-02; no third time"
    )
    assert [one.date for one in ledger.reads(path)] == ["2026-01-01", "2026-01-02"]


def test_other_bundles_and_other_languages_have_reads_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    for read in (READ, READ, replace(READ, key="other"), replace(READ, language="java")):
        ledger.begin(path, read)
    assert len(ledger.reads(path)) == 4


def test_a_finished_read_says_when(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    ledger.begin(path, READ)
    ledger.end(path, READ, "2026-01-04")
    ledger.end(path, READ, "2026-01-05")
    assert [one.finished for one in ledger.reads(path)] == ["2026-01-04"]


def test_figures_in_a_manifest_make_no_other_bundle(tmp_path: Path) -> None:
    made = bundle(tmp_path)
    manifest = json.loads((made.path / "manifest.json").read_text(encoding="utf-8"))
    (made.path / "manifest.json").write_text(json.dumps(manifest | {"metrics": {"first": 0.5}}), encoding="utf-8")
    assert ledger.digest(load_bundle(made.path)) == ledger.digest(made)


def test_other_weights_make_another_bundle(tmp_path: Path) -> None:
    one, two = bundle(tmp_path / "one", bias=1.0), bundle(tmp_path / "two", bias=2.0)
    assert ledger.digest(one) != ledger.digest(two)
    assert ledger.key_of({"a": "1", "b": "2"}) == ledger.key_of({"b": "2", "a": "1"}) != ledger.key_of({"a": "1"})
