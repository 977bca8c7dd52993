"""Shards: the bytes of a corpus are the same whoever computes them, and an interrupted run goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from editahead_models.data.corpus import prepare_corpus
from editahead_models.data.corpus.prepare_corpus import prepare
from editahead_models.data.mining import mine_edits
from editahead_models.data.mining import mine_history as mine_history_module
from editahead_models.data.mining.mine_history import HistorySettings, mine_history
from editahead_models.data.shards import ShardStore


class InOrder:
    """Runs jobs in this process, at most so many of them."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.ran: list[Any] = []
        self.processors = 1

    def map(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Any]:
        for job in jobs:
            if len(self.ran) >= self.most:
                raise KeyboardInterrupt
            self.ran.append(job)
            yield function(job)


PACKED = (str, str)


def test_a_run_that_was_interrupted_computes_only_what_is_left(tmp_path: Path) -> None:
    first, second = InOrder(most=2), InOrder()
    jobs = ["a", "b", "c", "d"]
    with pytest.raises(KeyboardInterrupt):
        list(ShardStore(tmp_path).run(first, "s", str.upper, jobs, jobs, PACKED))
    assert list(ShardStore(tmp_path).run(second, "s", str.upper, jobs, jobs, PACKED)) == ["A", "B", "C", "D"]
    assert (first.ran, second.ran) == (["a", "b"], ["c", "d"])


def test_a_result_of_another_stage_or_input_or_a_damaged_one_is_computed_again(tmp_path: Path) -> None:
    store = ShardStore(tmp_path)
    list(store.run(InOrder(), "s", str.upper, ["a"], ["key"], PACKED))
    for stage, key in (("t", "key"), ("s", "another")):
        runner = InOrder()
        list(store.run(runner, stage, str.upper, ["a"], [key], PACKED))
        assert runner.ran == ["a"]
    for file in tmp_path.iterdir():
        file.write_bytes(b"damaged")
    runner = InOrder()
    assert list(store.run(runner, "s", str.upper, ["a"], ["key"], PACKED)) == ["A"]
    assert runner.ran == ["a"]


def test_results_are_handed_on_one_at_a_time(tmp_path: Path) -> None:
    """The memory of a run does not grow with the number of its shards."""
    jobs = [f"job {number}" for number in range(20)]
    list(ShardStore(tmp_path).run(InOrder(), "s", str.upper, jobs[:3], jobs[:3], PACKED))
    runner = InOrder()
    results = ShardStore(tmp_path).run(runner, "s", str.upper, jobs, jobs, PACKED)
    for number, job in enumerate(jobs):
        assert next(results) == job.upper()
        assert len(runner.ran) == max(0, number - 2)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    from tests.models.train.test_lm_pipeline import MIT, repository

    repository(tmp_path / "mirror" / "pallets" / "click", MIT, range(6))
    repository(tmp_path / "mirror" / "tqdm" / "tqdm", MIT, (2, 7))
    repository(tmp_path / "mirror" / "psf" / "requests", MIT, (8, 9))
    return tmp_path / "mirror"


def prepared(mirror: Path, out: Path, **more: Any) -> dict[str, bytes]:
    prepare("python", mirror, out, vocab_size=120, workers=1, broken_share=0.5, **more)
    return files_of(out)


@pytest.mark.slow
def test_a_corpus_that_was_interrupted_has_the_bytes_of_one_that_was_not(
    tmp_path: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 1

    @contextmanager
    def interrupted(workers: int) -> Iterator[InOrder]:
        yield InOrder(most)

    whole = prepared(mirror, tmp_path / "whole")
    assert any(name.startswith("train/") for name in whole)
    monkeypatch.setattr(prepare_corpus, "shard_runner", interrupted)
    parts: dict[str, bytes] | None = None
    for _ in range(20):
        try:
            parts = prepared(mirror, tmp_path / "parts")
            break
        except KeyboardInterrupt:
            continue
    assert parts == whole
    assert "unfinished" not in json.dumps(list(whole))


@pytest.fixture
def histories(tmp_path: Path) -> Path:
    """Three listed projects of two commits each."""
    from tests.models.data.test_edit_mining import AFTER, BEFORE, git
    from tests.models.train.test_lm_pipeline import MIT, repository

    folder = tmp_path / "histories"
    for number, name in enumerate(("pallets/click", "tqdm/tqdm", "celery/kombu")):
        project = folder / name.replace("/", "+") / "repo"
        repository(project, MIT, ())
        for version, text in enumerate((BEFORE, AFTER)):
            (project / "store.py").write_text(text.replace("Store", f"Store{number}"))
            git(project, "add", ".")
            git(project, "commit", "-qm", f"version {version}")
    return folder


def mined(mirror: Path, out: Path, **more: Any) -> dict[str, bytes]:
    mine_edits.mine(mirror, out, **more)
    return files_of(out)


@pytest.mark.slow
def test_mining_that_was_interrupted_has_the_bytes_of_one_that_was_not(
    tmp_path: Path, histories: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runners: list[InOrder] = []

    @contextmanager
    def interrupted(workers: int) -> Iterator[InOrder]:
        runners.append(InOrder(40))
        yield runners[-1]

    whole = mined(histories, tmp_path / "whole")
    assert sum(name.endswith(".npz") for name in whole) == 3
    monkeypatch.setattr(mine_edits, "shard_runner", interrupted)
    while files_of(tmp_path / "parts") != whole:
        assert len(runners) < 20
        with suppress(KeyboardInterrupt):
            mined(histories, tmp_path / "parts")
    assert len(runners) > 1
    ran = [job.name for runner in runners for job in runner.ran]
    assert len(ran) == len(set(ran))


def mined_histories(mirror: Path, out: Path, **more: Any) -> dict[str, bytes]:
    """Instances of sub-word edits out of the same repositories."""
    repositories = sorted(mirror.glob("*/repo"))
    settings = HistorySettings(languages=("python",))
    mine_history(repositories[:1], repositories[1:], out, settings, workers=1, **more)
    return files_of(out)


def test_mining_of_histories_that_was_interrupted_has_the_bytes_of_one_that_was_not(
    tmp_path: Path, histories: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runners: list[InOrder] = []

    @contextmanager
    def interrupted(workers: int) -> Iterator[InOrder]:
        runners.append(InOrder(2 if not runners else 1000))
        yield runners[-1]

    whole = mined_histories(histories, tmp_path / "whole")
    assert {"train.jsonl", "dev.jsonl", "test.jsonl", "subwords.json", "mined.json"} < set(whole)
    monkeypatch.setattr(mine_history_module, "shard_runner", interrupted)
    with pytest.raises(KeyboardInterrupt):
        mined_histories(histories, tmp_path / "parts")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "parts" / "chains").glob("*.record.json")}
    assert len(times) == 2
    assert mined_histories(histories, tmp_path / "parts") == whole
    assert {path: path.stat().st_mtime_ns for path in times} == times, "what was finished stays"


@pytest.mark.slow
def test_mining_says_what_a_processor_did(tmp_path: Path, histories: Path) -> None:
    first = mine_edits.mine(histories, tmp_path / "out")
    again = mine_edits.mine(histories, tmp_path / "out")
    assert first.projects > 3
    assert first.instances >= 3
    assert f"{first.instances} instances" in str(first)
    assert (again.projects, again.instances) == (0, 0)
    assert "2.5 instances a second and processor" in str(mine_edits.Throughput(3, 20, 4.0, 2))
