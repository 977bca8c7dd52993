"""The probabilities that a list of completions shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from editahead.runtime.language_model.first_choice import first_choice_features
from editahead.runtime.language_model.model import LanguageModel
from editahead.suggest.completion.candidates import Candidate


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
