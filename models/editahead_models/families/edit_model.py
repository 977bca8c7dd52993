"""What every model of the synthetic edit suite is: where the next edit goes, and what it is given the true place.

Legend: B instances, T edits, P positions (names or indices, as the model says), C content classes.
Source: Zhao et al. 2019, section 2: P(position, content) = P(position) P(content | position), all edits of an instance
scored in one pass under teacher forcing.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

from torch import Tensor, nn

from editahead_models.data.synthetic.batches import EditBatch

IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class EditModelConfig:
    """`size` token numbers, the first `classes` of them contents; the longest first state and edit sequence."""

    family: str
    size: int
    classes: int
    hidden: int = 128
    initial: int = 32
    edits: int = 100

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        return asdict(self)


class EditScores(NamedTuple):
    """Log-probabilities before each edit: of its position, and of its content given its true position."""

    position_BTP: Tensor
    content_BTC: Tensor


class EditModel(nn.Module):
    """A family. `explicit`: its positions are indices into the current state, otherwise names."""

    explicit: ClassVar[bool] = False
    learns_positions: ClassVar[bool] = False
    """Whether its tables end at the configured lengths: longer instances cannot be scored."""

    def __init__(self, config: EditModelConfig) -> None:
        super().__init__()
        self.config = config

    @abstractmethod
    def forward(self, batch: EditBatch) -> EditScores:
        """Scores of all edits of a batch; those before edit t depend on nothing after it."""

    def truth(self, batch: EditBatch) -> Tensor:
        """The true positions [B, T]."""
        return batch.index_BT if self.explicit else batch.name_BT

    def loss_sum(self, batch: EditBatch) -> tuple[Tensor, EditScores]:
        """Summed negative log-likelihood of the scored edits, in nats, and the scores. The sum is a scalar."""
        scores = self(batch)
        position = scores.position_BTP.gather(-1, self.truth(batch).unsqueeze(-1)).squeeze(-1)
        content = scores.content_BTC.gather(-1, batch.content_BT.unsqueeze(-1)).squeeze(-1)
        return -((position + content) * batch.scored_BT).sum(), scores

    def right(self, batch: EditBatch, scores: EditScores) -> tuple[Tensor, Tensor]:
        """Whether the likeliest position and the likeliest content are the true ones [B, T]."""
        return scores.position_BTP.argmax(-1) == self.truth(batch), scores.content_BTC.argmax(-1) == batch.content_BT
