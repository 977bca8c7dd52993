"""Score a trained cell of the synthetic edit suite on any file of edit instances."""

from __future__ import annotations

from pathlib import Path

from editahead_models.data.synthetic.batches import encode
from editahead_models.data.synthetic.instances import read_instances
from editahead_models.evaluate.edit_models.synthetic import accuracy
from editahead_models.families.pomp import Pomp


def figures(run: Path, file: Path) -> dict[str, float]:
    """Figures of `accuracy` (POMP: `joint` alone) for a cell's folder. ValueError for an unfit run or file."""
    instances = read_instances(file)
    if not instances:
        raise ValueError(f"{file}: holds no instances")
    if (run / "pomp.json").exists():
        return {"joint": Pomp.load(run / "pomp.json").accuracy([instance.matched for instance in instances])}
    if not (run / "best.pt").exists():
        raise ValueError(f"{run}: is no cell of `editahead-models train synthetic` (best.pt is missing)")
    from editahead_models.train.synthetic import load_model

    model, vocabulary = load_model(run, instances)
    items = [encode(instance, vocabulary, with_states=model.explicit) for instance in instances]
    return accuracy(model, items, vocabulary)
