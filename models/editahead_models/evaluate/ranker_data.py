"""What the ranker learns from: the candidates of sampled places with their features, and which of them came.

Shapes: N candidates of a place, C features of a candidate, S features of a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.runtime.language_model import LanguageModel
from editahead.suggest.completion.ranking.ranked import listed_candidates

from editahead_models.evaluate.evidence import Asked

Floats = npt.NDArray[np.float32]


class RankedPlace(NamedTuple):
    """One place: features (N, C) and (S,), the row of what came (-1: none of them), and its text.

    `typed` counts letters, `whole` says whether the file goes on below, `slot` is the kind of place.
    """

    project: str
    typed: int
    whole: bool
    slot: str
    candidates: Floats
    place: Floats
    right: int
    new: bool  # what came is a name that no scope binds yet
    texts: tuple[str, ...]


def ranked_places(model: LanguageModel, names: Iterable[Asked]) -> Iterator[RankedPlace]:
    """A row for each asked place."""
    for asked in names:
        place = asked.evidence.ranking
        if place is None:
            continue
        place = place._replace(imports=None)  # weights for imports are fitted by themselves
        listed = listed_candidates(model, asked.evidence, place)
        texts = tuple(listed.texts)
        right = texts.index(asked.truth) if asked.truth in texts else -1
        scopes = place.scopes
        new = scopes is not None and asked.truth not in scopes.visible and asked.truth not in scopes.hidden
        yield RankedPlace(
            asked.project, asked.letters, asked.whole, place.slot.kind.value, listed.candidates, listed.place, right,
            new, texts,
        )  # fmt: skip
