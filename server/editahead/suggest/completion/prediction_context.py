"""The inputs of a prediction at the cursor."""

from __future__ import annotations

from typing import NamedTuple

from editahead.runtime.language_model.ngrams import CacheScores
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.context import CursorContext


class PredictionContext(NamedTuple):
    """The inputs of a prediction at the cursor."""

    cursor: CursorContext
    prediction: Prediction
    cache: CacheScores
    outside: ExtraNames
    ranking: PlaceEvidence | None = None  # the inputs of the ranker, if any
