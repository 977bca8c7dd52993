"""Ranked completions: the names and keywords that may stand at the cursor."""

from __future__ import annotations

from editahead.runtime.lm import LanguageModel
from editahead.runtime.ngram import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.cached import context_of
from editahead.suggest.candidates import kind_of, ranked
from editahead.suggest.context import names_nearby, place_at
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


def complete(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[Completions]:
    """Completions at a byte, best first; quiet when no candidate reaches the floor."""
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    place = place_at(document, byte)
    context = model.context(document.uri, place.indent_unit)
    context.extend_to(place.lines, cancel)
    prediction = context.predict(cancel)
    cache = caches.update(document.uri, place.known).predict(context_of(place.lines[-1]))
    nearby = names_nearby(document.syntax, place.line, far=bool(place.prefix))
    calibration = model.bundle.calibration("completion_typed" if place.prefix else "completion")
    settings = document.settings
    items: list[Completion] = []
    for candidate in ranked(model, prediction, place.prefix, nearby, cache):
        if not candidate.text.isidentifier() or candidate.text == place.prefix:
            continue
        probability = calibration.apply(candidate.probability)
        if probability < settings.completion_floor or len(items) >= settings.max_completions:
            break
        line = candidate.line
        if candidate.source == "pointer" and candidate.step is not None and candidate.step >= 0:
            line = place.numbers[context.encoder.origins[candidate.step]]
        items.append(
            Completion(candidate.text, probability, kind_of(candidate, context.encoder, model), candidate.source, line)
        )
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no candidate reaches {settings.completion_floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    # The list depends on the prefix's length as well as on its letters, so clients must ask again.
    answer = Completions(tuple(items), place.start, place.end, complete=False)
    return Shown(answer, items[0].probability, tuple(gates))
