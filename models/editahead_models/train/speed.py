"""`editahead-models train speed`: tokens per core-second of our training step beside plain torch, and how they grow.

Both run the same network on the same made-up files (Zipf-distributed symbols, names that repeat) for the same number of
updates; plain torch computes the full softmax in single precision with its own cross entropy. Seconds are processor
time of this process, so that other programs count little.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import torch
import torch.nn.functional as F
import typer
from editahead.encode.language_model.encoder import KINDS, PARTS
from editahead.encode.language_model.pointer_memory import NO_NAME
from editahead.encode.language_model.vocabulary import SUBWORD_BUCKETS

from editahead_models.data.corpus.batches import BatchStream, LmBatch, Shape
from editahead_models.data.corpus.encoded_files import FileArrays
from editahead_models.families.mixture import detached, mixture_log_likelihood, reset
from editahead_models.families.spn import Spn, SpnConfig
from editahead_models.train.checkpoints import Progress
from editahead_models.train.lm import LmRecipe, new_optimiser, update

SHIPPED = SpnConfig(vocab=10_000, embedding=192, hidden=256, attention=48, slots=48, memory="occurrences")
_NAMES = 40  # distinct names of a made-up file
_NAME_SHARE = 0.35  # of its tokens


@dataclass(frozen=True)
class Speed:
    """Tokens per core-second of one setting."""

    ours: float
    plain: float

    @property
    def ratio(self) -> float:
        """Ours over plain torch's."""
        return self.ours / self.plain


def made_up_files(vocab: int, count: int, length: int, seed: int) -> list[FileArrays]:
    """Files whose symbols and names have about the frequencies of source code."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, vocab + 1)
    share /= share.sum()
    files = []
    for _ in range(count):
        word = rng.choice(vocab, length, p=share).astype(np.int32)
        is_name = rng.random(length) < _NAME_SHARE
        name = np.where(is_name, rng.integers(0, _NAMES, length), NO_NAME).astype(np.int32)
        files.append(
            FileArrays(
                word=word, kind=rng.integers(0, KINDS, length).astype(np.int8),
                parts=rng.integers(0, SUBWORD_BUCKETS, (length, PARTS)).astype(np.int16), name=name, target=word,
                fallback=word, seen=is_name, declared=is_name, kind_word=word, kind_target=word,
                surface=word.astype(np.int64),
            )
        )  # fmt: skip
    return files


def measure(config: SpnConfig, recipe: LmRecipe, updates: int, rounds: int) -> Speed:
    """The best of `rounds` of each, in turn: what disturbs a round only makes it slower."""
    files = made_up_files(config.vocab, 2 * recipe.lanes, 4000, 1)
    shape = Shape(recipe.lanes, recipe.steps, config.slots, config.memory, config.echo)
    ours, plain = [], []
    for _ in range(rounds):
        ours.append(_ours(config, recipe, _batches(files, shape), updates))
        plain.append(_plain(config, recipe, _batches(files, shape), updates))
    return Speed(max(ours), max(plain))


def _batches(files: list[FileArrays], shape: Shape) -> Iterator[LmBatch]:
    return iter(BatchStream(files, shape, seed=1))


def _ours(config: SpnConfig, recipe: LmRecipe, batches: Iterator[LmBatch], updates: int) -> float:
    torch.manual_seed(1)
    model = Spn(config).train()
    optimiser, progress = new_optimiser(model, recipe), Progress()
    for _ in range(2):
        update(model, optimiser, next(batches), progress, recipe)
    began, before = time.process_time(), progress.tokens
    for _ in range(updates):
        update(model, optimiser, next(batches), progress, recipe)
    return (progress.tokens - before) / (time.process_time() - began)


def _plain(config: SpnConfig, recipe: LmRecipe, batches: Iterator[LmBatch], updates: int) -> float:
    """The same network, trained as a first version would be."""
    torch.manual_seed(1)
    model = Spn(config).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.learning_rate)
    state, tokens, began = model.start(recipe.lanes), 0, 0.0
    for number in range(updates + 2):
        if number == 2:
            began, tokens = time.process_time(), 0
        batch = next(batches)
        output, state = model(batch.chunk, reset(detached(state), batch.fresh_B))
        log_y = F.log_softmax(model.logits(output.joint_BTE), -1)
        picked = log_y.gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        likelihood = mixture_log_likelihood(output, picked, batch.target_BT, batch.match_BTK)
        n = int(batch.scored_BT.sum())
        optimiser.zero_grad()
        (-(likelihood * batch.scored_BT).sum() / n).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimiser.step()
        tokens += n
    return tokens / (time.process_time() - began)


def growth(recipe: LmRecipe, updates: int, rounds: int) -> dict[str, dict[str, Speed]]:
    """Speed while one size grows and the others are those of the shipped model."""
    return {
        "vocabulary": {
            str(size): measure(replace(SHIPPED, vocab=size), recipe, updates, rounds)
            for size in (5_000, 10_000, 20_000)
        },
        "width": {
            str(size): measure(replace(SHIPPED, hidden=size, embedding=3 * size // 4), recipe, updates, rounds)
            for size in (128, 256, 512)
        },
        "memory": {
            str(size): measure(replace(SHIPPED, slots=size), recipe, updates, rounds) for size in (24, 48, 96)
        },
    }  # fmt: skip


def main(
    updates: Annotated[int, typer.Option(help="Updates of each round.")] = 20,
    rounds: Annotated[int, typer.Option(help="Rounds of each setting; the best counts.")] = 3,
    grow: Annotated[bool, typer.Option(help="Also print how the speed grows with the sizes.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Tokens per core-second of the training step beside plain torch, and their growth."""
    from editahead_models.queue.pause import paused

    torch.set_num_threads(1)
    recipe = LmRecipe()
    with paused():
        shipped = measure(SHIPPED, recipe, updates, rounds)
        tables = growth(recipe, updates, rounds) if grow else {}
    if as_json:
        grown = {name: {size: _row(speed) for size, speed in rows.items()} for name, rows in tables.items()}
        print(json.dumps({"shipped": _row(shipped), **grown}))
        return
    print(f"shipped shape: {shipped.ours:,.0f} tokens per core-second, plain torch {shipped.plain:,.0f}")
    for name, rows in tables.items():
        for size, speed in rows.items():
            print(f"{name} {size}: {speed.ours:,.0f}, plain torch {speed.plain:,.0f}, ratio {speed.ratio:.2f}")


def _row(speed: Speed) -> dict[str, Any]:
    return {"ours": round(speed.ours), "plain": round(speed.plain), "ratio": round(speed.ratio, 3)}
