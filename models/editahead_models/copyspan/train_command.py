"""`editahead-models train copyspan`: learn to rewrite from any parallel pair of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import torch
import typer

from editahead_models.copyspan.corpora.pairs import read_pairs, split_pairs, vocabulary_of
from editahead_models.copyspan.edit_run import EditorRun, edits_of
from editahead_models.copyspan.network.edit_encoder import EDIT_WIDTH
from editahead_models.copyspan.network.model import CopySpanConfig
from editahead_models.copyspan.train import LONGEST, CopySpanRecipe, Run
from editahead_models.layers.device import DEVICE_HELP


def main(
    source: Annotated[Path, typer.Option(help="Inputs, one a line, tokens between blanks (or JSON lists, .jsonl).")],
    target: Annotated[Path, typer.Option(help="What becomes of each: the same number of lines.")],
    out: Annotated[Path, typer.Option(help="The run's folder: checkpoints and log. A stopped run goes on.")],
    dev_source: Annotated[Path | None, typer.Option(help="Dev inputs; by default 8 % of the pairs, 12 % kept.")] = None,
    dev_target: Annotated[Path | None, typer.Option(help="What becomes of the dev inputs.")] = None,
    copy: Annotated[str, typer.Option(help="span (CopySpan) or token (CopyTok).")] = "span",
    edits: Annotated[
        bool,
        typer.Option(help="Learn edits as vectors: the changed lines of a pair, made again from its vector."),
    ] = False,
    objective: Annotated[str, typer.Option(help="marginal, longest or any (no marginalisation).")] = "marginal",
    vocab: Annotated[int, typer.Option(help="Tokens that can be written.")] = 400,
    least: Annotated[int, typer.Option(help="Occurrences of such a token at least.")] = 1,
    buckets: Annotated[int, typer.Option(help="How many kinds of unknown tokens can be told apart.")] = 0,
    around: Annotated[int, typer.Option(help="With --edits: unchanged lines kept on each side of a change.")] = 1,
    longest: Annotated[int, typer.Option(help="Tokens of a side at most; longer pairs are left out.")] = LONGEST,
    embedding: Annotated[int, typer.Option(help="Width of the embedding.")] = 32,
    hidden: Annotated[int, typer.Option(help="Width of the encoder (each way) and of the decoder.")] = 128,
    layers: Annotated[int, typer.Option(help="Layers of the encoder.")] = 2,
    dropout: Annotated[float, typer.Option(help="Dropout.")] = 0.2,
    rate: Annotated[float, typer.Option(help="Learning rate of Adam.")] = 1e-3,
    batch: Annotated[int, typer.Option(help="Pairs of an update.")] = 32,
    epochs: Annotated[int, typer.Option(help="Epochs at most.")] = 100,
    look: Annotated[int, typer.Option(help="Updates between two looks at the dev pairs; 0: an epoch.")] = 0,
    patience: Annotated[int, typer.Option(help="Looks without a better dev loss before it stops.")] = 5,
    minutes: Annotated[
        float, typer.Option(help="Minutes in all, of the processor where it trains; 0: no limit.")
    ] = 0.0,
    cool: Annotated[float, typer.Option(help="The last share of the minutes, in which the rate falls.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the weights and the order of the batches.")] = 1,
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
    device: Annotated[str, typer.Option(help=DEVICE_HELP)] = "cpu",
) -> None:
    """Train a model that rewrites by generating tokens and copying spans (or single tokens)."""
    if copy not in ("span", "token"):
        raise typer.BadParameter(f"--copy must be span or token, found {copy!r}")
    if (dev_source is None) != (dev_target is None):
        raise typer.BadParameter("give both --dev-source and --dev-target, or neither")
    torch.set_num_threads(threads)
    recipe = CopySpanRecipe(objective, rate, batch, epochs, look, patience, 1.0, seed, minutes, cool)
    try:
        pairs = read_pairs(source, target)
        if dev_source is not None and dev_target is not None:
            train, dev = list(dict.fromkeys(pairs)), read_pairs(dev_source, dev_target)
        else:
            split = split_pairs(pairs)
            train, dev = split["train"], split["dev"]
        if edits:
            train, dev = (edits_of(each, around, longest) for each in (train, dev))
        train, dev = ([pair for pair in each if max(map(len, pair)) <= longest] for each in (train, dev))
        if not train or not dev:
            raise ValueError(f"{source}: too few pairs to split: give --dev-source and --dev-target")
        vocabulary = vocabulary_of(train, vocab, least, buckets)
        config = CopySpanConfig(
            vocabulary.size, buckets, embedding, hidden, layers, hidden, dropout, copy == "token",
            EDIT_WIDTH if edits else 0,
        )  # fmt: skip
        kind = EditorRun if edits else Run
        print(json.dumps(kind(out, config, vocabulary, recipe, device).fit(train, dev)))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
