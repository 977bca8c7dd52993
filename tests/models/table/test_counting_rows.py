"""Counting models and the learnt gate: scored where networks are, proper mixtures, whole projects held out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.encode.language_model.vocabulary import Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead_models.data.corpus.encoded_files import encode_file, store_files
from editahead_models.data.corpus.source_files import token_lines
from editahead_models.evaluate.language_models.counting import cache_metrics, dev_projects, places_of
from editahead_models.evaluate.language_models.metrics import MISS, measure
from editahead_models.evaluate.language_models.runs import Corpus, open_run
from editahead_models.families.ngram_cache import GlobalCounts
from editahead_models.families.trigram import Trigram
from editahead_models.table.counting import counted_files, measure_counting
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
