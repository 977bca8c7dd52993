"""`editahead-models train mined`: a published edit model on mined instances, under a budget of processor minutes.

Legend of what is written: `best.pt`, `last.pt`, `log.jsonl` as in `train synthetic`; `metrics.json` with the figures of
the best step on the test split (see `evaluate.mined`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, overload

import torch
import typer

from editahead_models.data.mining.mine_history import REPORT, load_subwords
from editahead_models.data.synthetic.batches import Encoded, Vocabulary, encode
from editahead_models.data.synthetic.instances import Instance, read_instances
from editahead_models.evaluate.edit_models.mined import measure
from editahead_models.families.edit_families import EDIT_FAMILIES, build
from editahead_models.families.edit_model import EditModelConfig
from editahead_models.layers.device import DEVICE_HELP
from editahead_models.train.synthetic import SyntheticRecipe, Trainer, load_model
from editahead_models.train.synthetic_table import METRICS, provenance


class Encodings(Sequence[Encoded]):
    """Instances in numbers, each made when it is asked for: the states of an explicit model fill no memory."""

    def __init__(self, instances: Sequence[Instance], vocabulary: Vocabulary, *, with_states: bool) -> None:
        self.instances, self.vocabulary, self.with_states = instances, vocabulary, with_states

    def __len__(self) -> int:
        return len(self.instances)

    @overload
    def __getitem__(self, at: int) -> Encoded: ...
    @overload
    def __getitem__(self, at: slice) -> list[Encoded]: ...
    def __getitem__(self, at: int | slice) -> Encoded | list[Encoded]:
        if isinstance(at, slice):
            return [self._encoded(instance) for instance in self.instances[at]]
        return self._encoded(self.instances[at])

    def __iter__(self) -> Iterator[Encoded]:
        return map(self._encoded, self.instances)

    def _encoded(self, instance: Instance) -> Encoded:
        return encode(instance, self.vocabulary, with_states=self.with_states)


def train_mined(
    data: Path, run: Path, recipe: SyntheticRecipe, *, minutes: float, dev: int = 100, test: int = 400,
    most: int | None = None, device: str = "cpu",
) -> dict[str, Any]:  # fmt: skip
    """Train a published model on mined edits.

    It learns from the first `most` instances of `data` for `minutes` of processor time in all; the best step is
    measured on `test` instances. Goes on from `run`/last.pt. Raises ValueError for unfit data.
    """
    run.mkdir(parents=True, exist_ok=True)
    report = json.loads((data / REPORT).read_text(encoding="utf-8"))
    wanted = {"train": most, "dev": dev, "test": test}
    instances = {split: read_instances(data / f"{split}.jsonl", count) for split, count in wanted.items()}
    vocabulary = Vocabulary(load_subwords(data).texts)
    family = EDIT_FAMILIES[recipe.family]
    torch.manual_seed(recipe.seed)
    config = EditModelConfig(
        recipe.family, vocabulary.size, vocabulary.classes, recipe.hidden,
        report["settings"]["tokens"], report["settings"]["edits"],
    )  # fmt: skip
    model = build(config).to(torch.device(device))
    trainer = Trainer(run, recipe, model, vocabulary, torch.device(device))
    trainer.resume()
    items = {split: Encodings(instances[split], vocabulary, with_states=family.explicit) for split in ("train", "dev")}
    left = max(0.0, minutes - trainer.progress.minutes)
    stopped = trainer.run_for(items["train"], items["dev"], left, look_at_end=True)
    best, _ = load_model(run)
    progress = trainer.progress
    epochs = progress.epoch + progress.group * recipe.batch / len(items["train"])
    return {
        **asdict(recipe), "stopped": stopped, "data": report["data"],
        "steps_done": progress.step,
        "instances": round(epochs * len(items["train"])), "epochs": round(epochs, 3),
        "best_step": progress.best_step, "minutes": round(progress.minutes, 2),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        **provenance(device),
        "corpus": {key: report[key] for key in ("settings", "splits", "subwords")},
        "test": measure(best, instances["test"], vocabulary),
    }  # fmt: skip


def main(
    data: Annotated[Path, typer.Option(help="What `mine --repo` wrote.")],
    out: Annotated[Path, typer.Option(help="The runs folder: FAMILY/ with log, checkpoints, metrics.")],
    family: Annotated[str, typer.Option(help="E, IR, IA-ag, ..")] = "IA-ag",
    minutes: Annotated[float, typer.Option(help="Processor minutes of training in all.")] = 15.0,
    batch: Annotated[int, typer.Option(help="Instances of an update.")] = 16,
    evaluate_every: Annotated[int, typer.Option(help="Updates between two looks at the dev split.")] = 200,
    hidden: Annotated[int, typer.Option(help="Width.")] = 128,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 1e-3,
    seed: Annotated[int, typer.Option(help="Of the weights and the order of the batches.")] = 1,
    dev: Annotated[int, typer.Option(help="Dev instances to choose the best step by.")] = 100,
    test: Annotated[int, typer.Option(help="Test instances to measure on.")] = 400,
    most: Annotated[int | None, typer.Option(help="Training instances; all if left out.")] = None,
    device: Annotated[str, typer.Option(help=DEVICE_HELP)] = "cpu",
) -> None:
    """Train and measure one of the paper's models on real edits; one thread."""
    torch.set_num_threads(1)
    if family not in EDIT_FAMILIES:
        raise typer.BadParameter(f"unknown family {family!r}: choose one of {', '.join(EDIT_FAMILIES)}")
    recipe = replace(
        SyntheticRecipe(family), seed=seed, hidden=hidden, rate=rate, batch=batch, steps=1_000_000,
        evaluate_every=evaluate_every, patience=1_000_000,
    )  # fmt: skip
    try:
        run = out / family
        metrics = train_mined(data, run, recipe, minutes=minutes, dev=dev, test=test, most=most, device=device)
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    (run / METRICS).write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(metrics))
