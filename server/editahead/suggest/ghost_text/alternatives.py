"""Alternatives to the ghost text that is shown: its likeliest other tokens, each with what ghost text would add.

Once the user wants another text, its first different token counts as chosen: what follows is what would be
shown if that token had been typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.encode.language_model.vocabulary import INDENT_OF
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.language_model.token_confidence import TokenFeatures
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.candidates import Candidate
from editahead.suggest.context import CursorContext, place_at
from editahead.suggest.gate import first_failure, no_reversal, not_rejected, threshold_for
from editahead.suggest.ghost_text.continuation import Continuation
from editahead.suggest.ghost_text.ghost_text import (
    LengthSelector,
    Verify,
    calibration_of,
    continue_at,
    is_first_word_possible,
    possible_lengths,
    syntax_gate,
    unbound_name,
)
from editahead.suggest.ghost_text.length import Length, by_value, cost_of_wrong
from editahead.suggest.types import Document, InlineSuggestion, Shown
from editahead.syntax.tokens import Line

MAX_ALTERNATIVES = 4
_TOKENS_EACH = 4  # other tokens that are considered at each token of the shown text
_MAX_TOKENS = 12  # of the shown text that are considered


class Branch(NamedTuple):
    """Another token behind the first `tokens` tokens of the shown text; `probability` is that of all of them."""

    tokens: int
    text: str
    probability: float


class BranchSelector(LengthSelector):
    """Chooses the length of an alternative: its tokens up to the different token count as certain."""

    def __init__(
        self, branch: Branch, trust: LogisticModel, calibration: Calibration, needed: float, cost: float
    ) -> None:
        super().__init__(trust, calibration, needed, cost)
        self._branch = branch

    def choose(self, state: Continuation, candidates: Sequence[Candidate]) -> Candidate:
        """The token of the branch at its step, elsewhere the likeliest."""
        if len(state.tokens) == self._branch.tokens:
            return next((other for other in candidates if other.text == self._branch.text), candidates[0])
        return candidates[0]

    def should_include(self, state: Continuation, signs: TokenFeatures) -> bool:
        """Whether the continuation should include a token."""
        if len(state.tokens) <= self._branch.tokens:
            self.probabilities.append(1.0)
            return True
        return super().should_include(state, signs)


def alternatives(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    document: Document,
    byte: int,
    shown: InlineSuggestion,
    cancel: Cancel,
    verify: Verify,
) -> Iterator[Shown[InlineSuggestion]]:
    """Yield alternatives to shown ghost text, likeliest branch first; none for texts from other sources."""
    cursor = place_at(document, byte)
    branches = _branches(model, caches, document, cursor, shown, cancel)
    texts = {shown.insert}
    for branch in branches:
        other = _alternative(model, caches, document, cursor, byte, branch, cancel, verify)
        if other is not None and other.value.insert not in texts:
            texts.add(other.value.insert)
            yield other
        if len(texts) > MAX_ALTERNATIVES:
            return


def _branches(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    document: Document,
    cursor: CursorContext,
    shown: InlineSuggestion,
    cancel: Cancel,
) -> list[Branch]:
    """The tokens that might stand instead of those of the shown text, likeliest first."""
    branches: list[Branch] = []
    count = min(len(shown.tokens), _MAX_TOKENS)
    probability = 1.0

    def choose(state: Continuation, candidates: Sequence[Candidate]) -> Candidate:
        nonlocal probability
        for other in candidates[1 : 1 + _TOKENS_EACH]:
            if len(state.tokens) < count and other.text not in INDENT_OF:
                branches.append(Branch(len(state.tokens), other.text, probability * other.probability))
        probability *= candidates[0].probability
        return candidates[0]

    class Recorder(LengthSelector):
        """Lets the continuation grow as long as the shown text."""

        def should_include(self, state: Continuation, signs: TokenFeatures) -> bool:
            """Whether the shown text has another token."""
            return len(state.tokens) < count

    growth = Recorder(model.trust, calibration_of(model, cursor), 0.0, 0.0)
    state = continue_at(model, caches, document, cursor, growth, cancel, choose)
    if not shown.insert.startswith(state.insert(count)):
        return []  # the shown text comes from another source: a renamed name, a function's body
    floor = document.settings.completion_floor
    return sorted((branch for branch in branches if branch.probability >= floor), key=lambda b: -b.probability)


def _alternative(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    document: Document,
    cursor: CursorContext,
    byte: int,
    branch: Branch,
    cancel: Cancel,
    verify: Verify,
) -> Shown[InlineSuggestion] | None:
    """The text that begins with a branch; None where nothing behind the branch passes the gates of ghost text."""
    calibration, precision = calibration_of(model, cursor), document.target_precision("ghost_text")
    needed, cost = threshold_for(calibration, precision), cost_of_wrong(precision)
    growth = BranchSelector(branch, model.trust, calibration, needed, cost)
    state = continue_at(model, caches, document, cursor, growth, cancel, growth.choose)
    unbound = unbound_name(model, document, cursor, byte, state)
    if len(state.tokens) <= branch.tokens or not is_first_word_possible(document, cursor, state):
        return None
    least = branch.tokens + (1 if branch.text.isidentifier() else 2)  # a mere sign more or less is no other text
    lengths = [length for length in possible_lengths(growth, state, unbound) if length.tokens >= least]
    for length in by_value(lengths, needed, cost):
        if _is_possible(document, cursor, byte, state, length):
            shown = InlineSuggestion(length.insert, byte, byte, tuple(state.tokens[: length.tokens]))
            if length.lines == 1 or verify(shown).passed:
                return Shown(shown, branch.probability * length.probability)
    return None


def _is_possible(document: Document, cursor: CursorContext, byte: int, state: Continuation, length: Length) -> bool:
    """Whether a text of a continuation passes the gates of ghost text, but for its probability."""
    cheap = [no_reversal(document, cursor.end, length.insert), not_rejected(document, length.insert)]
    return first_failure(cheap) is None and syntax_gate(document, byte, state, length).passed
