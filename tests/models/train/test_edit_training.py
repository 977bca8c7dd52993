"""Runs on mined edits: batches that can be found again, stages that change nothing, budgets that grow."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import typer

torch = pytest.importorskip("torch")

from editahead.encode.edit_model.sequences import displacement_bins  # noqa: E402
from editahead.encode.edit_model.tokens import SPECIALS  # noqa: E402
from editahead_models.commands import implementation  # noqa: E402
from editahead_models.data.edits.batches import TextFeatures, collate  # noqa: E402
from editahead_models.data.edits.crop import cropped  # noqa: E402
from editahead_models.data.edits.instances import Limits, Shard, instances  # noqa: E402
from editahead_models.data.edits.samples import (  # noqa: E402
    Sample,
    ShardFile,
    build_vocab,
    mined_edits,
    ordered_sample,
)
from editahead_models.data.edits.stream import EditPosition, EditStream, StreamSettings  # noqa: E402
from editahead_models.data.mining.git_changes import FileChange  # noqa: E402
from editahead_models.data.mining.mine_edits import mine_project  # noqa: E402
from editahead_models.data.projects import Project  # noqa: E402
from editahead_models.evaluate.edit_models import hunks as edit_hunks  # noqa: E402
from editahead_models.queue.runner import Runner  # noqa: E402
from editahead_models.queue.spec import specs_of  # noqa: E402
from editahead_models.queue.store import FINISHED, QueueStore, read_lines  # noqa: E402
from editahead_models.train import edits  # noqa: E402
from editahead_models.train.edits import EditRecipe, edit_recipe, load_model, train  # noqa: E402

from tests.models.data.test_edit_mining import AFTER, BEFORE, git  # noqa: E402

RECIPES = Path(__file__).parents[3] / "models" / "recipes"
SMALL = EditRecipe(
    tokens=700, vocab=len(SPECIALS) + 40, dim=32, identities=256, batch_tokens=500, max_edits=30, warmup=100,
    dev_instances=6, evaluate_every=10**9, log_every=100,
)  # fmt: skip


class StopAfter:
    """A stage that ends after so many looks at the clock."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def over(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few windows of two projects in two languages."""
    root = tmp_path_factory.mktemp("edits")
    for split, language, ending in (("train", "python", ".py"), ("train", "go", ".go"), ("dev", "python", ".py")):
        folder = root / f"{split}-{language}"
        folder.mkdir()
        git(folder, "init", "-q", "-b", "main")
        text = BEFORE
        for number in range(8):
            text = (AFTER if number % 2 else BEFORE).replace("Store", f"Shelf{number}{language}")
            (folder / f"store{ending}").write_text(text)
            git(folder, "add", ".")
            git(folder, "commit", "-q", "-m", "change")
        target = root / split / f"a+{language}.npz"
        target.parent.mkdir(exist_ok=True)
        project = Project(f"a/{language}", folder, "0" * 40, "MIT")
        record = mine_project(
            project, language, target, changes=20, commits=20, seed=1, limits=Limits(single_share=1.0)
        )
        target.with_suffix(".json").write_text(json.dumps(record))
    return root


@pytest.fixture(autouse=True)
def _same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITAHEAD_PRODUCTS", "float32")


def shards_and_features(data: Path) -> tuple[list[ShardFile], TextFeatures]:
    table: dict[str, int] = {}
    shards = [ShardFile(path, table) for path in sorted((data / "train").glob("*.npz"))]
    return shards, TextFeatures(table, build_vocab(shards, table, len(SPECIALS) + 40))


def test_a_stream_goes_on_at_any_batch(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editahead_models.data.edits.stream.POOL", 5)
    shards, features = shards_and_features(data)
    settings = StreamSettings(500, 30, patterns=0.3)
    stream = EditStream(shards, features, settings)
    whole, positions = [], []
    for batch in itertools.islice(stream, 25):
        whole.append(batch)
        positions.append(stream.position)
    assert positions[-1].epoch > 0
    assert {position.pool for position in positions} > {0, 1}
    for number in (0, 3, 11, 20):
        other = EditStream(shards, features, settings)
        other.position = EditPosition(**vars(positions[number]))
        batch = next(iter(other))
        assert batch.keys() == whole[number + 1].keys()
        assert all(np.array_equal(batch[key], whole[number + 1][key]) for key in batch)


def test_a_batch_says_of_each_name_where_it_is(data: Path) -> None:
    """Alive, and how far from the last edit, as the server computes it one edit at a time."""
    from editahead.encode.edit_model.sequences import EditState

    shards, features = shards_and_features(data)
    rng = np.random.default_rng(3)
    found = [ordered_sample(mined_edits(shard, number), 30, rng) for shard in shards for number in range(len(shard))]
    samples = [sample for sample in found if sample is not None]
    batch = collate(samples, features, rng, 256)
    n_max = batch["tok"].shape[1]
    for row, sample in enumerate(samples):
        n0, t0 = len(sample.state), len(sample.edits)
        state, last = EditState(n0), None
        for time in range(t0 + 1):
            columns = [*range(n0), *range(n_max, n_max + t0)]
            names = np.asarray(state.names)
            alive = np.zeros(n0 + t0, dtype=bool)
            alive[names] = True
            alive[n0 - 1] = False
            assert (batch["live"][row, time, columns] == alive).all()
            assert (batch["bins"][row, time, columns] == displacement_bins(names, n0 + t0, last)).all()
            if time < t0:
                edit = sample.edits[time]
                key = None if sample.content[time] < 0 else edit.key
                last = state.apply(edit.name, key, start=edit.start)
                assert (last.at, last.root) == (edit.at, edit.root)


@pytest.mark.slow
def test_a_run_in_stages_is_the_run_without_a_break(data: Path, tmp_path: Path) -> None:
    whole = train(data, tmp_path / "whole", SMALL)
    assert whole.finished
    assert whole.tokens >= SMALL.tokens
    stages = 0
    while not (stage := train(data, tmp_path / "parts", SMALL, limit=StopAfter(1))).finished:
        stages += 1
        assert stages < 30
    assert stages >= 2
    assert stage.tokens == whole.tokens
    one, other = (load_model(tmp_path / name)[0].state_dict() for name in ("whole", "parts"))
    assert all(torch.equal(one[key], other[key]) for key in one)
    lines = read_lines(tmp_path / "parts" / "log.jsonl")
    assert {"loss", "tokens", "step", "stage_core_s"} <= lines[0].keys()
    assert lines[-1]["dev"]["loss"] == pytest.approx(whole.metrics["loss"])


@pytest.mark.slow
def test_a_larger_budget_goes_on_from_before_the_decay(data: Path, tmp_path: Path) -> None:
    recipe = replace(SMALL, log_every=20)
    first = train(data, tmp_path / "run", recipe)
    again = train(data, tmp_path / "run", replace(recipe, tokens=1200))
    assert again.finished
    assert again.tokens > first.tokens
    steps = [line["tokens"] for line in read_lines(tmp_path / "run" / "log.jsonl") if "loss" in line]
    restart = next(number for number in range(1, len(steps)) if steps[number] < steps[number - 1] + 1)
    assert steps[restart] <= first.tokens + 400


@pytest.mark.slow
def test_a_run_goes_on_with_other_data(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mined again, the windows may be fewer than those that were read: the vocabulary stays, a new epoch begins."""
    monkeypatch.setattr("editahead_models.data.edits.stream.POOL", 3)
    train(data, tmp_path / "run", SMALL, limit=StopAfter(4))
    vocabulary = (tmp_path / "run" / "vocab.json").read_bytes()
    shutil.copytree(data, tmp_path / "data")
    for path in (tmp_path / "data" / "train").glob("a+go.*"):
        path.unlink()
    stage = train(tmp_path / "data", tmp_path / "run", SMALL)
    assert stage.finished
    assert (tmp_path / "run" / "vocab.json").read_bytes() == vocabulary
    hashes = [line["data_hash"] for line in read_lines(tmp_path / "run" / "log.jsonl")]
    assert hashes[-1] == edits.data_hash(tmp_path / "data")


def test_a_run_is_measured_on_dev(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(data, tmp_path / "run", SMALL, limit=StopAfter(0))
    evaluate = typer.Typer(add_completion=False)
    evaluate.command()(implementation("evaluate"))
    evaluate([str(tmp_path / "run"), "--data", str(data)], standalone_mode=False)
    assert {"start_position", "copied"} <= json.loads(capsys.readouterr().out).keys()


def test_a_folder_of_another_network_is_refused(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path / "run", SMALL, limit=StopAfter(0))
    with pytest.raises(ValueError, match="another shape"):
        train(data, tmp_path / "run", edit_recipe({**vars(SMALL), "identities": 300}))
    with pytest.raises(ValueError, match="unknown settings of an edit model: layers"):
        edit_recipe({"layers": 2})


@pytest.mark.slow
def test_the_queue_trains_rows_of_the_recipe(data: Path, tmp_path: Path) -> None:
    runs = {run.name: run for run in specs_of(RECIPES / "edits.toml")}
    for run in runs.values():
        assert run.kind == "edit-model"
        assert run.ration == "served-edit-model"
        edit_recipe({**run.training, **run.model, "tokens": run.tokens})
    assert len({run.recipe_hash for run in runs.values()}) == len(runs)
    store = QueueStore(tmp_path / "queue")
    first = next(iter(runs.values()))
    small = {key: value for key, value in vars(SMALL).items() if key != "tokens"}
    store.add(replace(first, data=data.name, tokens=300, training=small, model={}))
    Runner(store, 1, idle=False, environment={"EDITAHEAD_DATA": str(data.parent)}).run()
    state = store.read(first.name)
    assert state.status == FINISHED
    assert state.tokens_done >= 300
    assert "start_position" in state.metrics


def test_a_smaller_window_holds_the_same_edits(tmp_path: Path) -> None:
    """Cut down, a window keeps the first hunk and the lines that share words with it; what is inside changes alike."""
    lines = [f"value_{n} = compute_{n}(left_{n}, right_{n})" for n in range(60)]
    for place in (5, 30, 57):
        lines[place] = f"total_{place} = measure(box_{place}, unit=old)"
    before, after = "\n".join(lines) + "\n", "\n".join(lines).replace("unit=old", "unit=new") + "\n"
    change = FileChange("a.py", before, after)
    shard = Shard()
    for instance in instances(change, Limits(window=1024), random.Random(2)):
        shard.add(instance)
    shard.save(tmp_path / "a.npz")
    table: dict[str, int] = {}
    loaded = ShardFile(tmp_path / "a.npz", table)
    features = TextFeatures(table, build_vocab([loaded], table, len(SPECIALS) + 40))
    texts = list(table)
    assert len(loaded) == 2
    for number in range(len(loaded)):
        mined = mined_edits(loaded, number)
        for limit in (140, 400):
            small = cropped(mined, limit, features.kinds)
            assert len(small.state) <= limit < len(mined.state)
            assert small.complete is False or len(small.hunks) == 3
            words = [texts[text] for text in small.state.tolist()]
            assert (words[0], words[-1]) == ("<S>", "<E>")
            assert not any(one == other == "<CUT>" for one, other in itertools.pairwise(words))
            assert words.count("measure") == 3  # look-alikes stay, however far they are
            assert [[edit[1:] for edit in hunk] for hunk in small.hunks] == [
                [edit[1:] for edit in hunk] for hunk in mined.hunks
            ]
            for hunk, whole in zip(small.hunks, mined.hunks, strict=True):
                for (anchor, _, _), (old, _, _) in zip(hunk, whole, strict=True):
                    assert anchor < 0 or small.state[anchor] == mined.state[old]
            sample = ordered_sample(small, 30, np.random.default_rng(1))
            assert sample is not None
            assert sample.stop
        assert cropped(mined, 2000, features.kinds) is mined


def test_rollouts_are_measured_in_the_window_that_is_served(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[int, list[int]] = {}
    for limit in (70, 1000):
        found = sizes.setdefault(limit, [])

        def noted(model: object, sample: Sample, *rest: object, found: list[int] = found) -> None:
            found.append(len(sample.state))

        monkeypatch.setattr(edit_hunks, "_case", noted)
        shards, texts = edit_hunks.load_shards_of(data / "train")
        list(edit_hunks.cases(SimpleNamespace(window_limit=limit), shards, texts, count=8))  # type: ignore[arg-type]
    assert sizes[70]
    assert max(sizes[70]) <= 70 < max(sizes[1000])
