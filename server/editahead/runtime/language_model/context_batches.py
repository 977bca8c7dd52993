"""Several contexts at once: ragged batches with carried state, for whoever scores many texts or serves many clients.

The results are those of the contexts one by one; a run of a graph is shared by all that still have something to read.
"""

from __future__ import annotations

from collections.abc import Sequence

from editahead.encode.language_model.encoder import LmArrays
from editahead.runtime.language_model.model import LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel


def read_all(unread: Sequence[tuple[LmContext, Sequence[LmArrays]]], cancel: Cancel | None = None) -> None:
    """Read the blocks of contexts of one model, all different, each with what its `unread` gave.

    Raises Cancelled or InferenceError between two blocks: what was read until then stays read.
    """
    for turn in range(max((len(blocks) for _, blocks in unread), default=0)):
        row = [(context, blocks[turn]) for context, blocks in unread if turn < len(blocks)]
        states = [context.carried for context, _ in row]
        read = row[0][0].graphs.encode_all([block for _, block in row], states, cancel)
        for (context, block), one in zip(row, read, strict=True):
            context.append(block, one)


def predict_all(contexts: Sequence[LmContext], cancel: Cancel | None = None) -> list[Prediction]:
    """The predictions of contexts of one model, in one run of the head for all that have none yet."""
    asked = [context for context in contexts if not context.predicted]
    if asked:
        outputs = asked[0].graphs.head_all([context.head_input() for context in asked], cancel)
        for context, output in zip(asked, outputs, strict=True):
            context.keep(output)
    return [context.predict(cancel) for context in contexts]
