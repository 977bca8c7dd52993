"""Ghost text: the longest continuation whose calibrated probability still reaches the asked precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from editahead.encode.spelling import depth_after, has_space, newline_text, next_depth, token_of
from editahead.encode.vocab import INDENT_OF
from editahead.runtime.lm import LanguageModel, LmContext
from editahead.runtime.ngram import DocumentCaches, NgramCache
from editahead.runtime.ort import Cancel
from editahead.suggest.cached import context_of
from editahead.suggest.candidates import Candidate, ranked
from editahead.suggest.context import Place, place_at
from editahead.suggest.gate import bar, cheap_gates, first_failure, not_rejected, parses_no_worse, sure_enough
from editahead.suggest.types import (
    Decision,
    Document,
    GateReading,
    InlineSuggestion,
    Reason,
    Shown,
    Suppressed,
)
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.edits import ByteEdit

MAX_STEPS = 24
MIN_CHARACTERS = 2  # less is not worth a glance
_DEPTH_LINES = 30


@dataclass(slots=True)
class RollOut:
    """A greedy continuation while it grows. `pieces` are the texts as inserted, each with its token's probability."""

    place: Place
    lines: list[Line]
    depth: int
    text: str = ""
    joint: float = 1.0
    pieces: list[tuple[str, float]] = field(default_factory=list)
    joints: list[float] = field(default_factory=list)
    ended_line: bool = False
    surest: float = 0.0  # joint probability with the token that was tried last, taken or not


def roll_out(
    model: LanguageModel,
    context: LmContext,
    place: Place,
    lowest: float,
    tabs: bool,
    cancel: Cancel,
    cache: NgramCache | None = None,
) -> RollOut:
    """Follow the likeliest tokens until a line ends, the joint probability falls below `lowest`, or none is sure.

    The context is left longer than the document; the next `extend_to` brings it back.
    """
    state = RollOut(place, list(place.lines), depth_after(place.lines[-_DEPTH_LINES:]))
    rest = place.after.strip()
    for step in range(MAX_STEPS):
        cancel.check()
        context.extend_to(state.lines, cancel)
        prediction = context.predict(cancel)
        said = cache.predict(context_of(state.lines[-1])) if cache is not None else None
        found = ranked(model, prediction, place.prefix if step == 0 else "", cache=said, top=40)
        if not found:
            break
        best = found[0]
        state.surest = best.probability * state.joint
        if best.probability * state.joint < lowest or prediction.unknown > best.probability:
            break
        if best.text in INDENT_OF:
            if step > 0 or rest or place.prefix:
                state.ended_line = True
                break
            _new_line(state, context, best, place, tabs)
            continue
        if step == 0 and place.prefix and best.text == place.prefix:
            break  # the name is typed; what follows it is predicted once it is a token of its own
        if rest and rest.startswith(best.text) and not best.text.isidentifier():
            break  # the closing bracket is there already
        _append(state, model, best, step == 0)
    return state


def suggest(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, cancel: Cancel
) -> Decision[InlineSuggestion]:
    """Ghost text at a byte, or silence with its reason."""
    gates = cheap_gates(document, byte)
    if (failure := first_failure(gates)) is not None:
        return failure
    place = place_at(document, byte)
    if place.after[:1].isidentifier():
        return Suppressed(Reason.EMPTY, "the cursor stands inside a name", tuple(gates))
    context = model.context(document.uri, place.indent_unit)
    tabs = place.before.startswith("\t")
    calibration = model.bundle.calibration("inline")
    needed = bar(calibration, document.settings.precision)
    lowest = _raw_floor(calibration.apply, needed)
    cache = caches.update(document.uri, place.known)
    state = roll_out(model, context, place, lowest, tabs, cancel, cache)
    kept = len(state.pieces)
    while kept and calibration.apply(state.joints[kept - 1]) < needed:
        kept -= 1
    insert = "".join(text for text, _ in state.pieces[:kept])[len(place.prefix) :]
    if not kept:
        best = calibration.apply(state.joints[0] if state.joints else state.surest)
        gate = sure_enough(best, needed)
        if gate.passed:
            return Suppressed(Reason.EMPTY, "nothing to add", tuple(gates))
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    probability = calibration.apply(state.joints[kept - 1])
    gates.append(sure_enough(probability, needed))
    if len(insert.strip()) < MIN_CHARACTERS:
        return Suppressed(Reason.EMPTY, f"only {insert.strip()!r}: too short to show", tuple(gates))
    gates.append(no_reversal(document, place, insert))
    gates.append(not_rejected(document, insert))
    if state.ended_line and kept == len(state.pieces):
        gates.append(_parse_gate(document, byte, insert))
    if (failure := first_failure(gates)) is not None:
        return failure
    shown = InlineSuggestion(insert, byte, byte, tuple(state.pieces[:kept]))
    return Shown(shown, probability, tuple(gates))


def no_reversal(document: Document, place: Place, insert: str) -> GateReading:
    """Text that the user has just deleted here is not offered again."""
    history = document.history
    last = history.pending or (history.settled[-1] if history.settled else None)
    removed = last.removed.decode("utf-8", "replace") if last is not None and not last.inserted else ""
    back = last is not None and removed.startswith(insert) and last.start == place.end
    return GateReading(
        Reason.REVERSAL, not back, "would bring back what was deleted" if back else "brings nothing back"
    )


def _new_line(state: RollOut, context: LmContext, best: Candidate, place: Place, tabs: bool) -> None:
    text = newline_text(best.text, context.encoder.level, place.indent_unit, tabs)
    indent = text[1:]
    state.lines = [
        *state.lines,
        (Token(TokenKind.NEWLINE, indent, 0, len(indent)), Token(TokenKind.OPERATOR, "", 0, 0)),
    ]
    _grow(state, text, best.probability)


def _append(state: RollOut, model: LanguageModel, best: Candidate, first: bool) -> None:
    line = tuple(token for token in state.lines[-1] if token.text or token.kind is TokenKind.NEWLINE)
    previous = line[-1] if line and line[-1].kind is not TokenKind.NEWLINE else None
    token = token_of(best.text, line[-1].end if line else 0, previous, model.keywords)
    gap = previous is not None and has_space(model.spacing, previous, token, state.depth)
    if first and (state.place.prefix or state.place.before[-1:].isspace() or not state.place.before):
        gap = False  # the user has decided about the space before the cursor
    state.lines = [*state.lines[:-1], (*line, token)]
    state.depth = next_depth(state.depth, token)
    _grow(state, (" " if gap else "") + best.text, best.probability)


def _grow(state: RollOut, text: str, probability: float) -> None:
    state.text += text
    state.joint *= probability
    state.pieces.append((text, probability))
    state.joints.append(state.joint)


def _parse_gate(document: Document, byte: int, insert: str) -> GateReading:
    edit = ByteEdit(byte, byte, insert.encode("utf-8"))
    after = document.syntax.advance(document.syntax.buffer.apply(edit), [edit])
    return parses_no_worse(document.syntax.error_count(), after.error_count())


def _raw_floor(apply: Callable[[float], float], needed: float) -> float:
    """The smallest raw probability on a grid whose calibrated value reaches the bar: where to stop early."""
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if apply(middle) >= needed else (middle, high)
    return low
