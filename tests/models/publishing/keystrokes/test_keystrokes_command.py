"""`report keystrokes` on toy repositories, and the published page beside its data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("rich")

import typer
from editahead_models.data import splits
from editahead_models.publishing.keystrokes import page
from editahead_models.publishing.keystrokes.command import main

from tests.check.repos import Repo
from tests.models.publishing.test_product_command import MODULE

ROOT = Path(__file__).resolve().parents[4]
RESULTS, DATA = ROOT / "docs" / "results", ROOT / "models" / "results"
LICENCE = "MIT. Permission is hereby granted, free of charge, to any person\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository of ours, and a mirror with two dev projects of Python, one of them without a licence."""
    one = Repo(tmp_path / "mirror/acme+one/repo").put("LICENSE", LICENCE)
    one.put("shop/orders.py", MODULE).put("shop/again.py", f"import os\n{MODULE}").put("tests/test_orders.py", MODULE)
    one.commit()
    Repo(tmp_path / "mirror/acme+two/repo").put("shop/orders.py", MODULE).commit()
    lists = '[python]\ntrain = []\nfit = []\ndev = ["acme/one", "acme/two", "acme/absent"]\ntest = []\n'
    (tmp_path / "splits.toml").write_text(lists, encoding="utf-8")
    monkeypatch.setattr(splits, "_FOLDERS", (tmp_path,))
    splits.split_table.cache_clear()
    ours = Repo(tmp_path / "ours").put("a.py", "a = 1\n")
    ours.commit()
    monkeypatch.chdir(ours.root)
    yield ours.root
    splits.split_table.cache_clear()


def run(root: Path, seed: int = 1) -> None:
    main(root.parent / "mirror", root.parent / "work", None, 3, seed, None, root / "docs/results")


@pytest.mark.slow
def test_dev_projects_are_measured_once_and_the_page_is_written(root: Path) -> None:
    run(root)
    found = json.loads((root / "models/results/keystrokes.json").read_text(encoding="utf-8"))
    one = found["languages"]["python"]
    assert found["split"] == "dev"
    assert list(one["projects"]) == ["acme/one"]
    assert one["missing"] == ["acme/two (no permissive licence)", "acme/absent (not in the mirror)"]
    assert {"commit", "date", "machine", "seed", "data", "bundles"} <= set(one)
    assert one["tables"]["saved"]["both"]["files"] == 2  # a stretch a file, and none of tests
    assert one["tables"]["saved"]["both"]["n"] > 50
    text = (root / "docs/results/keystrokes.md").read_text(encoding="utf-8")
    assert "| keys saved by completions and ghost text | at least 50.0 % |" in text
    assert "acme/two (no permissive licence)" in text

    (rows,) = (root.parent / "work/python").glob("*.jsonl")
    written = rows.stat().st_mtime_ns
    run(root)
    assert rows.stat().st_mtime_ns == written
    with pytest.raises(typer.BadParameter, match="holds another measurement"):
        run(root, seed=2)


def test_languages_and_folders_are_checked_first(root: Path) -> None:
    with pytest.raises(typer.BadParameter, match="no dev projects of 'go'"):
        main(root.parent / "mirror", root.parent / "work", ["go"], 3, 1, None, root / "docs/results")
    with pytest.raises(typer.BadParameter, match="--work"):
        main(root.parent / "mirror", None, None, 3, 1, None, root / "docs/results")


def test_the_published_page_says_what_its_data_says(tmp_path: Path) -> None:
    made = page.write(tmp_path, DATA)
    assert made is not None
    assert made.read_text(encoding="utf-8") == (RESULTS / made.name).read_text(encoding="utf-8")


def test_the_page_alone_is_written_without_a_mirror(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "keystrokes.json").write_bytes((DATA / "keystrokes.json").read_bytes())
    main(out=tmp_path)
    assert (tmp_path / "keystrokes.md").read_text(encoding="utf-8").startswith("# Keys saved\n")


def test_without_data_no_page_is_written(tmp_path: Path) -> None:
    assert page.write(tmp_path, tmp_path) is None
