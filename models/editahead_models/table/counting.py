"""The rows of the table that count instead of learning: n-grams, the n-gram cache, and the cache beside a network.

They read as many training tokens as the networks do, and are scored at the same places of the same dev files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from editahead_models.data.corpus.encoded_files import FileArrays
from editahead_models.data.corpus.name_views import View
from editahead_models.evaluate.language_models.cache_mixture import Beside, mixed_figures
from editahead_models.evaluate.language_models.counting import (
    add,
    cache_metrics,
    dev_projects,
    places_in,
    scored_batches,
)
from editahead_models.evaluate.language_models.metrics import LmMetrics, silent_symbols
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders, open_run
from editahead_models.families.kneser_ney import KneserNey
from editahead_models.families.ngram_cache import GIVEN, GlobalCounts
from editahead_models.families.trigram import Trigram
from editahead_models.table.measure import figures
from editahead_models.table.rows import Row
from editahead_models.train.lm import LmRecipe, corpus_view

HELD_OUT = 0.05  # of the training tokens, for the trigram's weights
KNESER_NEY = {f"kneser-ney-{order}": order for order in (3, 4, 5, 6)}
COUNTING = ("trigram", "trigram-em", *KNESER_NEY, "ngram-cache")


def measure_counting(row: Row, corpus: Corpus, recipe: LmRecipe) -> dict[str, Any]:
    """All figures of a row of counts, one of `COUNTING`. ValueError for another name."""
    if row.counting in ("trigram", "trigram-em"):
        return _trigram(corpus, recipe, fitted=row.counting == "trigram-em")
    if row.counting == "ngram-cache":
        return _cache(corpus, recipe)
    if row.counting in KNESER_NEY:
        return _kneser_ney(corpus, recipe, KNESER_NEY[row.counting])
    raise ValueError(f"row {row.name}: counting must be one of {', '.join(COUNTING)}, found {row.counting!r}")


def measure_cached(row: Row, runs: RunFolders, corpus: Corpus) -> dict[str, Any]:
    """All figures of a trained row with the n-gram cache beside it, before and after, cross-fitted by dev project."""
    assert row.cached is not None
    trained = open_run(runs.of(row.cached), corpus)
    counts = GlobalCounts.train([file.surface for file in counted_files(corpus, trained.recipe)])
    beside = Beside(counts, dev_projects(corpus))
    before, after, gates = mixed_figures(trained, corpus.dev, beside, corpus.dev_tokens)
    _, alone, _ = mixed_figures(trained, corpus.dev, replace(beside, whole=False), corpus.dev_tokens)
    return figures(after, corpus, trained.view) | {
        "before": figures(before, corpus, trained.view),
        "without project": alone.report(),
        "gates": gates,
        "vocabulary": trained.view.size,
        "names": trained.recipe.names,
        "tokens": trained.recipe.tokens,
    }


def counted_files(corpus: Corpus, recipe: LmRecipe) -> list[FileArrays]:
    """The training files that a network with this recipe reads first, up to its budget of tokens."""
    chosen, total = [], 0
    for number in np.random.default_rng(recipe.seed * 1000).permutation(len(corpus.train)).tolist():
        if total >= recipe.tokens:
            break
        chosen.append(corpus.train[number])
        total += len(chosen[-1].word) - GIVEN
    return chosen


def _trigram(corpus: Corpus, recipe: LmRecipe, *, fitted: bool) -> dict[str, Any]:
    view = corpus_view(corpus.data, recipe, corpus.train)
    streams = [view.see(file, number).word for number, file in enumerate(counted_files(corpus, recipe))]
    model = Trigram.train(streams, view.size, given=GIVEN)
    if fitted:
        ends = np.cumsum([len(stream) for stream in streams])
        cut = max(1, int(np.searchsorted(ends, (1 - HELD_OUT) * ends[-1])))
        weights = Trigram.train(streams[:cut], view.size, given=GIVEN).fit_weights(
            streams[cut:] or streams, given=GIVEN
        )
        model = Trigram(model.counts, weights.weights)
    found = _scored(model, corpus, recipe, view)
    return found | {
        "parameters": sum(len(level) for level in model.counts.keys[1:]),
        "weights": model.weights,
    }


def _kneser_ney(corpus: Corpus, recipe: LmRecipe, order: int) -> dict[str, Any]:
    view = corpus_view(corpus.data, recipe, corpus.train)
    streams = [view.see(file, number).word for number, file in enumerate(counted_files(corpus, recipe))]
    model = KneserNey.train(streams, view.size, order, given=GIVEN)
    return _scored(model, corpus, recipe, view) | {"parameters": sum(len(level) for level in model.trie.keys[1:])}


def _scored(model: Trigram | KneserNey, corpus: Corpus, recipe: LmRecipe, view: View) -> dict[str, Any]:
    """Figures of a model of symbols at the places that networks are scored at."""
    silent = silent_symbols(view.size).numpy()
    seen = [view.see(file, hash((0, number))) for number, file in enumerate(corpus.dev)]
    spoken = model.score([file.word for file in seen], silent)
    published = model.score([file.word for file in seen])
    log_p, rank, best = (np.concatenate(part) for part in zip(*spoken, strict=True))
    with_unknown = np.concatenate([scores.rank for scores in published])
    unknown = silent[np.concatenate([file.word for file in seen])]
    metrics = LmMetrics()
    scored = list(scored_batches(corpus.dev, recipe.steps, corpus.dev_tokens, view))
    for batch, at in zip(scored, places_in(scored, corpus.dev), strict=True):
        add(metrics, batch, -log_p[at], rank[at], with_unknown[at], best[at], unknown[at])
    return figures(metrics, corpus, view) | {
        "vocabulary": view.size,
        "names": recipe.names,
        "tokens": recipe.tokens,
    }


def _cache(corpus: Corpus, recipe: LmRecipe) -> dict[str, Any]:
    counts = GlobalCounts.train([file.surface for file in counted_files(corpus, recipe)])
    whole = cache_metrics(counts, corpus, recipe.steps, project=True)
    alone = cache_metrics(counts, corpus, recipe.steps, project=False)
    report = whole.report()
    return {
        "figures": report,
        "without project": alone.report(),
        "parameters": sum(len(level) for level in counts.counts.keys[1:]),
        "vocabulary": len(counts.surfaces),
        "names": "real",
        "tokens": recipe.tokens,
    }
