"""The probability that the first of a list of completions is what comes.

A ranker is fitted where names stand. In a list that a user sees keywords compete with them, letters are typed, and the
distance to the second choice tells more than the first probability alone: a logistic regression over `FEATURES`, fitted
on lists behind every key of code that was typed again in held-out projects, with its weights in the bundle under
`first_choice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from editahead.runtime.logistic import LogisticModel, clamped_log_odds, read_monotonic

ENTRY = "first_choice"  # where the weights stand in the manifest
_MIN_PROBABILITY = 1e-4  # probabilities are clamped by this at both ends before logarithms are taken
_MANY = 3  # letters typed; more of them tell nothing more

FEATURES = (
    "bias",
    "odds",  # log odds of the first choice
    "second",  # log odds of the second choice
    "keyword",  # the first choice is a keyword
    "odds_keyword",  # the log odds once more where it is,
    "one_letter",  # a single letter is typed, two, or more,
    "two_letters",
    "more_letters",
    "odds_one_letter",  # and the log odds once more where they are
    "odds_two_letters",
    "odds_more_letters",
)
_LETTERS = ("odds_one_letter", "odds_two_letters", "odds_more_letters")


def first_choice_features(first: float, second: float, letters: int, *, keyword: bool) -> tuple[float, ...]:
    """One value for each of `FEATURES`; probabilities in [0, 1], `letters` are typed."""
    odds, odds_of_second = (clamped_log_odds(p, _MIN_PROBABILITY) for p in (first, second))
    typed = [float(min(letters, _MANY) == count) for count in range(1, _MANY + 1)]
    return (1.0, odds, odds_of_second, float(keyword), odds * keyword, *typed, *(odds * flag for flag in typed))


def first_choice_model(entry: object, file: Path) -> LogisticModel | None:
    """Load the regression of a bundle's `file`; None where it has none.

    Raises BundleError for weights that are no finite numbers, and where a likelier first choice would be less sure.
    """
    if entry is None:
        return None
    return LogisticModel(FEATURES, read_monotonic(entry, ENTRY, FEATURES, file, least_slope))


def least_slope(weights: Mapping[str, float]) -> float:
    """The least weight that the log odds of a first choice have; below 0, a likelier choice would be less certain."""
    letters = min(0.0, *(weights.get(name, 0.0) for name in _LETTERS))
    return weights.get("odds", 0.0) + min(0.0, weights.get("odds_keyword", 0.0)) + letters
