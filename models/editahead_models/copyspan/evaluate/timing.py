"""`editahead-models evaluate copyspan-times`: what the marginalisation adds to an update, and how long rewriting takes.

Processor time, not time on the clock: other programs do not change it. On one thread both are the same.
"""

from __future__ import annotations

import ast
import json
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import torch
import typer
from editahead.encode.span_copying.tokens import RegionTokens, region_around
from editahead.runtime.bundle import load_bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.span_copying.model import SERVED, SpanModel
from editahead.runtime.span_copying.tree import SpanLimits
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from editahead_models.copyspan.corpora.pairs import read_pairs, split_pairs
from editahead_models.copyspan.network.batches import Batch, Pair, batches, make_batch
from editahead_models.copyspan.network.model import CopySpan
from editahead_models.copyspan.network.objective import batch_scores, log_likelihood
from editahead_models.copyspan.train import LONGEST, load_run
from editahead_models.subnormals import without_subnormals

LINES = range(48, 53)
"""Lines of a function that counts as one of 50."""
TURNS = 4


@without_subnormals()
def cost_of_marginalising(
    model: CopySpan, vocabulary: Any, pairs: Sequence[Pair], *, size: int, count: int
) -> dict[str, float]:
    """Milliseconds of an update's forward and backward pass, medians over batches.

    Three variants: all action scores with the likelihood of writing every token, with the sum over all action
    sequences, and the best of some turns each. Listing the actions is part of the second, as it is only needed there.
    """
    model.train()
    groups = list(batches(pairs, size))
    chosen = [groups[at * len(groups) // count] for at in range(min(count, len(groups)))]
    plain: list[float] = []
    summed: list[float] = []
    listed: list[float] = []
    for group in chosen:
        some = [pairs[at] for at in group]
        batch, bare = make_batch(some, vocabulary), make_batch(some, vocabulary, "longest")
        turns = [
            (
                _seconds(partial(_update, model, bare, False)), _seconds(partial(_update, model, batch, True)),
                _seconds(partial(make_batch, some, vocabulary)),
            )
            for _ in range(TURNS)
        ]  # fmt: skip
        for values, each in zip((plain, summed, listed), zip(*turns, strict=True), strict=True):
            values.append(min(each))
    scores, whole, actions = (1000 * _quantile(values, 0.5) for values in (plain, summed, listed))
    return {
        "scores_ms": scores, "marginal_ms": whole, "actions_ms": actions, "ratio": (whole + actions) / scores,
        "batch": size, "batches": len(chosen),
    }  # fmt: skip


def _update(model: CopySpan, batch: Batch, marginal: bool) -> None:
    model.zero_grad(set_to_none=True)
    scores = batch_scores(model, batch)
    if marginal:
        (-log_likelihood(scores, batch).mean()).backward()
        return
    written = scores.gen_BMV.gather(2, batch.written_BM[..., None])[..., 0]
    copied = scores.first_BMN[:, :, 0] + scores.last_BMN[:, :, 0]  # so that every part of the scores has a gradient
    (-(written + 0.0 * copied).sum(1).mean()).backward()


class Function(NamedTuple):
    """A function of a file: the file's text, and lines [first, last)."""

    text: str
    first: int
    last: int


def functions(lines: range = LINES, most: int = 60) -> Iterator[Function]:
    """Functions of Python's own library with so many lines."""
    found = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        try:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 in lines:
                found += 1
                yield Function(text, node.lineno - 1, node.end_lineno or node.lineno)
                if found == most:
                    return


@without_subnormals()
def latency(model: SpanModel, most: int, limits: SpanLimits = SERVED) -> dict[str, dict[str, float]]:
    """Milliseconds to rewrite functions of 50 lines, asked for in their middle.

    `served` is the region that the server would take, which may be a part; `whole` is all of it at once. Median and
    95th percentile, tokens, decoder steps. Raises ValueError when no function is long enough.
    """
    language = by_id("python")
    assert language is not None
    regions: dict[str, list[tuple[str, ...]]] = {"served": [], "whole": []}
    for text, first, last in functions(most=most):
        syntax = SyntaxSnapshot.open(Buffer(text.encode("utf-8")), language)
        middle = (first + last) // 2
        lines = text.split("\n")
        low, high = region_around(syntax, middle, middle + 1, model.longest) or (middle, middle + 1)
        regions["served"].append(RegionTokens.of(lines[low:high]).texts)
        regions["whole"].append(RegionTokens.of(lines[first:last]).texts)
    if not regions["served"]:
        raise ValueError("no function of 50 lines was found")
    return {name: _timed(model, some, limits) for name, some in regions.items()}


def _timed(model: SpanModel, regions: Sequence[tuple[str, ...]], limits: SpanLimits) -> dict[str, float]:
    spent, steps = [], 0
    for tokens in regions:
        steps += model.search(tokens, limits).steps  # and memory for this length is there
        spent.append(_seconds(partial(model.search, tokens, limits)))
    return {
        "functions": len(regions), "tokens": sum(map(len, regions)) / len(regions), "steps": steps / len(regions),
        "median_ms": 1000 * _quantile(spent, 0.5), "p95_ms": 1000 * _quantile(spent, 0.95), "rays": limits.beam,
    }  # fmt: skip


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def main(
    out: Annotated[Path, typer.Option(help="Where times.json goes: the runs folder of `report --copyspan`.")],
    run: Annotated[Path | None, typer.Option(help="A run: the cost of its marginalisation.")] = None,
    source: Annotated[Path | None, typer.Option(help="With a run: inputs, one a line.")] = None,
    target: Annotated[Path | None, typer.Option(help="With a run: what becomes of each.")] = None,
    bundle: Annotated[Path | None, typer.Option(help="A bundle: the time of rewriting functions of 50 lines.")] = None,
    most: Annotated[int, typer.Option(help="Batches, or functions, at most.")] = 40,
    size: Annotated[int, typer.Option(help="Pairs of a batch.")] = 32,
) -> None:
    """Time an update with and without marginalisation, and the served search, on one thread."""
    torch.set_num_threads(1)
    path = out / "times.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    try:
        if run is not None:
            if source is None or target is None:
                raise ValueError("a run is timed on pairs: give --source and --target")
            model, vocabulary, _ = load_run(run)
            train = split_pairs(read_pairs(source, target))["train"]
            pairs = [pair for pair in train if max(map(len, pair)) <= LONGEST]
            if not pairs:
                raise ValueError(f"{source}: no pairs to time")
            timed = cost_of_marginalising(model, vocabulary, pairs, size=size, count=most)
            found.setdefault("cost", {})[source.name.split(".")[0]] = timed
        if bundle is not None:
            loaded = load_bundle(bundle)
            found["latency"] = {"bundle": loaded.path.name, **latency(SpanModel(loaded, select_providers("cpu")), most)}
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    out.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
