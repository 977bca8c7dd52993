"""What fixes and function bodies share: edits that a person asks for, from a model whose answers are scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from editahead.runtime.bundle import MANIFEST, Bundle
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel, Cancelled, InferenceError
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Decision, Document, GateReading, Reason, Suppressed, interrupted

T = TypeVar("T")
MOST = 3  # how many different edits are shown


class EditScorer:
    """The calibrated probability that an answer of a model is correct, by its bundle's `scorer`."""

    def __init__(self, bundle: Bundle, surface: str, features: Sequence[str]) -> None:
        entry = bundle.manifest.get("scorer") or {"ln_p": 1.0}
        self.calibration = bundle.calibration(surface)
        self._model = LogisticModel.from_json(entry, "scorer", features, bundle.path / MANIFEST)

    def probability(self, features: Sequence[float]) -> float:
        """The calibrated probability of an answer with these features."""
        return self.calibration.apply(self._model.probability(features))


def answered(
    document: Document, enabled: GateReading, cancel: Cancel, find: Callable[[list[GateReading]], Decision[T]]
) -> Decision[T]:
    """The decision of `find` after the gates before it; suppressed if a gate fails, on cancellation, and on errors."""
    gates = [enabled, *cheap_gates(document, None)]
    if (stopped := first_failure(gates)) is not None:
        return stopped
    try:
        cancel.check()
        return find(gates)
    except Cancelled as error:
        return interrupted(is_out_of_time=error.is_out_of_time)
    except InferenceError as error:
        return Suppressed(Reason.FAILED, str(error))
