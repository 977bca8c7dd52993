"""The list of a completion: the pool of candidates with their probabilities.

The mixture says how probable keywords are. The ranker, which was fitted where names stand, divides the rest among the
names and "none of them".
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np

from editahead.runtime.candidate_ranker import CandidateRanker
from editahead.runtime.language_model import LanguageModel
from editahead.suggest.completion.candidates import Candidate, MixtureParts, candidate_of, mixture_of
from editahead.suggest.completion.prediction_context import PredictionContext
from editahead.suggest.completion.ranking.features import Floats, PlaceEvidence, candidate_features, place_features
from editahead.suggest.completion.ranking.import_features import import_features, imported_elsewhere
from editahead.suggest.completion.ranking.pool import pool

MOST_EXPECTED = 60  # candidates of the mixture
KEYWORD_WORTH = 0.5  # of a keyword's probability in the order: it is short, so that a name saves more
EDITED = 2.0  # log odds of names that the last edits put in, beside what the ranker says; fitted on replayed commits
SCOPE = "scope"  # the source of a candidate that no model expects: a name that can be used here


class ListedCandidates(NamedTuple):
    """Candidate texts with their features (N, C), those of the place (S,), and the mixture that they come from."""

    texts: list[str]
    candidates: Floats
    place: Floats
    mass: dict[str, float]
    parts: MixtureParts


def listed_candidates(
    model: LanguageModel, found: PredictionContext, place: PlaceEvidence, labels: Sequence[str] = ()
) -> ListedCandidates:
    """The pool at a place, with those of `labels` that the mixture knows, and what the ranker is told of it."""
    prefix = found.place.prefix
    mass, parts = mixture_of(model, found.prediction, prefix, found.cache, found.outside)
    ranks = sorted([(-p, text) for text, p in mass.items() if p > 0 and text.isidentifier() and text != prefix])
    expected = [text for _, text in ranks[:MOST_EXPECTED]]
    texts = pool(expected, place, prefix)
    if place.imports is not None:
        texts += [text for text in imported_elsewhere(place.imports, prefix) if text not in texts]
    texts += [text for text in dict.fromkeys(labels) if mass.get(text, 0.0) > 0 and text not in texts]
    project = found.cache.project
    rows = candidate_features(texts, mass, parts, found.prediction, project, place, model, prefix)
    first = mass[expected[0]] if expected else 0.0
    of_place = place_features(place, found.prediction, first, prefix, ngrams=bool(parts.ngrams))
    if place.imports is not None:
        rows = np.concatenate([rows, import_features(texts, place.imports)], 1)
        of_place = np.concatenate([of_place, place.imports.place])
    return ListedCandidates(texts, rows, of_place, mass, parts)


def ranked_candidates(
    ranker: CandidateRanker,
    model: LanguageModel,
    found: PredictionContext,
    place: PlaceEvidence,
    most: int | None,
    labels: Sequence[str] = (),
) -> list[Candidate]:
    """At most `most` candidates with their probabilities, those worth most first, none more probable than one before.

    What is typed already is one of them where the mixture expects it most, with the mixture's probability.
    """
    listed, prefix = listed_candidates(model, found, place, labels), found.place.prefix
    of_ranker = _with_edits(ranker.probabilities(listed.candidates, listed.place), listed, place.recent)
    p_N = _with_keywords(of_ranker, listed, model.keywords)
    worth = [p * KEYWORD_WORTH if t in model.keywords else p for t, p in zip(listed.texts, p_N.tolist(), strict=True)]
    order = sorted(range(len(worth)), key=lambda number: (-worth[number], listed.texts[number]))[:most]
    chances = np.minimum.accumulate(p_N[order]).tolist()

    def candidate_with(text: str, p: float) -> Candidate:
        value = listed.mass.get(text, 0.0)
        if value <= 0:
            return _in_scope(text, place, found.place.line)._replace(probability=p)
        candidate = candidate_of(text, value, found.prediction, listed.parts, found.cache, found.outside)
        return candidate._replace(probability=p)

    typed = listed.mass.get(prefix, 0.0) if prefix else 0.0
    first = [candidate_with(prefix, typed)] if typed > 0 and typed >= max(listed.mass.values()) else []
    return first + [candidate_with(listed.texts[number], p) for number, p in zip(order, chances, strict=True)]


def _with_edits(ranked: Floats, listed: ListedCandidates, recent: Container[str]) -> Floats:
    """Probabilities of the N candidates and of "none of them" (N + 1), with what the last edits tell."""
    factors = [math.exp(EDITED) if text in recent else 1.0 for text in listed.texts]
    weighed = ranked * np.array([*factors, 1.0], np.float32)
    return np.asarray(weighed / weighed.sum(), np.float32)


def _with_keywords(ranked: Floats, listed: ListedCandidates, keywords: Container[str]) -> Floats:
    """Probabilities of the N candidates, from those of the ranker, "none of them" last (N + 1)."""
    keyword = np.array([text in keywords for text in listed.texts], np.bool_)
    mass = np.array([listed.mass.get(text, 0.0) for text in listed.texts], np.float32)
    of_mixture, of_names = mass * keyword, ranked[:-1] * ~keyword
    names = float(of_names.sum() + ranked[-1])
    rest = max(0.0, 1.0 - float(of_mixture.sum()))
    return of_mixture + of_names * (rest / names if names > 0 else 0.0)


def _in_scope(text: str, place: PlaceEvidence, at: int) -> Candidate:
    """A candidate that no model expects, with the nearest line that holds it."""
    lines = place.lines
    line = at - lines.above[text] if text in lines.above else at + lines.below[text] if text in lines.below else None
    return Candidate(text, 0.0, SCOPE, line=line)
