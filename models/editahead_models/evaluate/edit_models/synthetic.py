"""Accuracy on the synthetic edit suite: an edit is right when its position and its content (at the true position) are.

Source: Zhao et al. 2019, section 5.1. Only edits after the conditioning steps count; `after_first` counts those after
the first replacement, whatever was given, and is there for generated instances only. Instances of several tasks also
have their share by task, because tasks differ in edits: in MultiTask 66 % of the edits come from 8 of its 28 tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from editahead_models.data.synthetic.batches import Encoded, Vocabulary, collate
from editahead_models.families.edit_model import EditModel

BATCH = 64
STATE_TOKENS = 60_000


def chunks(items: Sequence[Encoded], explicit: bool, limit: int = STATE_TOKENS) -> Iterator[list[Encoded]]:
    """Parts of a batch for one forward pass.

    An explicit model reads all states: its parts hold about `limit` tokens of padded states, instances of like lengths
    together.
    """
    if not explicit:
        yield list(items)
        return
    part: list[Encoded] = []
    for item in sorted(items, key=_steps):
        if part and (len(part) + 1) * len(item.content) * (len(item.initial) + len(item.content)) > limit:
            yield part
            part = []
        part.append(item)
    yield part


def _steps(item: Encoded) -> int:
    return len(item.content)


@torch.no_grad()
def accuracy(
    model: EditModel, items: Sequence[Encoded], vocabulary: Vocabulary, device: torch.device | None = None
) -> dict[str, Any]:
    """Shares `joint`, `position`, `content`, mean `loss` in nats and count `edits`; where known also `after_first`.

    Of several tasks also `by_task`, the joint share of each, and `mean_of_tasks`. ValueError when no edit is scored.
    """
    model.eval()
    tasks = {item.task: [0, 0] for item in items}  # right edits, scored edits
    sums = dict.fromkeys(("joint", "position", "content", "loss", "edits", "later_right", "later"), 0.0)
    for low in range(0, len(items), BATCH):
        for part in chunks(items[low : low + BATCH], model.explicit):
            batch = collate(part, vocabulary).to(device or torch.device("cpu"))
            loss, scores = model.loss_sum(batch)
            position, content = model.right(batch, scores)
            both = position & content
            counted = {
                "joint": both & batch.scored_BT, "position": position & batch.scored_BT,
                "content": content & batch.scored_BT, "edits": batch.scored_BT,
                "later_right": both & batch.later_BT, "later": batch.later_BT,
            }  # fmt: skip
            sums["loss"] += float(loss)
            for name, flags in counted.items():
                sums[name] += float(flags.sum())
            for number, item in enumerate(part):
                for place, name in enumerate(("joint", "edits")):
                    tasks[item.task][place] += int(counted[name][number].sum())
    if not sums["edits"]:
        raise ValueError("no edit is left to score after the conditioning steps")
    found = {name: sums[name] / sums["edits"] for name in ("joint", "position", "content", "loss")}
    if sums["later"]:
        found["after_first"] = sums["later_right"] / sums["later"]
    shares = {task: right / scored for task, (right, scored) in sorted(tasks.items()) if scored}
    return found | {"edits": sums["edits"]} | over_tasks(shares)


def over_tasks(shares: Mapping[str, float]) -> dict[str, Any]:
    """`by_task` and `mean_of_tasks`, each task with the same weight; nothing for a single task."""
    if len(shares) < 2:
        return {}
    return {"mean_of_tasks": sum(shares.values()) / len(shares), "by_task": dict(shares)}
