"""`editahead-models calibrate without-model`: fit what ranks completions where no language model is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.suggest.completion.without_model import FILE

from editahead_models.evaluate.completions.own_weights_fit import Ranked, crossed, figures, ranked
from editahead_models.evaluate.completions.ranker_fit import SOURCES, fit_ranker, source_columns
from editahead_models.evaluate.places.ranker_data import RankedPlace
from editahead_models.evaluate.places.without_model_places import NAME, by_language

LANGUAGES = ("python", "java", "go", "typescript")
_COLUMNS = source_columns([name for name in SOURCES if name != "network"])


def fit_words(places: Sequence[RankedPlace], seed: int = 1) -> CandidateRanker:
    """The ranker for some places."""
    return fit_ranker(places, seed, sources=_COLUMNS)


def without_language(by: Mapping[str, Sequence[RankedPlace]], language: str, seed: int = 1) -> CandidateRanker:
    """The ranker that was fitted on the other languages."""
    return fit_words([place for one, places in by.items() if one != language for place in places], seed)


def show(label: str, rows: Sequence[Ranked]) -> None:
    """Print the figures of names of three and more letters as one line, beside those by the n-grams alone."""
    names = [row for row in rows if row.place.slot == NAME]
    orders = {"ranked": names, "n-grams": [row._replace(rank=row.place.right) for row in names]}
    shown = {f"{order}/{key}": value for order, some in orders.items() for key, value in figures(some).items()}
    print(f"{label}: " + ", ".join(f"{key} {value:.3g}" for key, value in shown.items()), flush=True)


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
    by_project = list(crossed(places, fit_words))
    ranker = fit_words(places)
    for language in LANGUAGES:
        known = {place.project for place in fit[language]}
        other = without_language(fit, language)
        show(f"{language}, fit, by project", [row for row in by_project if row.place.project in known])
        show(f"{language}, fit, by language", ranked(other, fit[language]))
        show(f"{language}, dev, by language", ranked(other, dev[language]))
        show(f"{language}, dev", ranked(ranker, dev[language]))
    arrays: dict[str, Any] = ranker.arrays()
    np.savez_compressed(out, **arrays)
    print(f"wrote {out}, {out.stat().st_size:,} bytes")
