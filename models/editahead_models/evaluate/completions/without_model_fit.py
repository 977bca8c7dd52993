"""`editahead-models calibrate without-model`: fit what ranks completions where no language model is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from editahead.runtime.calibration import expected_calibration_error
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.suggest.completion.ranked_words import FILE

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.completions.own_weights_fit import rank_of
from editahead_models.evaluate.completions.ranker_fit import SOURCES, fit_ranker, source_columns
from editahead_models.evaluate.places.ranker_data import RankedPlace
from editahead_models.evaluate.places.without_model_places import NAME, by_language

LANGUAGES = ("python", "java", "go", "typescript")
_FIRST = 5
_COLUMNS = source_columns([name for name in SOURCES if name != "network"])


class Measured(NamedTuple):
    """A place, the rank of what came (-1: none), and the probability of the first choice."""

    place: RankedPlace
    rank: int
    chance: float


def fit_words(places: Sequence[RankedPlace], seed: int = 1) -> CandidateRanker:
    """The ranker for some places."""
    return fit_ranker(places, seed, sources=_COLUMNS)


def measured(ranker: CandidateRanker, places: Sequence[RankedPlace]) -> list[Measured]:
    """What a ranker makes of some places."""
    found = []
    for place in places:
        p_N = ranker.probabilities(place.candidates, place.place)[:-1]
        found.append(Measured(place, rank_of(ranker, place), float(p_N.max(initial=0.0))))
    return found


def figures(rows: Sequence[Measured]) -> dict[str, float]:
    """First and first five of the names, by the n-grams alone and ranked; calibration error over names and keywords."""
    found: dict[str, float] = {}
    for label, some in (("nothing", {0}), ("one letter", {1}), ("more", {2, 3})):
        typed = [row for row in rows if row.place.typed in some]
        names = [row for row in typed if row.place.slot == NAME]
        ranks = {"ranked": [row.rank for row in names], "n-grams": [row.place.right for row in names]}
        found[f"{label}/n"] = len(names)
        for order, ranks_of_right in ranks.items():
            found[f"{label}/{order}/first"] = float(np.mean([rank == 0 for rank in ranks_of_right]))
            found[f"{label}/{order}/first five"] = float(np.mean([0 <= rank < _FIRST for rank in ranks_of_right]))
        chances, right = np.array([row.chance for row in typed]), np.array([row.rank == 0 for row in typed])
        found[f"{label}/calibration error"] = expected_calibration_error(chances, right)
    return found


def crossed_by_project(places: Sequence[RankedPlace], seed: int = 1) -> list[Measured]:
    """What rankers make of the places of projects that they have not seen."""
    found: list[Measured] = []
    for held in folds(sorted({place.project for place in places})):
        ranker = fit_words([place for place in places if place.project not in held], seed)
        found += measured(ranker, [place for place in places if place.project in held])
    return found


def without_language(by: Mapping[str, Sequence[RankedPlace]], language: str, seed: int = 1) -> CandidateRanker:
    """The ranker that was fitted on the other languages."""
    return fit_words([place for one, places in by.items() if one != language for place in places], seed)


def show(label: str, rows: Sequence[Measured]) -> None:
    """Print figures as one line."""
    print(f"{label}: " + ", ".join(f"{key} {value:.3g}" for key, value in figures(rows).items()), flush=True)


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    kept: Annotated[Path, typer.Option(help="Where places go, one file a project; run again to go on.")],
    count: Annotated[int, typer.Option(help="Words of a language.")] = 2000,
    most: Annotated[int, typer.Option(help="Projects of a language, at most.")] = 8,
    seed: Annotated[int, typer.Option(help="Which words are drawn.")] = 17,
    out: Annotated[Path, typer.Option(help="Where the weights go.")] = FILE,
) -> None:
    """Fit on the fit projects, print how it does crossed by project and by language and on dev, write the weights."""
    fit = by_language(LANGUAGES, "fit", mirror, kept, count, most, seed)
    dev = by_language(LANGUAGES, "dev", mirror, kept, count, most, seed)
    places = [place for some in fit.values() for place in some]
    by_project = crossed_by_project(places)
    ranker = fit_words(places)
    for language in LANGUAGES:
        known = {place.project for place in fit[language]}
        other = without_language(fit, language)
        show(f"{language}, fit, by project", [row for row in by_project if row.place.project in known])
        show(f"{language}, fit, by language", measured(other, fit[language]))
        show(f"{language}, dev, by language", measured(other, dev[language]))
        show(f"{language}, dev", measured(ranker, dev[language]))
    arrays: dict[str, Any] = ranker.arrays()
    np.savez_compressed(out, **arrays)
    print(f"wrote {out}, {out.stat().st_size:,} bytes")
