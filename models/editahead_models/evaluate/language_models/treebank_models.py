"""Networks and trigrams on a text of the Penn Treebank's form: training by a fixed protocol, perplexity and MAP@20.

Shapes: B columns, T chunk length, S targets, V words. Source: Chen and Rivera 2019; output biases begin at the words'
frequencies (ours). MAP@20 is explained in `penn_treebank`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from editahead_models.data.english.penn_treebank import Treebank, columns, pieces
from editahead_models.families.ensemble import arithmetic
from editahead_models.families.mixture import NeuralLanguageModel, detached
from editahead_models.families.trigram import Trigram
from editahead_models.train.lm import begin_at_frequencies

GUESSES = 20


@dataclass(frozen=True)
class Protocol:
    """How texts are read and networks are trained.

    `as_listed`, as in the published listings: every chunk begins anew, and words attend to themselves.
    """

    columns: int = 10
    steps: int = 32
    epochs: int = 3
    rate: float = 1e-3
    hidden: int = 300
    attention: int = 200
    as_listed: bool = False
    seed: int = 1


@dataclass
class Score:
    """Sums over the targets of a text."""

    nll: float = 0.0
    count: int = 0
    precision: float = 0.0
    questions: int = 0

    def add(self, log_p_SV: Tensor, target_S: Tensor, never_V: Tensor) -> None:
        """Distributions (S, V) over some targets (S,)."""
        goal = log_p_SV.gather(1, target_S[:, None])
        self.nll -= float(goal.double().sum())
        self.count += len(target_S)
        asked = ~never_V[target_S]
        guess = log_p_SV.masked_fill(never_V, -torch.inf)[asked]
        self.ranks((guess >= goal[asked]).sum(1).numpy())

    def ranks(self, rank: npt.NDArray[np.integer[Any]]) -> None:
        """Ranks of answers among the guesses. Shape (N,)."""
        self.precision += float((1 / rank[rank <= GUESSES]).sum())
        self.questions += len(rank)

    def report(self) -> dict[str, float]:
        """Perplexity and MAP@20."""
        return {
            "perplexity": math.exp(self.nll / max(1, self.count)),
            "MAP@20": self.precision / max(1, self.questions),
            "words": self.count,
        }


def train_network(model: NeuralLanguageModel, bank: Treebank, protocol: Protocol) -> list[float]:
    """Train in place, to the weights of the best epoch; returns the validation loss of each epoch, nats a word."""
    begin_at_frequencies(model, np.bincount(bank.train, minlength=len(bank.symbols)))
    optimiser = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=protocol.rate, fused=True)
    losses: list[float] = []
    best = {name: value.clone() for name, value in model.state_dict().items()}
    for _ in range(protocol.epochs):
        model.train()
        state = model.start(protocol.columns)
        for piece in pieces(
            bank.train, protocol.columns, protocol.steps, slots_of(model), carry=not protocol.as_listed
        ):
            state = model.start(protocol.columns) if piece.fresh else detached(state)
            output, state = model(piece.chunk, state)
            loss = -model.log_generate(output, piece.target_BT).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        score = measure([model], bank, protocol, splits=("valid",))["valid"]
        losses.append(score.nll / score.count)
        if losses[-1] > min(losses):
            break  # early stopping: the best weights are kept below
        best = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(best)
    return losses


@torch.no_grad()
def measure(
    models: Sequence[NeuralLanguageModel],
    bank: Treebank,
    protocol: Protocol,
    combine: Callable[[Sequence[Tensor]], Tensor] = arithmetic,
    splits: Sequence[str] = ("valid", "test"),
) -> dict[str, Score]:
    """Networks over texts, side by side; `combine` makes one distribution of theirs. Distributions are (B, T, V)."""
    never_V = torch.from_numpy(bank.never)
    scores = {split: Score() for split in splits}
    for model in models:
        model.eval()
    for split, score in scores.items():
        carry = not protocol.as_listed
        stream = getattr(bank, split)
        readers = [pieces(stream, protocol.columns, protocol.steps, slots_of(m), carry=carry) for m in models]
        states = [model.start(protocol.columns) for model in models]
        for found in zip(*readers, strict=True):
            logs = []
            for n, (model, piece) in enumerate(zip(models, found, strict=True)):
                output, states[n] = model(piece.chunk, model.start(protocol.columns) if piece.fresh else states[n])
                logs.append(torch.log_softmax(model.logits(output.joint_BTE), -1))
            log_p_BTV = combine(logs) if len(logs) > 1 else logs[0]
            score.add(log_p_BTV.flatten(0, 1), found[0].target_BT.flatten(), never_V)
    return scores


def score_trigram(model: Trigram, bank: Treebank, stream: npt.NDArray[np.int64], protocol: Protocol) -> Score:
    """A trigram over the same words; it sees the text in one piece. The stream is (N,)."""
    used = slice(1, columns(stream, protocol.columns)[1].size + 1)
    found = model.score([stream], bank.never)[0]
    score = Score(nll=-float(found.log_p[used].sum()), count=len(found.log_p[used]))
    score.ranks(found.rank[used][~bank.never[stream[used]]])
    return score


def slots_of(model: NeuralLanguageModel) -> int:
    """The memory that a network attends over; 0 for one without."""
    return int(getattr(model.config, "slots", 0))
