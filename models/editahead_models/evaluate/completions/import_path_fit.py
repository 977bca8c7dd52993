"""`editahead-models calibrate import-paths`: fit the rankers of quoted import paths, one a family of languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.suggest.completion.import_paths.candidates import CANDIDATE_FEATURES
from editahead.suggest.completion.import_paths.complete import FILE

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.completions.own_weights_fit import rank_of
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.places.import_path_places import common_paths, path_places
from editahead_models.evaluate.places.ranker_data import RankedPlace

FAMILIES = {"go": "go", "typescript": "javascript", "cpp": "c"}
"""The list of projects that a family learns on."""
HIDDEN = 16
_SOURCES = (("files",), ("alike", "folder"), ("taken", "exported", "used"), ("common",), ("in_order", "out_of_order"))
_COLUMNS = [[CANDIDATE_FEATURES.index(name) for name in names] for names in _SOURCES]
_FIRST = 5


def fit_paths(places: Sequence[RankedPlace], seed: int = 1) -> CandidateRanker:
    """The ranker for some places."""
    return fit_ranker(places, seed, hidden=HIDDEN, sources=_COLUMNS, mixture=False)


def figures(ranker: CandidateRanker, places: Sequence[RankedPlace]) -> dict[str, float]:
    """First and first five, with nothing and with letters typed, and the calibration error of the first choice."""
    found: dict[str, float] = {}
    for name, typed in (("nothing typed", False), ("typed", True)):
        rows = [place for place in places if (place.typed > 0) is typed]
        found[f"{name}/n"] = float(len(rows))
        if not rows:
            continue
        ranks = [rank_of(ranker, place) for place in rows]
        found[f"{name}/first"] = float(np.mean([rank == 0 for rank in ranks]))
        found[f"{name}/first five"] = float(np.mean([0 <= rank < _FIRST for rank in ranks]))
        found[f"{name}/calibration error"] = _calibration_error(ranker, rows, ranks)
    return found


def crossed(places: Sequence[RankedPlace], seed: int = 1) -> dict[str, float]:
    """The figures on projects that the weights have not seen, means weighted by their places."""
    parts = []
    for held in folds(sorted({place.project for place in places})):
        ranker = fit_paths([place for place in places if place.project not in held], seed)
        parts.append(figures(ranker, [place for place in places if place.project in held]))
    found = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        counts = [part[f"{key.partition('/')[0]}/n"] for part in parts]
        values = [part.get(key, 0.0) for part in parts]
        found[key] = float(sum(counts)) if key.endswith("/n") else float(np.average(values, weights=counts))
    return found


def _calibration_error(ranker: CandidateRanker, places: Sequence[RankedPlace], ranks: Sequence[int]) -> float:
    best = np.array([float(ranker.probabilities(place.candidates, place.place)[:-1].max()) for place in places])
    right = np.array([rank == 0 for rank in ranks])
    bins = np.minimum((best * 10).astype(int), 9)
    parts = [abs(best[bins == at].mean() - right[bins == at].mean()) * (bins == at).mean() for at in set(bins.tolist())]
    return float(sum(parts))


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    kept: Annotated[Path, typer.Option(help="Where places go, one file a project; run again to go on.")],
    count: Annotated[int, typer.Option(help="Paths of a project.")] = 800,
    seed: Annotated[int, typer.Option(help="Which paths are drawn, and the order of the fit.")] = 11,
    out: Annotated[Path, typer.Option(help="Where the weights go.")] = FILE,
) -> None:
    """Fit on the fit projects, print how it does crossed by project and on dev, and write the weights."""
    arrays: dict[str, Any] = {}
    for listed, family in FAMILIES.items():
        common = common_paths(listed, mirror)
        arrays[f"{family}/paths"] = np.array(list(common))
        arrays[f"{family}/counts"] = np.array(list(common.values()), np.float32)
        places = list(path_places(listed, "fit", mirror, kept, count, seed, common))
        ranker = fit_paths(places)
        arrays |= {f"{family}/{name}": array for name, array in ranker.arrays().items()}
        dev = list(path_places(listed, "dev", mirror, kept, count, seed, common))
        for label, shown in (("fit, crossed by project", crossed(places)), ("dev", figures(ranker, dev))):
            print(f"{family}, {label}: " + ", ".join(f"{key} {value:.3f}" for key, value in shown.items()))
    np.savez_compressed(out, **arrays)
    print(f"wrote {out}, {out.stat().st_size:,} bytes")
