"""From git repositories to a bundle: prepare, train, stop and go on, export, with projects made for the test."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.runtime.bundle import load_bundle
from editahead_models.data.corpus.encoded_files import load_files
from editahead_models.data.corpus.prepare_corpus import equal_shares, limited_shares, prepare, share_of_files
from editahead_models.data.corpus.source_files import acceptable, blobs, languages_of_model, wanted
from editahead_models.data.english import word_vectors
from editahead_models.data.projects import Project, licence_of
from editahead_models.evaluate.command import run_figures
from editahead_models.evaluate.language_models.runs import Corpus, open_bundle, open_run
from editahead_models.export.lm import cut_vocabulary, export, round_as_served
from editahead_models.families.registry import build
from editahead_models.families.spn import SpnConfig
from editahead_models.recipe import read_recipe
from editahead_models.train.lm import LmRecipe, begin_at_frequencies, corpus_view, target_counts, train

MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy"
ROOT = Path(__file__).parents[3]
DEBUG = {key: value for key, value in SpnConfig.debug(1).to_json().items() if key != "vocab"}
SOURCE = """import os


class Reader{n}:
    def __init__(self, path, size):
        self.path = path
        self.size = size

    def read(self, start, end):
        with open(self.path) as handle:
            return handle.read(end - start)
"""


def source(seed: int) -> str:
    """Code of its own: no two seeds give near-duplicates."""
    words = random.Random(seed)
    names = ["".join(words.choices("abcdefghij", k=5)) for _ in range(12)]
    body = "".join(f"        self.{words.choice(names)} = {words.choice(names)}({n}, {n})\n" for n in range(12))
    return SOURCE.replace("{n}", f"{seed}") + f"\n    def {names[0]}(self):\n{body}"


def repository(folder: Path, licence: str, seeds: Iterable[int]) -> None:
    folder.mkdir(parents=True)
    (folder / "LICENSE").write_text(licence)
    for n in seeds:
        (folder / f"reader{n}.py").write_text(source(n))
    (folder / "same.py").write_text("# the same code\n" + source(0).replace("self", "this", 1))
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("corpus")
    repository(root / "mirror" / "pallets" / "click", MIT, range(6))
    repository(root / "mirror" / "pypa" / "pip", "GNU GENERAL PUBLIC LICENSE", range(6))
    repository(root / "mirror" / "tqdm" / "tqdm", MIT, (2, 7))
    prepare("python", root / "mirror", root / "data", vocab_size=120, workers=1)
    return root / "data"


@pytest.mark.parametrize(
    ("sources", "reader"),
    [(("a.cc", "b.cpp", "c.c"), "cpp"), (("a.c", "b.c", "c.cc"), "c"), ((), "c")],
    ids=["mostly-cpp", "mostly-c", "headers-alone"],
)
def test_headers_belong_to_the_language_that_most_sources_are_written_in(
    tmp_path: Path, sources: tuple[str, ...], reader: str
) -> None:
    repository(tmp_path / "project", MIT, ())
    for name in ("api.h", *sources):
        (tmp_path / "project" / name).write_text(f"int of_{name[0]}(int first, int second) {{ return first; }}\n")
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("add", "."), (*identity, "commit", "-qm", "second")):
        subprocess.run(["git", *command], cwd=tmp_path / "project", check=True)
    project = Project("some/project", tmp_path / "project" / ".git", "HEAD", None)
    readers = [one.id for one in languages_of_model("cpp") if "api.h" in dict(blobs(project, one))]
    assert readers == [reader]


@pytest.mark.slow
def test_languages_that_share_a_model_are_read_each_by_its_own_grammar(tmp_path: Path) -> None:
    folder = tmp_path / "mirror" / "axios" / "axios"
    repository(folder, MIT, ())
    body = "".join(f"  const value{n} = load({n}, value{n - 1});\n" for n in range(1, 12))
    (folder / "a.ts").write_text(f"export function first(value0: number): number {{\n{body}  return value9;\n}}\n")
    (folder / "b.js").write_text(f"export function second(value0) {{\n{body.replace('value', 'other')}}}\n")
    third = body.replace("load", "take")
    (folder / "c.tsx").write_text(f"const Third = (value0: number) => {{\n{third}return <b>a</b>;}};\n")
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("add", "."), (*identity, "commit", "-qm", "second")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    prepare("typescript", tmp_path / "mirror", tmp_path / "data", vocab_size=120, workers=1)
    (found,) = json.loads((tmp_path / "data" / "data.json").read_text())["projects"]
    assert (found["name"], found["files"]) == ("axios/axios", 3)
    assert len(load_files(tmp_path / "data" / "train")) == 3


def test_a_run_that_saw_fewer_symbols_is_exported_with_those() -> None:
    vocab = {"symbols": ["a", "b", "c"], "counts": [3, 2, 1], "subword_buckets": 7}
    assert cut_vocabulary(vocab, 2) == {"symbols": ["a", "b"], "counts": [3, 2], "subword_buckets": 7}
    assert cut_vocabulary(vocab, None) == vocab


@pytest.mark.slow
def test_only_permissive_projects_and_no_file_twice(prepared: Path) -> None:
    manifest = json.loads((prepared / "data.json").read_text())
    found = {project["name"]: project for project in manifest["projects"]}
    assert set(found) == {"pallets/click", "tqdm/tqdm"}
    assert found["pallets/click"]["licence"] == "MIT"
    # The dev project keeps the file that both have (2) and the one like file 0; file 0's copy leaves with it.
    assert found["tqdm/tqdm"]["files"] == 3
    assert found["pallets/click"]["files"] == 4
    assert manifest["near_duplicates_dropped"]["train"] == 3


@pytest.mark.slow
def test_dev_files_alone_are_those_of_the_whole_corpus(prepared: Path, tmp_path: Path) -> None:
    mirror, vocab = prepared.parent / "mirror", prepared / "vocab.json"
    prepare("python", mirror, tmp_path, vocab_size=9, workers=1, vocab_from=vocab, dev_only=True)
    assert not list((tmp_path / "train").iterdir())
    alone, whole = (load_files(data / "dev") for data in (tmp_path, prepared))
    assert len(alone) == len(whole) == 3
    assert all(np.array_equal(one.word, other.word) for one, other in zip(alone, whole, strict=True))
    with pytest.raises(ValueError, match="needs the vocabulary of another"):
        prepare("python", mirror, tmp_path, vocab_size=9, dev_only=True)


@pytest.mark.slow
def test_files_of_independent_measurements_leave_the_training_projects(tmp_path: Path) -> None:
    for name in ("axios/axios", "sindresorhus/got"):
        folder = tmp_path / "mirror" / name
        repository(folder, MIT, ())
        for number in range(2 if name == "axios/axios" else 1):
            body = "".join(f"  const value{number}{n} = load{number}({n}, {name[0] * 9});\n" for n in range(40))
            (folder / f"{number}.ts").write_text(f"function first() {{\n{body.replace(name[0] * 9, 'size')}}}\n")
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        for command in (("add", "."), (*identity, "commit", "-qm", "second")):
            subprocess.run(["git", *command], cwd=folder, check=True)
    prepare("typescript", tmp_path / "mirror", tmp_path / "data", vocab_size=120, workers=1)
    manifest = json.loads((tmp_path / "data" / "data.json").read_text())
    assert [(one["name"], one["files"]) for one in manifest["projects"]] == [("axios/axios", 1)]
    assert manifest["near_duplicates_dropped"]["train"] == 1


def test_no_project_gives_more_than_its_share() -> None:
    shares = limited_shares({"large": 900_000, **{f"small{n}": 10_000 for n in range(20)}}, 0.1)
    kept = {name: share * (900_000 if name == "large" else 10_000) for name, share in shares.items()}
    assert kept["large"] / sum(kept.values()) == pytest.approx(0.1, abs=0.002)
    assert all(share == 1 for name, share in shares.items() if name != "large")
    paths = [f"src/module{n}.py" for n in range(2000)]
    assert set(share_of_files(paths, 0.2)) < set(share_of_files(paths, 0.5))
    assert len(share_of_files(paths, 0.25)) == pytest.approx(500, abs=80)


def test_the_largest_projects_are_cut_to_the_same_size() -> None:
    sizes = {"small": 10, "middle": 40, "large": 400, "larger": 4_000}
    kept = {name: share * sizes[name] for name, share in equal_shares(sizes, 150).items()}
    assert kept == {"small": 10, "middle": 40, "large": pytest.approx(50), "larger": pytest.approx(50)}
    assert set(equal_shares(sizes, 5_000).values()) == {1.0}


@pytest.mark.slow
def test_a_corpus_of_limited_size_reads_a_share_of_the_files(tmp_path: Path) -> None:
    names = ("celery/celery", "pypa/pip")
    for first, name in zip((1, 100), names, strict=True):
        repository(tmp_path / "mirror" / name, MIT, range(first, first + (60 if name == "pypa/pip" else 6)))
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    size = sum(path.stat().st_size for name in names for path in (tmp_path / "mirror" / name).glob("*.py"))
    for out, most in ((whole, None), (whole, size), (cut, size // 3)):
        prepare("python", tmp_path / "mirror", out, vocab_size=120, workers=1, most_bytes=most)
    files = [
        {found["name"]: found["files"] for found in json.loads((out / "data.json").read_text())["projects"]}
        for out in (whole, cut)
    ]
    assert files[0]["celery/celery"] == files[1]["celery/celery"]
    assert files[1]["pypa/pip"] == pytest.approx(files[0]["pypa/pip"] / 4, abs=8)


def test_the_smallest_of_few_projects_does_not_decide_what_the_others_give() -> None:
    tokens = {"large": 900_000, **{f"middle{n}": 100_000 for n in range(8)}, "small": 1_000}
    shares = limited_shares(tokens, 0.1)
    kept = {name: share * tokens[name] for name, share in shares.items()}
    assert kept["large"] / sum(kept.values()) == pytest.approx(0.2, abs=0.002)
    assert all(share == 1 for name, share in shares.items() if name != "large")
    assert limited_shares({"one": 10, "other": 90}) == {"one": 1.0, "other": 1.0}


@pytest.mark.slow
def test_a_run_learns_stops_and_goes_on(prepared: Path, tmp_path: Path) -> None:
    (prepared / "dev").mkdir(exist_ok=True)
    for archive in (prepared / "train").glob("*.npz"):
        (prepared / "dev" / archive.name).write_bytes(archive.read_bytes())
    recipe = LmRecipe(
        tokens=2000,
        lanes=2,
        steps=16,
        sampled=10,
        always=40,
        dev_tokens=400,
        evaluate_every=10**9,
        checkpoint_every_s=0,
    )
    first = train(prepared, tmp_path, recipe, DEBUG).metrics
    again = train(prepared, tmp_path, replace(recipe, tokens=8000), DEBUG).metrics
    losses = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    counted = [entry["tokens"] for entry in losses if "loss" in entry]
    assert counted[0] >= 2000
    assert counted[-1] >= 8000
    assert again["all/perplexity"] < first["all/perplexity"]
    assert run_figures(tmp_path, prepared, 300)["all/count"] >= 300
    bundle = export(tmp_path, prepared, tmp_path / "out", version="0.0.1", spacing={}, keywords=["def"], slots=8)
    assert load_bundle(bundle.path).manifest["licences"][0]["project"] == "pallets/click"
    corpus, served_bundle = Corpus(prepared, 300), load_bundle(bundle.path)
    run, served = open_run(tmp_path, corpus), open_bundle(served_bundle, corpus)
    round_as_served(run.model)
    for name, weight in run.model.state_dict().items():
        assert torch.equal(weight, served.model.state_dict()[name]), name
    assert served.figures(corpus) == run.figures(corpus)
    (tmp_path / "vocab.json").write_text('{"symbols": []}')
    with pytest.raises(ValueError, match="prepare it with --vocab"):
        open_bundle(served_bundle, Corpus(tmp_path, 300))
    assert sum(len(file.word) for file in load_files(prepared / "train")) > 500


@pytest.mark.slow
def test_a_run_with_the_published_optimiser_learns_and_lowers_its_rate(prepared: Path, tmp_path: Path) -> None:
    (prepared / "dev").mkdir(exist_ok=True)
    for archive in (prepared / "train").glob("*.npz"):
        (prepared / "dev" / archive.name).write_bytes(archive.read_bytes())
    recipe = LmRecipe(
        tokens=6000, lanes=2, steps=16, sampled=0, dev_tokens=400, evaluate_every=3000, objective="weighted_ce",
        optimiser="sgd", learning_rate=0.7, rate_ratio=0.9, rate_every=1000, weight_decay=0.0,
    )  # fmt: skip
    train(prepared, tmp_path, recipe, DEBUG)
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    early, late = (entry["dev"]["all/perplexity"] for entry in log if "dev" in entry)
    assert late < early
    assert [recipe.schedule.factor(tokens) for tokens in (0, 999, 1000, 5999)] == pytest.approx([1, 1, 0.9, 0.9**5])
    assert (tmp_path / "checkpoint.pt").exists()
    with pytest.raises(ValueError, match="optimiser must be one of adamw, sgd"):
        train(prepared, tmp_path / "other", replace(recipe, optimiser="adam"), DEBUG)


def test_a_run_that_goes_on_does_not_learn_its_word_vectors_again(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt = list[int]()
    learn = word_vectors.train_vectors

    def noted(streams: Sequence[np.ndarray], size: int, width: int, seed: int, epochs: int) -> word_vectors.WordVectors:
        learnt.append(width)
        return learn(streams, size, width, seed, epochs=epochs)

    monkeypatch.setattr(word_vectors, "train_vectors", noted)
    recipe = LmRecipe(
        tokens=400, lanes=2, steps=16, sampled=0, vocabulary=60, names="numbered", vectors=True, dev_tokens=100
    )
    settings = {"hidden": 8}
    train(prepared, tmp_path, recipe, settings, "lstm")
    before = torch.load(tmp_path / "model.pt", weights_only=True)
    again = train(prepared, tmp_path, replace(recipe, tokens=432), settings, "lstm")
    assert again.finished
    assert learnt == [8]
    after = torch.load(tmp_path / "model.pt", weights_only=True)
    near = {name: float((after[name] - before[name]).abs().max()) for name in before}
    assert max(near.values()) < 0.3, near


def test_licences_and_files_that_are_left_out(tmp_path: Path) -> None:
    from editahead.syntax.language import by_id

    repository(tmp_path / "a", "no licence at all", (1,))
    assert licence_of(tmp_path / "a") is None
    python = by_id("python")
    assert python is not None
    assert wanted("src/a.py", python)
    assert not any(wanted(path, python) for path in ("a/_vendor/b.py", "a_pb2.py", "a.java", "x/site-packages/b.py"))
    assert not acceptable(b"x = 1\n" + b"y" * 500)
    assert not acceptable(b"\0" * 100)


@pytest.mark.parametrize("path", sorted((ROOT / "models" / "recipes").glob("*.toml")), ids=lambda path: path.stem)
def test_recipes_can_be_read(path: Path) -> None:
    recipe = read_recipe(path)
    if recipe.family == "spn":
        LmRecipe(**recipe.training)
        SpnConfig(vocab=100, **recipe.model)


def test_a_recipe_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('family = "magic"\n')
    with pytest.raises(ValueError, match="family must be one of"):
        read_recipe(file)


def test_a_model_begins_at_the_frequencies_of_its_symbols(prepared: Path) -> None:
    files = load_files(prepared / "train")
    recipe = LmRecipe(names="placeholder")
    view = corpus_view(prepared, recipe, files)
    counts = target_counts(files, view)
    assert counts.sum() == sum(int((view.see(f, n).target >= 0).sum()) for n, f in enumerate(files))
    model = build("spn", view.size, DEBUG)
    begin_at_frequencies(model, counts)
    said = torch.softmax(model.output_layer[1], 0)
    assert float(said.sum()) == pytest.approx(1.0, abs=1e-5)
    frequent, rare = int(counts.argmax()), int(counts.argmin())
    assert float(said[frequent] / said[rare]) == pytest.approx((counts[frequent] + 1) / (counts[rare] + 1), rel=1e-3)
