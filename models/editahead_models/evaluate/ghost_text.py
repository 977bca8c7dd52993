"""Figures of ghost text as a user feels it: the real engine asked at sampled places, every file cut there.

What is shown is right when every character of it is the text that stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from editahead.runtime.ngram import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.cached import words_of
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.inline import roll_out
from editahead.suggest.types import Shown
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line
from rich.progress import track

from editahead_models.evaluate.product import Sample, document_of


def inline_pairs(engine: Engine, samples: Sequence[Sample], language: Language) -> tuple[list[float], list[bool]]:
    """Raw joint probability of each length of a roll-out, and whether its text is what the file says."""
    model = engine.language_model(language.id)
    assert model is not None
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    chances: list[float] = []
    hits: list[bool] = []
    for sample in track(samples, "ghost text", transient=True):
        document = document_of(language, sample.content[: sample.start])
        place = place_at(document, sample.start)
        context = model.context(document.uri, place.indent_unit)
        cache = caches.update(document.uri, place.known)
        state = roll_out(model, context, place, 0.05, place.before.startswith("\t"), Cancel(), cache)
        text = ""
        for (piece, _), joint in zip(state.pieces, state.joints, strict=True):
            text += piece
            shown = text[len(place.prefix) :]
            chances.append(joint)
            hits.append(_begins(sample.content, sample.start, shown))
    return chances, hits


def inline_figures(engine: Engine, samples: Sequence[Sample], language: Language) -> dict[str, float]:
    """How often ghost text is shown, how often it is right, and how long it is, at the default precision."""
    shown = right = characters = 0
    for sample in track(samples, "ghost text", transient=True):
        document = document_of(language, sample.content[: sample.start], Settings())
        decision = engine.inline(document, sample.start, Cancel())
        if isinstance(decision, Shown):
            shown += 1
            right += _begins(sample.content, sample.start, decision.value.insert)
            characters += len(decision.value.insert)
    return {
        "shown": shown / max(1, len(samples)),
        "right of shown": right / max(1, shown),
        "characters of shown": characters / max(1, shown),
        "n": float(len(samples)),
    }


def _begins(content: bytes, at: int, text: str) -> bool:
    """Whether the file goes on with the text and no longer word than the text's last one."""
    raw = text.encode()
    if not content.startswith(raw, at):
        return False
    following = content[at + len(raw) : at + len(raw) + 1].decode("utf-8", "replace")
    return not ((text[-1:].isalnum() or text[-1:] == "_") and (following.isalnum() or following == "_"))
