"""Train a neural language model on an encoded corpus. Seeded, resumable, one JSON line of progress at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.encoder import NO_TARGET
from editahead.runtime.bundle import Bundle
from torch import Tensor

from editahead_models.data.corpus.batches import BatchStream, LmBatch, Shape, batches
from editahead_models.data.corpus.encoded_files import FileArrays, load_files
from editahead_models.data.corpus.name_views import View, view_of
from editahead_models.evaluate.language_models.metrics import measure
from editahead_models.export.bundle_network import network_of
from editahead_models.families.mixture import (
    MixtureOutput,
    NeuralLanguageModel,
    detached,
    masked_copy_log_likelihood,
    mixture_log_likelihood,
    reset,
    single_precision,
    weighted_cross_entropy,
)
from editahead_models.families.registry import build, settings_of
from editahead_models.layers.precision import product_type
from editahead_models.train.budget import Limit, Stage, learn
from editahead_models.train.checkpoints import LATEST, Checkpoints, Progress
from editahead_models.train.run_log import RunLog
from editahead_models.train.schedule import Geometric, Rates, Schedule
from editahead_models.train.warm_start import begin_with

OBJECTIVES = ("mixture", "weighted_ce", "masked_copy")
OPTIMISERS = ("adamw", "sgd")
EVALUATION_LANES = 16


@dataclass(frozen=True)
class LmRecipe:
    """All that a run depends on besides the data. `tokens` is the budget; the last `decay_share` of it decays."""

    tokens: int = 25_000_000
    lanes: int = 32
    steps: int = 64
    learning_rate: float = 2e-3
    warmup: int = 200_000  # tokens
    decay_share: float = 0.15  # of the budget, at its end, with the full softmax
    weight_decay: float = 0.01
    optimiser: str = "adamw"  # or "sgd", as published
    rate_ratio: float = 1.0  # of the rate after every `rate_every` tokens, in place of warm-up and decay
    rate_every: int = 0
    clip: float = 1.0
    always: int = 1000  # most frequent symbols, in every step's softmax
    sampled: int = 600  # of the others, drawn anew each step until the decay; 0: the full softmax throughout
    names: str = "spelled"  # see data.name_views
    vocabulary: int | None = None  # symbols; None: all that were prepared
    number_width: int | None = None  # of numbered names, see data.name_views
    objective: str = "mixture"
    rho: float = 0.0  # of the objective masked_copy
    broken: bool = False  # some files as somebody still typing sees them
    vectors: bool = False  # begin with word vectors learnt on the same files
    begin: str = ""  # with the weights of this bundle
    seed: int = 1
    threads: int = 1
    dev_tokens: int = 60_000
    evaluate_every: int = 2_500_000
    checkpoint_every_s: float = 240.0
    log_every: int = 250_000

    @property
    def schedule(self) -> Rates:
        """The learning rate over the budget."""
        if self.rate_every:
            return Geometric(self.tokens, self.rate_ratio, self.rate_every)
        return Schedule(self.tokens, self.warmup, self.decay_share)


def train(
    data: Path,
    out: Path,
    recipe: LmRecipe,
    settings: dict[str, Any] | None = None,
    family: str = "spn",
    *,
    limit: Limit | None = None,
    device: str = "cpu",
    begin: Bundle | None = None,
) -> Stage:
    """Train until `recipe.tokens` are read or `limit` is over; goes on from the last checkpoint in `out`.

    A larger budget goes on from the checkpoint before the decay. ValueError for an unknown objective or optimiser, and
    where `begin` is not the bundle that the recipe begins with.
    """
    _check(recipe)
    if recipe.begin != (begin.path.name if begin else ""):
        raise ValueError(
            f"the recipe begins with {recipe.begin or 'no bundle'}, given: {begin.path.name if begin else 'none'}"
        )
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    out.mkdir(parents=True, exist_ok=True)
    train_files = load_files(data / "train", broken=data / "train-broken" if recipe.broken else None)
    dev_files = load_files(data / "dev", max_tokens=recipe.dev_tokens)
    view = corpus_view(data, recipe, train_files)
    goes_on = (out / LATEST).exists()
    model = new_model(data, recipe, settings or {}, family, view, train_files, goes_on)
    if begin and not goes_on:
        begin_with(model, view.symbols, network_of(begin), begin.vocab()["symbols"])
    model.to(device)
    shape = shape_of(model, recipe.lanes, recipe.steps)
    described = {"family": family, "model": settings_of(model), "recipe": asdict(recipe)}
    (out / "config.json").write_text(json.dumps(described, indent=1))
    optimiser = new_optimiser(model, recipe)
    stream = BatchStream(train_files, shape, seed=recipe.seed, view=view.see)
    checkpoint = Checkpoints(out, model, optimiser, stream)
    progress = checkpoint.resume(recipe.tokens)
    pass_tokens = sum(max(0, len(file.word) - 1) for file in train_files)
    log = RunLog(out / "log.jsonl", _data_hash(data), pass_tokens, progress.tokens)
    model.train()
    stage = learn(
        (batch.to(device) for batch in stream),
        lambda batch: update(model, optimiser, batch, progress, recipe),
        lambda: dev_metrics(model, dev_files, shape, view, recipe.dev_tokens),
        recipe, checkpoint, progress, log, limit,
    )  # fmt: skip
    if stage.finished:
        torch.save(model.state_dict(), out / "model.pt")
    return stage


def _check(recipe: LmRecipe) -> None:
    """ValueError, one line, for a word that the trainer does not know."""
    for name, known in (("objective", OBJECTIVES), ("optimiser", OPTIMISERS)):
        if getattr(recipe, name) not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, found {getattr(recipe, name)!r}")


def new_model(
    data: Path,
    recipe: LmRecipe,
    settings: dict[str, Any],
    family: str,
    view: View,
    train_files: Sequence[FileArrays],
    goes_on: bool = False,
) -> NeuralLanguageModel:
    """Build the network of a family for a corpus, at the start of its training; `goes_on`: for weights of before."""
    vectors = None
    if recipe.vectors:
        empty = torch.zeros(view.size, _vector_size(settings))
        vectors = empty if goes_on else _vectors(train_files, view, settings, recipe.seed)
    model = build(family, view.size, settings, vectors)
    begin_at_frequencies(model, target_counts(train_files, view))
    return model


def new_optimiser(model: NeuralLanguageModel, recipe: LmRecipe) -> torch.optim.Optimizer:
    """AdamW with fused steps, or plain gradient descent; embeddings and biases do not decay."""
    groups = _groups(model, recipe.weight_decay)
    if recipe.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=recipe.learning_rate)
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.99), fused=True)


def update(
    model: NeuralLanguageModel,
    optimiser: torch.optim.Optimizer,
    batch: LmBatch,
    progress: Progress,
    recipe: LmRecipe,
) -> tuple[float, int]:
    """One step of the optimiser: mean loss in nats and number of targets; `progress` moves on."""
    schedule, device = recipe.schedule, batch.target_BT.device
    for group in optimiser.param_groups:
        group["lr"] = recipe.learning_rate * schedule.factor(progress.tokens)
    if progress.state is None:
        progress.state = tuple(part.to(device) for part in model.start(recipe.lanes))
    kind = product_type(device.type)  # weights and sums stay in single precision
    with torch.autocast(device.type, torch.bfloat16, enabled=kind == torch.bfloat16):
        output, state = model(batch.chunk, reset(progress.state, batch.fresh_B))
    # Sampled columns first, the full softmax at the end, so that probabilities end up as likelihoods.
    extra = recipe.sampled if progress.tokens < schedule.decay_start else 0
    log_y = model.log_generate(output, batch.target_BT, always=recipe.always, extra=extra)
    n = int(batch.scored_BT.sum())
    loss = -(_objective(recipe, single_precision(output), log_y, batch) * batch.scored_BT).sum() / n
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimiser.step()
    progress.state = tuple(part.float() for part in detached(state))
    progress.tokens += n
    progress.step += 1
    return float(loss.detach()), n


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
    """Start the output bias at ln frequency.

    Otherwise the first steps push every unit towards frequent symbols, and models with a tanh before the softmax stay
    saturated for hundreds of thousands of tokens.
    """
    share = (counts_V + 1) / (counts_V.sum() + len(counts_V))
    model.output_layer[1].copy_(torch.from_numpy(np.log(share)))


def _vectors(files: Sequence[FileArrays], view: View, settings: dict[str, Any], seed: int) -> Tensor:
    from editahead_models.data.english.word_vectors import train_vectors

    streams = [view.see(file, number).word for number, file in enumerate(files)]
    found = train_vectors(streams, view.size, _vector_size(settings), seed, epochs=1)
    return torch.from_numpy(found.filled(seed))


def _vector_size(settings: Mapping[str, Any]) -> int:
    return int(settings.get("hidden", 200))


def _groups(model: NeuralLanguageModel, weight_decay: float) -> list[dict[str, object]]:
    """No decay on biases and embeddings."""
    learnt = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    decayed = [p for name, p in learnt if p.ndim > 1 and not name.startswith(("word", "kind", "part"))]
    ids = {id(p) for p in decayed}
    rest = [p for _, p in learnt if id(p) not in ids]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def _data_hash(data: Path) -> str | None:
    try:
        return str(json.loads((data / "data.json").read_text())["data_hash"])
    except (OSError, KeyError):
        return None
