"""The ablations of TreeGen beside those in print: one table, the orders that hold, and means over seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from statistics import mean, stdev
from typing import Any

from editahead_models.report.treegen.entries import Runs, cell, entry_of, ours, table
from editahead_models.report.verdicts import TREEGEN_ROWS, differ, verdict, width
from editahead_models.treegen.network.config import ABLATIONS, WIDTH, TreeGenConfig, same_row

FAR = 10  # points of accuracy that print puts two rows apart


def ablations(runs: Runs, published: Runs) -> Iterator[str]:
    """Lines of the section."""
    yield "## Ablations (Hearthstone, structural)"
    yield ""
    rows = []
    full = entry_of(runs, "hearthstone-structural")
    for number, (name, _) in ABLATIONS.items():
        paper = [cell(value) for value in published["ablations"]["rows"][str(number)]]
        same = same_row(TreeGenConfig(**full["model"]), number) if full is not None else None
        run = None if same else _ablation(runs, number)
        here = [f"as row {same}"] * 3 if same else ours(run)
        epochs = str(run["epochs"]) if run is not None else ""
        rows.append([str(number), name, " / ".join(paper), epochs, *here, "" if same else _verdict(runs, number)])
    yield from table(["", "model", "published", "epochs", "StrAcc", "Acc+", "BLEU", "verdict"], rows)
    yield TREEGEN_ROWS
    yield ""
    yield f"Published: {published['ablations']['source']}. Every row is an option of `train treegen --row N`;"
    yield "numbers of blocks are scaled to those trained here; a row that is the same network as an earlier one then is"
    yield "not trained again."
    yield "One test card is 1.5 points, most rows have one seed."
    yield ""
    yield from _orders(runs, published)
    yield from _seeds(runs)


def _orders(runs: Runs, published: Runs) -> Iterator[str]:
    """How many of the pairs of rows that print puts far apart are in that order here, beyond two standard errors."""
    found = {row: run for row in ABLATIONS if (run := _ablation(runs, row)) is not None}
    printed = {row: published["ablations"]["rows"][str(row)][0] for row in found}
    pairs = [
        (upper, lower)
        for upper, lower in permutations(found, 2)
        if found[upper]["epochs"] == found[lower]["epochs"] and printed[upper] - printed[lower] >= FAR
    ]
    if not pairs:
        return
    counts = Counter(_order(found[upper]["figures"], found[lower]["figures"]) for upper, lower in pairs)
    yield f"Of the {len(pairs)} pairs of these rows that print puts {FAR} points apart or more, {counts[1]} are in its"
    yield f"order here beyond noise, {counts[-1]} in the other one, and {counts[0]} are undecided."
    yield ""


def _order(upper: Mapping[str, Any], lower: Mapping[str, Any]) -> int:
    """1 where the first share is the larger one beyond two standard errors, -1 where the second is, else 0."""
    a, b = upper["accuracy"] / 100, lower["accuracy"] / 100
    return (1 if a > b else -1) if differ(a, b, upper["examples"], lower["examples"]) else 0


def _verdict(runs: Runs, row: int) -> str:
    """What a row says beside the full model, which itself is judged by its interval."""
    mine, full = _ablation(runs, row), _ablation(runs, 1)
    if mine is None or full is None:
        return verdict(["it was not run" if mine is None else "row 1 was not run"], (), "")
    if row == 1:
        return width(mine["figures"]["interval"], "accuracy")
    short = [f"it had {mine['epochs']} epochs, row 1 {full['epochs']}"] if mine["epochs"] != full["epochs"] else []
    short += [] if _order(full["figures"], mine["figures"]) else ["it is within two standard errors of row 1"]
    return verdict((), short, "it is beyond two standard errors of row 1")


def _ablation(runs: Runs, row: int) -> Mapping[str, Any] | None:
    """The run of a row; of the full model the one with the epochs of the other rows, where there is one."""
    name = "hearthstone-structural"
    others = Counter(run["epochs"] for run in runs.values() if run["row"] != 1 and _is_seed(run, name, run["row"]))
    usual = [epochs for epochs, _ in others.most_common(1)] if row == 1 else []
    shorter = [runs.get(f"{name}/test/{row}/{epochs} epochs") for epochs in usual]
    return next((run for run in shorter if run is not None), entry_of(runs, name, row))


def _seeds(runs: Runs) -> Iterator[str]:
    """Means over seeds, of the rows that were trained with several for the same number of epochs."""
    rows = []
    for number, (name, _) in ABLATIONS.items():
        mine = [run for run in runs.values() if _is_seed(run, "hearthstone-structural", number)]
        for epochs in sorted({run["epochs"] for run in mine}):
            found = [run["figures"] for run in mine if run["epochs"] == epochs]
            if len(found) > 1:
                means = [_spread([figures[key] for figures in found]) for key in ("accuracy", "renamed", "bleu")]
                rows.append([str(number), name, str(epochs), str(len(found)), *means])
    if rows:
        yield "Over several seeds, mean and standard deviation:"
        yield ""
        yield from table(["", "model", "epochs", "seeds", "StrAcc", "Acc+", "BLEU"], rows)


def _is_seed(run: Mapping[str, Any], name: str, row: int) -> bool:
    """Whether a run differs from others of its row in its seed alone."""
    same = run["model"]["width"] == WIDTH and run.get("models", 1) == 1
    return same and (run["set"], run["row"]) == (name, row)


def _spread(values: Sequence[float]) -> str:
    return f"{mean(values):.1f} ± {stdev(values):.1f}"
