"""Ranked completions: the names and keywords that may stand at the cursor, and how likely given names are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.runtime.language_model.first_choice import first_choice_features
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion import without_model as cached
from editahead.suggest.completion.candidates import Candidate, kind_of, rank_mixture
from editahead.suggest.completion.extra_names import names_outside
from editahead.suggest.completion.item_list import build_list
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.completion.ranking.features import PlaceEvidence, PredictionContext
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.completion.ranking.ranked import ranked_candidates
from editahead.suggest.completion.ranking.special_evidence import import_evidence, member_evidence
from editahead.suggest.context import CursorContext, Reading, place_at, place_to_read, read_cursor
from editahead.suggest.gate import cheap_gates, first_failure, no_number_before
from editahead.suggest.types import Completion, Completions, Decision, Document, Shown, Suppressed
from editahead.syntax.tokens import Line


def calibrated(model: LanguageModel, letters: int, candidates: Sequence[Candidate]) -> list[float]:
    """Calibrated probabilities of candidates, best first, in the same order; together at most 1. `letters` are typed.

    The first choice has a regression or a calibration of its own: being first says more than a probability does. Those
    behind it share what it leaves.
    """
    if not candidates:
        return []
    bundle, surface = model.bundle, "completion_typed" if letters else "completion"
    chances = [candidate.probability for candidate in candidates]
    if model.first_choice is None:
        first = bundle.calibration(surface).apply(chances[0])
    else:
        second = chances[1] if len(chances) > 1 else 0.0
        keyword = candidates[0].text in model.keywords
        first = model.first_choice.probability(first_choice_features(chances[0], second, letters, keyword=keyword))
    following = f"{surface}_next"
    behind = bundle.calibration(following if following in bundle.manifest.calibrations else surface)
    return [first, *_within(1.0 - first, first, map(behind.apply, chances[1:]))]


def _within(room: float, most: float, chances: Iterable[float]) -> list[float]:
    """Chances scaled down where they sum to more than `room`, none above `most`."""
    values = [min(most, chance) for chance in chances]
    total = sum(values)
    scale = room / total if total > room else 1.0
    return [value * scale for value in values]


MAX_CALIBRATED = 50  # candidates that are calibrated, however many are shown


def complete(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[Completions]:
    """Completions at a byte, best first; quiet when no candidate reaches the floor."""
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    cursor = place_to_read(model, document, byte)
    number = no_number_before(cursor.before, cursor.prefix, document.syntax.language)
    if (failure := first_failure([*gates, number])) is not None:
        return failure
    reading = read_cursor(model, document, cursor, cancel)
    inputs = evidence(model, reading, caches, document, cursor, cancel)
    candidates = words_ranked(model, inputs)
    longer = [candidate for candidate in candidates if candidate.text != cursor.prefix][:MAX_CALIBRATED]
    chances = calibrated(model, len(cursor.prefix), longer)

    def item(candidate: Candidate, probability: float) -> Completion:
        line = candidate.line
        if candidate.source == "pointer" and candidate.step is not None and candidate.step >= 0:
            line = reading.line_of(candidate.step)
        kind = kind_of(candidate, reading.context.encoder, model)
        return Completion(candidate.text, probability, kind, candidate.source, line, candidate.where)

    by_text = {candidate.text: candidate for candidate in candidates}

    def whole(word: str) -> Completion:
        candidate = by_text.get(word, Candidate(word, 0.0, "vocabulary" if word in model.vocab.ids else "cache"))
        return item(candidate, candidate.probability)

    items = (item(candidate, probability) for candidate, probability in zip(longer, chances, strict=True))
    typed = by_text.get(cursor.prefix)
    likeliest = typed is not None and bool(longer) and typed.probability >= longer[0].probability
    decision = build_list(document, inputs, items, whole, gates, typed_is_likeliest=likeliest)
    if reading.has_unread and isinstance(decision, Shown):
        return replace(decision, value=replace(decision.value, has_unread=True))
    return decision


def evidence(
    model: LanguageModel,
    reading: Reading,
    caches: DocumentCaches[Line],
    document: Document,
    cursor: CursorContext,
    cancel: Cancel,
    *,
    with_ranking: bool = False,
    with_imports: bool = False,
    with_members: bool = False,
) -> PredictionContext:
    """Query the model, the file's n-grams and the surroundings, and gather the inputs of the ranker.

    `with_ranking`, `with_imports`, `with_members`: also the inputs of the general ranker, of that of imports
    and of members, even if the model has none.
    """
    prediction = reading.context.predict(cancel)
    cache = predict_ngrams(caches.update(document.uri, cursor.other_lines), document.elsewhere, cursor.lines)
    outside = names_outside(model, reading, prediction, document, cursor, cache.project)
    inputs = PredictionContext(cursor, prediction, cache, outside)
    if model.ranker is None and not with_ranking:
        return inputs
    cancel.check()
    ranking = place_evidence(document, cursor, outside)
    if model.import_ranker is not None or with_imports:
        ranking = ranking._replace(imports=import_evidence(document, cursor, ranking))
    if model.member_ranker is not None or with_members:
        ranking = ranking._replace(members=member_evidence(document, cursor, ranking))
    return inputs._replace(ranking=ranking)


def words_ranked(
    model: LanguageModel, inputs: PredictionContext, labels: Sequence[str] | None = None
) -> list[Candidate]:
    """The best candidates that are names or keywords, the typed word included; all, and `labels`, where given."""
    prefix, most = inputs.cursor.prefix, MAX_CALIBRATED + 1 if labels is None else None
    if inputs.ranking is not None and (ranker := ranker_of(model, inputs.ranking)) is not None:
        return ranked_candidates(ranker, model, inputs, inputs.ranking, most, labels or ())
    is_name = str.isidentifier
    return rank_mixture(model, inputs.prediction, prefix, inputs.cache, inputs.outside, wanted=is_name, most=most)


def ranker_of(model: LanguageModel, evidence: PlaceEvidence) -> CandidateRanker | None:
    """The weights for the kind of position where the model has them; None for a model without a ranker."""
    if model.import_ranker is not None and evidence.imports is not None:
        return model.import_ranker
    if model.member_ranker is not None and evidence.members is not None:
        return model.member_ranker
    return model.ranker


_ALL = 200  # names that an index without a model lists


def rank(
    model: LanguageModel | None,
    caches: DocumentCaches[Line],
    document: Document,
    byte: int,
    labels: Sequence[str],
    cancel: Cancel,
) -> Decision[tuple[float, ...]]:
    """Calibrated probabilities of the labels at a byte, in their order; 0 for a name without evidence.

    Names compete with all candidates of the model, not only with each other: they need not sum to 1.
    """
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    if model is None:
        everything = replace(document.settings, completion_floor=0.0, max_completions=_ALL)
        decision = cached.complete_without_model(caches, replace(document, settings=everything), byte, cancel)
        if isinstance(decision, Suppressed):
            return decision
        probability_by_label = {item.label: item.probability for item in decision.value.items}
    else:
        cursor = place_at(document, byte)
        inputs = evidence(model, read_cursor(model, document, cursor, cancel), caches, document, cursor, cancel)
        names = words_ranked(model, inputs, labels)
        chances = calibrated(model, len(cursor.prefix), names)
        probability_by_label = {name.text: chance for name, chance in zip(names, chances, strict=True)}
    probabilities = tuple(probability_by_label.get(label, 0.0) for label in labels)
    return Shown(probabilities, max(probabilities, default=0.0), tuple(gates))
