"""Completions of a quoted import path, ranked by a small network over what the project says of each path."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from editahead.runtime.language_model.candidate_ranker import ARRAYS, CandidateRanker
from editahead.suggest.completion.import_paths.candidates import (
    ImportPathPlace,
    import_path_place,
    is_read,
    path_candidates,
)
from editahead.suggest.gate import cheap_gates, first_failure, short_line
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed

FILE = Path(__file__).with_name("rankers.npz")
FAMILIES = ("go", "javascript", "c")


def place_of(document: Document, byte: int) -> ImportPathPlace | None:
    """The import path at a byte; None elsewhere, and in languages without such paths."""
    if not is_read(document.syntax.language) or not short_line(document, byte).passed:
        return None
    path, root = document.path, document.root
    inside = path is not None and root is not None and path.is_relative_to(root)
    own = path.relative_to(root).as_posix() if path is not None and root is not None and inside else ""
    return import_path_place(document.syntax, byte, own)


def complete_path(document: Document, byte: int, slot: ImportPathPlace) -> Decision[Completions]:
    """Paths that match the typed text, best first; suppressed when no candidate reaches the floor."""
    gates = cheap_gates(document, None)
    if (failure := first_failure(gates)) is not None:
        return failure
    others = document.elsewhere.imports if document.elsewhere is not None else None
    ranker = open_rankers()[slot.family]
    paths = path_candidates(slot, others, document.syntax.buffer.data, ranker.common)
    settings = document.settings
    chances = ranker.weights.probabilities(paths.candidates, paths.position)[:-1]
    order = np.argsort(-chances, kind="stable")[: document.max_completions].tolist()
    floor = settings.completion_floor
    if document.filtered_by_client and order and chances[order[0]] >= floor:
        floor = 0.0  # further letters may move it to the top
    items = tuple(
        Completion(paths.texts[at], float(chances[at]), "module", "project" if paths.imported[at] else "vocabulary")
        for at in order
        if chances[at] >= floor and paths.texts[at] != slot.typed
    )
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no path reaches {floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    return Shown(Completions(items, slot.start, slot.end, complete=False), items[0].probability, tuple(gates))


class PathRanker(NamedTuple):
    """The network of a family, and ln(1 + n) of the n projects that import a path, of those that many do."""

    weights: CandidateRanker
    common: Mapping[str, float]


@lru_cache(maxsize=1)
def open_rankers() -> dict[str, PathRanker]:
    """The rankers of all families, which ship with this package."""
    with np.load(FILE, allow_pickle=False) as held:
        return {
            family: PathRanker(
                CandidateRanker.from_arrays({name: held[f"{family}/{name}"] for name in ARRAYS}),
                dict(zip(held[f"{family}/paths"].tolist(), held[f"{family}/counts"].tolist(), strict=True)),
            )
            for family in FAMILIES
        }
