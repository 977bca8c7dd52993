"""The decision on the next edit as tests ask for it: with an editor, and with probabilities that a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import CandidatePool
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.types import Decision, Document, NextEdit, NextEdits


class ChosenScorer:
    """A scorer whose probability is a function of the features; the threshold is the dial itself."""

    def __init__(self, probability: Callable[[Mapping[str, float]], float]) -> None:
        self.probability = probability

    def probabilities(self, rows: Sequence[tuple[float, ...]]) -> list[float]:
        return [self.probability(dict(zip(FEATURES, row, strict=True))) for row in rows]

    def threshold(self, precision: float) -> float:
        return precision


def deciding(probability: Callable[[Mapping[str, float]], float]) -> NextEditDecision:
    """A decision by probabilities that a test chooses."""
    return NextEditDecision(CandidatePool(ChosenScorer(probability)))  # type: ignore[arg-type]


def next_edit(editor: NextEditor | None, document: Document, byte: int = 0) -> Decision[NextEdit]:
    """The next edit by the shipped scorer."""
    return NextEditDecision().next_edit(document, byte, Cancel(), editor)


def queue(editor: NextEditor | None, document: Document, byte: int = 0) -> Decision[NextEdits]:
    """The queue by the shipped scorer."""
    return NextEditDecision().queue(document, byte, Cancel(), editor)
