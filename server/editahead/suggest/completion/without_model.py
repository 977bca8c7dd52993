"""Completions without a language model: ranked where there are rules of names and time, else by n-grams.

Where the text is too long to be read, the bytes around the cursor give them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from editahead.index.types import PROJECT
from editahead.runtime.language_model.candidate_ranker import ARRAYS, CandidateRanker
from editahead.runtime.language_model.ngrams import LINE_END, CacheScores, DocumentCaches
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel, CancelWhenLate, DeadlineExceeded
from editahead.suggest.completion.candidates import MixtureParts, ngrams_given
from editahead.suggest.completion.extra_names import names_without_model
from editahead.suggest.completion.item_list import build_list, complete_words, reserved_words, safe_to_accept
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.completion.ranking.features import KnownWords, PlaceEvidence, PredictionContext, builtin_names
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.completion.ranking.ranked import (
    ListedCandidates,
    bound_out_of_sight,
    in_scope,
    listed_of_mixture,
    order_by_value,
    probabilities_of,
)
from editahead.suggest.context import CursorContext, name_before, names_nearby, place_at, read_lines
from editahead.suggest.gate import cheap_gates, first_failure, in_code, no_number_before
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line, names_of
from editahead.text.memo import beginning_with
from editahead.text.words import SCRIPT_IDENTIFIER, is_name

AROUND = 8_000  # bytes on each side of the cursor
_PARSED = 1 << 16  # bytes of a text whose strings and comments are looked for
_NAMES = re.compile(SCRIPT_IDENTIFIER)
MAX_ITEMS = 50  # words that become items, however many are shown
_RECEIVERS = frozenset(("self", "cls"))  # names, though no scope binds them
_FAR_NAMES = 40  # of other files, and of lines of this file that n-grams do not read
_NO_PREDICTION = Prediction(np.ones(1, np.float32), {}, {}, 0.0)  # every feature of the model is 0, or the same of all
_VISIBLE_KINDS = frozenset(("function", "class", "parameter", "variable"))
_LINES_BEFORE, _LINES_AFTER = 400, 200


def complete_long_line(document: Document, byte: int) -> Decision[Completions]:
    """Names near a byte of a line that is too long to be read, the nearest first."""
    gates = cheap_gates(document, None)
    if all(gate.passed for gate in gates) and len(document.syntax.buffer.data) <= _PARSED:
        gates.append(in_code(document, byte))
    if (failure := first_failure(gates)) is not None:
        return failure
    return complete_by_text(document, byte, gates)


def complete_by_text(document: Document, byte: int, gates: Sequence[GateReading]) -> Decision[Completions]:
    """Names that stand near a byte and begin with what is typed, the nearest first."""
    data = document.syntax.buffer.data
    before = data[max(0, byte - AROUND) : byte]
    text = before.decode("utf-8", "replace")
    prefix = name_before(document.syntax.language, text)
    number = no_number_before(text[-AROUND // 100 :].removesuffix(prefix), prefix, document.syntax.language)
    if not prefix or not number.passed:
        return Suppressed(Reason.EMPTY, "no name has begun", (*gates, number))
    start = byte - len(prefix.encode())
    above = _NAMES.findall(before[: start - byte])
    if len(before) == AROUND:  # the first may be cut
        del above[:1]
    words = (name.decode("utf-8", "replace") for name in [*above[::-1], *_NAMES.findall(data[byte : byte + AROUND])])
    names = [word for word in dict.fromkeys(words) if word.startswith(prefix) and word != prefix and is_name(word)]
    if not names:
        return Suppressed(Reason.EMPTY, "no name nearby begins so", (*gates, number))
    items = tuple(Completion(name, 0.0, "text", "cache") for name in names[: document.max_completions])
    return Shown(Completions(items, start, byte, complete=False), 0.0, (*gates, number))


FILE = Path(__file__).with_name("ranked_words.npz")


class RankedWords(NamedTuple):
    """Words with their probabilities, best first. `typed_is_likeliest`: n-grams prefer the typed word."""

    items: list[Completion]
    typed_is_likeliest: bool


def words_evidence(
    caches: DocumentCaches[Line], document: Document, cursor: CursorContext
) -> tuple[PredictionContext, PlaceEvidence]:
    """The inputs without a language model; the second is also the `ranking` of the first."""
    own = caches.update(document.uri, cursor.other_lines)
    cache = predict_ngrams(own, document.elsewhere, cursor.lines, however_small=True)  # there is little else
    outside = names_without_model(document, cursor, cache.project)
    evidence = _permit_members(place_evidence(document, cursor, outside))
    return PredictionContext(cursor, _NO_PREDICTION, cache, outside, evidence), evidence


def _permit_members(evidence: PlaceEvidence) -> PlaceEvidence:
    """Where the members of the receiver are complete, only these are permitted; Python's `self.size = 1` binds more."""
    scopes, permitted = evidence.scopes, evidence.permitted
    if scopes is None or not scopes.has_all_members or scopes.members is None:
        return evidence
    if scopes.object_members is None and scopes.fields_are_called:  # objects have others, too: extensions, traits
        return evidence
    if evidence.slot.begins_statement and not scopes.fields_are_called:
        return evidence
    members = scopes.members | (scopes.object_members or frozenset()) | evidence.receiver_pairs
    return evidence._replace(permitted=members if permitted is None else permitted & members)


def listed_words(language: Language, inputs: PredictionContext, evidence: PlaceEvidence) -> ListedCandidates:
    """The candidates at the cursor, with the inputs of the ranker: n-grams replace the mixture.

    Their probabilities are not scaled to the typed letters, so that the ranker sees their mass.
    """
    prefix, keywords, builtins = inputs.cursor.prefix, keywords_of(language), builtin_names(language)
    mass = {text: p for text, p in beginning_with(inputs.cache.words, prefix).items() if text != LINE_END}
    given, _ = ngrams_given(inputs.cache, {}, prefix)
    begun = dict.fromkeys(word for word in (*sorted(keywords), *sorted(builtins)) if prefix and word.startswith(prefix))
    if evidence.scopes is not None and evidence.scopes.members and evidence.permitted is not None:
        begun |= dict.fromkeys(name for name in sorted(evidence.scopes.members) if name.startswith(prefix))
    begun |= dict.fromkeys(islice(inputs.outside.origins, _FAR_NAMES))
    more = [word for word in begun if word not in mass and word != prefix]
    words = KnownWords((), keywords, builtins)
    return listed_of_mixture(mass, MixtureParts({}, given, {}, ()), words, inputs, evidence, more=more)


def ranked_words(document: Document, inputs: PredictionContext, evidence: PlaceEvidence) -> RankedWords:
    """The best words with the typed prefix."""
    language, prefix = document.syntax.language, inputs.cursor.prefix
    listed = listed_words(language, inputs, evidence)
    p_N = probabilities_of(open_words_ranker(), listed, evidence.recent)[:-1]
    order, chances = order_by_value(p_N, listed.texts, keywords_of(language), MAX_ITEMS, bound_out_of_sight(evidence))
    items = [
        word_item(document, inputs, evidence, listed.texts[number], chance)
        for number, chance in zip(order, chances, strict=True)
    ]
    typed = listed.mass.get(prefix, 0.0)
    return RankedWords(items, bool(prefix) and typed > 0 and typed >= max(listed.mass.values()))


def word_item(
    document: Document, inputs: PredictionContext, evidence: PlaceEvidence, text: str, probability: float
) -> Completion:
    """The item of a word, with its kind and line."""
    kind = "keyword" if text in keywords_of(document.syntax.language) else "name"
    visible = evidence.scopes.visible.get(text) if evidence.scopes is not None else None
    if visible is not None and visible.kind in _VISIBLE_KINDS:
        kind = visible.kind
    return Completion(text, probability, kind, *_origin(document, inputs, evidence, text))


def _origin(
    document: Document, inputs: PredictionContext, evidence: PlaceEvidence, text: str
) -> tuple[str, int | None, str | None]:
    """Source, line and file of a word: another file where most n-grams of it come from there."""
    words, project = inputs.cache.words, inputs.cache.project
    own = in_scope(text, evidence, inputs.cursor.line)
    if text not in words:
        return inputs.outside.origins.get(text) or (own.source, own.line, None)
    other = document.elsewhere.origin(text) if document.elsewhere is not None else None
    if other is not None and 2 * project.get(text, 0.0) > words[text]:
        return other.source, other.line, other.where
    return "cache", own.line, None


@lru_cache(maxsize=64)
def keywords_of(language: Language) -> frozenset[str]:
    """Words that the grammar reserves. Raises GrammarMissing."""
    return reserved_words(language) - builtin_names(language) - _RECEIVERS


@lru_cache(maxsize=1)
def open_words_ranker() -> CandidateRanker:
    """The weights of all languages without a language model, which ship with this package."""
    with np.load(FILE, allow_pickle=False) as held:
        return CandidateRanker.from_arrays({name: held[name] for name in ARRAYS})


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
