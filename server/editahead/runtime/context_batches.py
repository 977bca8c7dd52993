"""Several contexts at once: ragged batches with carried state, for whoever scores many texts or serves many clients.

The results are those of the contexts one by one; a run of a graph is shared by all that still have something to read.
"""

from __future__ import annotations

from collections.abc import Sequence

from editahead.encode.language_model.encoder import LmArrays
from editahead.runtime.language_model import LmContext
from editahead.runtime.ort import Cancel
from editahead.runtime.prediction import Prediction
from editahead.syntax.tokens import Line


def extend_all(contexts: Sequence[LmContext], lines: Sequence[Sequence[Line]], cancel: Cancel | None = None) -> None:
    """Set contexts of one model, all different, each to its token lines.

    Raises Cancelled or InferenceError between two blocks: what was read until then stays read.
    """
    waiting = [(context, context.unread(own)) for context, own in zip(contexts, lines, strict=True)]
    while waiting := [(context, blocks) for context, blocks in waiting if blocks]:
        graphs = waiting[0][0].graphs
        blocks: list[LmArrays] = [own[0] for _, own in waiting]
        read = graphs.encode_all(blocks, [context.carried for context, _ in waiting], cancel)
        for (context, own), one in zip(waiting, read, strict=True):
            context.append(own.pop(0), one)


def predict_all(contexts: Sequence[LmContext], cancel: Cancel | None = None) -> list[Prediction]:
    """The predictions of contexts of one model, in one run of the head for all that have none yet."""
    asked = [context for context in contexts if not context.predicted]
    if asked:
        outputs = asked[0].graphs.head_all([context.head_input() for context in asked], cancel)
        for context, output in zip(asked, outputs, strict=True):
            context.keep(output)
    return [context.predict(cancel) for context in contexts]
