"""`editahead-models prepare synthetic`: the instances of one task as JSON lines."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead_models.data.synthetic.generate import generate
from editahead_models.data.synthetic.instances import write_instances
from editahead_models.data.synthetic.tasks import ALL_TASKS, PATTERN_TASKS, SIZES

CARD = "task.json"


def prepare(task: str, out: Path, sizes: dict[str, int], seed: int) -> dict[str, Any]:
    """Write train, dev and test files and their card `task.json`.

    Keeps what is there when it was made with the same settings. Raises ValueError for an unknown task or when the
    folder holds something else.
    """
    if task not in ALL_TASKS:
        raise ValueError(f"unknown task {task!r}: choose one of {', '.join(ALL_TASKS)}")
    settings: dict[str, Any] = {"task": task, "seed": seed, "sizes": sizes}
    if task in PATTERN_TASKS:
        settings |= {"pattern": PATTERN_TASKS[task].pattern, "replacement": PATTERN_TASKS[task].replacement}
    card = out / CARD
    if card.exists():
        found: dict[str, Any] = json.loads(card.read_text(encoding="utf-8"))
        if {key: found.get(key) for key in settings} != settings:
            raise ValueError(f"{out}: holds data of other settings; choose another folder")
        return found
    out.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    for split, count in sizes.items():
        path = out / f"{split}.jsonl"
        write_instances(path, generate(task, count, split=split, seed=seed))
        digest.update(path.read_bytes())
    settings["data"] = digest.hexdigest()[:16]
    card.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    return settings


def main(
    task: Annotated[str, typer.Option(help="A task of the suite, such as MetaFlip11, MultiTask or Scaling50.")],
    out: Annotated[Path, typer.Option(help="Where train.jsonl, dev.jsonl, test.jsonl and task.json go.")],
    train: Annotated[int, typer.Option(help="Training instances.", min=1)] = SIZES["train"],
    dev: Annotated[int, typer.Option(help="Dev instances.", min=1)] = SIZES["dev"],
    test: Annotated[int, typer.Option(help="Test instances.", min=1)] = SIZES["test"],
    seed: Annotated[int, typer.Option(help="Equal seeds make equal files.")] = 1,
) -> None:
    """Generate a task of the synthetic edit suite; the sizes are the paper's unless you say otherwise."""
    try:
        card = prepare(task, out, {"train": train, "dev": dev, "test": test}, seed)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    print(f"wrote {out}: {task}, data {card['data']}")
