"""Scaling efficiency of a run: tokens a core-second of its workers together, beside one worker alone.

Measured when a run begins, with its own network, data and global batch: a few updates of one worker and of all workers
take turns. Processor time counts, so that other programs count little; what workers spend on waiting and on messages
is part of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from editahead_models.data.corpus.batches import BatchStream
from editahead_models.data.corpus.encoded_files import load_files
from editahead_models.train.checkpoints import Progress
from editahead_models.train.lm import LmRecipe, corpus_view, new_model, new_optimiser, shape_of, update
from editahead_models.train.workers import Alone, Workers

ROUNDS, WARM_UP, UPDATES = 2, 1, 4  # updates of each turn


@dataclass(frozen=True)
class Scaling:
    """Tokens a core-second of one worker alone, and of all of them together."""

    workers: int
    alone: float
    together: float

    @property
    def efficiency(self) -> float:
        """Together over alone; 1 where nothing is lost."""
        return self.together / self.alone

    def __str__(self) -> str:
        return (
            f"{self.workers} workers: {self.together:,.0f} tokens a core-second, {self.efficiency:.0%} of the "
            f"{self.alone:,.0f} of one worker"
        )


def measure_scaling(
    data: Path, recipe: LmRecipe, settings: dict[str, Any], family: str, workers: Workers, size: int
) -> Scaling:
    """Measure `size` workers beside the first of them. All of them must call this at the same time."""
    torch.set_num_threads(recipe.threads)
    recipe = replace(recipe, vectors=False)  # which take long to learn, and change no speed
    tokens = recipe.lanes * recipe.steps * (WARM_UP + UPDATES)
    files = load_files(data / "train", max_tokens=tokens)
    view = corpus_view(data, recipe, files)

    def turn(who: Workers) -> tuple[int, float]:
        torch.manual_seed(recipe.seed)
        model = new_model(data, recipe, settings, family, view, files).train()
        shape = shape_of(model, recipe.lanes, recipe.steps)
        stream = iter(BatchStream(files, shape, seed=recipe.seed, view=view.see, rows=who.rows(recipe.lanes)))
        optimiser, progress = new_optimiser(model, recipe), Progress()
        for _ in range(WARM_UP):
            update(model, optimiser, next(stream), progress, recipe, who)
        return _timed(lambda: update(model, optimiser, next(stream), progress, recipe, who)[1])

    alone, together = [0.0, 0.0], [0.0, 0.0]  # tokens and core-seconds
    for _ in range(ROUNDS):
        if workers.leads:
            for at, value in enumerate(turn(Alone())):
                alone[at] += value
        counted, seconds = turn(workers)
        together[0] += counted
        together[1] += workers.total(int(1e6 * seconds)) / 1e6
    rate = together[0] / max(1e-9, together[1])
    return Scaling(size, alone[0] / max(1e-9, alone[1]) if workers.leads else rate, rate)


def _timed(step: Callable[[], int]) -> tuple[int, float]:
    """Return the tokens of some updates, and the processor seconds of this process."""
    began = time.process_time()
    return sum(step() for _ in range(UPDATES)), time.process_time() - began
