"""Train a span-copying model on pairs; a stopped run goes on from its last checkpoint."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from torch import Tensor, nn

from editahead_models.copyspan.corpora.pairs import digest_of
from editahead_models.copyspan.network.batches import Pair, batches, make_batch
from editahead_models.copyspan.network.model import CopySpan, CopySpanConfig
from editahead_models.copyspan.network.objective import OBJECTIVES, loss_of
from editahead_models.layers.device import to_device, training_clock
from editahead_models.run_folder import BEST, RunFolder
from editahead_models.subnormals import without_subnormals

FAMILY = "copyspan"
PROGRESS = ("epoch", "group", "step", "stale", "best", "seconds", "updates", "total")
CHECKPOINT_SECONDS = 240.0
"""Seconds of training between two checkpoints where looks are further apart."""
LONGEST = 160  # tokens of a side; longer pairs are left out, never cut


@dataclass(frozen=True)
class CopySpanRecipe:
    """How to train.

    `objective`: "marginal", "longest" (only the longest correct spans) or "any" (no marginalisation). `look`: updates
    between two looks at the dev split, an epoch when 0; `patience`: looks without a better loss.
    """

    objective: str = "marginal"
    rate: float = 1e-3
    batch: int = 32
    epochs: int = 100
    look: int = 0
    patience: int = 5
    clip: float = 1.0
    seed: int = 1
    minutes: float = 0.0  # of processor time in all; no limit when 0
    cool: float = 0.0  # the last share of the minutes, in which the rate falls

    def kind(self, single: bool) -> str:
        """The correct spans, as `alignment.correct_actions` names them."""
        return "single" if single else "longest" if self.objective == "longest" else "all"


class Run:
    """A training run in a folder. Raises ValueError for an unknown objective."""

    def __init__(
        self, folder: Path, config: CopySpanConfig, vocabulary: SpanVocabulary, recipe: CopySpanRecipe,
        device: str = "cpu",
    ) -> None:  # fmt: skip
        if recipe.objective not in OBJECTIVES:
            raise ValueError(f"objective must be one of {', '.join(OBJECTIVES)}, found {recipe.objective!r}")
        self.folder, self.config, self.vocabulary, self.recipe = RunFolder(folder), config, vocabulary, recipe
        self.device = torch.device(device)
        self.clock = training_clock(self.device)
        torch.manual_seed(recipe.seed)
        self.model = self.build().to(self.device)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=recipe.rate, fused=True)
        self.epoch = self.group = self.step = self.stale = 0
        self.best, self.seconds = float("inf"), 0.0
        self.updates, self.total = 0, 0.0  # since the last look
        self.done = False

    def build(self) -> nn.Module:
        """The model with its first weights."""
        return CopySpan(self.config)

    def loss(self, pairs: Sequence[Pair]) -> Tensor:
        """What is minimised: the mean over some pairs of -ln p per target token. A scalar."""
        assert isinstance(self.model, CopySpan)
        batch = to_device(make_batch(pairs, self.vocabulary, self.recipe.kind(self.config.single)), self.device)
        return loss_of(self.model, batch, self.recipe.objective)

    @torch.no_grad()
    def dev_loss(self, dev: Sequence[Pair]) -> float:
        """The mean loss per pair, with the objective that is trained."""
        self.model.eval()
        kept = [pair for pair in dev if max(map(len, pair)) <= LONGEST]
        total = 0.0
        for group in batches(kept, 2 * self.recipe.batch):
            total += float(self.loss([kept[i] for i in group])) * len(group)
        return total / max(len(kept), 1)

    def fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> dict[str, Any]:
        """Train until an end of the recipe; returns the last look. ValueError when the folder holds another run."""
        train = [pair for pair in train if max(map(len, pair)) <= LONGEST]
        self._open(train)
        last = (self.folder.log() or [{}])[-1]
        with without_subnormals():
            while not self.done:
                last = self._look(train, dev)
        return last

    def _look(self, train: Sequence[Pair], dev: Sequence[Pair]) -> dict[str, Any]:
        """Updates until the next look, the look, and a checkpoint; others before it where it is far off."""
        recipe, began = self.recipe, self.clock()
        kept = began
        torch.manual_seed(recipe.seed * 1_000_003 + self.step)
        groups = list(batches(train, recipe.batch, random.Random(f"{recipe.seed}:{self.epoch}")))
        most = recipe.look or len(groups)
        self.model.train()
        while self.updates < most and self.group < len(groups):
            self._cool(began)
            self.total += self._update([train[i] for i in groups[self.group]])
            self.group, self.step, self.updates = self.group + 1, self.step + 1, self.updates + 1
            if self._spent(began):
                break
            if self.clock() - kept >= CHECKPOINT_SECONDS:
                kept = self.clock()
                self.folder.keep(
                    self.model, self.optimiser, self._progress() | {"seconds": self.seconds + kept - began}
                )
        if self.group >= len(groups):
            self.epoch, self.group = self.epoch + 1, 0
        loss = self.dev_loss(dev)
        self.seconds += self.clock() - began
        better = loss < self.best
        self.best, self.stale = min(loss, self.best), 0 if better else self.stale + 1
        over = self.epoch >= recipe.epochs or self.stale >= recipe.patience
        self.done = over or self._spent(self.clock())
        line = {
            "step": self.step, "epoch": self.epoch, "train": round(self.total / max(self.updates, 1), 5),
            "dev": round(loss, 5), "minutes": round(self.seconds / 60, 2), "done": self.done,
        }  # fmt: skip
        self.updates, self.total = 0, 0.0
        self.folder.save(self.model, self.optimiser, self._progress(), line, best=better)
        return line

    def _progress(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in PROGRESS}

    def _update(self, pairs: Sequence[Pair]) -> float:
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.loss(pairs)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimiser.step()
        return float(loss.detach())

    def _cool(self, began: float) -> None:
        """Set the rate: as in the recipe, and falling to a twentieth of it in the last share of the minutes."""
        used = self.seconds + self.clock() - began
        left = 1.0 - used / (60 * self.recipe.minutes) if self.recipe.minutes else 1.0
        share = 1.0 if left >= self.recipe.cool else max(0.05, left / self.recipe.cool)
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate * share

    def _spent(self, began: float) -> bool:
        used = self.seconds + self.clock() - began
        return 0 < self.recipe.minutes * 60 <= used

    def _open(self, train: Sequence[Pair]) -> None:
        recipe = {key: value for key, value in asdict(self.recipe).items() if key not in ("minutes", "epochs", "cool")}
        self.folder.open({
            "family": FAMILY, "model": self.config.to_json(), "recipe": recipe,
            "vocabulary": self.vocabulary.to_json(), "pairs": len(train), "data": digest_of(train),
        })  # fmt: skip
        progress = self.folder.resume(self.model, self.optimiser)
        for name, value in progress.items():
            setattr(self, name, value)
        recipe_over = self.epoch >= self.recipe.epochs or self.stale >= self.recipe.patience
        spent = 0 < self.recipe.minutes * 60 <= self.seconds
        self.done = bool(progress) and (recipe_over or spent)


def load_run(folder: Path, checkpoint: str = BEST) -> tuple[CopySpan, SpanVocabulary, dict[str, Any]]:
    """The model of a run, its vocabulary and its configuration. ValueError, one line, when there is none."""
    config = RunFolder(folder).config(FAMILY)
    try:
        model = CopySpan(CopySpanConfig(**config["model"]))
        state = torch.load(folder / checkpoint, weights_only=True, map_location="cpu")
        model.load_state_dict(state.get("model", state))
        vocabulary = SpanVocabulary.from_json(config["vocabulary"])
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{folder}: its model cannot be read ({error})") from error
    model.eval()
    return model, vocabulary, config
