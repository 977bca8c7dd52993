"""`editahead-models evaluate scaling`: seconds of training for 128 instances, by family and number of insertions.

Source: Zhao et al. 2019, section 5.2: one letter is replaced by text of a 3-gram model; mean of 1,000 training steps.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from editahead_models.data.synthetic.batches import Vocabulary, encode, epoch_groups
from editahead_models.data.synthetic.generate import generate
from editahead_models.data.synthetic.tasks import SCALING_TASKS
from editahead_models.families.edit_families import build
from editahead_models.families.edit_model import EditModelConfig
from editahead_models.train.synthetic import SyntheticRecipe, Trainer

FILE = "scaling.json"
FAMILIES = ("E", "IR", "IA-ag")


def measure(
    out: Path, family: str, task: str, *, hidden: int, steps: int, batch: int, seed: int, seconds: float, device: str
) -> dict[str, Any]:
    """One point: the mean time of at most `steps` updates within about `seconds`, after one that is not counted.

    `error_per_128` is the standard error of the mean, where two updates or more were timed.

    On a CPU the clock is that of the process, which other work on the machine does not move.
    """
    clock = time.process_time if device == "cpu" else time.perf_counter
    instances = generate(task, 8 * batch, seed=seed)
    vocabulary = Vocabulary.of(instances)
    recipe = SyntheticRecipe(family, seed=seed, hidden=hidden, batch=batch)
    longest = max(len(instance.initial) for instance in instances)
    torch.manual_seed(seed)
    model = build(
        EditModelConfig(family, vocabulary.size, vocabulary.classes, hidden, longest, SCALING_TASKS[task])
    ).to(torch.device(device))
    items = [encode(instance, vocabulary, with_states=model.explicit) for instance in instances]
    trainer = Trainer(out, recipe, model, vocabulary, torch.device(device))
    trainer.products = torch.float32  # the same for all families
    groups = list(epoch_groups(items, batch, seed, 0))
    trainer.step(groups[0])
    taken: list[float] = []
    while len(taken) < steps and (not taken or sum(taken) < seconds):
        begun = clock()
        trainer.step(groups[(len(taken) + 1) % len(groups)])
        taken.append(clock() - begun)
    spread = statistics.stdev(taken) / math.sqrt(len(taken)) if len(taken) > 1 else math.nan
    return {
        "family": family, "insertions": SCALING_TASKS[task], "hidden": hidden, "batch": batch, "steps": len(taken),
        "seconds_per_128": round(statistics.fmean(taken) * 128 / batch, 4),
        **({} if math.isnan(spread) else {"error_per_128": round(spread * 128 / batch, 4)}),
        "median_per_128": round(statistics.median(taken) * 128 / batch, 4),
        "threads": torch.get_num_threads(), "device": device, "seed": seed,
        "clock": "CPU" if device == "cpu" else "wall",
    }  # fmt: skip


def with_ratios(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each point beside IA-ag at the same size: `ratio` is its time in units of that one's, where it was measured."""
    base = {
        (point["hidden"], point["insertions"], point["device"]): point["seconds_per_128"]
        for point in points
        if point["family"] == "IA-ag"
    }
    result = []
    for point in points:
        reference = base.get((point["hidden"], point["insertions"], point["device"]))
        ratio = {"ratio": round(point["seconds_per_128"] / reference, 3)} if reference else {}
        result.append({**point, **ratio})
    return result


def main(
    out: Annotated[Path, typer.Option(help="The runs folder; the points go into its scaling.json.")],
    hidden: Annotated[str, typer.Option(help="Widths, with commas; the paper takes 128,256,512.")] = "128",
    families: Annotated[str, typer.Option(help="Families, with commas.")] = ",".join(FAMILIES),
    steps: Annotated[int, typer.Option(help="Updates to average over.")] = 1000,
    seconds: Annotated[float, typer.Option(help="Stop a point earlier when so much time is spent.")] = 1e9,
    batch: Annotated[int, typer.Option(help="Instances of an update.")] = 64,
    seed: Annotated[int, typer.Option(help="Of data and weights.")] = 1,
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
) -> None:
    """Time E, IR and IA with 10, 50 and 100 insertions in one run; points that the folder has are kept."""
    torch.set_num_threads(threads)
    out.mkdir(parents=True, exist_ok=True)
    path = out / FILE
    points: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    done = {_identity(point) for point in points}
    try:
        for width in (int(text) for text in hidden.split(",")):
            for task in SCALING_TASKS:
                for family in families.split(","):
                    sizes = {"insertions": SCALING_TASKS[task], "hidden": width, "batch": batch}
                    if (
                        _identity({"family": family, **sizes, "device": device, "threads": threads, "seed": seed})
                        in done
                    ):
                        continue
                    point = measure(
                        out, family, task, hidden=width, steps=steps, batch=batch, seed=seed, seconds=seconds,
                        device=device,
                    )  # fmt: skip
                    print(json.dumps(point), flush=True)
                    points = with_ratios([*points, point])
                    path.write_text(json.dumps(points, indent=1) + "\n", encoding="utf-8")
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _identity(point: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(point[name] for name in ("family", "insertions", "hidden", "batch", "device", "threads", "seed"))
