"""From a mixture to a ranked list of texts: vocabulary, copies, the file's n-grams and names in no memory compete.

Two distributions over what may come next, each given the letters that are typed: the model's (softmax, pointer, and
the mass of unknown names on names within reach) and that of the file's n-grams. A fitted gate mixes them; another gives
a share to the token that followed a context like this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from editahead.encode.language_model.encoder import LmEncoder
from editahead.encode.language_model.vocabulary import INDENT_OF, SPECIALS
from editahead.index.types import PROJECT
from editahead.runtime.language_model.mixture import MIN_PROBABILITY
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import LINE_END, CacheScores
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.syntax.normalise import KIND_NAMES
from editahead.text.memo import beginning_with
from editahead.text.words import is_name

EDITED = 1.0  # log odds of names that the last edits put in
_LONG_MATCH = 20  # tokens


class Candidate(NamedTuple):
    """One text that may come next.

    `step` is where a copied name stood in the context; `line` is the line of any other name, in this file or in
    the file `where`.
    """

    text: str
    probability: float
    source: str
    step: int | None = None
    line: int | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True)
class MixtureParts:
    """Both distributions given the typed letters, and the inputs of the gate: `features` are `GATE_FEATURES`.

    `model` and `ngrams` map texts to probabilities that sum to at most 1; `listed` is the softmax's part of `model`;
    `share` is what the gate gives to the n-grams, `expected` then that of the match to the token that it expects.
    """

    model: dict[str, float]
    ngrams: dict[str, float]
    listed: dict[str, float]
    features: tuple[float, ...]
    share: float = 0.0
    expected: float = 0.0


def rank_mixture(
    model: LanguageModel,
    prediction: Prediction,
    prefix: str = "",
    cache: CacheScores | None = None,
    outside: ExtraNames | None = None,
    top: int = 400,
    wanted: Callable[[str], bool] | None = None,
    most: int | None = None,
    edited: Collection[str] = (),
) -> list[Candidate]:
    """Candidates with their probability given the typed prefix, best first. Indentation changes are texts here too.

    `top` is how many vocabulary entries are considered when nothing is typed; `wanted` and `most` filter and limit
    the result; names in `edited` are more likely.
    """
    mass, parts = mixture_of(model, prediction, prefix, cache, outside, top)
    weighted = with_edited_names(mass, edited)
    pairs = [(-value, text) for text, value in weighted.items() if value > 0 and (wanted is None or wanted(text))]
    best = sorted(pairs) if most is None else nsmallest(most, pairs)
    return [
        candidate_of(text, mass[text], prediction, parts, cache, outside)._replace(probability=-less)
        for less, text in best
    ]


def with_edited_names(mass: dict[str, float], names: Collection[str]) -> dict[str, float]:
    """Probabilities by text, with the log odds of `names` raised by EDITED."""
    factor = math.exp(EDITED)
    gain = (factor - 1) * sum(mass.get(name, 0.0) for name in names)
    if gain <= 0:
        return mass
    return {text: value * (factor if text in names else 1.0) / (1 + gain) for text, value in mass.items()}


def candidate_of(
    text: str,
    value: float,
    prediction: Prediction,
    parts: MixtureParts,
    cache: CacheScores | None = None,
    outside: ExtraNames | None = None,
) -> Candidate:
    """A text that the mixture gives the probability `value`, with where it comes from."""
    origin = outside.origins.get(text) if outside is not None else None
    if origin is not None and not parts.listed.get(text):
        source = origin.source
    elif _is_expected(text, prediction) and 2 * parts.expected > value:
        source = "cache"
    else:
        source = _source(text, value, prediction, parts, (1 - parts.share) * (1 - parts.expected), cache)
    line, where = (origin.line, origin.where) if origin is not None else (None, None)
    return Candidate(text, value, source, prediction.origins.get(text), line, where)


def mixture_of(
    model: LanguageModel,
    prediction: Prediction,
    prefix: str = "",
    cache: CacheScores | None = None,
    outside: ExtraNames | None = None,
    top: int = 400,
    *,
    with_match: bool = True,
) -> tuple[dict[str, float], MixtureParts]:
    """The probability of each text given the prefix, and the sides that it comes from.

    Without `with_match` the network and the n-grams alone.
    """
    parts = parts_of(model, prediction, prefix, cache, outside, top)
    share = model.gate.share(parts.features, cache.bucket) if cache is not None and parts.ngrams else 0.0
    mass = {text: value * (1 - share) for text, value in parts.model.items()}
    if share:
        for text, value in parts.ngrams.items():
            mass[text] = mass.get(text, 0.0) + value * share
    features = match_features(prediction, mass, prefix) if with_match else ()
    if prediction.expected is None or not features:
        return mass, replace(parts, share=share)
    text, expected = prediction.expected.text, model.match_gate.share(features)
    mass = {other: value * (1 - expected) for other, value in mass.items()}
    mass[text] = mass.get(text, 0.0) + expected
    return mass, replace(parts, share=share, expected=expected)


def parts_of(
    model: LanguageModel,
    prediction: Prediction,
    prefix: str = "",
    cache: CacheScores | None = None,
    outside: ExtraNames | None = None,
    top: int = 400,
) -> MixtureParts:
    """Both sides of the mixture, before the gate."""
    words = prediction.words
    symbols = model.vocab.symbols
    if prefix:
        numbers = model.with_prefix(prefix)  # none of them is in SPECIALS
    else:
        top = min(top, len(words))
        numbers = np.argpartition(words, -top)[-top:].tolist()
    listed: dict[str, float] = {}
    for number, p in zip(numbers, words[numbers].tolist(), strict=True):
        symbol = symbols[number]
        if number >= len(SPECIALS) or (symbol in INDENT_OF and not prefix):
            listed[symbol] = p
    own = dict(listed)
    for name, weight in beginning_with(prediction.copies, prefix).items():
        own[name] = own.get(name, 0.0) + weight
    unknown = prediction.unknown * (model.beginnings.probability(prefix) if prefix else 1.0)
    rest = unknown
    if outside is not None and outside.origins:
        shares = model.names.shares(outside.names_NF, outside.none)
        rest = unknown * max(0.0, 1.0 - float(shares.sum()))
        for name, share in zip(outside.origins, (unknown * shares).tolist(), strict=True):
            own[name] = own.get(name, 0.0) + share
    of_model = sum(own.values()) + rest if prefix else 1.0
    scale = 1 / of_model if of_model > 0 else 0.0
    own = {text: value * scale for text, value in own.items()}
    listed = {text: value * scale for text, value in listed.items()}
    ngrams, of_ngrams = ngrams_given(cache, listed, prefix)
    odds = math.log(max(of_ngrams, MIN_PROBABILITY) / max(of_model, MIN_PROBABILITY))
    return MixtureParts(own, ngrams, listed, _gate_features(prediction, cache, own, ngrams, odds, bool(prefix)))


def kind_of(candidate: Candidate, encoder: LmEncoder, model: LanguageModel) -> str:
    """What a completion menu calls it."""
    role = encoder.kind_of(candidate.text)
    if role is not None:
        return KIND_NAMES[role]
    if candidate.text in model.keywords:
        return "keyword"
    return "name" if is_name(candidate.text) else "text"


def ngrams_given(cache: CacheScores | None, listed: Mapping[str, float], prefix: str) -> tuple[dict[str, float], float]:
    """The n-gram distribution given the prefix, a line end split as the model splits it, and the mass of the prefix."""
    if cache is None or not cache.mass:
        return {}, 0.0
    total_mass = cache.mass
    ngrams = {text: p / total_mass for text, p in beginning_with(cache.words, prefix).items() if text != LINE_END}
    if not prefix and (ends := cache.words.get(LINE_END, 0.0)):
        splits = {symbol: listed[symbol] for symbol in INDENT_OF if symbol in listed}
        total = sum(splits.values())
        for symbol, value in splits.items():
            ngrams[symbol] = ends / total_mass * value / total if total > 0 else 0.0
        return ngrams, 1.0
    mass = sum(ngrams.values()) if prefix else 1.0
    return ({text: p / mass for text, p in ngrams.items()}, mass) if mass > 0 else ({}, 0.0)


def match_features(prediction: Prediction, mass: Mapping[str, float], prefix: str) -> tuple[float, ...]:
    """`MATCH_FEATURES` of the expected token, given the mixture without it; empty where none is expected."""
    expected = prediction.expected
    if expected is None or not expected.text.startswith(prefix) or (prefix and expected.text in INDENT_OF):
        return ()
    match, text = expected.match, expected.text
    best = max(mass, key=mass.__getitem__, default="")
    return (
        1.0,
        math.log(match.length),
        float(match.length >= _LONG_MATCH),
        math.log1p(match.same),
        math.log1p(len(match.renamed)),
        float(match.is_mapped),
        float(expected.is_name and not match.is_mapped and not expected.is_derived),
        float(expected.is_derived),
        math.log1p(match.rival),
        float(text in INDENT_OF),
        math.log(max(mass.get(text, 0.0), MIN_PROBABILITY)),
        math.log(max(mass.get(best, 0.0), MIN_PROBABILITY)),
        float(best == text),
        float(bool(prefix)),
    )


def _gate_features(
    prediction: Prediction,
    cache: CacheScores | None,
    own: Mapping[str, float],
    ngrams: Mapping[str, float],
    odds: float,
    typed: bool,
) -> tuple[float, ...]:
    if cache is None or not ngrams:
        return ()
    best_own = max(own, key=own.__getitem__, default="")
    best_ngram = max(ngrams, key=ngrams.__getitem__)
    return (
        1.0,
        float(cache.hits),
        math.log1p(cache.times),
        math.log(max(ngrams[best_ngram], MIN_PROBABILITY)),
        math.log(max(own.get(best_own, 0.0), MIN_PROBABILITY)),
        math.log(max(own.get(best_ngram, 0.0), MIN_PROBABILITY)),
        float(best_own == best_ngram),
        sum(prediction.copies.values()),
        prediction.entropy,
        float(typed),
        odds,
        float(cache.project_hits),
        math.log1p(cache.project_times) if cache.project_hits else 0.0,
    )


def _is_expected(text: str, prediction: Prediction) -> bool:
    """Whether a text is expected here that the model cannot copy."""
    return prediction.expected is not None and text == prediction.expected.text and text not in prediction.copies


def _source(
    text: str, value: float, prediction: Prediction, parts: MixtureParts, share: float, cache: CacheScores | None
) -> str:
    """The side that gives most; `share` is the model's."""
    listed, copied = parts.listed.get(text, 0.0) * share, prediction.copies.get(text, 0.0)
    if copied > 0 and copied >= listed:
        return "pointer"
    if listed * 2 >= value:
        return "vocabulary"
    if cache is None or text not in parts.ngrams:
        return "vocabulary"
    return PROJECT if 2 * cache.project.get(text, 0.0) > cache.words.get(text, 0.0) else "cache"
