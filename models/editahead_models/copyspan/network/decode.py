"""The trained model as a decoder for `runtime.span_search`: what is measured is what the search of the server finds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.span_copying.tokens import END, PAD, SPECIAL, START, UNK, SpanVocabulary
from editahead.runtime.span_copying.model import Rewrite, SpanSearchResult, search
from editahead.runtime.span_copying.tree import ActionScores, Floats, SearchInput, SpanLimits
from torch import Tensor

from editahead_models.copyspan.greedy import greedy
from editahead_models.copyspan.network.batches import Tokens
from editahead_models.copyspan.network.model import CopySpan, Encoded
from editahead_models.layers.recurrent import gru_weights


class ModelStepper:
    """A model that has read one input. Hypotheses are to it what target positions are in training. `ids` is (N,)."""

    def __init__(self, model: CopySpan, ids: npt.NDArray[np.int64], z_1Z: Tensor | None = None) -> None:
        self._model, self._z_1Z = model, z_1Z
        gru = model.decoder
        input_weight, input_bias, state_weight, state_bias = gru_weights(gru)
        self._weights = (input_weight, state_weight, input_bias, state_bias)
        with torch.no_grad():
            self._encoded: Encoded = model.encode(torch.from_numpy(ids)[None], torch.tensor([len(ids)]), z_1Z)

    def begin(self) -> Floats:
        """The state (1, D) before the start symbol."""
        return self._encoded.state_BD.numpy()

    def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
        """Scores behind one token (R,) each, from states (R, D)."""
        with torch.no_grad():
            x_RE = self._model.embed(torch.from_numpy(tokens))
            if self._z_1Z is not None:
                x_RE = torch.cat([x_RE, self._z_1Z.expand(len(tokens), -1)], -1)
            h_RD = torch.gru_cell(x_RE, torch.from_numpy(np.asarray(states, dtype=np.float32)), *self._weights)
            found = self._model.scores(h_RD[None], self._encoded)
        return ActionScores(
            found.gen_BMV[0].numpy(), found.first_BMN[0].numpy(), found.last_BMN[0].numpy(), h_RD.numpy()
        )


def task_of(tokens: Tokens, vocabulary: SpanVocabulary, unknown: bool = True) -> SearchInput:
    """What is decoded for an input; the unknown symbol may be written where `unknown`, as in the paper."""
    forbidden = {PAD, START} if unknown else {PAD, START, UNK}
    return SearchInput(
        (SPECIAL[START], *tokens, SPECIAL[END]), vocabulary.wrap(tokens).tolist(), vocabulary.tokens, SPECIAL[END],
        START, frozenset(forbidden),
    )  # fmt: skip


def beam_of(
    model: CopySpan, vocabulary: SpanVocabulary, tokens: Tokens, limits: SpanLimits, z_1Z: Tensor | None = None
) -> SpanSearchResult:
    """The search over one input. A model of single tokens copies single tokens, whatever the limits say."""
    stepper = ModelStepper(model, vocabulary.wrap(tokens), z_1Z)
    return search(stepper, task_of(tokens, vocabulary), _limited(model, limits))


def greedy_of(
    model: CopySpan, vocabulary: SpanVocabulary, tokens: Tokens, limits: SpanLimits, z_1Z: Tensor | None = None
) -> tuple[Rewrite | None, list[int]]:
    """The output of the best action at each step, None where it never ends, and the lengths of the copied spans."""
    stepper = ModelStepper(model, vocabulary.wrap(tokens), z_1Z)
    return greedy(stepper, task_of(tokens, vocabulary), _limited(model, limits))


def _limited(model: CopySpan, limits: SpanLimits) -> SpanLimits:
    if not model.config.single:
        return limits
    return SpanLimits(limits.beam, limits.actions, limits.longer, 1, limits.merge, limits.least)
