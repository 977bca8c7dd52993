"""Completions for a language without a language model: the file's own words, ranked by its own n-grams."""

from __future__ import annotations

from editahead.index.types import PROJECT
from editahead.runtime.ngrams import CacheScores, DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.complete_words import complete_words, safe_to_accept
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.completion.scoped_words import scoped_words
from editahead.suggest.context import names_nearby, place_at, read_lines
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import (
    Completion,
    Completions,
    Decision,
    Document,
    GateReading,
    Reason,
    Shown,
    Suppressed,
)
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.tokens import Line

_LINES_BEFORE, _LINES_AFTER = 400, 200


def complete_without_model(
    caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[Completions]:
    """Names of the file that may stand at a byte, best first; quiet in a file that says nothing to the point."""
    try:
        gates = cheap_gates(document, byte)
        if (failure := first_failure(gates)) is not None:
            return failure
        place = place_at(document, byte)
    except GrammarMissing as error:
        return Suppressed(Reason.NO_MODEL, str(error))
    cancel.check()
    syntax = document.syntax
    above = read_lines(syntax, place.line - _LINES_BEFORE, place.line)
    cache = caches.update(document.uri, [*above, *read_lines(syntax, place.line + 1, place.line + _LINES_AFTER)])
    found = predict_ngrams(cache, document.elsewhere, place.lines, however_small=True)  # there is nothing else
    words = scoped_words(document, place, found.words, found.mass)
    names = [(word, p) for word, p in words.items() if word.isidentifier() and word.startswith(place.prefix)]
    mass = found.mass if words is found.words else sum(words.values())
    known = sum(p for _, p in names) if place.prefix else mass
    scale = mass / known if known > 0 else 0.0
    floor, limit = document.settings.completion_floor, document.settings.max_completions
    ranked = sorted(
        ((p * scale, word) for word, p in names if word != place.prefix), key=lambda pair: (-pair[0], pair[1])
    )
    likely = [_completion(word, p, found, document) for p, word in ranked[:limit] if p >= floor]
    chances = {word: p * scale for word, p in names}

    def whole(word: str) -> Completion:
        if word in chances:
            return _completion(word, chances[word], found, document)
        return Completion(word, 0.0, "text", "cache")

    nearby = names_nearby(syntax, place.line, far=True, prefix=place.prefix) if place.prefix else {}
    complete = complete_words(document, place, nearby)
    items = tuple(safe_to_accept(likely, place.prefix, complete, whole, limit))
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no word of this file reaches {floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    best = max(item.probability for item in items)
    return Shown(Completions(items, place.start, place.end, complete=False), best, tuple(gates))


def _completion(word: str, probability: float, found: CacheScores, document: Document) -> Completion:
    """A completion that says where its word stands: in this file, or mostly in others of the project."""
    if document.elsewhere is None or 2 * found.project.get(word, 0.0) <= found.words.get(word, 1.0):
        return Completion(word, probability, "text", "cache")
    origin = document.elsewhere.origin(word)
    if origin is None:
        return Completion(word, probability, "text", PROJECT)
    return Completion(word, probability, "text", origin.source, origin.line, origin.where)
