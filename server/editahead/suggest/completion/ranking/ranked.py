"""The list of a completion: the pool of candidates with the ranker's probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.runtime.candidate_ranker import CandidateRanker
from editahead.runtime.language_model import LanguageModel
from editahead.suggest.completion.candidates import Candidate, MixtureParts, candidate_of, mixture_of
from editahead.suggest.completion.prediction_context import PredictionContext
from editahead.suggest.completion.ranking.features import Floats, PlaceEvidence, candidate_features, place_features
from editahead.suggest.completion.ranking.pool import pool

MOST_EXPECTED = 60  # candidates of the mixture
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
    expected = sorted(
        (text for text, p in mass.items() if p > 0 and text.isidentifier() and text != prefix),
        key=lambda text: (-mass[text], text),
    )[:MOST_EXPECTED]
    texts = pool(expected, place, prefix)
    texts += [text for text in dict.fromkeys(labels) if mass.get(text, 0.0) > 0 and text not in texts]
    project = found.cache.project
    rows = candidate_features(texts, mass, parts, found.prediction, project, place, model, prefix)
    first = mass[expected[0]] if expected else 0.0
    of_place = place_features(place, found.prediction, first, prefix, ngrams=bool(parts.ngrams))
    return ListedCandidates(texts, rows, of_place, mass, parts)


def ranked_candidates(
    ranker: CandidateRanker,
    model: LanguageModel,
    found: PredictionContext,
    place: PlaceEvidence,
    most: int | None,
    labels: Sequence[str] = (),
) -> list[Candidate]:
    """At most `most` candidates with the ranker's probability, best first.

    What is typed already is one of them where the mixture expects it most, with the mixture's probability.
    """
    listed, prefix = listed_candidates(model, found, place, labels), found.place.prefix
    p_N = ranker.probabilities(listed.candidates, listed.place)[:-1].tolist()
    order = sorted(range(len(p_N)), key=lambda number: (-p_N[number], listed.texts[number]))[:most]

    def candidate_with(text: str, p: float) -> Candidate:
        value = listed.mass.get(text, 0.0)
        if value <= 0:
            return _in_scope(text, place, found.place.line)._replace(probability=p)
        candidate = candidate_of(text, value, found.prediction, listed.parts, found.cache, found.outside)
        return candidate._replace(probability=p)

    typed = listed.mass.get(prefix, 0.0) if prefix else 0.0
    first = [candidate_with(prefix, typed)] if typed > 0 and typed >= max(listed.mass.values()) else []
    return first + [candidate_with(listed.texts[number], p_N[number]) for number in order]


def _in_scope(text: str, place: PlaceEvidence, at: int) -> Candidate:
    """A candidate that no model expects, with the nearest line that holds it."""
    lines = place.lines
    line = at - lines.above[text] if text in lines.above else at + lines.below[text] if text in lines.below else None
    return Candidate(text, 0.0, SCOPE, line=line)
