"""All that is known of what may come next at a place."""

from __future__ import annotations

from typing import NamedTuple

from editahead.runtime.language_model.ngrams import CacheScores
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.context import CursorContext


class PredictionContext(NamedTuple):
    """All that is known of what may come next at a place."""

    place: CursorContext
    prediction: Prediction
    cache: CacheScores
    outside: ExtraNames
    ranking: PlaceEvidence | None = None  # what the ranker is told, where there is one
