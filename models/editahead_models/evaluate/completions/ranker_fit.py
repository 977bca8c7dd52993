"""Fit the ranker of completions: a listwise softmax over the candidates of a place and "none of them".

Shapes: B places of a batch, N candidates (padded), C and S features, H hidden units. Whole sources are dropped at
random while it learns, so that it does not lean on one of them alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from editahead.runtime.language_model.candidate_ranker import ARRAYS, CandidateRanker
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES
from torch import Tensor, nn

from editahead_models.evaluate.places.ranker_data import RankedPlace

HIDDEN = 32
_NEG = -1e9
SOURCES: dict[str, tuple[str, ...]] = {  # what is dropped together
    "network": ("model", "listed", "copied"),
    "ngrams": ("ngrams", "project_ngrams"),
    "scopes": tuple(
        name for name in CANDIDATE_FEATURES
        if name.startswith(("visible", "hidden", "unbound", "member", "no_member", "attribute", "parameter_of"))
    ),
    "members": ("member", "no_member"),
}  # fmt: skip
DROPPED = 0.1  # how often a source is


def source_columns(sources: Iterable[str] = SOURCES) -> list[list[int]]:
    """The columns of each source."""
    return [[CANDIDATE_FEATURES.index(name) for name in SOURCES[source]] for source in sources]


_SOURCE_COLUMNS = source_columns()


class Batch(NamedTuple):
    """Padded places: candidates (B, N, C), places (B, S), mask (B, N), right (B,), N where none of them came."""

    candidates: Tensor
    place: Tensor
    mask: Tensor
    right: Tensor


class RankerNetwork(nn.Module):
    """The network that `CandidateRanker` runs."""

    def __init__(
        self, hidden: int = HIDDEN, candidate: int = len(CANDIDATE_FEATURES), place: int = len(PLACE_FEATURES)
    ) -> None:
        super().__init__()
        c, s = candidate, place
        self.candidate = nn.Linear(c, hidden, bias=False)
        self.place = nn.Linear(s, hidden)
        self.out = nn.Linear(hidden, 1, bias=False)
        self.direct = nn.Linear(c, 1, bias=False)
        self.none_place = nn.Linear(s, hidden)
        self.none_out = nn.Linear(hidden, 1, bias=False)
        with torch.no_grad():  # begin as the mixture: softmax of ln p
            self.direct.weight.zero_()
            self.direct.weight[0, 0] = 13.8
            self.out.weight.mul_(0.1)

    def forward(self, batch: Batch) -> Tensor:
        """Scores (B, N + 1), the last of "none of them"."""
        shared = self.place(batch.place).unsqueeze(1)
        hidden = torch.relu(self.candidate(batch.candidates) + shared)
        scores = (self.out(hidden) + self.direct(batch.candidates)).squeeze(-1)
        none = self.none_out(torch.relu(self.none_place(batch.place)))
        return torch.cat([scores.masked_fill(~batch.mask, _NEG), none], 1)

    def begin_as(self, ranker: CandidateRanker) -> None:
        """Take the weights of a ranker with as many units; features that it does not know count nothing."""
        own = (
            self.candidate.weight, self.place.weight, self.place.bias, self.out.weight[0], self.direct.weight[0],
            self.none_place.weight, self.none_place.bias, self.none_out.weight[0],
        )  # fmt: skip
        with torch.no_grad():
            for tensor, array in zip(own, ranker.arrays().values(), strict=True):
                if tensor.shape[-1] > array.shape[-1]:
                    tensor[..., array.shape[-1] :] = 0
                tensor[..., : array.shape[-1]] = torch.from_numpy(array)

    def ranker(self) -> CandidateRanker:
        """As it is served."""
        arrays = (
            self.candidate.weight, self.place.weight, self.place.bias, self.out.weight[0], self.direct.weight[0],
            self.none_place.weight, self.none_place.bias, self.none_out.weight[0],
        )  # fmt: skip
        held = {name: array.detach().numpy().copy() for name, array in zip(ARRAYS, arrays, strict=True)}
        return CandidateRanker.from_arrays(held)


def fit_ranker(
    places: Sequence[RankedPlace],
    seed: int = 1,
    *,
    epochs: int = 10,
    rate: float = 6e-3,
    decay: float = 1e-3,
    batch: int = 64,
    hidden: int = HIDDEN,
    dropped: float = DROPPED,
    begin: CandidateRanker | None = None,
    sources: Sequence[Sequence[int]] = _SOURCE_COLUMNS,
    mixture: bool = True,
) -> CandidateRanker:
    """The ranker that fits some places, each project with the same weight.

    It begins as the ranker `begin`, which may see the first features alone, or as the first feature, with `mixture`
    the ln p of a mixture. `sources`: columns of the candidates' features that are dropped together.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = RankerNetwork(hidden, places[0].candidates.shape[1], len(places[0].place))
    if not mixture:
        torch.nn.init.zeros_(network.direct.weight)
    if begin is not None:
        network.begin_as(begin)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    steps = epochs * -(-len(places) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.1)
    for _ in range(epochs):
        order = random.permutation(len(places))
        for first in range(0, len(places), batch):
            some = padded([places[at] for at in order[first : first + batch]])
            for group in sources:
                out = torch.from_numpy(random.random(len(some.right)) < dropped)
                some.candidates[out.nonzero().squeeze(1)[:, None], :, torch.tensor(list(group))] = 0
            loss = nn.functional.cross_entropy(network(some), some.right)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return network.ranker()


def padded(places: Sequence[RankedPlace]) -> Batch:
    """Places as one batch."""
    most = max(len(place.candidates) for place in places)
    candidates = np.zeros((len(places), most, places[0].candidates.shape[1]), np.float32)
    mask = np.zeros((len(places), most), np.bool_)
    right: npt.NDArray[np.int64] = np.array([place.right if place.right >= 0 else most for place in places])
    for row, place in enumerate(places):
        candidates[row, : len(place.candidates)] = place.candidates
        mask[row, : len(place.candidates)] = True
    return Batch(
        torch.from_numpy(candidates),
        torch.from_numpy(np.stack([place.place for place in places])),
        torch.from_numpy(mask),
        torch.from_numpy(right),
    )
