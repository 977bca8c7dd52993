"""Ranked completions: the names and keywords that may stand at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from editahead.runtime.language_model import LanguageModel, LmContext
from editahead.runtime.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.auto_imports import with_imports
from editahead.suggest.completion.candidates import Candidate, kind_of, ranked
from editahead.suggest.completion.complete_words import (
    complete_words,
    reserved_words,
    safe_to_accept,
    that_cannot_stand,
)
from editahead.suggest.completion.extra_names import names_outside
from editahead.suggest.completion.list_probabilities import calibrated
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.completion.prediction_context import PredictionContext
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.completion.ranking.import_evidence import import_evidence
from editahead.suggest.completion.ranking.ranked import ranked_candidates
from editahead.suggest.completion.spelled_names import spelled_names
from editahead.suggest.context import CursorContext, place_at
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
from editahead.syntax.tokens import Line

LISTED = 50  # candidates that a calibration looks at, however many are shown


def complete(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[Completions]:
    """Completions at a byte, best first; quiet when no candidate reaches the floor."""
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    place = place_at(document, byte)
    context = model.context(document.uri, place.indent_unit)
    inputs = evidence(model, context, caches, document, place, cancel)
    settings = document.settings
    candidates = words_ranked(model, inputs)
    longer = [candidate for candidate in candidates if candidate.text != place.prefix][:LISTED]
    chances = calibrated(model, len(place.prefix), longer)

    def item(candidate: Candidate, probability: float) -> Completion:
        line = candidate.line
        if candidate.source == "pointer" and candidate.step is not None and candidate.step >= 0:
            line = place.numbers[context.encoder.origins[candidate.step]]
        kind = kind_of(candidate, context.encoder, model)
        return Completion(candidate.text, probability, kind, candidate.source, line, candidate.where)

    likely: list[Completion] = []
    for candidate, probability in zip(longer, chances, strict=True):
        if probability < settings.completion_floor or len(likely) >= settings.max_completions:
            break
        likely.append(item(candidate, probability))
    by_text = {candidate.text: candidate for candidate in candidates}

    def whole(word: str) -> Completion:
        candidate = by_text.get(word, Candidate(word, 0.0, "vocabulary" if word in model.vocab.ids else "cache"))
        return item(candidate, candidate.probability)

    words = complete_words(document, place, inputs.outside.nearby)
    others = words - reserved_words(document.syntax.language)
    if inputs.ranking is not None:
        words -= that_cannot_stand(document, place, inputs.ranking, (item.label for item in likely), words)
        if inputs.ranking.permitted is not None:
            others &= inputs.ranking.permitted
    typed = by_text.get(place.prefix)
    if typed is not None and longer and typed.probability >= longer[0].probability:
        words |= {place.prefix}  # nobody declares it here, and yet it is the likeliest word
    if place.prefix and not likely:
        words |= {place.prefix}  # no known word is likely: a new name is typed, and Enter must leave it alone
    likely += _below_floor(likely, others, place.prefix, whole, settings.completion_floor)
    items = safe_to_accept(likely[: settings.max_completions], place.prefix, words, whole, settings.max_completions)
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no candidate reaches {settings.completion_floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    # The list depends on the prefix's length as well as on its letters, so clients must ask again.
    listed = with_imports(document, inputs.ranking, items)
    answer = Completions(listed, place.start, place.end, complete=False, copied=inputs.prediction.copied)
    return Shown(answer, max(item.probability for item in items), tuple(gates))


def _below_floor(
    likely: Sequence[Completion], words: frozenset[str], prefix: str, make: Callable[[str], Completion], floor: float
) -> list[Completion]:
    """The file's other words that go on with the typed letters: completion by words alone would list them as well."""
    listed = {item.label for item in likely} | {prefix}
    others = sorted((make(word) for word in words - listed if prefix), key=lambda item: (-item.probability, item.label))
    most = min([floor, *(item.probability for item in likely)])
    return [replace(item, probability=min(item.probability, most)) for item in others]


def evidence(
    model: LanguageModel,
    context: LmContext,
    caches: DocumentCaches[Line],
    document: Document,
    place: CursorContext,
    cancel: Cancel,
    *,
    with_ranking: bool = False,
    with_imports: bool = False,
) -> PredictionContext:
    """Ask the model, the file's n-grams, the surroundings and the speller; what a ranker needs where there is one.

    `with_ranking`, `with_imports`: what the rankers of all places and of imports need, even where there is none.
    """
    context.extend_to(place.lines, cancel)
    prediction = context.predict(cancel)
    cache = predict_ngrams(caches.update(document.uri, place.other_lines), document.elsewhere, place.lines)
    outside = names_outside(model, context, prediction, document, place, cache.project)
    spelled = spelled_names(model, context, prediction, place.prefix, cancel)
    outside = replace(outside, spelled=spelled)
    inputs = PredictionContext(place, prediction, cache, outside)
    if model.ranker is None and not with_ranking:
        return inputs
    cancel.check()
    ranking = place_evidence(document, place, outside)
    if model.import_ranker is not None or with_imports:
        ranking = ranking._replace(imports=import_evidence(document, place, ranking))
    return inputs._replace(ranking=ranking)


def words_ranked(
    model: LanguageModel, inputs: PredictionContext, labels: Sequence[str] | None = None
) -> list[Candidate]:
    """The best candidates that are names or keywords, with what is typed already; all, and `labels`, where given."""
    prefix, most = inputs.place.prefix, LISTED + 1 if labels is None else None
    if model.ranker is not None and inputs.ranking is not None:
        ranker = model.ranker
        if model.import_ranker is not None and inputs.ranking.imports is not None:
            ranker = model.import_ranker
        return ranked_candidates(ranker, model, inputs, inputs.ranking, most, labels or ())
    return ranked(model, inputs.prediction, prefix, inputs.cache, inputs.outside, wanted=str.isidentifier, most=most)
