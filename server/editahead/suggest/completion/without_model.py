"""Completions without a language model: ranked where there are rules of names and time, else by n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from editahead.index.types import PROJECT
from editahead.runtime.language_model.ngrams import CacheScores, DocumentCaches
from editahead.runtime.ort import Cancel, CancelWhenLate, DeadlineExceeded
from editahead.suggest.completion.complete_words import complete_words, safe_to_accept
from editahead.suggest.completion.item_list import build_list
from editahead.suggest.completion.nearby_text import complete_by_text
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.completion.ranked_words import ranked_words, word_item, words_evidence
from editahead.suggest.context import CursorContext, names_nearby, place_at, read_lines
from editahead.suggest.gate import cheap_gates, first_failure, no_number_before
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.interrupt import interruptible
from editahead.syntax.tokens import Line, names_of
from editahead.text.words import is_name

_LINES_BEFORE, _LINES_AFTER = 400, 200


def complete_without_model(
    caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[Completions]:
    """Words that are possible at a byte, best first; suppressed in a file without evidence."""
    try:
        gates = cheap_gates(document, byte)
        if (failure := first_failure(gates)) is not None:
            return failure
        cursor = place_at(document, byte)
        number = no_number_before(cursor.before, cursor.prefix, document.syntax.language)
        if (failure := first_failure([*gates, number])) is not None:
            return failure
    except GrammarMissing as error:
        return Suppressed(Reason.NO_MODEL, str(error))
    last = CancelWhenLate(cancel, cancel.last_at)
    try:
        with interruptible(last.check):
            last.check()
            if document.syntax.language.scopes is not None:
                return _by_ranker(caches, document, cursor, gates)
    except DeadlineExceeded:
        cancel.check()  # else scopes were too slow
        return _names_read(caches, document, cursor, gates)
    return _by_ngrams(caches, document, cursor, gates)


def _names_read(
    caches: DocumentCaches[Line], document: Document, cursor: CursorContext, gates: Sequence[GateReading]
) -> Decision[Completions]:
    """The names of the lines that were read already: those that n-grams expect, then the nearest ones."""
    cache = caches.update(document.uri, cursor.other_lines)
    expected = predict_ngrams(cache, document.elsewhere, cursor.lines, however_small=True).words
    nearby = chain.from_iterable(map(names_of, [*reversed(cursor.lines[:-1]), *cursor.below]))
    ranked = sorted(expected, key=lambda word: -expected[word])
    names = [word for word in dict.fromkeys([*ranked, *nearby]) if _can_complete(word, cursor.prefix)]
    if not names:
        return complete_by_text(document, cursor.end, gates)
    listed_names = names[: document.max_completions]
    items = tuple(Completion(word, expected.get(word, 0.0), "text", "cache") for word in listed_names)
    return Shown(Completions(items, cursor.start, cursor.end, complete=False), items[0].probability, tuple(gates))


def _can_complete(word: str, prefix: str) -> bool:
    return is_name(word) and word.startswith(prefix) and word != prefix


def _by_ranker(
    caches: DocumentCaches[Line], document: Document, cursor: CursorContext, gates: Sequence[GateReading]
) -> Decision[Completions]:
    inputs, evidence = words_evidence(caches, document, cursor)
    ranked = ranked_words(document, inputs, evidence)
    by_label = {item.label: item for item in ranked.items}

    def whole(word: str) -> Completion:
        return by_label.get(word) or word_item(document, inputs, evidence, word, 0.0)

    return build_list(document, inputs, ranked.items, whole, gates, typed_is_likeliest=ranked.typed_is_likeliest)


def _by_ngrams(
    caches: DocumentCaches[Line], document: Document, cursor: CursorContext, gates: Sequence[GateReading]
) -> Decision[Completions]:
    syntax = document.syntax
    above = read_lines(syntax, cursor.line - _LINES_BEFORE, cursor.line)
    cache = caches.update(document.uri, [*above, *read_lines(syntax, cursor.line + 1, cursor.line + _LINES_AFTER)])
    scores = predict_ngrams(cache, document.elsewhere, cursor.lines, however_small=True)  # the only evidence
    names = [(word, p) for word, p in scores.words.items() if is_name(word) and word.startswith(cursor.prefix)]
    total_mass = sum(p for _, p in names) if cursor.prefix else scores.mass
    scale = scores.mass / total_mass if total_mass > 0 else 0.0
    floor, limit = document.settings.completion_floor, document.max_completions
    ranked = sorted(
        ((p * scale, word) for word, p in names if word != cursor.prefix), key=lambda pair: (-pair[0], pair[1])
    )
    if document.filtered_by_client and ranked and ranked[0][0] >= floor:
        floor = 0.0  # further letters may move it to the top
    likely = [_completion(word, p, scores, document) for p, word in ranked[:limit] if p >= floor]
    chances = {word: p * scale for word, p in names}

    def whole(word: str) -> Completion:
        if word in chances:
            return _completion(word, chances[word], scores, document)
        return Completion(word, 0.0, "text", "cache")

    nearby = names_nearby(syntax, cursor.line, far=True, prefix=cursor.prefix) if cursor.prefix else {}
    complete = complete_words(document, cursor, nearby)
    items = tuple(safe_to_accept(likely, cursor.prefix, complete, whole, limit))
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no word of this file reaches {floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    best = max(item.probability for item in items)
    return Shown(Completions(items, cursor.start, cursor.end, complete=False), best, tuple(gates))


def _completion(word: str, probability: float, scores: CacheScores, document: Document) -> Completion:
    """The completion of a word with its origin: this file, or mostly others of the project."""
    if document.elsewhere is None or 2 * scores.project.get(word, 0.0) <= scores.words.get(word, 1.0):
        return Completion(word, probability, "text", "cache")
    origin = document.elsewhere.origin(word)
    if origin is None:
        return Completion(word, probability, "text", PROJECT)
    return Completion(word, probability, "text", origin.source, origin.line, origin.where)
