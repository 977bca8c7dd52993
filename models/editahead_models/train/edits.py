"""Train the implicit-attention model on mined edits: seeded, resumable, with a budget in steps and in minutes."""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from editahead.encode.edit_model.vocabulary import EditVocab
from torch import Tensor

from editahead_models.data.edit_batches import ShardFile, TextFeatures, batches, build_vocab
from editahead_models.evaluate.edits import teacher_forced
from editahead_models.families.implicit_attention import ImplicitAttention, ImplicitConfig


@dataclass(frozen=True)
class EditRecipe:
    """Everything that a run depends on besides its data.

    The learning rate falls as a cosine over steps or minutes, whichever is further on.
    """

    vocab: int = 5000
    dim: int = 160
    tokens: int = 10240
    max_edits: int = 40
    patterns: float = 0.25
    steps: int = 8000
    minutes: float = 1e9
    rate: float = 1.2e-3
    warmup: int = 200
    clip: float = 1.0
    decay: float = 0.01
    seed: int = 11
    evaluate_every: int = 600
    dev_instances: int = 600
    threads: int = 1
    bfloat16: bool = True


def load_shards(folder: Path, table: dict[str, int]) -> list[ShardFile]:
    """All shards of a folder in name order."""
    return [ShardFile(path, table) for path in sorted(folder.glob("*.npz"))]


def tensors(batch: dict[str, Any]) -> dict[str, Tensor]:
    """A batch for torch."""
    return {name: torch.from_numpy(array) for name, array in batch.items()}


def dev_batches(shards: list[ShardFile], features: TextFeatures, recipe: EditRecipe) -> list[dict[str, Tensor]]:
    """A fixed sample of dev instances."""
    taken: list[dict[str, Tensor]] = []
    count = 0
    for batch in batches(shards, features, tokens=recipe.tokens, max_edits=recipe.max_edits, seed=5, epoch=0):
        taken.append(tensors(batch))
        count += len(batch["tok"])
        if count >= recipe.dev_instances:
            break
    return taken


def learning_rate(recipe: EditRecipe, step: int, minutes: float) -> float:
    """Linear warm-up, then a cosine down to 2 % of the peak."""
    done = min(1.0, max(step / recipe.steps, minutes / recipe.minutes))
    return recipe.rate * min(1.0, (step + 1) / recipe.warmup) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))


def save_checkpoint(
    path: Path, model: ImplicitAttention, optimizer: torch.optim.Optimizer, state: dict[str, Any]
) -> None:
    """Write atomically: a run that dies while saving keeps the checkpoint before."""
    part = path.with_suffix(".part")
    torch.save(
        {
            "model": model.state_dict(),
            "config": model.config.to_dict(),
            "optimizer": optimizer.state_dict(),
            "state": state,
        },
        part,
    )
    part.replace(path)


def load_model(run: Path, name: str = "last.pt") -> tuple[ImplicitAttention, EditVocab, dict[str, Any]]:
    """A trained model of a run folder, its vocabulary, and the training state."""
    saved = torch.load(run / name, weights_only=True, map_location="cpu")
    model = ImplicitAttention(ImplicitConfig(**saved["config"]))
    model.load_state_dict(saved["model"])
    model.eval()
    return model, EditVocab(json.loads((run / "vocab.json").read_text())["tokens"]), saved["state"]


def _endless(
    shards: list[ShardFile], features: TextFeatures, recipe: EditRecipe, epoch: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number in itertools.count(epoch):
        for batch in batches(
            shards,
            features,
            tokens=recipe.tokens,
            max_edits=recipe.max_edits,
            seed=recipe.seed,
            epoch=number,
            patterns=recipe.patterns,
        ):
            yield number, batch


def train(data: Path, run: Path, recipe: EditRecipe, initial: Path | None = None) -> dict[str, float]:
    """Train on `data`/train, watch `data`/dev, write `run`/last.pt; goes on from there when it exists.

    `initial` is a finished run: a new one starts with its weights and its vocabulary.
    """
    from rich.progress import Progress

    torch.set_num_threads(recipe.threads)
    random.seed(recipe.seed)
    np.random.seed(recipe.seed)
    torch.manual_seed(recipe.seed)
    run.mkdir(parents=True, exist_ok=True)
    if initial is not None and not (run / "vocab.json").exists():
        (run / "vocab.json").write_bytes((initial / "vocab.json").read_bytes())
    table: dict[str, int] = {}
    shards = load_shards(data / "train", table)
    listed = len(table)
    vocab = _vocabulary(run, shards, dict(itertools.islice(table.items(), listed)), recipe.vocab)
    dev = load_shards(data / "dev", table)
    features = TextFeatures(table, vocab)
    model = ImplicitAttention(ImplicitConfig.product(len(vocab), recipe.dim))
    if initial is not None:
        model.load_state_dict(load_model(initial)[0].state_dict())
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), eps=1e-8, weight_decay=recipe.decay, foreach=True
    )
    state: dict[str, Any] = {"step": 0, "epoch": 0, "minutes": 0.0, "edits": 0, "recipe": asdict(recipe), "history": []}
    if (run / "last.pt").exists():
        saved = torch.load(run / "last.pt", weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        state = saved["state"]
    watched = dev_batches(dev, features, recipe)
    log = (run / "log.jsonl").open("a")
    begun, before = time.monotonic(), state["minutes"]
    running, metrics = 0.0, dict[str, float]()
    with Progress() as progress:
        bar = progress.add_task("training", total=recipe.steps, completed=state["step"])
        for epoch, batch in _endless(shards, features, recipe, state["epoch"] + bool(state["step"])):
            minutes = before + (time.monotonic() - begun) / 60
            if state["step"] >= recipe.steps or minutes >= recipe.minutes:
                break
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(recipe, state["step"], minutes)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=recipe.bfloat16):
                loss, _ = model.loss(tensors(batch))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            if torch.isfinite(norm):
                optimizer.step()
            state |= {"step": state["step"] + 1, "epoch": epoch, "minutes": minutes}
            state["edits"] += int(batch["edit_mask"].sum())
            running = float(loss.detach()) if not running else 0.98 * running + 0.02 * float(loss.detach())
            progress.update(bar, completed=state["step"])
            if state["step"] % 50 == 0:
                _write(log, {k: state[k] for k in ("step", "epoch", "minutes", "edits")} | {"loss": round(running, 4)})
            if state["step"] % recipe.evaluate_every == 0:
                metrics = teacher_forced(model, watched)
                state["history"].append({"step": state["step"], **metrics})
                _write(log, {"step": state["step"], "dev": {k: round(v, 4) for k, v in metrics.items()}})
                save_checkpoint(run / "last.pt", model, optimizer, state)
    metrics = teacher_forced(model, watched)
    state["history"].append({"step": state["step"], **metrics})
    _write(log, {"step": state["step"], "final": {k: round(v, 4) for k, v in metrics.items()}})
    save_checkpoint(run / "last.pt", model, optimizer, state)
    return metrics


def _vocabulary(run: Path, shards: list[ShardFile], table: dict[str, int], size: int) -> EditVocab:
    path = run / "vocab.json"
    if path.exists():
        return EditVocab(json.loads(path.read_text())["tokens"])
    vocab = build_vocab(shards, table, size)
    path.write_text(json.dumps({"tokens": vocab.tokens}, ensure_ascii=False))
    return vocab


def _write(log: Any, record: dict[str, Any]) -> None:
    log.write(json.dumps(record) + "\n")
    log.flush()
