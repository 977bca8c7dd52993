"""The four splits: one list a project, test for publishing alone, near-duplicates kept once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from editahead_models.data import splits
from editahead_models.data.corpus.near_duplicates import NearDuplicateFilter, signature

SCIENCE = Path(splits.__file__).parents[1]
KEPT_BACK = ("publishing_projects", "excluded_projects")
MAY_NAME_TEST = {
    "data/splits.py",
    "data/corpus/prepare_corpus.py",
    "data/mining/mine_edits.py",
    "publishing/command.py",
}


def test_a_project_stands_in_one_list_of_a_language() -> None:
    for lists in splits.split_table().values():
        names = [name for split in (*splits.SPLITS, splits.NEVER) for name in lists[split]]
        assert len(names) == len(set(names))


def test_a_project_in_two_lists_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "splits.toml").write_text('[python]\ntrain = ["a/b"]\nfit = ["a/b"]\n')
    monkeypatch.setattr(splits, "_FOLDERS", (tmp_path,))
    splits.split_table.cache_clear()
    try:
        with pytest.raises(ValueError, match="a/b stands in python train and in fit"):
            splits.split_table()
    finally:
        splits.split_table.cache_clear()


@pytest.mark.slow
def test_only_publishing_and_deduplication_name_the_test_projects() -> None:
    users = {
        path.relative_to(SCIENCE).as_posix()
        for path in SCIENCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id in KEPT_BACK)
        or (isinstance(node, ast.Attribute) and node.attr in KEPT_BACK)
    }
    assert users <= MAY_NAME_TEST
    tables = {path.name for path in SCIENCE.rglob("*.py") if "split_table" in path.read_text(encoding="utf-8")}
    assert tables == {"splits.py"}  # the table itself, which holds the test projects too, is no way around
    with pytest.raises(ValueError, match="publishing"):
        splits.projects_of("test", "python")


def test_near_duplicates_are_kept_once_and_others_stay() -> None:
    first = [f"name{n % 90} = call{n % 70} ( {n} )" for n in range(300)]
    changed = [*first[:40], "other", *first[40:]]
    different = [token[::-1] for token in first]
    unique = NearDuplicateFilter()
    assert unique.accept("first", signature(first))
    assert not unique.accept("changed", signature(changed))
    assert unique.accept("different", signature(different))
    assert unique.dropped == 1


def test_a_file_of_less_than_a_shingle_is_not_kept() -> None:
    assert signature(["a", "=", "1"]) is None
    assert not NearDuplicateFilter().accept("tiny", None)
