"""Train the implicit-attention model on mined edits: seeded, in stages, with a budget in token edits."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from editahead.encode.edit_model.tokens import EditVocab
from torch import Tensor

from editahead_models.data.edits.batches import TextFeatures
from editahead_models.data.edits.samples import ShardFile, build_vocab, load_shards
from editahead_models.data.edits.stream import EditStream, StreamSettings, dev_batches
from editahead_models.evaluate.edit_models.accuracy import teacher_forced
from editahead_models.families.implicit_attention import ImplicitAttention
from editahead_models.families.implicit_config import ImplicitConfig
from editahead_models.layers.precision import product_type
from editahead_models.train.budget import Limit, Stage, learn
from editahead_models.train.checkpoints import Checkpoints, Progress
from editahead_models.train.run_log import RunLog
from editahead_models.train.schedule import Schedule

CONFIG, VOCAB = "config.json", "vocab.json"


@dataclass(frozen=True)
class EditRecipe:
    """Everything that a run depends on besides its data. `tokens` is its budget in token edits."""

    tokens: int = 3_750_000
    vocab: int = 5000
    dim: int = 160
    identities: int = 512
    window: int = 320  # tokens of a window at most, as they were mined
    served_window: int | None = None  # of a request, and of the dev figures
    batch_tokens: int = 10_240
    max_edits: int = 40
    patterns: float = 0.25
    rate: float = 1.2e-3
    warmup: int = 100_000
    decay_share: float = 0.15
    clip: float = 1.0
    weight_decay: float = 0.01
    seed: int = 11
    dev_instances: int = 600
    evaluate_every: int = 500_000
    checkpoint_every_s: float = 240.0
    log_every: int = 20_000
    threads: int = 1

    @property
    def schedule(self) -> Schedule:
        """The learning rate over the budget."""
        return Schedule(self.tokens, self.warmup, self.decay_share)

    def stream(self) -> StreamSettings:
        """How sequences are drawn."""
        return StreamSettings(self.batch_tokens, self.max_edits, self.patterns, self.identities, self.seed)

    def config(self, vocab: int) -> ImplicitConfig:
        """The shape of the network."""
        return ImplicitConfig.product(vocab, self.dim, identities=self.identities, max_state=max(512, self.window + 16))


def edit_recipe(settings: Mapping[str, Any]) -> EditRecipe:
    """A recipe from the sections of its file, merged. ValueError, one line, for a setting that it has not."""
    unknown = set(settings) - {entry.name for entry in fields(EditRecipe)}
    if unknown:
        raise ValueError(f"unknown settings of an edit model: {', '.join(sorted(unknown))}")
    plain: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()}
    return EditRecipe(**plain)


class EditCorpus:
    """The shards of a recipe in memory, with its vocabulary, which is made once and kept in the run's folder."""

    def __init__(self, data: Path, recipe: EditRecipe, run: Path) -> None:
        self._table: dict[str, int] = {}
        self.train = load_shards(data / "train", self._table)
        listed = len(self._table)
        path = run / VOCAB
        if not path.exists():
            table = dict(itertools.islice(self._table.items(), listed))
            path.write_text(json.dumps({"tokens": list(build_vocab(self.train, table, recipe.vocab).tokens)}))
        self.vocab = EditVocab(json.loads(path.read_text())["tokens"])
        self.dev = load_shards(data / "dev", self._table)
        self.features = TextFeatures(self._table, self.vocab)


def tensors(batch: Mapping[str, Any], device: str = "cpu") -> dict[str, Tensor]:
    """A batch for torch."""
    return {name: torch.from_numpy(array).to(device) for name, array in batch.items()}


def data_hash(data: Path) -> str:
    """A digest of what was mined: all shards of train and dev."""
    found = [json.loads(path.read_text()) for split in ("train", "dev") for path in (data / split).glob("*.json")]
    sums = sorted(record["sha256"] for record in found if "sha256" in record)
    return hashlib.sha256("".join(sums).encode()).hexdigest()[:16]


def load_model(run: Path, name: str = "checkpoint.pt") -> tuple[ImplicitAttention, EditVocab, dict[str, Any]]:
    """A trained model of a run folder, its vocabulary, and where it stands."""
    described = json.loads((run / CONFIG).read_text())
    saved = torch.load(run / name, weights_only=True, map_location="cpu")
    model = ImplicitAttention(ImplicitConfig(**described["model"]))
    model.load_state_dict(saved["model"])
    model.eval()
    return model, EditVocab(json.loads((run / VOCAB).read_text())["tokens"]), {**described, **saved["progress"]}


def train(data: Path, run: Path, recipe: EditRecipe, *, limit: Limit | None = None, device: str = "cpu") -> Stage:
    """Train until `recipe.tokens` edits are learnt or `limit` is over; goes on from the last checkpoint in `run`.

    A larger budget goes on from the checkpoint before the decay. ValueError where the folder holds another network.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    run.mkdir(parents=True, exist_ok=True)
    corpus = EditCorpus(data, recipe, run)
    model = ImplicitAttention(recipe.config(len(corpus.vocab))).to(device)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), eps=1e-8, weight_decay=recipe.weight_decay, foreach=True
    )
    _describe(run, model, recipe)
    settings = recipe.stream()
    stream = EditStream(corpus.train, corpus.features, settings)
    checkpoints = Checkpoints(run, model, optimiser, stream)
    progress = checkpoints.resume(recipe.tokens)
    watched = dev_batches(corpus.dev, corpus.features, settings, recipe.dev_instances, recipe.served_window)
    log = RunLog(run / "log.jsonl", data_hash(data), _edits_of(corpus.train), progress.tokens)
    return learn(
        (tensors(batch, device) for batch in stream),
        lambda batch: (update(model, optimiser, batch, progress, recipe), int(batch["edit_mask"].sum())),
        lambda: teacher_forced(model, (tensors(one, device) for one in watched)),
        recipe, checkpoints, progress, log, limit,
    )  # fmt: skip


def update(
    model: ImplicitAttention,
    optimiser: torch.optim.Optimizer,
    batch: dict[str, Tensor],
    progress: Progress,
    recipe: EditRecipe,
) -> float:
    """One step of the optimiser: the mean loss of an edit in nats; `progress` moves on."""
    for group in optimiser.param_groups:
        group["lr"] = recipe.rate * recipe.schedule.factor(progress.tokens)
    device = batch["tok"].device.type
    kind = product_type(device)
    with torch.autocast(device, torch.bfloat16, enabled=kind == torch.bfloat16):
        loss, _ = model.loss(batch)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    if math.isfinite(float(norm)):
        optimiser.step()
    progress.tokens += int(batch["edit_mask"].sum())
    progress.step += 1
    return float(loss.detach())


def _describe(run: Path, model: ImplicitAttention, recipe: EditRecipe) -> None:
    described = {"family": "implicit-attention", "model": model.config.to_dict(), "recipe": asdict(recipe)}
    path = run / CONFIG
    if path.exists() and json.loads(path.read_text())["model"] != described["model"]:
        raise ValueError(f"{run}: holds a network of another shape; choose another folder")
    path.write_text(json.dumps(described, indent=1))


def _edits_of(shards: list[ShardFile]) -> int:
    return int(np.sum([len(shard.anchor) for shard in shards]))
