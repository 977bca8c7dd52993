"""The workers of one training run: one process alone, or a process group that shares the lanes of every batch.

All workers hold the same weights. Each reads its own lanes of the same global batch; gradients are summed over all
targets, so that the steps are those of one worker. Checkpoints hold the state of all lanes: any number of workers goes
on from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor, distributed

from editahead_models.families.mixture import State


class Workers(Protocol):
    """What a training step needs of the other workers. Every worker must make the same calls in the same order."""

    leads: bool  # writes log and checkpoints, and evaluates

    def rows(self, lanes: int) -> range:
        """Return the lanes of this worker."""

    def total(self, count: int) -> int:
        """Return the sum over all workers."""

    def any(self, *flags: bool) -> tuple[bool, ...]:
        """Return for each flag whether it is set on any worker."""

    def sum_gradients(self, parameters: Sequence[Tensor], loss: Tensor) -> Tensor:
        """Sum the gradients over all workers, in place; returns the sum of the losses, a scalar.

        `parameters` have any shape (...), the loss is a scalar.
        """

    def whole(self, state: State | None, lanes: int) -> State | None:
        """Return the state of all lanes."""

    def own(self, state: State | None, lanes: int) -> State | None:
        """Return this worker's part of the state of all lanes."""


class Alone:
    """One worker: nothing is exchanged."""

    leads = True

    def rows(self, lanes: int) -> range:
        """Return all lanes."""
        return range(lanes)

    def total(self, count: int) -> int:
        """Return the count."""
        return count

    def any(self, *flags: bool) -> tuple[bool, ...]:
        """Return the flags."""
        return flags

    def sum_gradients(self, parameters: Sequence[Tensor], loss: Tensor) -> Tensor:
        """Return the loss, a scalar."""
        return loss

    def whole(self, state: State | None, lanes: int) -> State | None:
        """Return the state."""
        return state

    def own(self, state: State | None, lanes: int) -> State | None:
        """Return the state."""
        return state


class ProcessGroup:
    """The workers of the default process group of torch.distributed."""

    def __init__(self) -> None:
        self._rank, self._size = distributed.get_rank(), distributed.get_world_size()
        self.leads = self._rank == 0

    def rows(self, lanes: int) -> range:
        """Return the lanes of this worker, at least one. ValueError with fewer lanes than workers."""
        if lanes < self._size:
            raise ValueError(f"{lanes} lanes for {self._size} workers: give the recipe more lanes")
        return range(lanes * self._rank // self._size, lanes * (self._rank + 1) // self._size)

    def total(self, count: int) -> int:
        """Return the sum over all workers."""
        summed = torch.tensor([count])
        distributed.all_reduce(summed)
        return int(summed)

    def any(self, *flags: bool) -> tuple[bool, ...]:
        """Return for each flag whether it is set on any worker."""
        summed = torch.tensor([int(flag) for flag in flags])
        distributed.all_reduce(summed)
        return tuple(bool(count) for count in summed)

    def sum_gradients(self, parameters: Sequence[Tensor], loss: Tensor) -> Tensor:
        """Sum the gradients over all workers, in place and in one message; returns the sum of the losses, a scalar."""
        learnt = [parameter for parameter in parameters if parameter.requires_grad]
        for parameter in learnt:  # a worker whose lanes did not need it
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        gradients = [parameter.grad for parameter in learnt if parameter.grad is not None]
        flat = torch.cat([loss.detach().reshape(1), *(gradient.reshape(-1) for gradient in gradients)])
        distributed.all_reduce(flat)
        at = 1
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
            at += gradient.numel()
        return flat[0]

    def whole(self, state: State | None, lanes: int) -> State | None:
        """Return the state of all lanes, on every worker."""
        if state is None:
            return None
        whole = []
        for part in state:
            gathered = torch.zeros(lanes, *part.shape[1:], dtype=part.dtype)
            gathered[slice(self.rows(lanes).start, self.rows(lanes).stop)] = part
            distributed.all_reduce(gathered)
            whole.append(gathered)
        return tuple(whole)

    def own(self, state: State | None, lanes: int) -> State | None:
        """Return this worker's part of the state of all lanes."""
        rows = self.rows(lanes)
        return None if state is None else tuple(part[rows.start : rows.stop].clone() for part in state)
