"""`editahead-models calibrate import-paths`: fit the rankers of quoted import paths, one a family of languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.suggest.completion.import_paths.complete import CANDIDATE_FEATURES, FILE

from editahead_models.evaluate.completions.own_weights_fit import crossed, figures, ranked
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.places.import_path_places import common_paths, path_places
from editahead_models.evaluate.places.ranker_data import RankedPlace

FAMILIES = {"go": "go", "typescript": "javascript", "cpp": "c"}
"""The list of projects that a family learns on."""
HIDDEN = 16
_SOURCES = (("files",), ("alike", "folder"), ("taken", "exported", "used"), ("common",), ("in_order", "out_of_order"))
_COLUMNS = [[CANDIDATE_FEATURES.index(name) for name in names] for names in _SOURCES]


def fit_paths(places: Sequence[RankedPlace], seed: int = 1) -> CandidateRanker:
    """The ranker for some places."""
    return fit_ranker(places, seed, hidden=HIDDEN, sources=_COLUMNS, mixture=False)


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
        for label, rows in (("crossed by project", list(crossed(places, fit_paths))), ("dev", ranked(ranker, dev))):
            print(f"{family}, {label}: " + ", ".join(f"{key} {value:.3f}" for key, value in figures(rows).items()))
    np.savez_compressed(out, **arrays)
    print(f"wrote {out}, {out.stat().st_size:,} bytes")
