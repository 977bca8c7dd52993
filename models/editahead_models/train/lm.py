"""Train a neural language model on an encoded corpus. Seeded, resumable, one JSON line of progress at a time."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.lm import NO_TARGET
from rich.progress import Progress, TextColumn
from torch import Tensor

from editahead_models.data.lm_batches import LmBatch, Shape, batches
from editahead_models.data.lm_corpus import FileArrays, load_files
from editahead_models.data.name_views import View, view_of
from editahead_models.evaluate.lm import measure
from editahead_models.families.mixture import (
    MixtureOutput,
    NeuralLanguageModel,
    detached,
    masked_copy_log_likelihood,
    mixture_log_likelihood,
    reset,
    weighted_cross_entropy,
)
from editahead_models.families.registry import build, settings_of

OBJECTIVES = ("mixture", "weighted_ce", "masked_copy")
EVALUATION_LANES = 16


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
    sampled: int = 600  # of the others, drawn anew each step; 0: the full softmax throughout
    full_softmax_share: float = 0.2  # of the run, at its end
    names: str = "spelled"  # see data.name_views
    vocabulary: int | None = None  # symbols; None: all that were prepared
    number_width: int | None = None  # of numbered names, see data.name_views
    objective: str = "mixture"
    rho: float = 0.0  # of the objective masked_copy
    broken: bool = False  # some files as somebody still typing sees them
    vectors: bool = False  # begin with word vectors learnt on the same files
    seed: int = 1
    threads: int = 1
    dev_tokens: int = 60_000
    evaluate_every: int = 2_500_000
    checkpoint_every_s: int = 300
    log_every: int = 250_000


def train(
    data: Path, out: Path, recipe: LmRecipe, settings: dict[str, Any] | None = None, family: str = "spn"
) -> dict[str, float]:
    """Train until `recipe.tokens`; returns the last dev metrics. Continues from `out`/checkpoint.pt when it exists."""
    if recipe.objective not in OBJECTIVES:
        raise ValueError(f"objective must be one of {', '.join(OBJECTIVES)}, found {recipe.objective!r}")
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    out.mkdir(parents=True, exist_ok=True)
    train_files = load_files(data / "train", broken=data / "train-broken" if recipe.broken else None)
    dev_files = load_files(data / "dev", max_tokens=recipe.dev_tokens)
    view = corpus_view(data, recipe, train_files)
    vectors = _vectors(train_files, view, settings or {}, recipe.seed) if recipe.vectors else None
    model = build(family, view.size, settings or {}, vectors)
    begin_at_frequencies(model, target_counts(train_files, view))
    shape = shape_of(model, recipe.lanes, recipe.steps)
    described = {"family": family, "model": settings_of(model), "recipe": asdict(recipe)}
    (out / "config.json").write_text(json.dumps(described, indent=1))
    optimiser = torch.optim.AdamW(
        _groups(model, recipe.weight_decay), lr=recipe.learning_rate, betas=(0.9, 0.99), fused=True
    )
    log = (out / "log.jsonl").open("a")
    done = skip = 0
    if (out / "checkpoint.pt").exists():
        saved = torch.load(out / "checkpoint.pt", weights_only=True)
        missing = model.load_state_dict(saved["model"], strict=False).missing_keys
        if not missing:  # a model that has grown since keeps its weights and starts with fresh moments
            optimiser.load_state_dict(saved["optimiser"])
        done, skip = saved["tokens"], saved["batches"]
    state = model.start(recipe.lanes)
    seen_batches, spent, at_start = 0, time.process_time(), done
    next_evaluation = (done // recipe.evaluate_every + 1) * recipe.evaluate_every
    last_save = time.monotonic()
    running, running_n = 0.0, 0
    metrics: dict[str, float] = {}
    model.train()
    bar = Progress(*Progress.get_default_columns(), TextColumn("{task.fields[note]}"))
    task = bar.add_task("training", total=recipe.tokens, completed=done, note="")
    bar.start()
    for batch in _epochs(train_files, recipe, shape, view):
        seen_batches += 1
        if seen_batches <= skip:
            continue
        for group in optimiser.param_groups:
            group["lr"] = recipe.learning_rate * _schedule(done / recipe.tokens, recipe)
        output, state = model(batch.chunk, reset(detached(state), batch.fresh_B))
        n = int(batch.scored_BT.sum())
        # Sampled columns first, the full softmax at the end, so that probabilities end up as likelihoods.
        extra = recipe.sampled if done < recipe.tokens * (1 - recipe.full_softmax_share) else 0
        log_y = model.log_generate(output, batch.target_BT, always=recipe.always, extra=extra)
        loss = -(_objective(recipe, output, log_y, batch) * batch.scored_BT).sum() / n
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimiser.step()
        done += n
        running, running_n = running + float(loss.detach()) * n, running_n + n
        finished = done >= recipe.tokens
        if running_n >= recipe.log_every or finished:
            # Seconds of the processor, evaluation left out: what other programs take meanwhile does not count.
            speed = (done - at_start) / max(1e-9, time.process_time() - spent)
            _log(log, {"tokens": done, "loss": running / running_n, "tokens_per_cpu_s": speed})
            bar.update(task, completed=done, note=f"loss {running / running_n:.3f}")
            running, running_n = 0.0, 0
        if done >= next_evaluation or finished:
            paused = time.process_time()
            next_evaluation += recipe.evaluate_every
            metrics = dev_metrics(model, dev_files, shape, view, recipe.dev_tokens)
            _log(log, {"tokens": done, "dev": metrics})
            spent += time.process_time() - paused
        if time.monotonic() - last_save > recipe.checkpoint_every_s or finished:
            last_save = time.monotonic()
            _save(out / "checkpoint.pt", model, optimiser, done, seen_batches)
        if finished:
            break
    bar.stop()
    torch.save(model.state_dict(), out / "model.pt")
    return metrics


def corpus_view(data: Path, recipe: LmRecipe, train_files: Sequence[FileArrays]) -> View:
    """How the recipe shows names, over a prepared corpus."""
    symbols = json.loads((data / "vocab.json").read_text())["symbols"]
    return view_of(recipe.names, symbols, recipe.vocabulary or len(symbols), train_files, width=recipe.number_width)


def shape_of(model: NeuralLanguageModel, lanes: int, steps: int, slots: int | None = None) -> Shape:
    """The layout of batches that a model reads; `slots` for another memory length than it was trained with."""
    own = getattr(model.config, "slots", 0)
    memory = getattr(model.config, "memory", "last_tokens")
    return Shape(lanes, steps, (slots or own) if own else 0, memory, getattr(model.config, "echo", False))


def dev_metrics(
    model: NeuralLanguageModel, files: Sequence[FileArrays], shape: Shape, view: View, limit: int
) -> dict[str, float]:
    """Figures on dev files, every lane in file order."""
    wide = Shape(EVALUATION_LANES, shape.steps, shape.slots, shape.memory, shape.echo)
    found = measure(model, batches(files, wide, seed=None, view=view.see), EVALUATION_LANES, shape.slots, limit)
    return found.report()


def _objective(recipe: LmRecipe, output: MixtureOutput, log_y_BT: Tensor, batch: LmBatch) -> Tensor:
    if recipe.objective == "weighted_ce":
        return weighted_cross_entropy(output, log_y_BT, batch.match_BTK)
    if recipe.objective == "masked_copy":
        return masked_copy_log_likelihood(output, log_y_BT, batch.target_BT, batch.match_BTK, recipe.rho)
    return mixture_log_likelihood(output, log_y_BT, batch.target_BT, batch.match_BTK)


def target_counts(files: Sequence[FileArrays], view: View, limit: int = 1_000_000) -> npt.NDArray[np.int64]:
    """How often each symbol is a target (V,), over the first `limit` tokens or so."""
    counts = np.zeros(view.size, np.int64)
    for number, file in enumerate(files):
        target = view.see(file, number).target
        counts += np.bincount(target[target != NO_TARGET], minlength=view.size)
        if counts.sum() >= limit:
            break
    return counts


@torch.no_grad()
def begin_at_frequencies(model: NeuralLanguageModel, counts_V: npt.NDArray[np.int64]) -> None:
    """Start the output bias at ln frequency. Otherwise the first steps push every unit towards frequent symbols, and
    models with a tanh before the softmax stay saturated for hundreds of thousands of tokens."""
    share = (counts_V + 1) / (counts_V.sum() + len(counts_V))
    model.output_layer[1].copy_(torch.from_numpy(np.log(share)))


def _vectors(files: Sequence[FileArrays], view: View, settings: dict[str, Any], seed: int) -> Tensor:
    from editahead_models.data.word_vectors import train_vectors

    streams = [view.see(file, number).word for number, file in enumerate(files)]
    found = train_vectors(streams, view.size, int(settings.get("hidden", 200)), seed, epochs=1)
    return torch.from_numpy(found.filled(seed))


def _epochs(files: Sequence[FileArrays], recipe: LmRecipe, shape: Shape, view: View) -> Iterator[LmBatch]:
    epoch = 0
    while True:
        yield from batches(files, shape, seed=recipe.seed * 1000 + epoch, view=view.see)
        epoch += 1


def _schedule(share: float, recipe: LmRecipe) -> float:
    if share < recipe.warmup_share:
        return (share + 1e-3) / recipe.warmup_share
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, (share - recipe.warmup_share) / (1 - recipe.warmup_share))))
    return recipe.final_share + (1 - recipe.final_share) * cosine


def _groups(model: NeuralLanguageModel, weight_decay: float) -> list[dict[str, object]]:
    """No decay on biases and embeddings."""
    learnt = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    decayed = [p for name, p in learnt if p.ndim > 1 and not name.startswith(("word", "kind", "part"))]
    ids = {id(p) for p in decayed}
    rest = [p for _, p in learnt if id(p) not in ids]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def _save(
    path: Path, model: NeuralLanguageModel, optimiser: torch.optim.Optimizer, tokens: int, batches_done: int
) -> None:
    temporary = path.with_suffix(".tmp")
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "tokens": tokens, "batches": batches_done},
        temporary,
    )
    temporary.replace(path)


def _log(file: TextIO, entry: dict[str, object]) -> None:
    file.write(json.dumps({"time": time.time(), **entry}) + "\n")
    file.flush()
