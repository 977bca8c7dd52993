"""Whole tokens written greedily, with what the model thinks of them.

From a place where a token begins, the likeliest position and the likeliest content there are taken again and again,
until a deletion or the last sub-word of a token. The token is right when these are the next true edits.
Source: Zhao et al. 2019, section 5.3 (confidence: the summed log-probabilities of the predicted sub-tokens; here
positions are included).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch

from editahead_models.data.subwords import ends_token
from editahead_models.data.synthetic.batches import Vocabulary, collate, encode
from editahead_models.data.synthetic.instances import Instance, TokenEdit, from_implicit
from editahead_models.data.synthetic.representation import ImplicitEdits, PlacedEdit
from editahead_models.families.edit_model import EditModel

LONGEST = 12
BATCH = 16


def token_spans(edits: Sequence[TokenEdit]) -> Iterator[tuple[int, int]]:
    """[first, end) of each token among edits: a deletion, or insertions up to the end of a token."""
    first = 0
    for number, edit in enumerate(edits, 1):
        if edit.content is None or ends_token(edit.content) or number == len(edits):
            yield first, number
            first = number


@dataclass
class Rolled:
    """One roll-out: the instance, the edits before it, what was written, and its log-probability in nats."""

    instance: Instance
    first: int
    written: list[PlacedEdit] = field(default_factory=list)
    confidence: float = 0.0

    @property
    def ended(self) -> bool:
        """Whether a token was finished or a place deleted."""
        content = self.written[-1].content if self.written else ""
        return content is None or ends_token(content) or len(self.written) >= LONGEST

    @property
    def right(self) -> bool:
        """Whether what was written is what came next."""
        truth = self.instance.edits[self.first : self.first + len(self.written)]
        return [(edit.implicit, edit.content) for edit in truth] == [tuple(edit) for edit in self.written]

    def with_next(self, edit: PlacedEdit) -> Instance:
        """The instance up to here and one edit more."""
        before = [PlacedEdit(edit.implicit, edit.content) for edit in self.instance.edits[: self.first]]
        return from_implicit(ImplicitEdits(self.instance.initial, (*before, *self.written, edit)))


@torch.no_grad()
def roll_out(model: EditModel, starts: Sequence[tuple[Instance, int]], vocabulary: Vocabulary) -> list[Rolled]:
    """One roll-out from each (instance, number of true edits before it)."""
    model.eval()
    rolled = [Rolled(instance, first) for instance, first in starts]
    room = model.config.edits if model.learns_positions else 10**9  # rows of a table of positions end somewhere
    running = sorted(rolled, key=lambda roll: (len(roll.instance.initial), roll.first))
    while running:
        for low in range(0, len(running), BATCH):
            _step(model, running[low : low + BATCH], vocabulary)
        running = [roll for roll in running if not roll.ended and roll.first + len(roll.written) < room]
    return rolled


def _step(model: EditModel, rolls: Sequence[Rolled], vocabulary: Vocabulary) -> None:
    """One edit more for each: the likeliest position, then the likeliest content there."""
    filler = PlacedEdit(0, vocabulary.tokens[0])  # an insertion after `<S>` can always be applied
    scores = _scores(model, rolls, [filler] * len(rolls), vocabulary)
    names = []
    for roll, (position_P, _, width) in zip(rolls, scores, strict=True):
        value, at = position_P.max(-1)
        roll.confidence += float(value)
        names.append(_name(model, roll, int(at), width))
    if not model.explicit:  # the content depends on the place
        guesses = [PlacedEdit(name, filler.content) for name in names]
        scores = _scores(model, rolls, guesses, vocabulary)
    for roll, name, (_, content_C, _) in zip(rolls, names, scores, strict=True):
        value, at = content_C.max(-1)
        roll.confidence += float(value)
        roll.written.append(PlacedEdit(name, None if int(at) == vocabulary.delete else vocabulary.tokens[int(at)]))


def _scores(
    model: EditModel, rolls: Sequence[Rolled], edits: Sequence[PlacedEdit], vocabulary: Vocabulary
) -> list[tuple[torch.Tensor, torch.Tensor, int]]:
    """Log-probabilities of position [P] and content [C] for the newest edit, and the batch's initial columns."""
    made = [roll.with_next(edit) for roll, edit in zip(rolls, edits, strict=True)]
    batch = collate(
        [encode(instance, vocabulary, with_states=model.explicit) for instance in made], vocabulary, live=True
    )
    found = model(batch)
    last = [len(instance.edits) - 1 for instance in made]
    width = batch.token_BN.shape[1]
    return [(found.position_BTP[row, at], found.content_BTC[row, at], width) for row, at in enumerate(last)]


def _name(model: EditModel, roll: Rolled, column: int, width: int) -> int:
    """The implicit position that a column of the scores stands for."""
    size = len(roll.instance.initial)
    if not model.explicit:
        return column if column < width else size + column - width
    names = list(range(size))
    edits = [*(PlacedEdit(e.implicit, e.content) for e in roll.instance.edits[: roll.first]), *roll.written]
    for number, (name, content) in enumerate(edits):
        at = names.index(name)
        names[at : at + 1] = [] if content is None else [name, size + number]
    return names[column]
