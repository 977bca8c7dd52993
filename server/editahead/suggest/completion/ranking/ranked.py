"""The list of a completion: the pool of candidates with their probabilities.

The mixture says how probable keywords are. The ranker, which was fitted where names stand, divides the rest among the
names and "none of them".
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np

from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.runtime.language_model.model import LanguageModel
from editahead.suggest.completion.candidates import Candidate, MixtureParts, candidate_of, mixture_of
from editahead.suggest.completion.ranking.features import (
    Floats,
    KnownWords,
    PlaceEvidence,
    PredictionContext,
    builtin_names,
    candidate_features,
    place_features,
)
from editahead.suggest.completion.ranking.import_features import import_features, imported_elsewhere
from editahead.suggest.completion.ranking.member_features import member_features
from editahead.suggest.completion.ranking.pool import pool
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.syntax.language import by_id
from editahead.text.words import is_name

MAX_EXPECTED = 60  # candidates of the mixture
KEYWORD_WORTH = 0.5  # of a keyword's probability in the order, as a name saves more (`models/LOG.md`)
HIDDEN_WORTH = 0.3  # of a name bound out of sight, where a statement begins: chosen by hand, costs at most noise (log)
EDITED = 2.0  # log odds of names that the last edits put in, beside what the ranker says (`models/LOG.md`)
SCOPE = "scope"  # the source of a candidate that no model expects: a name that can be used here


class ListedCandidates(NamedTuple):
    """Candidate texts with their features (N, C), those of the position (S,), and the mixture that they come from."""

    texts: list[str]
    candidates: Floats
    position: Floats
    mass: dict[str, float]
    parts: MixtureParts


def listed_candidates(
    model: LanguageModel, inputs: PredictionContext, evidence: PlaceEvidence, labels: Sequence[str] = ()
) -> ListedCandidates:
    """The pool at the cursor with those of `labels` that the mixture contains, and their features."""
    mass, parts = mixture_of(model, inputs.prediction, inputs.cursor.prefix, inputs.cache, inputs.outside)
    words = KnownWords(model.vocab.ids, model.keywords, builtin_names(by_id(model.bundle.manifest.language)))
    return listed_of_mixture(mass, parts, words, inputs, evidence, labels)


def listed_of_mixture(
    mass: dict[str, float],
    parts: MixtureParts,
    words: KnownWords,
    inputs: PredictionContext,
    evidence: PlaceEvidence,
    labels: Sequence[str] = (),
    more: Sequence[str] = (),
) -> ListedCandidates:
    """The pool for a mixture. `more`: candidates that neither the mixture nor scopes contain."""
    prefix = inputs.cursor.prefix
    ranks = sorted([(-p, text) for text, p in mass.items() if p > 0 and is_name(text) and text != prefix])
    expected = [text for _, text in ranks[:MAX_EXPECTED]]
    texts = pool([*expected, *more], evidence, prefix)
    if evidence.imports is not None:
        texts += [text for text in imported_elsewhere(evidence.imports, prefix) if text not in texts]
    texts += [text for text in dict.fromkeys(labels) if mass.get(text, 0.0) > 0 and text not in texts]
    project = inputs.cache.project
    rows = candidate_features(texts, mass, parts, inputs.prediction, project, evidence, words, prefix)
    first = mass[expected[0]] if expected else 0.0
    of_place = place_features(evidence, inputs.prediction, first, prefix, ngrams=bool(parts.ngrams))
    if evidence.imports is not None:
        rows = np.concatenate([rows, import_features(texts, evidence.imports)], 1)
        of_place = np.concatenate([of_place, evidence.imports.position])
    elif evidence.members is not None:
        rows = np.concatenate([rows, member_features(texts, evidence.members)], 1)
        of_place = np.concatenate([of_place, evidence.members.position])
    return ListedCandidates(texts, rows, of_place, mass, parts)


def ranked_candidates(
    ranker: CandidateRanker,
    model: LanguageModel,
    inputs: PredictionContext,
    evidence: PlaceEvidence,
    most: int | None,
    labels: Sequence[str] = (),
) -> list[Candidate]:
    """At most `most` candidates with probabilities that never rise, those of most value first.

    The typed word is included where it is the best of the mixture, with the mixture's probability.
    """
    listed, prefix = listed_candidates(model, inputs, evidence, labels), inputs.cursor.prefix
    p_N = with_keywords(probabilities_of(ranker, listed, evidence.recent), listed, model.keywords)
    order, chances = order_by_value(p_N, listed.texts, model.keywords, most, bound_out_of_sight(evidence))

    def candidate_with(text: str, p: float) -> Candidate:
        value = listed.mass.get(text, 0.0)
        if value <= 0:
            return in_scope(text, evidence, inputs.cursor.line)._replace(probability=p)
        candidate = candidate_of(text, value, inputs.prediction, listed.parts, inputs.cache, inputs.outside)
        return candidate._replace(probability=p)

    typed = listed.mass.get(prefix, 0.0) if prefix else 0.0
    first = [candidate_with(prefix, typed)] if typed > 0 and typed >= max(listed.mass.values()) else []
    return first + [candidate_with(listed.texts[number], p) for number, p in zip(order, chances, strict=True)]


def order_by_value(
    p_N: Floats, texts: Sequence[str], keywords: Container[str], most: int | None, hidden: Container[str] = ()
) -> tuple[list[int], list[float]]:
    """The numbers of at most `most` candidates, those of most value first, and probabilities that never rise."""
    factors = [KEYWORD_WORTH if t in keywords else HIDDEN_WORTH if t in hidden else 1.0 for t in texts]
    values = [p * factor for p, factor in zip(p_N.tolist(), factors, strict=True)]
    order = sorted(range(len(values)), key=lambda number: (-values[number], texts[number]))[:most]
    return order, np.minimum.accumulate(p_N[order]).tolist()


def bound_out_of_sight(evidence: PlaceEvidence) -> frozenset[str]:
    """Names of the file that are not visible where a new name may begin; empty elsewhere: they are no candidates."""
    slot = evidence.slot
    if evidence.scopes is None or not (slot.kind is SlotKind.STATEMENT or slot.binds):
        return frozenset()
    return evidence.scopes.hidden


def probabilities_of(ranker: CandidateRanker, listed: ListedCandidates, recent: Container[str]) -> Floats:
    """Probabilities of the N candidates and of "none of them" (N + 1), recently edited names weighted higher."""
    ranked = ranker.probabilities(listed.candidates, listed.position)
    factors = [math.exp(EDITED) if text in recent else 1.0 for text in listed.texts]
    weighed = ranked * np.array([*factors, 1.0], np.float32)
    return np.asarray(weighed / weighed.sum(), np.float32)


def with_keywords(ranked: Floats, listed: ListedCandidates, keywords: Container[str]) -> Floats:
    """Probabilities of the N candidates, from those of the ranker, "none of them" last (N + 1)."""
    keyword = np.array([text in keywords for text in listed.texts], np.bool_)
    mass = np.array([listed.mass.get(text, 0.0) for text in listed.texts], np.float32)
    of_mixture, of_names = mass * keyword, ranked[:-1] * ~keyword
    names = float(of_names.sum() + ranked[-1])
    rest = max(0.0, 1.0 - float(of_mixture.sum()))
    return of_mixture + of_names * (rest / names if names > 0 else 0.0)


def in_scope(text: str, evidence: PlaceEvidence, at: int) -> Candidate:
    """A candidate that no model contains, with the nearest line that contains it."""
    lines = evidence.lines
    line = at - lines.above[text] if text in lines.above else at + lines.below[text] if text in lines.below else None
    return Candidate(text, 0.0, SCOPE, line=line)
