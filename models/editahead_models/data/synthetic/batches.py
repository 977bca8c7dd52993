"""Instances to padded tensors, in both forms of positions at once.

Legend: B instances, N initial tokens, T edits, L tokens of the longest state, P = N + T names, C content classes.
Names of inserted tokens start at column N of a batch, whatever the length of its instances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from editahead_models.data.synthetic.instances import Instance, states
from editahead_models.data.synthetic.representation import DELETE, END, START

Array = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Vocabulary:
    """Token numbers of a closed vocabulary: its tokens, DELETE, `<S>`, `<E>`, padding. Contents are the first ones."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self._ids = {token: number for number, token in enumerate((*self.tokens, DELETE, START, END))}
        self.delete = len(self.tokens)
        self.classes = self.delete + 1
        self.pad = self.delete + 3
        self.size = self.delete + 4

    @classmethod
    def of(cls, instances: Sequence[Instance]) -> Vocabulary:
        """The tokens and contents of instances, sorted."""
        seen = {token for instance in instances for token in instance.initial}
        seen |= {edit.content for instance in instances for edit in instance.edits if edit.content is not None}
        return cls(sorted(seen - {START, END}))

    def ids(self, tokens: Sequence[str | None]) -> Array:
        """Numbers of tokens (None is DELETE). ValueError for a token that the vocabulary lacks. Ids (N,)."""
        try:
            return np.asarray([self.delete if t is None else self._ids[t] for t in tokens], dtype=np.int64)
        except KeyError as error:
            raise ValueError(f"token {error.args[0]!r} is not among the {len(self.tokens)} of the model") from error


class Encoded(NamedTuple):
    """An instance in numbers."""

    initial: Array  # [n0]
    implicit: Array  # [T]
    explicit: Array  # [T]
    content: Array  # [T]
    states: tuple[Array, ...]  # s(0)..s(T-1); empty when no model wants them
    scored_from: int
    second: int  # the first edit of the second replacement, -1 when replacements are not known
    task: str = ""  # known for generated instances only


def encode(instance: Instance, vocabulary: Vocabulary, *, with_states: bool) -> Encoded:
    """Numbers of an instance. ValueError for an unknown token."""
    rows = states(instance)[: len(instance.edits)] if with_states else ()
    return Encoded(
        vocabulary.ids(instance.initial),
        np.asarray([edit.implicit for edit in instance.edits], dtype=np.int64),
        np.asarray([edit.explicit for edit in instance.edits], dtype=np.int64),
        vocabulary.ids([edit.content for edit in instance.edits]),
        tuple(vocabulary.ids(row) for row in rows),
        instance.conditioning,
        instance.replacements[0] if instance.replacements else -1,
        instance.task,
    )


@dataclass(frozen=True)
class EditBatch:
    """See the module's legend.

    `allowed_BTP`: the names that a position may take before each edit; `later_BT`: edits after the first replacement,
    where replacements are known.
    """

    token_BN: Tensor
    length_B: Tensor
    name_BT: Tensor
    index_BT: Tensor
    content_BT: Tensor
    edit_BT: Tensor
    scored_BT: Tensor
    later_BT: Tensor
    allowed_BTP: Tensor
    state_BTL: Tensor | None = None
    state_length_BT: Tensor | None = None

    @property
    def initial_mask(self) -> Tensor:
        """True at real initial tokens [B, N]."""
        places = torch.arange(self.token_BN.shape[1], device=self.token_BN.device)
        return places < self.length_B.unsqueeze(1)

    def to(self, device: torch.device) -> EditBatch:
        """The same batch on a device."""
        here: dict[str, Tensor | None] = {field.name: getattr(self, field.name) for field in fields(self)}
        moved: dict[str, Any] = {name: None if value is None else value.to(device) for name, value in here.items()}
        return EditBatch(**moved)


def collate(items: Sequence[Encoded], vocabulary: Vocabulary, *, live: bool = False) -> EditBatch:
    """A padded batch.

    `live`: positions of deleted tokens, of deletions and of `<E>` are excluded too, not only future ones (the published
    models exclude no more than those).
    """
    pad = vocabulary.pad
    count, n, t = len(items), max(len(i.initial) for i in items), max(len(i.content) for i in items)
    token = np.full((count, n), pad, dtype=np.int64)
    name, index, content = (np.zeros((count, t), dtype=np.int64) for _ in range(3))
    edit, scored, later = (np.zeros((count, t), dtype=np.bool_) for _ in range(3))
    lengths = np.asarray([len(item.initial) for item in items])
    for row, item in enumerate(items):
        n0, t0 = len(item.initial), len(item.content)
        token[row, :n0] = item.initial
        name[row, :t0] = np.where(item.implicit >= n0, item.implicit - n0 + n, item.implicit)
        index[row, :t0], content[row, :t0] = item.explicit, item.content
        edit[row, :t0], scored[row, item.scored_from : t0] = True, True
        later[row, item.second : t0] = item.second >= 0
    allowed = np.zeros((count, t, n + t), dtype=np.bool_)
    allowed[:, :, :n] = (np.arange(n) < lengths[:, None])[:, None]
    allowed[:, :, n:] = np.tri(t, t, -1, dtype=np.bool_)
    if live:
        _exclude_dead(allowed, lengths, name, edit & (content == vocabulary.delete))
    whole = [torch.from_numpy(array) for array in (token, lengths, name, index, content, edit, scored, later, allowed)]
    return EditBatch(*whole, *(_padded_states(items, t, pad) if items[0].states else (None, None)))


def _exclude_dead(allowed: Flags, lengths: Array, name: Array, deletes: Flags) -> None:
    """Take `<E>`, deleted tokens and the unused names of deletions away, each from its time on."""
    steps = allowed.shape[1]
    allowed[np.arange(len(lengths)), :, lengths - 1] = False
    for row, time in zip(*np.nonzero(deletes), strict=True):
        allowed[row, time + 1 :, [name[row, time], allowed.shape[2] - steps + time]] = False


def _padded_states(items: Sequence[Encoded], steps: int, pad: int) -> tuple[Tensor, Tensor]:
    lengths = np.ones((len(items), steps), dtype=np.int64)  # a row of padding has one token, so that it has a last one
    for row, item in enumerate(items):
        lengths[row, : len(item.states)] = [len(state) for state in item.states]
    table = np.full((len(items), steps, int(lengths.max())), pad, dtype=np.int64)
    for row, item in enumerate(items):
        for time, state in enumerate(item.states):
            table[row, time, : len(state)] = state
    return torch.from_numpy(table), torch.from_numpy(lengths)


def epoch_groups(items: Sequence[Encoded], size: int, seed: int, epoch: int, first: int = 0) -> Iterator[list[Encoded]]:
    """Groups of `size` instances in the order of an epoch from group `first` on, the last one smaller.

    The order is the same for the same arguments.
    """
    order = np.random.default_rng([seed, epoch]).permutation(len(items))
    for low in range(first * size, len(order), size):
        yield [items[number] for number in order[low : low + size]]
