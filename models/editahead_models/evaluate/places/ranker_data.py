"""What the ranker learns from: the candidates of sampled places with their features, and which of them came.

Shapes: N candidates of a place, C features of a candidate, S features of a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.runtime.language_model.model import LanguageModel
from editahead.suggest.completion.ranking.ranked import listed_candidates

from editahead_models.evaluate.places.evidence import Asked

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


def ranked_places(model: LanguageModel, names: Iterable[Asked], *, members: bool = False) -> Iterator[RankedPlace]:
    """A row for each asked place; with `members` those behind a dot, with what the ranker of members is told."""
    for asked in names:
        place = asked.evidence.ranking
        if place is None:
            continue
        if members and place.members is None:
            continue
        # weights for imports and for members are fitted by themselves
        place = place._replace(imports=None, members=place.members if members else None)
        listed = listed_candidates(model, asked.evidence, place)
        texts = tuple(listed.texts)
        right = texts.index(asked.truth) if asked.truth in texts else -1
        scopes = place.scopes
        new = scopes is not None and asked.truth not in scopes.visible and asked.truth not in scopes.hidden
        yield RankedPlace(
            asked.project, asked.letters, asked.whole, place.slot.kind.value, listed.candidates, listed.position, right,
            new, texts,
        )  # fmt: skip
