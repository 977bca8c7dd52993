"""Ghost text: the continuation that pays most among those that are sure enough, or silence with its reason."""

from __future__ import annotations

import math
from collections.abc import Callable

from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.language_model.token_confidence import TokenFeatures
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.extra_names import NO_NAMES, ExtraNames, names_outside
from editahead.suggest.completion.ranking.gather import place_evidence, recent_names
from editahead.suggest.completion.ranking.pool import can_stand
from editahead.suggest.completion.renamed_name import EXACT_BEGUN, RenamedName, renamed_name
from editahead.suggest.context import CursorContext, Reading, place_at
from editahead.suggest.gate import (
    cheap_gates,
    first_failure,
    meets_threshold,
    no_reversal,
    not_rejected,
    parses_no_worse,
    threshold_for,
)
from editahead.suggest.ghost_text.continuation import Choose, Continuation, choose_likeliest, roll_out
from editahead.suggest.ghost_text.free_names import bound_gate, first_unbound
from editahead.suggest.ghost_text.length import Length, by_value, can_pay_further, cost_of_wrong, value
from editahead.suggest.ghost_text.surroundings import (
    ENDINGS,
    insertion,
    is_closed_below,
    is_written_below,
    missing_closers,
    parse_gate,
    rest_of,
)
from editahead.suggest.types import (
    Decision,
    Document,
    GateReading,
    GhostToken,
    InlineSuggestion,
    Reason,
    Shown,
    Suppressed,
)
from editahead.syntax.tokens import Line

SURFACE, TYPED_SURFACE = "inline", "inline_typed"  # calibrated apart: nothing typed of a name, or some letters
_TRIES = 3  # lengths that the syntax or the verifier may refuse before there is silence

Verify = Callable[[InlineSuggestion], GateReading]
"""Whether a text of several lines breaks nothing around it. Raises Cancelled."""


class LengthSelector:
    """Follows a continuation's calibrated probability, and says when no longer text can be chosen any more."""

    def __init__(
        self, trust: LogisticModel, calibration: Calibration, needed: float, cost: float, offset: float = 0.0
    ) -> None:
        """`offset`: log odds that are added to the calibrated probabilities."""
        self.probabilities: list[float] = []  # of each number of tokens taken
        self.surest = 0.0  # of the first token, taken or not
        self._trust, self._calibration = trust, calibration
        self._needed, self._cost, self._factor = needed, cost, math.exp(offset)
        self._raw, self._best = 1.0, 0.0

    def should_include(self, state: Continuation, signs: TokenFeatures) -> bool:
        """Whether the continuation should include a token."""
        if state.stops and state.stops[-1]:
            last = self.length(state, len(state.tokens))
            self._best = max(self._best, value(last.probability, last.saved_keystrokes, self._cost))
        self._raw *= self._trust.probability(signs.features())
        probability = self._calibration.apply(self._raw)
        if self._factor != 1.0:
            probability = probability * self._factor / (1.0 - probability + probability * self._factor)
        if not state.tokens:
            self.surest = probability
        if not can_pay_further(probability, self._best, self._needed, self._cost):
            return False
        self.probabilities.append(probability)
        return True

    def length(self, state: Continuation, tokens: int) -> Length:
        """The first tokens of a continuation as a suggestion."""
        return Length(tokens, state.insert(tokens), self.probabilities[tokens - 1])

    def lengths(self, state: Continuation) -> list[Length]:
        """All suggestions that a continuation holds, the shortest first."""
        return [self.length(state, n) for n, stop in enumerate(state.stops, 1) if stop]


def suggest(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel, verify: Verify
) -> Decision[InlineSuggestion]:
    """Ghost text at a byte, or no suggestion with the reason. Of lines that would break something, fewer are shown."""
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    cursor = place_at(document, byte)
    if cursor.prefix and (renamed := renamed_name(document, cursor)) is not None:
        return _rest_of_name(renamed, document, cursor, gates)
    if cursor.after[:1].isidentifier():
        return Suppressed(Reason.EMPTY, "the cursor stands inside a name", tuple(gates))
    calibration = calibration_of(model, cursor)
    precision = document.target_precision("ghost_text")
    needed, cost = threshold_for(calibration, precision), cost_of_wrong(precision)
    growth = LengthSelector(model.trust, calibration, needed, cost, document.gate_offset)
    state = continue_at(model, caches, document, cursor, growth, cancel)
    unbound = unbound_name(model, document, cursor, byte, state)
    if unbound is not None and unbound[0] == 0:
        gates.append(bound_gate(unbound))
        return Suppressed(gates[-1].reason, gates[-1].value, tuple(gates))
    if not is_first_word_possible(document, cursor, state):
        gates.append(GateReading(Reason.NO_FIT, False, f"{state.tokens[0].text.strip()!r} cannot stand here"))
        return Suppressed(gates[-1].reason, gates[-1].value, tuple(gates))
    gates.append(bound_gate(None))  # shown text ends before a name that is out of reach
    lengths = possible_lengths(growth, state, unbound)
    paying = by_value(lengths, needed, cost)
    if not paying:
        return _silence(state, growth, lengths, needed, gates)
    failure = None
    for _ in range(_TRIES):
        if not paying:
            break
        length = paying[0]
        readings = [
            *gates,
            meets_threshold(length.probability, needed),
            no_reversal(document, cursor.end, length.insert),
            not_rejected(document, length.insert),
        ]
        failure = first_failure(readings)
        if failure is None:
            readings.append(syntax_gate(document, byte, state, length))
            failure = first_failure(readings)
        shown = InlineSuggestion(length.insert, byte, byte, tuple(state.tokens[: length.tokens]))
        if failure is None and length.lines > 1:
            readings.append(verify(shown))
            failure = first_failure(readings)
        if failure is None:
            return Shown(shown, length.probability, tuple(readings))
        if failure.reason is Reason.BREAKS_CODE:
            paying = [other for other in paying if other.lines < length.lines]
        elif failure.reason is Reason.PARSES_WORSE:
            paying = paying[1:]
        else:
            break
    assert failure is not None
    return failure


def continue_at(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    document: Document,
    cursor: CursorContext,
    growth: LengthSelector,
    cancel: Cancel,
    choose: Choose = choose_likeliest,
) -> Continuation:
    """The continuation at the cursor, as far as `growth` lets it grow."""
    context = model.context(document.uri, cursor.indent_unit)
    cache = caches.update(document.uri, cursor.other_lines)

    def outside(prediction: Prediction) -> ExtraNames:
        return names_outside(model, Reading(context, cursor), prediction, document, cursor)

    rest = rest_of(document, cursor)
    beyond = outside if cursor.prefix else None
    edited = recent_names(document)
    include = growth.should_include
    names = document.elsewhere, beyond, edited
    return roll_out(model, context, cursor, rest, cache, *names, include, cancel, choose, document.language_id)


def calibration_of(model: LanguageModel, cursor: CursorContext) -> Calibration:
    """The calibration for what is typed; older bundles have a single calibration for both."""
    calibrations = model.bundle.manifest.calibrations
    return model.bundle.calibration(TYPED_SURFACE if cursor.prefix and TYPED_SURFACE in calibrations else SURFACE)


def unbound_name(
    model: LanguageModel, document: Document, cursor: CursorContext, byte: int, state: Continuation
) -> tuple[int, str] | None:
    """The first token of a continuation that is a free name out of reach, and the name; None when all are in reach."""
    before = [token.text for token in cursor.lines[-1] if token.text.strip()]
    return first_unbound(document, byte, before, [token.text for token in state.tokens], model.keywords)


def is_first_word_possible(document: Document, cursor: CursorContext, state: Continuation) -> bool:
    """Whether the word that a continuation begins with is a candidate of completions, or typed already."""
    first = state.tokens[0].text.strip() if state.tokens else ""
    if not first.isidentifier() or first == cursor.prefix:
        return True
    return can_stand(first, place_evidence(document, cursor, NO_NAMES))


def possible_lengths(growth: LengthSelector, state: Continuation, unbound: tuple[int, str] | None) -> list[Length]:
    """The suggestions that a continuation holds before its first unbound name, the shortest first."""
    return [length for length in growth.lengths(state) if unbound is None or length.tokens <= unbound[0]]


def syntax_gate(document: Document, byte: int, state: Continuation, length: Length) -> GateReading:
    """Syntax errors with the first tokens of a continuation against those without them."""
    texts = [token.text for token in state.tokens[: length.tokens]]
    if is_written_below(document, state.cursor, length.insert):
        return GateReading(Reason.NO_FIT, False, "the line below has the same text")
    if is_closed_below(state.cursor, length.insert):
        before, after = (document.syntax.errors_with([insertion(byte, text)]) for text in ("", length.insert))
        if after >= before:
            return GateReading(Reason.PARSES_WORSE, False, "the line below closes the same brackets")
    closers = missing_closers(text.strip() for text in texts)
    if state.rest.tokens and texts[-1].strip() in ENDINGS and len(texts) > 1:  # `[a for a in b():]`
        shorter = length.insert[: len(length.insert) - len(texts[-1])]
        before, after = (document.syntax.errors_with([insertion(byte, text)]) for text in (shorter, length.insert))
        if after > before:
            return parses_no_worse(before, after)
    return parse_gate(document, byte, length.insert, closers)


def _rest_of_name(
    renamed: RenamedName, document: Document, cursor: CursorContext, gates: list[GateReading]
) -> Decision[InlineSuggestion]:
    """The letters that are missing of a renamed name."""
    insert = renamed.missing
    readings = [
        *gates,
        meets_threshold(EXACT_BEGUN, document.target_precision("ghost_text")),
        no_reversal(document, cursor.end, insert),
        not_rejected(document, insert),
    ]
    if (failure := first_failure(readings)) is not None:
        return failure
    token = GhostToken(f"{cursor.prefix}{insert}", EXACT_BEGUN, "cache")
    return Shown(InlineSuggestion(insert, cursor.end, cursor.end, (token,)), EXACT_BEGUN, tuple(readings))


def _silence(
    state: Continuation, growth: LengthSelector, lengths: list[Length], needed: float, gates: list[GateReading]
) -> Suppressed:
    """Why a continuation holds nothing to show."""
    if not state.tokens:
        gate = meets_threshold(growth.surest, needed)
        if not gate.passed:
            return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
        return Suppressed(Reason.EMPTY, "nothing to add", tuple(gates))
    if not lengths and state.rest.tokens:
        gate = GateReading(Reason.NO_FIT, False, f"does not lead to {state.rest.tokens[0]!r} behind the cursor")
        return Suppressed(gate.reason, gate.value, (*gates, gate))
    if not lengths:
        return Suppressed(Reason.EMPTY, "nothing but what stands below", tuple(gates))
    longest = lengths[-1]
    return Suppressed(Reason.EMPTY, f"{longest.insert.strip()!r} would save too little", tuple(gates))
