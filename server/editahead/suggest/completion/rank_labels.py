"""How likely each of given names is at the cursor: ranks the offers of another server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion import without_model as cached
from editahead.suggest.completion.completions import evidence, words_ranked
from editahead.suggest.completion.list_probabilities import calibrated
from editahead.suggest.completion.reading import read_cursor
from editahead.suggest.context import place_at
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Decision, Document, Shown, Suppressed
from editahead.syntax.tokens import Line

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
