"""Inference with the language model: hidden states of a context, cached between keystrokes, and the output mixture.

The softmax is computed only at requested positions, so that a long prefill is cheap.

Shapes: T steps, K slots, V symbols, e embedding, d hidden.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model.encoder import (
    ECHOES,
    LAST_USE,
    MEMORIES,
    NO_NAME,
    OTHER_NAMES,
    LmArrays,
    LmEncoder,
    NameFlavour,
    echoes,
    memory_slots,
)
from editahead.encode.language_model.vocabulary import INDENT_OF, SPECIALS, Vocab
from editahead.runtime.bundle import MANIFEST, Bundle, BundleError
from editahead.runtime.language_model.candidate_ranker import open_import_ranker, open_member_ranker, open_ranker
from editahead.runtime.language_model.context_matches import ContextMatches, derived_name
from editahead.runtime.language_model.first_choice import ENTRY as FIRST_CHOICE
from editahead.runtime.language_model.first_choice import first_choice_model
from editahead.runtime.language_model.graphs import (
    ENCODE,
    FILE,
    HEAD,
    EncodedBlock,
    Floats,
    HeadInput,
    HeadOutput,
    LanguageModelGraphs,
    LstmState,
    NameTables,
)
from editahead.runtime.language_model.mixture import LAST_CHARACTER, CacheGate, MatchGate, NameChoice, PrefixModel
from editahead.runtime.language_model.prediction import ExpectedToken, Prediction
from editahead.runtime.language_model.token_confidence import ENTRY as GHOST_TEXT
from editahead.runtime.language_model.token_confidence import token_confidence
from editahead.runtime.memory import array_bytes
from editahead.runtime.ort import Cancel, Selection
from editahead.runtime.selftest import open_sessions
from editahead.syntax.tokens import Line
from editahead.text.memo import RecentEntries

_BLOCK_STEPS = 64  # tokens a run: the distance between states that can be returned to
_SLICE_LINES = 10  # half a millisecond
_CACHED_CONTEXTS = 16  # open documents whose states are kept


class _Checkpoint(NamedTuple):
    """What was carried after `at` steps."""

    at: int
    state: LstmState
    x: Floats  # (1, e): the last step's embedding, which the head needs


class _Below(NamedTuple):
    """The lines below the cursor and their contexts; the names that were read by then, and those that were not."""

    lines: Sequence[Line]
    read: Sequence[str]
    names: Sequence[str]
    matches: ContextMatches


class LmContext:
    """The hidden states of a context. Extending it computes only the changed part."""

    def __init__(self, model: LanguageModel, indent_unit: int) -> None:
        self.encoder = LmEncoder(model.vocab, model.flavour, indent_unit=indent_unit, typed=model.typed)
        self._model = model
        self._hidden: Floats = np.zeros((256, model.hidden), np.float32)
        self._last_x: Floats = np.zeros((1, model.embedding), np.float32)
        self._names: npt.NDArray[np.int32] = np.zeros(256, np.int32)
        self._states: list[_Checkpoint] = []
        self._count = 0
        self._prediction: Prediction | None = None  # valid while letters of the same name are typed
        self._evicted: dict[str, int] | None = None  # likewise
        self._matches = ContextMatches()
        self._below = _Below([], [], [], ContextMatches())
        self._start = self.encoder.start_step()
        self.cursor_line: int | None = None  # for which the whole window was read last

    @cached_property
    def nearest(self) -> LmContext:
        """The states of the last lines of a context that is not read yet."""
        return LmContext(self._model, self.encoder.indent_unit)

    def look_below(self, lines: Sequence[Line]) -> None:
        """Set the lines below the cursor, which are not read, but may hold contexts like the cursor's."""
        below, read = self._below, self.encoder.names
        if not self._model.match_gate.weights or (below.lines == lines and below.read == read[: len(below.read)]):
            return
        names: list[str] = []
        matches = ContextMatches()
        matches.extend(self.encoder.match_tokens(lines, names))
        self._below, self._prediction = _Below(lines, list(read), names, matches), None

    def count_unread(self, lines: Sequence[Line]) -> int:
        """About how many tokens `extend_to` would read of these lines."""
        same = self.encoder.count_same(lines)
        steps = self.encoder.steps_before(same)
        return max(0, steps + 1 - self._count) + sum(map(len, lines[same:]))

    def extend_by_slices(self, lines: Sequence[Line], cancel: Cancel) -> None:
        """Set the context to these token lines; may be cancelled every few lines, and goes on from there."""
        for end in range(self.encoder.count_same(lines) + _SLICE_LINES, len(lines), _SLICE_LINES):
            cancel.check()
            self.extend_to(lines[:end], cancel)
        self.extend_to(lines, cancel)

    def extend_to(self, lines: Sequence[Line], cancel: Cancel | None = None) -> None:
        """Set the context to these token lines."""
        for block in self.set_lines(lines):
            self.append(block, self._model.graphs.encode(block, self.state, cancel))

    def set_lines(self, lines: Sequence[Line]) -> list[LmArrays]:
        """Set the context to these token lines; the blocks that `append` has to take before the next prediction."""
        old = self.encoder.steps[:]
        kept = self.encoder.extend_to(list(lines))
        steps = self.encoder.steps
        if kept == len(old) == len(steps) and self._count == len(steps) + 1:
            return []
        self._prediction = self._evicted = None
        limit = min(len(old), len(steps))
        while kept < limit and old[kept] == steps[kept]:
            kept += 1
        self._truncate(kept + 1)  # the start symbol stands before step 0
        self._matches.truncate(kept)
        self._matches.extend([step.word if step.name == NO_NAME else -1 - step.name for step in steps[kept:]])
        unread = [self._start, *steps][self._count :]
        return [LmArrays.of(unread[first : first + _BLOCK_STEPS]) for first in range(0, len(unread), _BLOCK_STEPS)]

    @property
    def state(self) -> LstmState:
        """The state of the LSTM behind what was read."""
        return self._states[-1].state if self._states else self._model.zero

    def append(self, block: LmArrays, read: EncodedBlock) -> None:
        """Keep the states of the next block."""
        n = len(block.word)
        self._reserve(self._count + n)
        self._hidden[self._count : self._count + n] = read.hidden
        self._names[self._count : self._count + n] = block.name
        self._last_x = read.last_x
        self._count += n
        self._states.append(_Checkpoint(self._count, read.state, read.last_x))

    def state_bytes(self) -> int:
        """Return the memory of the hidden states and checkpoints in bytes."""
        own = array_bytes(self._hidden, self._names, list(self._states))
        return own + (self.nearest.state_bytes() if "nearest" in self.__dict__ else 0)

    def predict(self, cancel: Cancel | None = None) -> Prediction:
        """Return the mixture after the last step. It is cached and must not be changed."""
        return self._prediction or self._keep(self._model.graphs.head(self._head_input(), cancel))

    def _head_input(self) -> HeadInput:
        """The position after the last step, with the memory that the pointer sees there."""
        names_T, state = self._names[: self._count], self._hidden[self._count - 1 : self._count]
        slots = memory_slots(names_T, self._model.slots, self._model.memory)
        if not len(slots):
            nothing = np.zeros((1, self._model.hidden), np.float32)
            return HeadInput(self._last_x, state, nothing, np.zeros(1, np.bool_), np.zeros((1, ECHOES), np.bool_))
        mask = np.ones(len(slots), np.bool_)
        return HeadInput(self._last_x, state, self._hidden[slots], mask, echoes(names_T, slots))

    def _keep(self, output: HeadOutput) -> Prediction:
        """Split the output of the head after the last step into words, copies and unknown names, and keep it."""
        share, names_T = np.exp(output.log_lambda), self._names[: self._count]
        words = np.exp(output.log_y) * share[0]
        slots = memory_slots(names_T, self._model.slots, self._model.memory)
        copies: dict[str, float] = {}
        origins: dict[str, int] = {}
        for slot, weight in zip(slots.tolist(), (output.alpha * share[1]).tolist(), strict=False):
            name = self.encoder.names[names_T[slot]]
            copies[name] = copies.get(name, 0.0) + weight
            origins.setdefault(name, slot - 1)
        self._evicted = None
        unknown = float(words[self._model.unknown_ids].sum())
        self._prediction = Prediction(words, copies, origins, unknown, self._expected())
        return self._prediction

    def _expected(self) -> ExpectedToken | None:
        """What an earlier context that is the same but for names lets expect; None where that is no listed text."""
        match = self._matches.longest(self._below.matches) if self._model.match_gate.weights else None
        if match is None:
            return None
        if match.token < 0:
            name = self._name_of(match.token)
            if match.is_mapped:
                return ExpectedToken(name, True, match)
            text = derived_name(name, [(self._name_of(old), self._name_of(new)) for old, new in match.renamed])
            return ExpectedToken(text, True, match, is_derived=text != name)
        symbol = self._model.vocab.symbols[match.token]
        if match.token < len(SPECIALS) and symbol not in INDENT_OF:
            return None
        return ExpectedToken(symbol, False, match)

    def _name_of(self, token: int) -> str:
        number = -1 - token
        return self._below.names[number - OTHER_NAMES] if number >= OTHER_NAMES else self.encoder.names[number]

    def evicted_names(self, prediction: Prediction) -> dict[str, int]:
        """Return names of the context that are no longer in the pointer's memory, each with its last line.

        Cached with the prediction that is kept, and must not be changed.
        """
        if self._evicted is not None and prediction is self._prediction:
            return self._evicted
        names_T = self._names[: self._count]
        last_N = np.full(len(self.encoder.names), -1)
        at_T = np.flatnonzero(names_T != NO_NAME)
        last_N[names_T[at_T]] = at_T  # of equal names the last stays
        evicted = {
            name: self.encoder.origins[step - 1]  # the start symbol stands before step 0
            for name, step in zip(self.encoder.names, last_N.tolist(), strict=True)
            if step > 0 and name not in prediction.copies
        }
        self._evicted = evicted if prediction is self._prediction else None
        return evicted

    def _truncate(self, count: int) -> None:
        """Drop all states behind the last at or before `count`."""
        while self._states and self._states[-1].at > count:
            self._states.pop()
        if self._states:
            self._count, _, self._last_x = self._states[-1]
        else:
            self._count = 0

    def _reserve(self, count: int) -> None:
        if count > len(self._names):
            size = max(count, 2 * len(self._names))
            self._hidden = np.concatenate(
                [self._hidden, np.zeros((size - len(self._hidden), self._hidden.shape[1]), np.float32)]
            )
            self._names = np.concatenate([self._names, np.zeros(size - len(self._names), np.int32)])


class LanguageModel:
    """A loaded language-model bundle."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        """Raises BundleError when the bundle lacks what a language model needs."""
        if FILE not in bundle.manifest.files:
            raise BundleError(bundle.path, f"a language model with its tables in {FILE}", "an older format")
        arrays = bundle.arrays(FILE)
        sessions = open_sessions(bundle, selection, graphs=(ENCODE, HEAD), arrays={FILE: arrays})
        try:
            self.graphs = LanguageModelGraphs(sessions, NameTables.from_arrays(arrays))
            limits, file = bundle.manifest.limits, bundle.path / MANIFEST
            self.slots, self.hidden, self.embedding = (int(limits[key]) for key in ("slots", "hidden", "embedding"))
            self.memory = _memory(limits.get("memory", LAST_USE))
            self.typed = bool(limits.get("typed", True))
            self.gate = CacheGate.from_limits(limits, file)
            self.names = NameChoice.from_limits(limits, file)
            self.match_gate = MatchGate.from_limits(limits, file)
            self.flavour = NameFlavour(bundle.manifest.flavour)
            self.trust = token_confidence(bundle.manifest.get(GHOST_TEXT), file)
            self.first_choice = first_choice_model(bundle.manifest.get(FIRST_CHOICE), file)
            vocab = bundle.vocab()
            self.vocab = Vocab.from_json(vocab)
        except (KeyError, ValueError) as error:
            raise BundleError(bundle.path, "a language model", str(error)) from error
        self.bundle = bundle
        self.spacing: dict[str, bool] = {str(key): bool(value) for key, value in dict(vocab.get("spacing", {})).items()}
        self.keywords = frozenset(vocab.get("keywords", ()))
        self._sorted = sorted(self.vocab.symbols[len(SPECIALS) :])
        self._sorted_ids = [self.vocab.ids[text] for text in self._sorted]
        self.beginnings = PrefixModel(
            text for text in self.vocab.symbols[len(SPECIALS) :] if text.isidentifier() and text not in self.keywords
        )
        self.zero = LstmState(*np.zeros((2, 1, 1, self.hidden), np.float32))
        self.unknown_ids = np.array(
            [n for n, symbol in enumerate(SPECIALS) if symbol == "<name>" or symbol.startswith("<new:")], np.int64
        )
        self._contexts = RecentEntries[str, LmContext](_CACHED_CONTEXTS, by_document=True)
        self.ranker = open_ranker(bundle)
        self.import_ranker = open_import_ranker(bundle, self.ranker)
        self.member_ranker = open_member_ranker(bundle, self.ranker)

    def context(self, key: str, indent_unit: int) -> LmContext:
        """Return the cached context of a document; the least recently used ones are dropped."""
        context = self._contexts.get(key)
        if context is None or context.encoder.indent_unit != indent_unit:
            context = LmContext(self, indent_unit)
        return self._contexts.keep(key, context)

    def with_prefix(self, prefix: str) -> list[int]:
        """Return the ids of the listed texts that begin with a prefix."""
        first = bisect_left(self._sorted, prefix)
        return self._sorted_ids[first : bisect_left(self._sorted, prefix + LAST_CHARACTER, first)]

    def state_bytes(self) -> int:
        """Return the memory of the states of all documents in bytes."""
        return sum(context.state_bytes() for context in list(self._contexts.values()))

    def forget(self, key: str) -> None:
        """Delete the states of a closed document."""
        self._contexts.pop(key, None)


def _memory(policy: object) -> str:
    if policy not in MEMORIES:
        raise ValueError(f"limits.memory must be one of {', '.join(MEMORIES)}, not {policy!r}")
    return str(policy)
