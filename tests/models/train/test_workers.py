"""Several workers share the lanes of a batch: their steps are those of one, and a checkpoint serves any number."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from editahead_models.data.corpus.batches import BatchStream, LmBatch, Shape
from editahead_models.data.corpus.encoded_files import load_files
from editahead_models.data.corpus.name_views import view_of
from editahead_models.families.spn import SpnConfig
from editahead_models.train.checkpoints import LATEST
from editahead_models.train.lm import LmRecipe, train
from editahead_models.train.run_store import RunStore
from editahead_models.train.workers import ProcessGroup
from torch import distributed, multiprocessing

DEBUG = {key: value for key, value in SpnConfig.debug(1).to_json().items() if key != "vocab"}
RECIPE = LmRecipe(
    tokens=3000, lanes=5, steps=16, sampled=10, always=40, dev_tokens=400, evaluate_every=10**9, checkpoint_every_s=0
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from editahead_models.data.corpus.prepare_corpus import prepare

    from tests.models.train.test_lm_pipeline import MIT, repository

    root = tmp_path_factory.mktemp("corpus")
    repository(root / "mirror" / "pallets" / "click", MIT, range(12))
    prepare("python", root / "mirror", root / "data", vocab_size=120, workers=1)
    (root / "data" / "dev").mkdir(exist_ok=True)
    for archive in (root / "data" / "train").glob("*.npz"):
        (root / "data" / "dev" / archive.name).write_bytes(archive.read_bytes())
    return root / "data"


def tensors(batch: LmBatch) -> dict[str, torch.Tensor]:
    own = {name: value for name, value in vars(batch).items() if isinstance(value, torch.Tensor)}
    return {**own, **dict(zip(batch.chunk._fields, batch.chunk, strict=True))}


@pytest.mark.parametrize("names", ["spelled", "placeholder"])
def test_the_rows_of_the_workers_are_those_of_the_whole_batch(data: Path, names: str) -> None:
    files = load_files(data / "train")
    symbols = json.loads((data / "vocab.json").read_text())["symbols"]
    view = view_of(names, symbols, len(symbols), files).see
    shape = Shape(5, 16, 8)

    def stream(rows: range | None) -> BatchStream:
        return BatchStream(files, shape, seed=3, view=view, rows=rows)

    whole, parts = stream(None), [stream(range(2)), stream(range(2, 5))]
    later, before = stream(range(2, 5)), whole.position
    for step, (batch, first, second) in enumerate(zip(whole, *parts, strict=False)):
        if step == 10:
            later.seek(before)
            sought = tensors(next(iter(later)))
            assert all(torch.equal(value, sought[name]) for name, value in tensors(second).items())
        joined = {name: torch.cat([value, tensors(second)[name]]) for name, value in tensors(first).items()}
        assert all(torch.equal(value, joined[name]) for name, value in tensors(batch).items()), step
        assert parts[0].position == parts[1].position == whole.position
        before = whole.position
        if step == 30:
            break


def _worker(rank: int, size: int, address: str, data: Path, out: Path, recipe: LmRecipe) -> None:
    distributed.init_process_group("gloo", init_method=f"file://{address}", rank=rank, world_size=size)
    train(data, out if rank == 0 else out / "nothing", recipe, DEBUG, workers=ProcessGroup())
    assert rank == 0 or list((out / "nothing").iterdir()) == []
    distributed.barrier()
    distributed.destroy_process_group()
    os._exit(0)  # at a usual exit a thread of the group, still running, may abort the process


def trained_by(size: int, data: Path, out: Path, recipe: LmRecipe) -> dict[str, float]:
    """Train with so many workers; returns the figures on dev."""
    if size == 1:
        return train(data, out, recipe, DEBUG).metrics
    out.mkdir(exist_ok=True)
    (out / "nothing").mkdir(exist_ok=True)
    address = out / f"group-{recipe.tokens}"
    multiprocessing.spawn(_worker, (size, str(address), data, out, recipe), nprocs=size)
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    return dict(next(line["dev"] for line in reversed(lines) if "dev" in line))


@pytest.mark.slow
def test_two_workers_give_the_loss_of_one(data: Path, tmp_path: Path) -> None:
    one = trained_by(1, data, tmp_path / "one", RECIPE)["all/perplexity"]
    two = trained_by(2, data, tmp_path / "two", RECIPE)["all/perplexity"]
    short = trained_by(1, data, tmp_path / "short", replace(RECIPE, tokens=600))["all/perplexity"]
    assert two == pytest.approx(one, rel=0.02)
    assert abs(two - one) < 0.2 * abs(short - one), "less than what training changes"


@pytest.mark.slow
def test_a_checkpoint_of_two_workers_serves_one(data: Path, tmp_path: Path) -> None:
    longer = replace(RECIPE, tokens=6000)
    trained_by(2, data, tmp_path / "both", RECIPE)
    tokens = torch.load(tmp_path / "both" / LATEST, weights_only=True)["progress"]["tokens"]
    assert tokens >= RECIPE.tokens
    mixed = trained_by(1, data, tmp_path / "both", longer)["all/perplexity"]
    trained_by(1, data, tmp_path / "alone", RECIPE)
    assert mixed == pytest.approx(trained_by(1, data, tmp_path / "alone", longer)["all/perplexity"], rel=0.03)


def test_a_run_is_pulled_from_and_pushed_to_a_store(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "log.jsonl").write_text("{}\n")
    (here / LATEST).write_bytes(b"first")
    for url in (f"file://{tmp_path}/store/run", "memory://runs/one"):
        store: Any = RunStore(url)
        store.push(here)
        (here / LATEST).write_bytes(b"second")
        store.push(here)
        store.pull(there)
        assert (there / LATEST).read_bytes() == b"second"
        assert (there / "log.jsonl").read_text() == "{}\n"
        assert sorted(path.name for path in there.iterdir()) == [LATEST, "log.jsonl"]
        store.write_progress({"tokens": 3})
        assert store.progress() == {"tokens": 3}
