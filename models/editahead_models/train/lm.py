"""Train a sparse pointer network on an encoded corpus. Seeded, resumable, one JSON line of progress at a time."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from rich.progress import Progress, TextColumn

from editahead_models.data.lm_batches import LmBatch, batches
from editahead_models.data.lm_corpus import load_files
from editahead_models.evaluate.lm import evaluate, reset
from editahead_models.families.spn import Spn, SpnConfig, mixture_log_likelihood


@dataclass(frozen=True)
class LmRecipe:
    """All that a run depends on besides the data. `tokens` ends the run; the schedule is a function of it."""

    tokens: int = 25_000_000
    lanes: int = 32
    steps: int = 64
    learning_rate: float = 2e-3
    final_share: float = 0.05
    warmup_share: float = 0.02
    weight_decay: float = 0.01
    clip: float = 1.0
    always: int = 1000  # most frequent symbols, in every step's softmax
    sampled: int = 600  # of the others, drawn anew each step
    full_softmax_share: float = 0.2  # of the run, at its end
    seed: int = 1
    threads: int = 1
    dev_tokens: int = 60_000
    evaluate_every: int = 2_500_000
    checkpoint_every_s: int = 300


def train(data: Path, out: Path, recipe: LmRecipe, config: SpnConfig | None = None) -> dict[str, float]:
    """Train until `recipe.tokens`; returns the last dev metrics. Continues from `out`/checkpoint.pt when it exists."""
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    out.mkdir(parents=True, exist_ok=True)
    vocab_size = len(json.loads((data / "vocab.json").read_text())["symbols"])
    config = config or SpnConfig(vocab=vocab_size)
    model = Spn(config)
    (out / "config.json").write_text(json.dumps({"model": config.to_json(), "recipe": asdict(recipe)}, indent=1))
    optimiser = torch.optim.AdamW(
        _groups(model, recipe.weight_decay), lr=recipe.learning_rate, betas=(0.9, 0.99), fused=True
    )
    train_files = load_files(data / "train")
    dev_files = load_files(data / "dev", max_tokens=recipe.dev_tokens)
    log = (out / "log.jsonl").open("a")
    done = skip = 0
    if (out / "checkpoint.pt").exists():
        saved = torch.load(out / "checkpoint.pt", weights_only=True)
        missing = model.load_state_dict(saved["model"], strict=False).missing_keys
        if not missing:  # a model that has grown since keeps its weights and starts with fresh moments
            optimiser.load_state_dict(saved["optimiser"])
        done, skip = saved["tokens"], saved["batches"]
    state = model.start(recipe.lanes)
    seen_batches, started, at_start = 0, time.monotonic(), done
    next_evaluation = (done // recipe.evaluate_every + 1) * recipe.evaluate_every
    last_save = time.monotonic()
    running, running_n = 0.0, 0
    metrics: dict[str, float] = {}
    model.train()
    bar = Progress(*Progress.get_default_columns(), TextColumn("{task.fields[note]}"))
    task = bar.add_task("training", total=recipe.tokens, completed=done, note="")
    bar.start()
    for batch in _epochs(train_files, recipe, config.slots):
        seen_batches += 1
        if seen_batches <= skip:
            continue
        for group in optimiser.param_groups:
            group["lr"] = recipe.learning_rate * _schedule(done / recipe.tokens, recipe)
        state = reset(state.detach(), batch.fresh_B)
        output, state = model(batch.chunk, state)
        n = int(batch.scored_BT.sum())
        # Sampled columns first, the full softmax at the end, so that probabilities end up as likelihoods.
        extra = recipe.sampled if done < recipe.tokens * (1 - recipe.full_softmax_share) else 0
        log_y = model.log_generate(output, batch.target_BT, always=recipe.always, extra=extra)
        log_p = mixture_log_likelihood(output, log_y, batch.target_BT, batch.match_BTK)
        loss = -(log_p * batch.scored_BT).sum() / n
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimiser.step()
        done += n
        running, running_n = running + float(loss.detach()) * n, running_n + n
        finished = done >= recipe.tokens
        if running_n >= 250_000 or finished:
            speed = (done - at_start) / (time.monotonic() - started)
            _log(log, {"tokens": done, "loss": running / running_n, "tokens_per_s": speed})
            bar.update(task, completed=done, note=f"loss {running / running_n:.3f}")
            running, running_n = 0.0, 0
        if done >= next_evaluation or finished:
            next_evaluation += recipe.evaluate_every
            dev = batches(dev_files, lanes=16, steps=recipe.steps, slots=config.slots, seed=None)
            metrics = evaluate(model, dev, 16, config.slots, limit=recipe.dev_tokens)
            _log(log, {"tokens": done, "dev": metrics})
        if time.monotonic() - last_save > recipe.checkpoint_every_s or finished:
            last_save = time.monotonic()
            _save(out / "checkpoint.pt", model, optimiser, done, seen_batches)
        if finished:
            break
    bar.stop()
    torch.save(model.state_dict(), out / "model.pt")
    return metrics


def _epochs(files: list, recipe: LmRecipe, slots: int) -> Iterator[LmBatch]:  # type: ignore[type-arg]
    epoch = 0
    while True:
        yield from batches(files, lanes=recipe.lanes, steps=recipe.steps, slots=slots, seed=recipe.seed * 1000 + epoch)
        epoch += 1


def _schedule(share: float, recipe: LmRecipe) -> float:
    if share < recipe.warmup_share:
        return (share + 1e-3) / recipe.warmup_share
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, (share - recipe.warmup_share) / (1 - recipe.warmup_share))))
    return recipe.final_share + (1 - recipe.final_share) * cosine


def _groups(model: Spn, weight_decay: float) -> list[dict[str, object]]:
    """No decay on biases and embeddings."""
    decayed = [
        p for name, p in model.named_parameters() if p.ndim > 1 and not name.startswith(("word", "kind", "part"))
    ]
    ids = {id(p) for p in decayed}
    rest = [p for p in model.parameters() if id(p) not in ids]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def _save(path: Path, model: Spn, optimiser: torch.optim.Optimizer, tokens: int, batches_done: int) -> None:
    temporary = path.with_suffix(".tmp")
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "tokens": tokens, "batches": batches_done},
        temporary,
    )
    temporary.replace(path)


def _log(file, entry: dict[str, object]) -> None:  # type: ignore[no-untyped-def]
    file.write(json.dumps({"time": time.time(), **entry}) + "\n")
    file.flush()
