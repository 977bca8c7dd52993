"""Train one model of the synthetic edit suite: Adam, seeded, resumable to the bit, best step by joint dev accuracy.

Source of the settings: Zhao et al. 2019, appendix (Adam, batches of 64, global norm clipped at 1).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from editahead_models.data.synthetic.batches import Encoded, Vocabulary, collate, encode, epoch_groups
from editahead_models.data.synthetic.instances import Instance, read_instances
from editahead_models.evaluate.edit_models.synthetic import accuracy, chunks
from editahead_models.families.edit_families import EDIT_FAMILIES, HALF_PRODUCTS, build
from editahead_models.families.edit_model import EditModel, EditModelConfig
from editahead_models.layers.device import training_clock
from editahead_models.layers.precision import product_type
from editahead_models.run_folder import save_atomically

SPLITS = ("train", "dev", "test")
SAVE_SECONDS = 120.0


@dataclass(frozen=True)
class SyntheticRecipe:
    """Everything that a run depends on besides its data. `patience`: evaluations without a better dev accuracy."""

    family: str
    seed: int = 1
    hidden: int = 128
    rate: float = 1e-3
    batch: int = 64
    clip: float = 1.0
    steps: int = 6280
    evaluate_every: int = 157
    patience: int = 20


@dataclass
class Progress:
    """Where a run stands; `group` counts the batches of the current epoch. Accuracies are joint, on the dev split."""

    step: int = 0
    epoch: int = 0
    group: int = 0
    minutes: float = 0.0
    best: float = -1.0
    best_step: int = 0
    worse: int = 0


@lru_cache(maxsize=1)  # a table trains several families on one task
def load_split(data: Path) -> dict[str, list[Instance]]:
    """The three splits of a prepared task. ValueError, one line, when one cannot be used."""
    found = {split: read_instances(data / f"{split}.jsonl") for split in SPLITS}
    for split, instances in found.items():
        if not instances:
            raise ValueError(f"{data}/{split}.jsonl: holds no instances")
    return found


def train(
    data: Path,
    run: Path,
    recipe: SyntheticRecipe,
    *,
    minutes: float = 1e9,
    minutes_in_all: float = 1e9,
    device: str = "cpu",
) -> dict[str, Any]:
    """Train a published model on synthetic edits.

    Training of `data`/train.jsonl ends when the recipe's steps are done, the patience is over, dev is perfect,
    `minutes` of this call or `minutes_in_all` of all calls are spent; it goes on from `run`/last.pt. Returns the
    recipe, the costs, and the `dev` and `test` figures of the best step (see `accuracy`). Minutes are processor time
    on a CPU, which other work does not move.
    """
    run.mkdir(parents=True, exist_ok=True)
    instances = load_split(data)
    vocabulary = Vocabulary.of(instances["train"])
    explicit = EDIT_FAMILIES[recipe.family].explicit
    items = {
        split: [encode(instance, vocabulary, with_states=explicit) for instance in found]
        for split, found in instances.items()
    }
    place = torch.device(device)
    torch.manual_seed(recipe.seed)
    everything = [item for found in items.values() for item in found]
    config = EditModelConfig(
        recipe.family, vocabulary.size, vocabulary.classes, recipe.hidden,
        max(len(item.initial) for item in everything), max(len(item.content) for item in everything),
    )  # fmt: skip
    model = build(config).to(place)
    trainer = Trainer(run, recipe, model, vocabulary, place)
    trainer.resume()
    left = max(0.0, minutes_in_all - trainer.progress.minutes)
    stopped = trainer.run_for(items["train"], items["dev"], min(minutes, left))
    best, _ = load_model(run)
    scored = {split: accuracy(best.to(place), items[split], vocabulary, place) for split in ("dev", "test")}
    progress = trainer.progress
    return {
        **asdict(recipe),
        "stopped": stopped,
        "finished": stopped != "minutes",
        "steps_done": progress.step,
        "epochs": round(progress.epoch + progress.group * recipe.batch / len(items["train"]), 2),
        "best_step": progress.best_step,
        "minutes": round(progress.minutes, 2),
        "products": str(trainer.products).removeprefix("torch."),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        **{split: rounded(found) for split, found in scored.items()},
    }


def load_model(run: Path, instances: list[Instance] | None = None) -> tuple[EditModel, Vocabulary]:
    """The best model of a run and its vocabulary, made for the lengths of `instances` where it can be.

    ValueError when the instances are longer than what a family that learns positions was built for.
    """
    saved = torch.load(run / "best.pt", weights_only=True, map_location="cpu")
    config = EditModelConfig(**saved["config"])
    need = [(len(instance.initial), len(instance.edits)) for instance in instances or []]
    longest = [max((pair[i] for pair in need), default=0) for i in (0, 1)]
    if not EDIT_FAMILIES[config.family].learns_positions:
        config = replace(config, initial=max(config.initial, longest[0]), edits=max(config.edits, longest[1]))
    elif longest[0] > config.initial or longest[1] > config.edits:
        raise ValueError(
            f"{config.family} learns a row per position: this run has {config.initial} for initial tokens and "
            f"{config.edits} for edits, the instances need {longest[0]} and {longest[1]}"
        )
    model = build(config)
    model.load_state_dict(saved["model"])
    return model.eval(), Vocabulary(saved["tokens"])


class Trainer:
    """A model, its optimiser and its files."""

    def __init__(
        self, run: Path, recipe: SyntheticRecipe, model: EditModel, vocabulary: Vocabulary, device: torch.device
    ) -> None:
        self.run, self.recipe, self.model, self.vocabulary, self.device = run, recipe, model, vocabulary, device
        self.optimizer = torch.optim.Adam(model.parameters(), lr=recipe.rate)
        self.progress = Progress()
        self.products = product_type(device.type) if recipe.family in HALF_PRODUCTS else torch.float32
        self._saved = time.monotonic()

    def resume(self) -> None:
        """Take up the checkpoint, if there is one. ValueError when it belongs to another recipe."""
        path = self.run / "last.pt"
        if not path.exists():
            return
        saved = torch.load(path, weights_only=True, map_location=self.device)
        # More steps or more patience continue a run; anything else would make it another one.
        same = {key: value for key, value in asdict(self.recipe).items() if key not in ("steps", "patience")}
        if any(saved["recipe"][key] != value for key, value in same.items()):
            raise ValueError(f"{self.run}: holds a run of other settings; choose another folder")
        self.model.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.progress = Progress(**saved["progress"])

    def run_for(
        self, train_items: Sequence[Encoded], dev: Sequence[Encoded], minutes: float, *, look_at_end: bool = False
    ) -> str:
        """Step until something ends the run; says what. `look_at_end`: the last step is measured on dev as well."""
        progress, recipe = self.progress, self.recipe
        clock = training_clock(self.device)
        begun, before = clock(), progress.minutes
        with (self.run / "log.jsonl").open("a") as log:
            for items in self._groups(train_items):
                spent = (clock() - begun) / 60
                progress.minutes = before + spent
                ended = self._ended(spent >= minutes)
                if ended:
                    break
                loss = self.step(items)
                progress.step += 1
                progress.group += 1
                if progress.step % recipe.evaluate_every == 0 or progress.step == recipe.steps:
                    self._evaluate(dev, loss, log)
                elif time.monotonic() - self._saved > SAVE_SECONDS:
                    self._save_last()
            unseen = look_at_end and progress.step % recipe.evaluate_every
            if unseen or not (self.run / "best.pt").exists():
                self._evaluate(dev, None, log)
            self._save_last()
        return ended

    def step(self, items: list[Encoded]) -> float:
        """One update; the mean loss of a scored edit before it."""
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        scored = sum(len(item.content) - item.scored_from for item in items)
        total = 0.0
        for part in chunks(items, self.model.explicit):
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.products == torch.bfloat16):
                loss, _ = self.model.loss_sum(collate(part, self.vocabulary).to(self.device))
            (loss / max(scored, 1)).backward()
            total += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimizer.step()
        return total / max(scored, 1)

    def _groups(self, items: Sequence[Encoded]) -> Iterator[list[Encoded]]:
        progress, recipe = self.progress, self.recipe
        while True:
            yield from epoch_groups(items, recipe.batch, recipe.seed, progress.epoch, progress.group)
            progress.epoch, progress.group = progress.epoch + 1, 0

    def _ended(self, out_of_time: bool) -> str:
        progress, recipe = self.progress, self.recipe
        if progress.best >= 1.0:
            return "perfect"
        if progress.step >= recipe.steps:
            return "steps"
        if progress.worse >= recipe.patience:
            return "patience"
        return "minutes" if out_of_time else ""

    def _evaluate(self, dev: Sequence[Encoded], loss: float | None, log: Any) -> None:
        progress = self.progress
        found = accuracy(self.model, dev, self.vocabulary, self.device)
        progress.worse += 1
        if found["joint"] > progress.best:
            progress.best, progress.best_step, progress.worse = found["joint"], progress.step, 0
            best = {
                "model": self.model.state_dict(),
                "config": self.model.config.to_dict(),
                "tokens": list(self.vocabulary.tokens),
            }
            save_atomically(self.run / "best.pt", best)
        record = {"step": progress.step, "epoch": progress.epoch, "minutes": round(progress.minutes, 3), "loss": loss}
        log.write(json.dumps(record | {"dev": rounded(found)}) + "\n")
        log.flush()
        self._save_last()

    def _save_last(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
            "recipe": asdict(self.recipe),
        }
        save_atomically(self.run / "last.pt", state)
        self._saved = time.monotonic()


def rounded(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same figures, also those by task, with five decimals."""
    return {name: rounded(value) if isinstance(value, Mapping) else round(value, 5) for name, value in found.items()}
