"""Train a speller on collected spellings. Seeded, resumable, one JSON line of progress at a time."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.name_pieces import Pieces

from editahead_models.data.spelling.batches import PieceTable, batches, usable
from editahead_models.data.spelling.pieces import learn_pieces
from editahead_models.data.spelling.spellings import Spellings, load, load_names
from editahead_models.families.speller import Speller, SpellerConfig


@dataclass(frozen=True)
class SpellerRecipe:
    """All that a run depends on besides the data."""

    pieces: int = 4000
    epochs: float = 3.0
    size: int = 64
    learning_rate: float = 2e-3
    final_share: float = 0.03
    warmup_share: float = 0.03
    weight_decay: float = 0.02
    clip: float = 1.0
    state_noise: float = 0.1  # dropout of the language model's state: training projects are known to it
    seed: int = 1
    threads: int = 1
    dev_names: int = 6000
    log_every: int = 100
    checkpoint_every_s: int = 120


def train(data: Path, out: Path, recipe: SpellerRecipe, config: SpellerConfig) -> dict[str, float]:
    """Train; returns the dev metrics. Continues from `out`/checkpoint.pt when it exists."""
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    out.mkdir(parents=True, exist_ok=True)
    examples, dev, names = load(data, "train"), load(data, "dev"), load_names(data)
    if (out / "pieces.json").exists():
        pieces = Pieces(json.loads((out / "pieces.json").read_text()))
    else:
        said = np.unique(np.concatenate([examples.name, examples.recent[examples.recent >= 0]]))
        pieces = learn_pieces([names[n] for n in said.tolist()], recipe.pieces)  # every name once: words, not habits
        (out / "pieces.json").write_text(json.dumps(pieces.texts[1:]))
    (out / "config.json").write_text(json.dumps({"model": config.to_json(), "recipe": asdict(recipe)}, indent=1))
    table = PieceTable(names, pieces)
    rows, dev_rows = usable(examples, table), usable(dev, table)[: recipe.dev_names]
    model = Speller(config, pieces.texts)
    with torch.no_grad():  # begin at the frequencies of pieces
        model.bias.copy_(table.frequencies(examples.name[rows]).log())
    groups = _groups(model, recipe.weight_decay)
    optimiser = torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.99), fused=True)
    steps = int(recipe.epochs * math.ceil(len(rows) / recipe.size))
    done = 0
    if (out / "checkpoint.pt").exists():
        saved = torch.load(out / "checkpoint.pt", weights_only=True)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        done = saved["steps"]
    log = (out / "log.jsonl").open("a")
    started, last_save, at_start = time.monotonic(), time.monotonic(), done
    running, running_n = 0.0, 0
    per_epoch = math.ceil(len(rows) / recipe.size)
    metrics: dict[str, float] = {}
    model.train()
    while done < steps:
        epoch, skip = divmod(done, per_epoch)
        numbered = enumerate(
            batches(examples, rows, table, size=recipe.size, recent=config.recent, parts=config.parts,
                    seed=recipe.seed * 1000 + epoch)
        )  # fmt: skip
        for number, batch in numbered:
            if number < skip:
                continue
            for group in optimiser.param_groups:
                group["lr"] = recipe.learning_rate * _schedule(done / steps, recipe)
            state_BD = torch.nn.functional.dropout(batch.state_BD, recipe.state_noise)
            log_p_R = model.log_likelihood(state_BD, batch.target_BT, batch.real_BT, batch.memory)
            loss = -log_p_R.sum() / len(batch.rows_B)  # nats a name
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            optimiser.step()
            done += 1
            running, running_n = running + float(loss.detach()), running_n + 1
            if done % recipe.log_every == 0 or done >= steps:
                speed = (done - at_start) * recipe.size / (time.monotonic() - started)
                _log(log, {"step": done, "of": steps, "bits": running / running_n / math.log(2), "names_per_s": speed})
                running, running_n = 0.0, 0
            if time.monotonic() - last_save > recipe.checkpoint_every_s or done >= steps:
                last_save = time.monotonic()
                _save(out / "checkpoint.pt", model, optimiser, done)
            if done >= steps:
                break
        metrics = bits_per_name(model, dev, dev_rows, table)
        _log(log, {"step": done, "dev": metrics})
    torch.save(model.state_dict(), out / "model.pt")
    return metrics


@torch.no_grad()
def bits_per_name(
    model: Speller, examples: Spellings, rows: npt.NDArray[np.int64], table: PieceTable, *, forget: bool = False
) -> dict[str, float]:
    """Bits per name and per piece, end included. `forget` empties the memory. `rows` is (N,)."""
    was_training = model.training
    model.eval()
    total, pieces = 0.0, 0
    config = model.config
    for batch in batches(examples, rows, table, size=512, recent=config.recent, parts=config.parts, seed=None):
        memory = None if forget else batch.memory
        total -= float(model.log_likelihood(batch.state_BD, batch.target_BT, batch.real_BT, memory).double().sum())
        pieces += int(batch.real_BT.sum())
    model.train(was_training)
    bits = total / math.log(2)
    return {"bits a name": bits / max(1, len(rows)), "bits a piece": bits / max(1, pieces), "names": float(len(rows))}


def _schedule(share: float, recipe: SpellerRecipe) -> float:
    if share < recipe.warmup_share:
        return (share + 1e-3) / recipe.warmup_share
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, (share - recipe.warmup_share) / (1 - recipe.warmup_share))))
    return recipe.final_share + (1 - recipe.final_share) * cosine


def _groups(model: Speller, weight_decay: float) -> list[dict[str, object]]:
    """No decay on biases and embeddings."""
    tables = {id(module.weight) for module in model.modules() if isinstance(module, torch.nn.Embedding)}
    decayed = [p for p in model.parameters() if p.ndim > 1 and id(p) not in tables]
    rest = [p for p in model.parameters() if p.ndim <= 1 or id(p) in tables]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def _save(path: Path, model: Speller, optimiser: torch.optim.Optimizer, steps: int) -> None:
    temporary = path.with_suffix(".tmp")
    torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "steps": steps}, temporary)
    temporary.replace(path)


def _log(file: TextIO, entry: dict[str, object]) -> None:
    file.write(json.dumps({"time": time.time(), **entry}) + "\n")
    file.flush()
