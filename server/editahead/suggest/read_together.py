"""The language model's states of several documents, brought up to date together: what a server does with a batch.

A request that comes afterwards finds its document read; its answer is the same as without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from editahead.runtime.language_model.context_batches import predict_all, read_all
from editahead.runtime.ort import Cancel
from editahead.suggest.context import place_at
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Document

if TYPE_CHECKING:
    from editahead.encode.language_model.encoder import LmArrays
    from editahead.runtime.language_model.model import LanguageModel, LmContext


def read_together(
    model_of: Callable[[str], LanguageModel | None], places: Sequence[tuple[Document, int]], cancel: Cancel
) -> None:
    """Read documents up to a byte of each, in shared runs of the graphs of their models.

    Raises Cancelled and InferenceError; what was read until then stays read.
    """
    seen: set[str] = set()
    by_model: dict[int, list[tuple[LmContext, list[LmArrays]]]] = {}
    for document, byte in places:
        model = model_of(document.language_id)
        if model is None or document.uri in seen or first_failure(cheap_gates(document, byte)) is not None:
            continue
        seen.add(document.uri)
        place = place_at(document, byte)
        context = model.context(document.uri, place.indent_unit)
        by_model.setdefault(id(model), []).append((context, context.set_lines(place.lines)))
    for unread in by_model.values():
        read_all(unread, cancel)
        predict_all([context for context, _ in unread], cancel)
