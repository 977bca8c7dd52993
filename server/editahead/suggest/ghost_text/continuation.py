"""A greedy continuation while it grows: the likeliest token, read as if typed, and so on.

Greedy search is enough: a text shown at a probability above 0.5 contains only tokens that are the most likely
at their position.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from editahead.encode.language_model.vocabulary import (
    INDENT_OF,
    depth_after,
    has_space,
    newline_text,
    next_depth,
    spacing_of,
    token_of,
)
from editahead.index.types import OutsideNames
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.ngrams import LINE_END, CacheScores, NgramCache
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.language_model.token_confidence import TokenFeatures
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.candidates import Candidate, rank_mixture
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ngrams import predict_ngrams
from editahead.suggest.context import CursorContext
from editahead.suggest.ghost_text.surroundings import (
    CLOSING,
    OPENING,
    RestOfLine,
    first_code,
    is_deeper,
    is_repetition,
    is_repetition_of,
    space_between,
)
from editahead.suggest.taken_names import Key, can_take, key_of, taken_keys, texts_of
from editahead.suggest.types import GhostToken
from editahead.syntax.tokens import Line, Token, TokenKind

MAX_STEPS = 40
MAX_LINE_ENDS = 6
_DEPTH_LINES = 30
_SPACING_LINES = 200  # above the cursor, whose spaces count more than those that the model has learnt
_MAX_SYMBOLS = 40  # vocabulary entries that are ranked
_MAX_CANDIDATES = 8  # that are chosen from: alternatives look at five


@dataclass(slots=True)
class Continuation:
    """What has been predicted so far. `stops[n - 1]` tells whether the text may end behind n tokens."""

    cursor: CursorContext
    rest: RestOfLine
    lines: list[Line]
    depth: int
    spacing: Mapping[str, bool]
    tokens: list[GhostToken] = field(default_factory=list)
    signs: list[TokenFeatures] = field(default_factory=list)
    stops: list[bool] = field(default_factory=list)
    opened: int = 0  # brackets that the continuation has opened and not closed
    line_start: int = 0  # number of tokens before the line that grows
    line_ends: int = 0
    language_id: str = ""
    below: tuple[Line, ...] = ()  # the lines of code that follow those which the continuation and the user have written
    taken: tuple[int, frozenset[Key]] = (-1, frozenset())  # by the lines beside the line that begins so

    def is_taken(self) -> bool:
        """Whether the line that grows is a label, a declaration or an import that a line beside it is already."""
        texts = texts_of(self.lines[-1])
        key = key_of(texts, self.language_id) or texts
        if not can_take(texts, self.lines[:-1], self.language_id):
            return False
        if self.is_typed_line:
            typed = [*texts_of(self.cursor.lines[-1]), *([self.cursor.prefix] if self.cursor.prefix else [])]
            if key == key_of(typed, self.language_id):
                return False  # as the user wrote it
        if self.taken[0] != self.line_start:
            rows = self.lines[:-1], self.lines[-1], self.cursor.below
            self.taken = (self.line_start, taken_keys(*rows, self.language_id))
        return key in self.taken[1]

    def insert(self, tokens: int) -> str:
        """The text of the first tokens, without the letters that are typed already."""
        return "".join(token.text for token in self.tokens[:tokens])[len(self.cursor.prefix) :]

    @property
    def is_typed_line(self) -> bool:
        """Whether the user began the line that grows."""
        return self.line_start == 0 and bool(self.cursor.before.strip() or self.cursor.prefix)

    def refuse_line(self) -> None:
        """Let the text end nowhere in the line that grows."""
        self.stops[self.line_start :] = [False] * (len(self.stops) - self.line_start)


Choose = Callable[[Continuation, Sequence[Candidate]], Candidate]
"""Chooses the next token of a continuation from its candidates, best first, of which there are some."""


def choose_likeliest(state: Continuation, candidates: Sequence[Candidate]) -> Candidate:
    """The most likely token."""
    return candidates[0]


def roll_out(
    model: LanguageModel,
    context: LmContext,
    cursor: CursorContext,
    rest: RestOfLine,
    cache: NgramCache,
    elsewhere: OutsideNames | None,
    outside: Callable[[Prediction], ExtraNames] | None,
    edited: frozenset[str],
    going_on: Callable[[Continuation, TokenFeatures], bool],
    cancel: Cancel,
    choose: Choose = choose_likeliest,
    language_id: str = "",
) -> Continuation:
    """Follow the most likely tokens while `going_on` accepts each, until a token does not fit the existing text.

    `choose` may take another token instead.

    The first token may also be a name of `outside`, which the model has not read. Names in `edited`, inserted by
    the last edits, are more likely.
    Afterwards the context is longer than the document; the next `extend_to` resets it.
    """
    spacing = ChainMap(spacing_of(cursor.lines[-_SPACING_LINES:]), model.spacing)
    depth = depth_after(cursor.lines[-_DEPTH_LINES:])
    state = Continuation(cursor, rest, list(cursor.lines), depth, spacing, language_id=language_id)
    state.below = tuple(islice(filter(texts_of, cursor.below), 2))
    document_steps = 0
    for step in range(MAX_STEPS):
        cancel.check()
        context.extend_to(state.lines, cancel)
        if step == 0:
            context.look_below(cursor.below)
        document_steps = document_steps or len(context.encoder.steps)
        prediction = context.predict(cancel)
        ngrams = predict_ngrams(cache, elsewhere, state.lines)
        prefix = cursor.prefix if step == 0 else ""
        beyond = outside(prediction) if outside is not None and step == 0 else None
        candidates = rank_mixture(
            model, prediction, prefix, ngrams, beyond, _MAX_SYMBOLS, most=_MAX_CANDIDATES, edited=edited
        )
        if not candidates or prediction.unknown > candidates[0].probability:
            break
        best = choose(state, candidates)
        signs = _signs(state, candidates, prediction, ngrams, len(prefix), bool(state.below))
        if not going_on(state, signs):
            break
        if _is_end(state, best.text):
            break
        state.signs.append(signs)
        if best.text in INDENT_OF:
            text = _start_line(state, context, best.text)
        else:
            text = _append(state, model, best.text, step == 0)
        origin = _origin(best, context, cursor, document_steps)
        state.tokens.append(GhostToken(text, best.probability, best.source, origin, best.where, prediction.copy_mass))
        state.stops.append(_can_stop(state, best.text))
    if _is_repetition(state):
        state.refuse_line()
    return state


def _is_end(state: Continuation, text: str) -> bool:
    """Whether the continuation ends before this token; updates the stops of the tokens before."""
    rest, count = state.rest, len(state.tokens)
    if text in INDENT_OF:
        if rest.tokens:
            return True  # the line goes on with what stands behind the cursor
        above = first_code(reversed(state.lines[:-1]))
        repeats = not state.is_typed_line and any(
            is_repetition_of(state.lines[-1], other, whole=True) for other in (above, _beside(state))
        )
        if repeats or state.is_taken():
            state.refuse_line()
            return True
        return rest.comment or state.line_ends == MAX_LINE_ENDS or _is_repetition(state)
    if not rest.tokens or state.opened:
        return False
    if text == rest.tokens[0]:  # what stands behind the cursor is what the model expects there
        if count:
            state.stops[-1] = True
        return True
    return text in CLOSING  # it would close a bracket other than the existing


def _can_stop(state: Continuation, text: str) -> bool:
    if text in INDENT_OF or (state.rest.tokens and not state.rest.is_closing) or state.is_taken():
        return False
    if state.line_start:
        return not is_repetition_of(state.lines[-1], _beside(state), whole=False)
    return not _is_repetition(state)


def _is_repetition(state: Continuation) -> bool:
    """Whether the line that grows says what the next line of code says, not as the user typed it."""
    if not state.insert(len(state.tokens)):
        return False
    rest, below = () if state.line_start else state.rest.tokens, _beside(state)
    return is_repetition(state.lines[-1], rest, below, is_apart=state.cursor.below[:1] != [below])


def _beside(state: Continuation) -> Line:
    """The next line of code; () where the line that grows stands in another block.

    Where nothing is typed, the indentation of the cursor's line may be none yet.
    """
    below = state.below[0] if state.below else ()
    is_apart = is_deeper(state.lines[-1], below) or (state.is_typed_line and is_deeper(below, state.lines[-1]))
    return () if is_apart else below


def _start_line(state: Continuation, context: LmContext, symbol: str) -> str:
    tabs = state.cursor.before.startswith("\t")
    if not state.line_start and (below := texts_of(_beside(state))) and texts_of(state.lines[-1]) == below:
        state.below = state.below[1:]  # the user has typed what stands below
    text = newline_text(symbol, context.encoder.level, state.cursor.indent_unit, tabs)
    indent = text[1:]
    started = (Token(TokenKind.NEWLINE, indent, 0, len(indent)), Token(TokenKind.OPERATOR, "", 0, 0))
    state.lines = [*state.lines, started]
    state.line_ends += 1
    state.line_start = len(state.tokens) + 1
    return text


def _append(state: Continuation, model: LanguageModel, text: str, first: bool) -> str:
    line = tuple(token for token in state.lines[-1] if token.text or token.kind is TokenKind.NEWLINE)
    previous = line[-1] if line and line[-1].kind is not TokenKind.NEWLINE else None
    token = token_of(text, line[-1].end if line else 0, previous, model.keywords)
    gap = previous is not None and has_space(state.spacing, previous, token, state.depth)
    if (decided := space_between(state.lines, text, state.language_id)) is not None:
        gap = decided
    if first and (state.cursor.prefix or state.cursor.before[-1:].isspace() or not state.cursor.before):
        gap = False  # the user has decided about the space before the cursor
    state.lines = [*state.lines[:-1], (*line, token)]
    state.depth = next_depth(state.depth, token)
    if text in OPENING:
        state.opened += 1
    elif text in CLOSING and state.opened:
        state.opened -= 1
    return (" " if gap else "") + text


def _signs(
    state: Continuation,
    candidates: list[Candidate],
    prediction: Prediction,
    ngrams: CacheScores,
    letters: int,
    above_code: bool,
) -> TokenFeatures:
    best = candidates[0]
    line_end = best.text in INDENT_OF
    return TokenFeatures(
        probability=best.probability,
        second=candidates[1].probability if len(candidates) > 1 else 0.0,
        unknown=prediction.unknown,
        source=best.source,
        line_end=line_end,
        above_code=above_code,
        name=best.text.isidentifier(),
        contexts=ngrams.hits,
        cached=ngrams.words.get(LINE_END if line_end else best.text, 0.0),
        times=ngrams.times,
        project=ngrams.project_hits,
        position=len(state.tokens),
        next_lines=state.line_ends > 0,
        letters=letters,
    )


def _origin(best: Candidate, context: LmContext, cursor: CursorContext, document_steps: int) -> int | None:
    """The line of the file that a copied name stands on; None where it stands in the continuation itself."""
    if best.source != "pointer" or best.step is None or not 0 <= best.step < document_steps:
        return best.line
    return cursor.numbers[context.encoder.origins[best.step]]
