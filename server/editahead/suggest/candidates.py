"""From a mixture to a ranked list of texts: vocabulary, copied names and names nearby compete on equal terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from editahead.encode.lm import LmEncoder
from editahead.encode.vocab import INDENT_OF, SPECIALS
from editahead.runtime.lm import LanguageModel, Prediction
from editahead.runtime.ngram import LINE_END, Cached
from editahead.syntax.normalise import KIND_NAMES

_NEARBY_SHARE = 0.3  # of the mass of unknown names, for the names that stand nearby but outside the memory
_LETTER = 0.15  # chance that an unknown name goes on with the typed character


class Candidate(NamedTuple):
    """One text that may come next; `step` is where a copied name stood in the context, `line` one below it."""

    text: str
    probability: float
    source: str
    step: int | None = None
    line: int | None = None


def ranked(
    model: LanguageModel,
    prediction: Prediction,
    prefix: str = "",
    nearby: Mapping[str, int] | None = None,
    cache: Cached | None = None,
    top: int = 400,
) -> list[Candidate]:
    """Candidates with their probability given the typed prefix, best first. Indentation changes are texts here too.

    `top` is how many vocabulary entries are looked at when nothing is typed.
    """
    mass: dict[str, float] = {}
    words = prediction.words
    symbols = model.vocab.symbols
    if prefix:
        numbers = model.with_prefix(prefix)
    else:
        top = min(top, len(words))
        numbers = np.argpartition(words, -top)[-top:].tolist()
    for number in numbers:
        symbol = symbols[number]
        if number >= len(SPECIALS) or (symbol in INDENT_OF and not prefix):
            mass[symbol] = float(words[number])
    generated = dict(mass)
    weight_of_cache = _mix_in(mass, cache, model, prefix)
    for name, weight in prediction.copies.items():
        if name.startswith(prefix):
            mass[name] = mass.get(name, 0.0) + weight * (1 - weight_of_cache)
    fresh = {
        name: line for name, line in (nearby or {}).items() if name not in prediction.copies and name.startswith(prefix)
    }
    if fresh:
        # Names outside the window: the closer the likelier, as far as nothing better is known.
        shares = 1.0 / (1.0 + np.arange(len(fresh)))
        shares *= prediction.unknown * (1 - weight_of_cache) * _NEARBY_SHARE / shares.sum()
        if prefix:
            shares *= max(1.0, 1.0 / _LETTER ** min(len(prefix), 3) * 0.2)
        for (name, _), share in zip(fresh.items(), shares.tolist(), strict=True):
            mass[name] = mass.get(name, 0.0) + share
    total = 1.0
    if prefix:
        total = sum(mass.values()) + prediction.unknown * (1 - weight_of_cache) * _LETTER ** len(prefix)
    made = [
        Candidate(
            text,
            value / total if total > 0 else 0.0,
            _source(text, value, prediction, generated, fresh),
            prediction.origins.get(text),
            fresh.get(text),
        )
        for text, value in mass.items()
        if value > 0
    ]
    made.sort(key=lambda candidate: (-candidate.probability, candidate.text))
    return made


def kind_of(candidate: Candidate, encoder: LmEncoder, model: LanguageModel) -> str:
    """What a completion menu calls it."""
    role = encoder.kind_of(candidate.text)
    if role is not None:
        return KIND_NAMES[role]
    if candidate.text in model.keywords:
        return "keyword"
    return "name" if candidate.text.isidentifier() else "text"


def _mix_in(mass: dict[str, float], cache: Cached | None, model: LanguageModel, prefix: str) -> float:
    """Give the file's own n-grams their share of the softmax's mass, in place; returns that share."""
    if cache is None or not cache.hits or not model.cache_weights:
        return 0.0
    share = model.cache_weights[cache.bucket]
    for text in mass:
        mass[text] *= 1 - share
    scale = share / (1 - 2.0**-cache.hits)
    ends = {symbol: mass[symbol] for symbol in INDENT_OF if symbol in mass}
    total = sum(ends.values())
    for text, p in cache.words.items():
        if text == LINE_END:
            for symbol, value in ends.items():
                mass[symbol] += scale * p * value / total if total > 0 else 0.0
        elif text.startswith(prefix):
            mass[text] = mass.get(text, 0.0) + scale * p
    return share


def _source(
    text: str, value: float, prediction: Prediction, generated: Mapping[str, float], fresh: Mapping[str, int]
) -> str:
    copied, listed = prediction.copies.get(text, 0.0), generated.get(text, 0.0)
    if text in fresh and not listed:
        return "cache"
    if copied > 0 and copied >= listed:
        return "pointer"
    return "vocabulary" if listed * 2 >= value else "cache"
