"""From git histories to training instances: what is mined reproduces the change, what is not permitted is left out."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from editahead.encode.edit_model.tokens import SPECIALS, EditToken, EditVocab
from editahead.encode.edit_model.window import SENTINELS
from editahead_models.data.edits.batches import TextFeatures, collate
from editahead_models.data.edits.instances import (
    Limits,
    change_digest,
    exact_hunk,
    instances,
    is_canonical,
    line_hunks,
    render,
)
from editahead_models.data.edits.patterns import find_pattern
from editahead_models.data.edits.samples import (
    ShardFile,
    build_vocab,
    hunk_order,
    mined_edits,
    ordered_sample,
    pattern_sample,
)
from editahead_models.data.mining.git_changes import FileChange, file_changes
from editahead_models.data.mining.mine_edits import mine_project
from editahead_models.data.projects import Project, licence_of

from tests.encode.edit_model.reference import apply_sequence, sequence

BEFORE = """import os


class Store:
    def __init__(self, path):
        self.path = path
        self.cache = {}

    def read(self, key):
        if key in self.cache:
            return self.cache[key]
        value = load(self.path, key)
        self.cache[key] = value
        return value

    def clear(self):
        self.cache.clear()
"""
AFTER = BEFORE.replace("cache", "known").replace("load(self.path, key)", "load(self.path, key, strict=True)")


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "LICENSE").write_text("Permission is hereby granted, free of charge, to any person obtaining a copy")
    for text in (BEFORE, AFTER, AFTER.replace("value", "found")):
        (folder / "store.py").write_text(text)
        (folder / "_vendor").mkdir(exist_ok=True)
        (folder / "_vendor" / "copy.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "change")
    return folder


def text_of(keys: list[EditToken]) -> str:
    return render([key for key in keys if key not in SENTINELS], 0).removeprefix("\n")


def test_changes_come_from_history_without_vendored_copies(repository: Path) -> None:
    found = list(file_changes(repository, ".py", commits=10, limit=10, seed=1))
    assert {change.path for change in found} == {"store.py"}
    assert {(change.before, change.after) for change in found} >= {(BEFORE, AFTER)}
    assert len(list(file_changes(repository, ".py", commits=10, limit=1, seed=1))) == 1


def test_a_name_that_git_would_quote_is_mined_too(repository: Path) -> None:
    for text in (BEFORE, AFTER):
        (repository / "caf\u00e9.py").write_text(text)
        git(repository, "add", ".")
        git(repository, "commit", "-q", "-m", "change")
    found = {change.path for change in file_changes(repository, ".py", commits=10, limit=10, seed=1)}
    assert found == {"store.py", "caf\u00e9.py"}


def test_an_instance_is_the_change() -> None:
    """Applied to the window, all hunks give the new text, in any order."""
    change = FileChange("store.py", BEFORE, AFTER)
    limits = Limits(window=400, single_share=1.0)
    for instance in instances(change, limits, random.Random(1)):
        assert instance.complete
        for seed in range(5):
            hunks = random.Random(seed).sample(instance.hunks, len(instance.hunks))
            edits = sequence(hunks, len(instance.keys))
            after = apply_sequence(instance.keys, [(edit.name, edit.key) for edit in edits])
            assert text_of(after) == AFTER.rstrip("\n") + "\n"


def test_a_change_within_a_line_that_stands_alone_is_inside() -> None:
    """A window of far look-alikes shows them without the lines before; they are still places of the change."""
    lines = [f"value_{n} = compute_{n}(left_{n}, right_{n})" for n in range(90)]
    for place in (5, 40, 80):
        lines[place] = f"total_{place} = measure(box_{place}, unit=old)"
    before = "\n".join(lines) + "\n"
    change = FileChange("a.py", before, before.replace("unit=old", "unit=new"))
    found = list(instances(change, Limits(window=98, single_share=1.0), random.Random(4)))
    assert len(found) == 2
    for instance in found:
        assert instance.complete
        for order in ([*instance.hunks], [*instance.hunks][::-1]):
            edits = sequence(order, len(instance.keys))
            result = apply_sequence(instance.keys, [(edit.name, edit.key) for edit in edits])
            assert [key.text for key in result].count("new") == 3
            assert "old" not in {key.text for key in result}


def test_what_tokens_cannot_reproduce_is_left_out() -> None:
    assert is_canonical("    x = 1  # why")
    assert not is_canonical("x  = 1   # three blanks")
    assert not is_canonical("x = 1 ")
    old, new = ["def f():", "    a()"], ["def f():", "    if x:", "        a()"]
    hunks = line_hunks(old, new)
    assert hunks is not None
    assert exact_hunk(old, new, hunks[0], 5) is None  # the kept line end would need another indentation
    assert exact_hunk(["a", "  b  =  1"], ["a", "  b   =    2"], (1, 2, 1, 2), 5) is None  # type: ignore[arg-type]
    assert exact_hunk(["a"], ["z", "a"], (0, 0, 0, 1), 1) is None  # type: ignore[arg-type]


def test_the_same_lines_are_one_change() -> None:
    change = FileChange("a.py", BEFORE, AFTER)
    moved = FileChange("b.py", "# head\n" + BEFORE, "# head\n" + AFTER)
    assert change_digest(change) == change_digest(moved)
    assert change_digest(change) != change_digest(FileChange("a.py", AFTER, BEFORE))


def test_mining_a_project_and_learning_batches_from_it(repository: Path, tmp_path: Path) -> None:
    project = Project("a/b", repository, "0" * 40, licence_of(repository))
    assert project.licence == "MIT"
    target = tmp_path / "a+b.npz"
    limits = Limits(single_share=1.0)
    record = mine_project(project, "python", target, changes=10, commits=10, seed=1, limits=limits)
    assert record["instances"] >= 2
    assert record["licence"] == "MIT"
    table: dict[str, int] = {}
    shard = ShardFile(target, table)
    vocab = build_vocab([shard], table, len(SPECIALS) + 30)
    assert isinstance(vocab, EditVocab)
    features = TextFeatures(table, vocab)
    rng = np.random.default_rng(0)
    sample = ordered_sample(mined_edits(shard, 0), 60, rng)
    assert sample is not None
    for time, edit in enumerate(sample.edits):
        assert edit.name in sample.following[time]
        assert (sample.place[time, list(sample.following[time])] >= 0).all()
    assert sample.following[-1] == ()
    windows = [mined_edits(shard, number % len(shard)) for number in range(60)]
    drawn = [pattern_sample(window, shard.runs, features.kinds, 60, rng) for window in windows]
    made = [found for found in drawn if found is not None]
    assert made
    assert all(len({edit.name for edit in found.edits}) > 1 for found in made)
    for found in made:
        batch = collate([found, sample], features, rng, 512)
        right = batch["target"] & batch["live"]
        assert (right.any(-1) == batch["target"].any(-1)).all()
        assert (batch["c_tok"][batch["edit_mask"]] > 0).all()
        assert batch["tok"].shape == batch["lid"].shape
        assert len(batch["c_tok"]) == 2


def test_a_project_without_a_permissive_licence_is_skipped(repository: Path, tmp_path: Path) -> None:
    project = Project("a/b", repository, "0" * 40, None)
    record = mine_project(project, "python", tmp_path / "x.npz", changes=10, commits=10, seed=1, limits=Limits())
    assert "skipped" in record
    assert not (tmp_path / "x.npz").exists()


def test_the_first_hunk_stays_first() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = hunk_order(5, 3, rng)
        assert order[0] == 3
        assert sorted(order) == [0, 1, 2, 3, 4]
    assert hunk_order(4, 2, None) == [2, 3, 0, 1]


@pytest.mark.parametrize("length", range(6))
def test_a_state_of_a_few_tokens_holds_no_pattern(length: int) -> None:
    state = np.full(length, 7)
    for seed in range(20):
        assert find_pattern(state, np.zeros(length, np.bool_), np.random.default_rng(seed)) is None
