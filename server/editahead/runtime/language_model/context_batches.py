"""Several contexts at once: ragged batches with carried state, for whoever scores many texts or serves many clients.

The results equal those of separate contexts; a run of a graph is shared by all contexts with unread blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from editahead.encode.language_model.encoder import LmArrays
from editahead.runtime.language_model.model import LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel


def read_all(unread: Sequence[tuple[LmContext, Sequence[LmArrays]]], cancel: Cancel | None = None) -> None:
    """Read the blocks of contexts of a model, all different, each with the result of its `unread`.

    Raises Cancelled or InferenceError between two blocks: blocks read until then stay read.
    """
    for turn in range(max((len(blocks) for _, blocks in unread), default=0)):
        row = [(context, blocks[turn]) for context, blocks in unread if turn < len(blocks)]
        states = [context.state for context, _ in row]
        results = row[0][0].graphs.encode_all([block for _, block in row], states, cancel)
        for (context, block), encoded in zip(row, results, strict=True):
            context.append(block, encoded)


def predict_all(contexts: Sequence[LmContext], cancel: Cancel | None = None) -> list[Prediction]:
    """The predictions of contexts of a model, in a single run of the head for all that have none yet."""
    pending = [context for context in contexts if not context.has_prediction]
    if pending:
        outputs = pending[0].graphs.head_all([context.head_input() for context in pending], cancel)
        for context, output in zip(pending, outputs, strict=True):
            context.keep(output)
    return [context.predict(cancel) for context in contexts]
