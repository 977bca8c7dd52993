"""Fits all that completions need beside the language model: weights of the mixture, the ranker, calibrations.

Crossed figures come from fits that have not seen the project that they are measured on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.runtime.language_model.mixture import CacheGate, NameChoice
from editahead.runtime.language_model.model import LanguageModel

from editahead_models.evaluate.completions.mixture import Choice, fit_gate, fit_names
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, reliability
from editahead_models.evaluate.places.evidence import Asked, gate_row
from editahead_models.evaluate.places.ranker_data import RankedPlace, ranked_places

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


class Ranking(NamedTuple):
    """`calibrations` by surface; `figures` tell how well they hold, on projects that the ranker has not seen."""

    ranker: CandidateRanker
    calibrations: dict[str, Calibration]
    figures: dict[str, float]


class Fitted(NamedTuple):
    """All that completions need beside the language model."""

    mixture: Mixture
    ranking: Ranking


def fit(model: LanguageModel, names: Sequence[Asked], anything: Sequence[Asked]) -> Fitted:
    """Fit on all places: `names`, some with letters typed, for every part, `anything` for the gate alone.

    The model keeps the weights that were fitted.
    """
    mixture = fit_mixture(model, names, anything)
    mixture.put_into(model)
    ranking = fit_ranking(list(ranked_places(model, names)))
    model.ranker = ranking.ranker
    return Fitted(mixture, ranking)


def fit_ranking(places: Sequence[RankedPlace]) -> Ranking:
    """The ranker and its calibrations.

    Calibrations come from rankers that have not seen the project, and are measured by calibrations that have not
    either.
    """
    answers: list[Answer] = []
    for held in folds(sorted({place.project for place in places})):
        ranker = fit_ranker([place for place in places if place.project not in held])
        answers += [answer_of(ranker, place) for place in places if place.project in held]
    crossed: list[tuple[float, bool]] = []
    for held in folds(sorted({answer.project for answer in answers})):
        calibrations = fit_calibrations([answer for answer in answers if answer.project not in held])
        crossed += first_choices([answer for answer in answers if answer.project in held], calibrations)
    ranker = fit_ranker(places)
    calibrations = fit_calibrations(answers or [answer_of(ranker, place) for place in places])
    figures = {f"crossed/{key}": value for key, value in reliability(crossed).items()} if crossed else {}
    return Ranking(ranker, calibrations, figures | _accuracy(places, answers))


def answer_of(ranker: CandidateRanker, place: RankedPlace) -> Answer:
    """The list that a ranker makes of a place, as far as the product looks at it."""
    p_N = ranker.probabilities(place.candidates, place.place)[:-1]
    order = np.argsort(-p_N, kind="stable")[: _NEXT + 1]
    ranks = order.tolist()
    right = ranks.index(place.right) if place.right in ranks else None
    return Answer(place.project, place.typed > 0, tuple(p_N[order].tolist()), right)


def _accuracy(places: Sequence[RankedPlace], answers: Sequence[Answer]) -> dict[str, float]:
    """Share of right first choices, nothing typed and typed, by the mixture alone and by crossed rankers."""
    figures: dict[str, float] = {}
    for name, typed in (("nothing typed", False), ("typed", True)):
        mixture = [place.right == 0 for place in places if (place.typed > 0) is typed]
        ranked = [answer.right == 0 for answer in answers if answer.typed is typed]
        if mixture and ranked:
            figures[f"first/{name}/mixture"] = float(np.mean(mixture))
            figures[f"first/{name}/ranker"] = float(np.mean(ranked))
    return figures


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


def fit_calibrations(answers: Sequence[Answer]) -> dict[str, Calibration]:
    """One calibration for first choices and one for those behind them, with and without letters typed."""
    fitted: dict[str, Calibration] = {}
    for surface, typed in zip(SURFACES, (False, True), strict=True):
        lists = [answer for answer in answers if answer.typed is typed and answer.chances]
        first = [(answer.chances[0], answer.right == 0) for answer in lists]
        behind = [(p, answer.right == n) for answer in lists for n, p in enumerate(answer.chances[1:], 1)]
        for name, pairs in ((surface, first), (f"{surface}_next", behind)):
            chances, hits = zip(*pairs, strict=True)
            fitted[name] = fit_isotonic(chances, hits)
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
