"""Inference with the span-copying model: the most probable rewrites of a region of code, with their probabilities.

The bundle has two graphs. `encode` reads the wrapped input: `tokens` [n] -> the memory tensors, which `step` takes
under the same names, and `state` [1, D]. `step`: `token` [R], `state` [R, D] and the memory -> `gen` [R, V], `left` and
`right` [R, n] (raw scores: see `span_search`) and `state_next` [R, D].
Source: Panthaplackel, Allamanis and Brockschmidt 2021, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editahead.encode.span_copying.tokens import END, PAD, SPECIAL, START, UNK, SpanVocabulary
from editahead.runtime.bundle import Bundle, BundleError
from editahead.runtime.ort import Array, Cancel, GraphSession, Selection
from editahead.runtime.selftest import open_model
from editahead.runtime.span_copying.search import SpanSearchResult, search
from editahead.runtime.span_copying.tree import ActionScores, Floats, SearchInput, SpanLimits

GRAPHS = ("encode", "step")
STATE = "state"
SERVED = SpanLimits(beam=5, actions=20, longer=30, least=-5.0)  # below 0.7 % the search stops


@dataclass(frozen=True)
class Rewritings:
    """Different outputs, most probable first, with their probabilities; that of the unchanged input apart.

    `rest` is the probability of all other outputs.
    """

    outputs: tuple[tuple[tuple[str, ...], float], ...]
    unchanged: float
    rest: float


class SpanModel:
    """The graphs of a span-copying bundle. Not thread-safe. Raises BundleError when it does not work."""

    def __init__(self, bundle: Bundle, selection: Selection, *, check: bool = True) -> None:
        self.bundle = bundle
        try:
            self.vocabulary = SpanVocabulary.from_json(bundle.vocab())
        except ValueError as error:
            raise BundleError(bundle.path / "vocab.json", "a vocabulary of spans", str(error)) from error
        sessions = open_model(bundle, selection, GRAPHS, arena=("step",), check=check)
        self._encode, self._step = sessions["encode"], sessions["step"]
        self.longest = int(bundle.manifest.limits.get("tokens", 120))
        self.encoder_runs = 0

    def rewrite(self, tokens: Sequence[str], cancel: Cancel | None = None, limits: SpanLimits = SERVED) -> Rewritings:
        """Return the most probable outputs for a region. Raises ValueError past `longest` tokens, and Cancelled."""
        if len(tokens) > self.longest:
            raise ValueError(f"{len(tokens)} tokens of at most {self.longest}")
        result = self.search(tokens, limits, cancel)
        shares = [(output.texts, float(np.exp(output.logp))) for output in result.outputs]
        original = tuple(tokens)
        unchanged = sum(share for texts, share in shares if texts == original)
        others = tuple((texts, share) for texts, share in shares if texts != original)
        return Rewritings(others, unchanged, max(0.0, 1.0 - unchanged - sum(share for _, share in others)))

    def search(self, tokens: Sequence[str], limits: SpanLimits, cancel: Cancel | None = None) -> SpanSearchResult:
        """Return the raw search result of `rewrite`, with the input among its outputs."""
        ids = self.vocabulary.wrap(tokens)
        names = self._encode.output_names
        values = self._encode.run(names, {"tokens": ids}, cancel)
        self.encoder_runs += 1
        decoder = _Decoder(self._step, dict(zip(names, values, strict=True)), cancel)
        task = SearchInput(
            texts=(SPECIAL[START], *tokens, SPECIAL[END]),
            ids=ids.tolist(),
            words=self.vocabulary.tokens,
            end=SPECIAL[END],
            start_id=START,
            forbidden=frozenset({PAD, UNK, START}),
        )
        return search(decoder, task, limits)


class _Decoder:
    """A decoder over an encoded input, with the interface that `span_search` uses."""

    def __init__(self, session: GraphSession, encoded: dict[str, Array], cancel: Cancel | None) -> None:
        self._session, self._cancel = session, cancel
        self._begin = encoded[STATE]
        self._memory = {name: value for name, value in encoded.items() if name != STATE}

    def begin(self) -> Floats:
        return np.asarray(self._begin, dtype=np.float32)

    def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
        feeds: dict[str, Array] = {"token": tokens, STATE: np.asarray(states, dtype=np.float32), **self._memory}
        gen, left, right, after = self._session.run(("gen", "left", "right", "state_next"), feeds, self._cancel)
        return ActionScores(gen, left, right, after)
