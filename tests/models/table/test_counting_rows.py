"""Counting models and the learnt gate: scored where networks are, proper mixtures, whole projects held out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.encode.language_model.vocabulary import Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead_models.data.corpus.encoded_files import encode_file, store_files
from editahead_models.data.corpus.source_files import token_lines
from editahead_models.evaluate.language_models.cache_gate import Gate, halves
from editahead_models.evaluate.language_models.cache_mixture import (
    Beside,
    ScoredTarget,
    _Lane,
    _Symbols,
    mixed_figures,
    places,
)
from editahead_models.evaluate.language_models.counting import cache_metrics, dev_projects, places_of
from editahead_models.evaluate.language_models.metrics import MISS, measure
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders, open_run
from editahead_models.families.ngram_cache import CacheStep, GlobalCounts, ProjectCache
from editahead_models.families.trigram import Trigram
from editahead_models.table.counting import counted_files, measure_cached, measure_counting
from editahead_models.table.rows import Row
from editahead_models.train.lm import EVALUATION_LANES, LmRecipe, corpus_view, train

torch.set_num_threads(1)
SOURCE = """import os

class {name}:
    def __init__(self, {field}, size):
        self.{field} = {field}
        self.size = size

    def {verb}(self, start, end):
        with open(self.{field}) as handle:
            return handle.{verb}(end - start)
"""
FIELDS = ("path", "target", "folder", "where")


def sources(prefix: str, verb: str, count: int) -> list[bytes]:
    return [(SOURCE.format(name=f"{prefix}{n}", field=FIELDS[n % 4], verb=verb) * 2).encode() for n in range(count)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Three training files, two dev projects with a verb of their own that training never shows."""
    data = tmp_path_factory.mktemp("counting")
    language = by_id("python")
    assert language is not None
    splits = {
        "train": {"a": sources("Reader", "read", 6), "b": sources("Writer", "write", 5)},
        "dev": {"c": sources("Loader", "hydrate", 4), "d": sources("Saver", "persist", 3)},
    }
    lines = [line for files in splits["train"].values() for file in files for line in token_lines(file, language)]
    counts: dict[str, int] = {}
    for line in lines:
        for token in line:
            if token.kind is not TokenKind.NEWLINE:
                counts[symbol_of(token)] = counts.get(symbol_of(token), 0) + 1
    vocab = Vocab.from_counts(counts, 90)
    (data / "vocab.json").write_text(json.dumps(vocab.to_json()))
    (data / "data.json").write_text(json.dumps({"distinct_symbols": len(counts), "language": "python"}))
    for split, projects in splits.items():
        for name, files in projects.items():
            store_files(data / split / f"{name}.npz", [encode_file(file, language, vocab) for file in files])
    return Corpus(data, 10_000)


def recipe(**changes: object) -> LmRecipe:
    base = {"tokens": 3000, "lanes": 2, "steps": 16, "sampled": 0, "always": 20, "names": "numbered", "dev_tokens": 200}
    return LmRecipe(**{**base, "vocabulary": 80, "evaluate_every": 10_000, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def runs(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    train(corpus.data, folder / "numbered", recipe(), {"hidden": 12, "slots": 6}, "spn-paper")
    small = {"hidden": 12, "slots": 6, "spelling": True, "memory": "last_use_per_name"}
    for names in ("placeholder", "spelled"):
        train(corpus.data, folder / names, recipe(names=names, tokens=1500), small, "spn-paper")
    return folder


def all_targets(corpus: Corpus) -> int:
    return sum(len(file.word) - 1 for file in corpus.dev)


@pytest.mark.parametrize("counting", ["trigram", "trigram-em"])
def test_a_trigram_row_is_its_log_likelihood_over_all_dev_targets(corpus: Corpus, counting: str) -> None:
    found = measure_counting(Row("x", "x", counting=counting), corpus, recipe(tokens=10**6))
    view = corpus_view(corpus.data, recipe(), corpus.train)
    streams = [view.see(file, n).word for n, file in enumerate(counted_files(corpus, recipe(tokens=10**6)))]
    model = Trigram.train(streams, view.size, found["weights"], given=1)
    dev = [model.logp(view.see(file, hash((0, n))).word)[1:] for n, file in enumerate(corpus.dev)]
    assert found["figures"]["all/count"] == all_targets(corpus) == sum(map(len, dev))
    assert np.log(found["figures"]["all/perplexity"]) == pytest.approx(-np.concatenate(dev).mean())
    assert found["figures"]["all/acc"] <= found["figures"]["all/acc with unknown"]  # strict and published accuracy


def test_the_budget_of_counting_rows_is_that_of_networks(corpus: Corpus) -> None:
    few = counted_files(corpus, recipe(tokens=100))
    assert sum(len(file.word) - 1 for file in few[:-1]) < 100 <= sum(len(file.word) - 1 for file in few)
    assert len(counted_files(corpus, recipe(tokens=10**6))) == len(corpus.train)


def test_the_other_files_of_a_project_help_its_cache(corpus: Corpus) -> None:
    found = measure_counting(Row("x", "x", counting="ngram-cache"), corpus, recipe())
    assert found["figures"]["all/count"] == all_targets(corpus)
    assert found["figures"]["all/perplexity"] < found["without project"]["all/perplexity"]
    assert found["figures"]["oov"] < found["without project"]["oov"]
    assert found["figures"]["all/acc"] <= found["figures"]["all/acc with unknown"]


def test_an_unknown_row_is_named(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="counting must be"):
        measure_counting(Row("x", "x", counting="4-gram"), corpus, recipe())


def test_files_are_found_by_their_text_whatever_their_order(corpus: Corpus) -> None:
    projects = dev_projects(corpus)
    assert [len(project) for project in projects] == [4, 3]
    found = places_of(corpus.dev[::-1], projects)
    assert sorted(found) == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)]
    for (project, number), file in zip(found, corpus.dev[::-1], strict=True):
        np.testing.assert_array_equal(projects[project][number], file.surface)


@pytest.mark.slow
def test_a_limit_scores_the_places_that_a_network_is_scored_at(corpus: Corpus, runs: Path) -> None:
    limited = Corpus(corpus.data, 60)
    trained = open_run(runs / "numbered", limited)
    stream, slots = trained.stream(limited.dev)
    network = measure(trained.model, stream, EVALUATION_LANES, slots, 60)
    counts = GlobalCounts.train([file.surface for file in corpus.train])
    cache = cache_metrics(counts, limited, recipe().steps, project=True)
    assert cache.count == network.count
    for mine, theirs in zip(cache.is_use, network.is_use, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_misses_rank_as_misses(corpus: Corpus) -> None:
    counts = GlobalCounts.train([file.surface for file in corpus.train])
    found = cache_metrics(counts, corpus, recipe().steps, project=True)
    unknown, rank = np.concatenate(found.unknown), np.concatenate(found.rank)
    assert unknown.any()
    assert (rank[unknown] == MISS).all()
    assert (rank[~unknown] < MISS).all()


@pytest.mark.slow
@pytest.mark.parametrize("names", ["numbered", "placeholder", "spelled"])
def test_without_the_cache_the_network_is_measured_as_ever(corpus: Corpus, runs: Path, names: str) -> None:
    trained = open_run(runs / names, corpus)
    beside = Beside(GlobalCounts.train([file.surface for file in corpus.train]), dev_projects(corpus))
    before, after, gates = mixed_figures(trained, corpus.dev, beside, corpus.dev_tokens)
    stream, slots = trained.stream(corpus.dev)
    alone = measure(trained.model, stream, EVALUATION_LANES, slots).report()
    found, mixed = before.report(), after.report()
    for key in ("all/count", "all/perplexity", "identifier uses/count", "identifier uses/perplexity", "oov"):
        assert found[key] == pytest.approx(alone[key], rel=1e-5)
    # A verb that training never showed is in the project: the network must gain.
    assert mixed["all/perplexity"] < found["all/perplexity"]
    assert mixed["all/acc"] > found["all/acc"]
    assert len(gates) == 2
    assert all(0 < gate["mean g"] < 1 for gate in gates)


@pytest.mark.slow
def test_a_cached_row_has_figures_before_and_after(corpus: Corpus, runs: Path) -> None:
    found = measure_cached(Row("x", "x", cached="numbered"), RunFolders(runs), corpus)
    assert found["before"]["figures"]["all/count"] == found["figures"]["all/count"] == all_targets(corpus)
    assert found["figures"]["all/perplexity"] < found["without project"]["all/perplexity"]


def test_one_project_is_not_enough_for_a_gate(corpus: Corpus, runs: Path) -> None:
    trained = open_run(runs / "numbered", corpus)
    beside = Beside(GlobalCounts.train([file.surface for file in corpus.train]), dev_projects(corpus))
    with pytest.raises(ValueError, match="two dev projects"):
        mixed_figures(trained, corpus.dev[:4], beside, corpus.dev_tokens)


def test_ranks_never_show_what_stands_for_no_text(corpus: Corpus, runs: Path) -> None:
    trained = open_run(runs / "spelled", corpus)
    beside = Beside(GlobalCounts.train([file.surface for file in corpus.train]), dev_projects(corpus))
    symbols = _Symbols(trained.view.symbols, ProjectCache(beside.counts, beside.projects[0]))
    for _, found in places(trained, corpus.dev, beside, 200):
        for place in found:
            assert not place.network_M[symbols.mute].any()
            assert not place.cache_M[symbols.mute].any()
            assert place.network_M.sum() + place.classes.sum() <= 1 + 1e-5
            assert place.network >= 0
            assert place.cache >= 0


def events(lane: _Lane, symbols: _Symbols, step: CacheStep, p_V: np.ndarray) -> Iterator[ScoredTarget]:
    """A place for every event of a network without a pointer: each of its symbols."""
    said = {
        "symbols": p_V,
        "copies": np.zeros(0),
        "log_p": np.zeros(()),
        "share": np.zeros(()),
        "entropy": np.zeros(()),
    }
    nothing = np.zeros(0, np.int64)
    for symbol in range(len(p_V)):
        surface = int(symbols.surface[symbol])
        step_again = CacheStep(step.p.copy(), step.unknown, step.hits)
        yield lane._place(step_again, said, nothing, max(surface, 0), symbol)


def test_the_caches_masses_of_all_events_sum_to_one(corpus: Corpus) -> None:
    view = corpus_view(corpus.data, recipe(), corpus.train)
    cache = ProjectCache(GlobalCounts.train([file.surface for file in corpus.train[:3]]), dev_projects(corpus)[0])
    symbols = _Symbols(view.symbols, cache)
    lane = _Lane(0, cache, 0, symbols, 0)
    random = np.random.default_rng(1)
    for step, _ in zip(cache.read(0), range(30), strict=False):
        p_V = random.dirichlet(np.ones(view.size))
        masses = [place.cache for place in events(lane, symbols, step, p_V)]
        assert sum(masses) == pytest.approx(1, abs=1e-6)


def test_a_gate_finds_out_when_to_trust_the_cache() -> None:
    random = np.random.default_rng(2)
    features = random.normal(size=(4000, 4)) * [1, 5, 0.1, 2] + [3, -1, 0, 4]
    cache_knows = features[:, 0] > 3
    network, cache = np.where(cache_knows, 0.05, 0.6), np.where(cache_knows, 0.7, 0.02)
    gate = Gate.fit(features, network, cache)
    g = gate(features)
    assert g[cache_knows].mean() > 0.85
    assert g[~cache_knows].mean() < 0.15
    mixed = np.log((1 - g) * network + g * cache).mean()
    assert mixed > max(np.log(network).mean(), np.log(cache).mean(), np.log((network + cache) / 2).mean())
    assert abs(gate.described()["hits"]) > 10 * abs(gate.described()["entropy of the network"])


def test_a_gate_that_should_stay_shut_does() -> None:
    features = np.random.default_rng(3).normal(size=(500, 4))
    gate = Gate.fit(features, np.full(500, 0.5), np.zeros(500))
    assert gate(features).max() < 0.05


def test_halves_keep_projects_whole_and_balance_them() -> None:
    project = np.repeat([0, 1, 2, 3], [50, 30, 15, 5])
    fold = halves(project)
    assert all(len(set(fold[project == p])) == 1 for p in range(4))
    assert fold.sum() == 50
    with pytest.raises(ValueError, match="two dev projects"):
        halves(np.zeros(9, np.int64))
