"""Fits all that completions need beside the language model: the mixture's weights, then calibrations of what it says.

Crossed figures come from fits that have not seen the project that they are measured on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model import LanguageModel
from editahead.runtime.mixture import CacheGate, NameChoice
from editahead.suggest.completion.completions import names_ranked

from editahead_models.evaluate.calibration_fit import fit_isotonic
from editahead_models.evaluate.evidence import Asked, gate_row
from editahead_models.evaluate.mixture import Choice, fit_gate, fit_names
from editahead_models.evaluate.product import reliability

_NEXT = 10  # choices of a list, without the first, that a calibration learns from
_FOLDS = 4
SURFACES = ("completion", "completion_typed")


class Answer(NamedTuple):
    """What a list said at one place: raw probabilities, best first, and the number of the right one (None: none)."""

    project: str
    typed: bool
    chances: tuple[float, ...]
    right: int | None


@dataclass(frozen=True)
class Mixture:
    """Weights for a bundle's `limits`."""

    gate: dict[str, float]
    names: dict[str, float]

    def put_into(self, model: LanguageModel) -> None:
        """Let an opened model use them."""
        model.gate, model.names = CacheGate(self.gate), NameChoice(self.names)


@dataclass
class Fitted:
    """`calibrations` by surface; `figures` tell how well they hold, on the fitted places and crossed."""

    mixture: Mixture
    calibrations: dict[str, Calibration]
    figures: dict[str, float] = field(default_factory=dict)


def fit(model: LanguageModel, names: Sequence[Asked], anything: Sequence[Asked]) -> Fitted:
    """Fit on all places: `names`, some with letters typed, for every part, `anything` for the gate alone.

    The model keeps the weights that were fitted.
    """
    crossed: list[tuple[float, bool]] = []
    for held in folds(sorted({asked.project for asked in names})):
        others = [asked for asked in names if asked.project not in held]
        fit_mixture(model, others, [asked for asked in anything if asked.project not in held]).put_into(model)
        answers = list(ranked_answers(model, names))
        calibrations = fit_calibrations([answer for answer in answers if answer.project not in held])
        crossed += first_choices([answer for answer in answers if answer.project in held], calibrations)
    mixture = fit_mixture(model, names, anything)
    mixture.put_into(model)
    answers = list(ranked_answers(model, names))
    calibrations = fit_calibrations(answers)
    figures = {f"fitted/{key}": value for key, value in reliability(first_choices(answers, calibrations)).items()}
    if crossed:
        figures |= {f"crossed/{key}": value for key, value in reliability(crossed).items()}
    return Fitted(mixture, calibrations, figures)


def fit_mixture(model: LanguageModel, names: Sequence[Asked], anything: Sequence[Asked]) -> Mixture:
    """The choice of unknown names first, then the gate, which sees what the model says with it. Changes the model."""
    chosen = fit_names([choice for asked in names if (choice := name_choice(model, asked)) is not None])
    model.names = NameChoice(chosen)
    rows = [row for asked in (*names, *anything) if (row := gate_row(model, asked)) is not None]
    features, own, said = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    return Mixture(fit_gate(features, own, said), chosen)


def name_choice(model: LanguageModel, asked: Asked) -> Choice | None:
    """What a place tells about unknown names; None where the name that came is listed or remembered."""
    prediction, outside = asked.evidence.prediction, asked.evidence.outside
    if not asked.is_name or asked.truth in model.vocab.ids or asked.truth in prediction.copies:
        return None
    places = {name: number for number, name in enumerate(outside.origins)}
    return Choice(outside.names_NF, outside.none, places.get(asked.truth))


def ranked_answers(model: LanguageModel, names: Sequence[Asked]) -> Iterator[Answer]:
    """The lists that the product would make, as far as it looks at them."""
    for asked in names:
        found = names_ranked(model, asked.evidence)[: _NEXT + 1]
        texts = [candidate.text for candidate in found]
        right = texts.index(asked.truth) if asked.truth in texts else None
        yield Answer(asked.project, asked.letters > 0, tuple(candidate.probability for candidate in found), right)


def fit_calibrations(
    answers: Sequence[Answer], method: Callable[[Sequence[float], Sequence[bool]], Calibration] = fit_isotonic
) -> dict[str, Calibration]:
    """One calibration for first choices and one for those behind them, with and without letters typed."""
    fitted: dict[str, Calibration] = {}
    for surface, typed in zip(SURFACES, (False, True), strict=True):
        lists = [answer for answer in answers if answer.typed is typed and answer.chances]
        first = [(answer.chances[0], answer.right == 0) for answer in lists]
        behind = [(p, answer.right == n) for answer in lists for n, p in enumerate(answer.chances[1:], 1)]
        fitted[surface] = method(*zip(*first, strict=True))
        fitted[f"{surface}_next"] = method(*zip(*behind, strict=True))
    return fitted


def first_choices(answers: Sequence[Answer], calibrations: Mapping[str, Calibration]) -> list[tuple[float, bool]]:
    """Calibrated probability of each first choice, and whether it is right."""
    return [
        (calibrations[SURFACES[answer.typed]].apply(answer.chances[0]), answer.right == 0)
        for answer in answers
        if answer.chances
    ]


def folds(projects: Sequence[str]) -> list[frozenset[str]]:
    """Projects in at most four parts; each is held out once."""
    parts = min(_FOLDS, len(projects))
    return [frozenset(projects[part::parts]) for part in range(parts)] if parts > 1 else []
