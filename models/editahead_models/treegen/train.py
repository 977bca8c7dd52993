"""Train TreeGen; a stopped run goes on from its last epoch."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from editahead.encode.tree_generation.steps import MAX_STEPS, Vocabulary, vocabulary_from_json
from editahead.grammar.table import Grammar
from editahead.grammar.tree import GrammarError
from torch import Tensor

from editahead_models.layers.device import to_device, training_clock
from editahead_models.run_folder import BEST, RunFolder
from editahead_models.subnormals import without_subnormals
from editahead_models.treegen.datasets.examples import Example, collect
from editahead_models.treegen.grammar.write import write
from editahead_models.treegen.network.batches import COPIED, IGNORED, Batch, Row, batches, collate, make_row
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.model import TreeGen

FAMILY = "treegen"
PROGRESS = ("epoch", "seconds", "wall", "best")
IMPOSSIBLE = -1e6  # log masses below are of what nothing can write


@dataclass(frozen=True)
class TreeGenRecipe:
    """Adafactor with its defaults: relative steps of at most `rate`, scaled by the size of a parameter (section 3.1).

    `select`: the last epoch, or the best on dev: most programs right, then the lowest loss.
    """

    batch: int = 30
    epochs: int = 40
    rate: float = 1e-2
    seed: int = 1
    select: str = "dev"


class TrainingData(NamedTuple):
    """A grammar and examples of it."""

    grammar: Grammar
    examples: Sequence[Example]


class Run:
    """A training run in a folder. Raises ValueError for an unknown selection."""

    def __init__(
        self, folder: Path, config: TreeGenConfig, recipe: TreeGenRecipe, data: TrainingData, device: str = "cpu"
    ) -> None:
        if recipe.select not in ("dev", "last"):
            raise ValueError(f"select must be dev or last, found {recipe.select!r}")
        self.folder, self.config, self.recipe = RunFolder(folder), config, recipe
        train = [e for e in data.examples if fits(data.grammar, e)]
        self.left_out = len(data.examples) - len(train)
        self.vocabulary = collect(data.grammar, train)
        self.rows = [make_row(self.vocabulary, example) for example in train]
        self.device = torch.device(device)
        self.clock = training_clock(self.device)
        torch.manual_seed(recipe.seed)
        self.model = TreeGen(config, self.vocabulary).to(self.device)
        self.optimiser = torch.optim.Adafactor(self.model.parameters(), lr=recipe.rate)
        self.epoch, self.seconds, self.wall = 0, 0.0, 0.0
        self.best: tuple[float, float] = (-1.0, 0.0)
        self._open(digest_of(train))

    def fit(self, dev: Sequence[Example]) -> dict[str, Any]:
        """Train until the recipe's last epoch; returns its line of the log."""
        rows = [make_row(self.vocabulary, e) for e in dev if fits(self.vocabulary.grammar, e)]
        line: dict[str, Any] = {}
        with without_subnormals():
            while self.epoch < self.recipe.epochs:
                line = self._epoch(rows)
        return line

    def _epoch(self, dev: Sequence[Row]) -> dict[str, Any]:
        recipe, began, wall = self.recipe, self.clock(), time.monotonic()
        torch.manual_seed(recipe.seed * 1_000_003 + self.epoch)
        self.model.train()
        total, steps = 0.0, 0
        for batch in batches(self.rows, recipe.batch, random.Random(f"{recipe.seed}:{self.epoch}")):
            self.optimiser.zero_grad(set_to_none=True)
            found_N = self.model.log_likelihood(to_device(batch, self.device))
            (-found_N.mean()).backward()
            self.optimiser.step()
            total, steps = total - float(found_N.detach().sum()), steps + len(found_N)
        self.epoch += 1
        self.seconds += self.clock() - began
        self.wall += time.monotonic() - wall
        look = looks(self.model, dev) if dev else {}
        score = (look["programs"], -look["loss"]) if dev and recipe.select == "dev" else (float(self.epoch), 0.0)
        better = score > self.best
        self.best = max(score, self.best)
        spent = {"minutes": round(self.seconds / 60, 2), "wall": round(self.wall / 60, 2), "best": better}
        line = {"epoch": self.epoch, "train": round(total / max(steps, 1), 5), **look, **spent}
        progress = {name: getattr(self, name) for name in PROGRESS}
        self.folder.save(self.model, self.optimiser, progress, line, best=better)
        return line

    def _open(self, digest: str) -> None:
        recipe = {key: value for key, value in asdict(self.recipe).items() if key != "epochs"}
        self.folder.open({
            "family": FAMILY, "model": self.config.to_json(), "recipe": recipe,
            "vocabulary": self.vocabulary.to_json(), "examples": len(self.rows), "left out": self.left_out,
            "data": digest,
        })  # fmt: skip
        for name, value in self.folder.resume(self.model, self.optimiser).items():
            setattr(self, name, value)


def fits(grammar: Grammar, example: Example) -> bool:
    """Whether a grammar has the program of an example, in at most MOST_STEPS steps."""
    try:
        return len(write(grammar, example.tree)) <= MAX_STEPS
    except GrammarError:
        return False


@torch.no_grad()
def looks(model: TreeGen, rows: Sequence[Row], size: int = 16) -> dict[str, float]:
    """On gold prefixes: share of steps and of whole programs whose right action is the likeliest, mean loss of a step.

    Steps that the model cannot make at all are no part of the loss. A wrong text counts by the surest of its words;
    search adds up all that give it, so it may write another program where this calls one right, never the reverse.
    """
    model.eval()
    device = next(model.parameters()).device
    total, made, right, steps, programs = 0.0, 0, 0, 0, 0
    order = sorted(rows, key=lambda row: len(row.targets))
    for at in range(0, len(order), size):
        batch = to_device(collate(order[at : at + size]), device)
        found_N, others_N, of_N = sides(model, batch)
        good, possible = found_N > others_N, found_N > IMPOSSIBLE
        total, made = total - float(found_N[possible].sum()), made + int(possible.sum())
        right, steps = right + int(good.sum()), steps + len(good)
        wrong = set(of_N[~good].tolist())
        programs += len(batch.target_BT) - len(wrong)
    return {
        "loss": round(total / max(made, 1), 5), "steps": round(right / max(steps, 1), 5),
        "programs": round(programs / max(len(rows), 1), 5),
    }  # fmt: skip


def sides(model: TreeGen, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """(log mass of what is right, largest log mass of what is wrong, number of the example), by step. Each is (N,)."""
    h_BTD, y_BLD = model(batch.words, batch.rules)
    b, t = torch.nonzero(batch.target_BT != IGNORED, as_tuple=True)
    masses = model.masses(h_BTD[b, t], y_BLD[b], batch.words.real_BL[b], batch.rules.tag_BT[b, t])
    target_N, right_NL = batch.target_BT[b, t], batch.right_BTL[b, t]
    known = torch.nonzero(target_N != COPIED)[:, 0]
    class_NC = masses.class_NC.clone()
    found_N = torch.full_like(class_NC[:, 0], -torch.inf)
    found_N[known] = class_NC[known, target_N[known]]
    class_NC[known, target_N[known]] = -torch.inf
    copy_N = torch.logsumexp(masses.copy_NL.masked_fill(~right_NL, -torch.inf), -1)
    wrong_NL = masses.copy_NL.masked_fill(right_NL, -torch.inf)
    others_N = torch.maximum(class_NC.max(-1).values, wrong_NL.max(-1).values)
    return torch.logaddexp(found_N, copy_N), others_N, b


def digest_of(examples: Sequence[Example]) -> str:
    """A fingerprint of descriptions and programs."""
    text = json.dumps([[e.description.words, e.source] for e in examples], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load_run(folder: Path, weights: str = BEST) -> tuple[TreeGen, Vocabulary, dict[str, Any]]:
    """The trained model of a run, its vocabulary and its configuration. ValueError or OSError when there is none."""
    config = RunFolder(folder).config(FAMILY)
    vocabulary = vocabulary_from_json(config["vocabulary"])
    model = TreeGen(TreeGenConfig(**config["model"]), vocabulary)
    model.load_state_dict(torch.load(folder / weights, weights_only=True, map_location="cpu"))
    model.eval()
    return model, vocabulary, config
