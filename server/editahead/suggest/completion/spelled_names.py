"""Names that stand nowhere yet: what a speller makes of the mass that no name within reach takes."""

from __future__ import annotations

from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel
from editahead.text.beginnings import beginning_with

SPELLED_SOURCE = "spelled"  # the source of such a completion


def spelled_names(
    model: LanguageModel, context: LmContext, prediction: Prediction, prefix: str, cancel: Cancel | None = None
) -> dict[str, float]:
    """New names with the typed prefix, with their probability given that a new name comes; together at most 1.

    Empty without a speller, and where new names are too unlikely beside others with the prefix.
    """
    speller = model.speller
    if speller is None:
        return {}
    others = 1.0
    if prefix:
        others = float(prediction.words[model.with_prefix(prefix)].sum())
        others += sum(beginning_with(prediction.copies, prefix).values())
    if prediction.unknown < speller.least * others:
        return {}
    spellings = context.spell(prefix, cancel)
    if spellings is None or not spellings.begins > 0:
        return {}
    return {name: p / spellings.begins for name, p in spellings.names.items() if name != prefix}
