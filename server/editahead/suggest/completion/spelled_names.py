"""Names that stand nowhere yet: what a speller makes of the mass that no name within reach takes."""

from __future__ import annotations

from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel
from editahead.text.beginnings import beginning_with

SPELLED = "spelled"  # the source of such a completion


def spelled_names(
    model: LanguageModel, context: LmContext, prediction: Prediction, prefix: str, cancel: Cancel | None = None
) -> dict[str, float]:
    """New names that begin as typed, with their probability given that one comes; together at most 1.

    Empty without a speller, and where new names are too unlikely beside what else begins so to matter.
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
    found = context.spell(prefix, cancel)
    if found is None or not found.begins > 0:
        return {}
    return {name: p / found.begins for name, p in found.names.items() if name != prefix}
