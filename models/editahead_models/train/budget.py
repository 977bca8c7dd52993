"""The loop of training under a budget of tokens: updates, figures on dev, checkpoints, and the branch before the decay.

A stopped run goes on with the very next batch, as if it had not stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from editahead_models.train.checkpoints import Checkpoints, Progress
from editahead_models.train.run_log import RunLog, training_bar
from editahead_models.train.schedule import Rates

Batch = TypeVar("Batch")


class Limit(Protocol):
    """Says when to stop although the budget is not used up."""

    def over(self) -> bool:
        """True when a checkpoint should be written and the call should return."""


class Budget(Protocol):
    """What the loop reads of a recipe: the budget in tokens, and how often it looks, logs and saves."""

    @property
    def tokens(self) -> int:
        """The budget."""

    @property
    def evaluate_every(self) -> int:
        """Tokens between two looks at dev."""

    @property
    def checkpoint_every_s(self) -> float:
        """Seconds between two checkpoints."""

    @property
    def log_every(self) -> int:
        """Targets between two lines of the log."""

    @property
    def schedule(self) -> Rates:
        """The learning rate over the budget."""


@dataclass(frozen=True)
class Stage:
    """Where a run stands: tokens learnt in all, whether that is the whole budget, the latest figures on dev."""

    tokens: int
    finished: bool
    metrics: dict[str, float]


def learn(
    batches: Iterable[Batch],
    update: Callable[[Batch], tuple[float, int]],
    look: Callable[[], dict[str, float]],
    recipe: Budget,
    checkpoints: Checkpoints,
    progress: Progress,
    log: RunLog,
    limit: Limit | None = None,
) -> Stage:
    """Update until the budget is used up or `limit` is over. `update` gives mean loss and targets, `look` dev figures.

    The state before the decay is kept: a larger budget goes on from there.
    """
    metrics = log.last_metrics()
    next_evaluation = (progress.tokens // recipe.evaluate_every + 1) * recipe.evaluate_every
    last_save = time.monotonic()
    with training_bar(recipe.tokens, progress.tokens) as advance:
        for batch in batches:
            if progress.tokens >= recipe.tokens:
                break
            loss, n = update(batch)
            log.add(loss, n)
            advance(progress.tokens, loss)
            finished = progress.tokens >= recipe.tokens
            if log.pending >= recipe.log_every or finished:
                log.write_loss(progress.step, progress.tokens)
            if progress.tokens >= next_evaluation or finished:
                next_evaluation += recipe.evaluate_every
                with log.clock_stopped():
                    metrics = look()
                log.write_dev(progress.step, progress.tokens, metrics)
            if progress.tokens >= recipe.schedule.decay_start and not progress.decaying_for:
                checkpoints.save_branch(progress)
                progress.decaying_for = recipe.tokens
            stop = finished or (limit is not None and limit.over())
            if stop or time.monotonic() - last_save > recipe.checkpoint_every_s:
                last_save = time.monotonic()
                checkpoints.save(progress)
            if stop:
                break
    log.close()
    return Stage(progress.tokens, progress.tokens >= recipe.tokens, metrics)
