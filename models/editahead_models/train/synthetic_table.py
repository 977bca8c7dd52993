"""`editahead-models train synthetic`: a table of (task, family) cells under a budget, resumable cell by cell.

A runs folder holds `data/TASK/` (made when missing; POMP needs none) and `cells/TASK/FAMILY/SETTING/` with the run's
checkpoint, log and `metrics.json`. A cell that is finished, or has used its minutes, is passed over; others go on. So
is one that ended like this in an earlier runs folder, if the figures that were stored of it are given.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from editahead_models.commit import short_head
from editahead_models.data.synthetic.generate import TASK_END, matched_texts
from editahead_models.data.synthetic.prepare import prepare
from editahead_models.data.synthetic.tasks import ALL_TASKS, ALPHABET, MAIN_TASKS, MULTI_TASK, PATTERN_TASKS, SIZES
from editahead_models.evaluate.edit_models.synthetic import over_tasks
from editahead_models.families.edit_families import EDIT_FAMILIES, POMP
from editahead_models.families.pomp import Pomp
from editahead_models.train.synthetic import SyntheticRecipe, rounded, train

METRICS = "metrics.json"
EVERY_TASK = ",".join(MAIN_TASKS)
_USED = ("data/synthetic", "families", "layers", "train/synthetic.py", "train/synthetic_table.py")


@dataclass(frozen=True)
class Budget:
    """Minutes of one cell in all calls (processor time on a CPU), and of the whole call by the clock on the wall."""

    cell: float = 1e9
    total: float = 1e9


def setting(recipe: SyntheticRecipe) -> str:
    """The folder name of a recipe: what the paper searches over, and the seed. POMP has no settings."""
    if recipe.family == POMP:
        return "all"
    return f"h{recipe.hidden}-r{recipe.rate:g}-s{recipe.seed}"


def run_table(
    runs: Path,
    tasks: Sequence[str],
    recipes: Sequence[SyntheticRecipe],
    budget: Budget,
    *,
    sizes: dict[str, int] = SIZES,
    data_seed: int = 1,
    device: str = "cpu",
    stored: Sequence[dict[str, Any]] = (),
) -> Iterator[dict[str, Any]]:
    """Train the cells in order, task by task, and yield their metrics as they end; the unfinished go on next time.

    `stored`: metrics of cells of earlier runs folders; what ended there with no less budget is not trained again.
    ValueError for an unknown task or family, or a folder of other settings.
    """
    begun = time.monotonic()
    ended = {_identity(cell): cell for cell in stored}
    for task, recipe in product(tasks, recipes):
        run = runs / "cells" / task / recipe.family / setting(recipe)
        left = budget.total - (time.monotonic() - begun) / 60
        if left <= 0:
            return
        earlier = ended.get((task, data_seed, recipe.family, setting(recipe)))
        if any(_finished(cell, recipe, budget) for cell in (_metrics(run), earlier)):
            continue
        if recipe.family == POMP and task not in (*PATTERN_TASKS, MULTI_TASK):
            continue
        if recipe.family == POMP:
            found = _pomp(task, sizes, data_seed, run)
        else:
            card = prepare(task, runs / "data" / task, sizes, data_seed)
            found = train(runs / "data" / task, run, recipe, minutes=left, minutes_in_all=budget.cell, device=device)
            found["data"] = card["data"]
        metrics = {"task": task, "data_seed": data_seed, **found, **provenance(device)}
        part = run / "metrics.part"
        part.write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
        part.replace(run / METRICS)
        yield metrics


def _metrics(run: Path) -> dict[str, Any] | None:
    """Return the metrics of a cell's folder; None before it has any."""
    path = run / METRICS
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _identity(cell: dict[str, Any]) -> tuple[str, int, str, str]:
    """Task, seed of the data, family and setting of stored metrics: equal for the same cell in any runs folder."""
    searched = {name: cell[name] for name in ("hidden", "rate", "seed") if name in cell}
    return cell["task"], cell["data_seed"], cell["family"], setting(SyntheticRecipe(cell["family"], **searched))


def _finished(cell: dict[str, Any] | None, recipe: SyntheticRecipe, budget: Budget) -> bool:
    """Whether nothing is left to do: it did not end at fewer steps, patience or minutes than it may have now."""
    if cell is None:
        return False
    if cell["stopped"] == "minutes":
        return float(cell["minutes"]) >= budget.cell
    more = {"steps": recipe.steps, "patience": recipe.patience}.get(cell["stopped"], 0)
    return bool(cell["finished"]) and more <= cell.get(cell["stopped"], 0)


def _pomp(task: str, sizes: dict[str, int], seed: int, run: Path) -> dict[str, Any]:
    """POMP has nothing to train: it remembers. The matched texts are those of the files that `prepare` writes.

    Of all tasks at once it is told which task an instance is of.
    """
    run.mkdir(parents=True, exist_ok=True)
    texts = {split: matched_texts(task, count, split=split, seed=seed) for split, count in sizes.items()}
    model = Pomp.fit(texts["train"], len(ALPHABET) + 1)
    model.save(run / "pomp.json")
    shares = {split: rounded(_pomp_shares(model, texts[split])) for split in ("dev", "test")}
    return {"family": POMP, "stopped": "complete", "finished": True, **shares}


def _pomp_shares(model: Pomp, texts: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """The expected share of right edits; of all tasks at once over edits and over tasks, as `accuracy` has them."""
    by_task: dict[str, list[tuple[str, ...]]] = {}
    for instance in texts:
        by_task.setdefault(instance[0].rpartition(TASK_END)[0], []).append(instance)
    if len(by_task) < 2:
        return {"joint": model.accuracy(texts)}
    shares = {task: model.accuracy(found) for task, found in by_task.items()}
    edits = {task: PATTERN_TASKS[task].edits * sum(map(len, found)) for task, found in by_task.items()}
    return {"joint": sum(shares[task] * edits[task] for task in shares) / sum(edits.values()), **over_tasks(shares)}


def provenance(device: str) -> dict[str, Any]:
    """The machine and the commit, so that a figure can be published.

    "dirty" when this package's code differs from it in what these runs use. `instructions`: the instruction set of the
    products; with another one, as with other threads, sums are added in another order and weights end elsewhere.
    """
    commit = short_head(Path(__file__).parents[1], *_USED)
    name = torch.cuda.get_device_name() if device.startswith("cuda") else f"{platform.machine()} CPU"
    return {
        "device": name, "instructions": torch.backends.cpu.get_cpu_capability(), "threads": torch.get_num_threads(),
        "torch": torch.__version__, "commit": commit,
    }  # fmt: skip


def _listed(text: str, known: Sequence[str], what: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    wrong = [name for name in names if name not in known]
    if wrong or not names:
        raise typer.BadParameter(f"unknown {what} {', '.join(wrong) or text!r}: choose among {', '.join(known)}")
    return names


def main(
    out: Annotated[Path, typer.Option(help="The runs folder: data, checkpoints, metrics. Run again to go on.")],
    tasks: Annotated[str, typer.Option(help="Tasks, with commas; the 28 of the main table if left out.")] = EVERY_TASK,
    families: Annotated[str, typer.Option(help="E, IR, IA-v, IA-vg, IA-a, IA-ag, POMP.")] = "IA-ag,IR,POMP",
    minutes: Annotated[float, typer.Option(help="Budget of this call.")] = 1e9,
    cell_minutes: Annotated[float, typer.Option(help="Budget of one cell in all calls.")] = 1e9,
    steps: Annotated[int, typer.Option(help="Updates of a cell at most (an epoch has 157).")] = 6280,
    hidden: Annotated[int, typer.Option(help="Width; the paper tries 128, 256 and 512.")] = 128,
    rate: Annotated[float, typer.Option(help="Learning rate; the paper tries .005, .001, .0005 and .0001.")] = 1e-3,
    seed: Annotated[int, typer.Option(help="Of the weights and the order of the batches.")] = 1,
    train_size: Annotated[int, typer.Option(help="Training instances of a task.")] = SIZES["train"],
    held_out: Annotated[int, typer.Option(help="Dev instances, and as many for the test.")] = SIZES["test"],
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    stored: Annotated[
        Path | None, typer.Option(help="Figures of earlier runs (edit-models.json): their cells are not run again.")
    ] = None,
) -> None:
    """Train and test models of the synthetic edit suite, one cell after the other; prints a line of JSON a cell."""
    torch.set_num_threads(threads)
    base = SyntheticRecipe("", seed=seed, hidden=hidden, rate=rate, steps=steps)
    recipes = [replace(base, family=name) for name in _listed(families, (*EDIT_FAMILIES, POMP), "family")]
    cells = [] if stored is None else json.loads(stored.read_text(encoding="utf-8"))["cells"]
    table = run_table(
        out, _listed(tasks, ALL_TASKS, "task"), recipes, Budget(cell_minutes, minutes),
        sizes={"train": train_size, "dev": held_out, "test": held_out}, device=device, stored=cells,
    )  # fmt: skip
    try:
        for metrics in table:
            print(json.dumps(metrics), flush=True)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
