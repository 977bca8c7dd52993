"""Accuracy on the synthetic edit suite: an edit is right when its position and its content (at the true position) are.

Source: Zhao et al. 2019, section 5.1. Only edits after the conditioning steps count; `after_first` counts those after
the first replacement, whatever was given, and is there for generated instances only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
) -> dict[str, float]:
    """Shares `joint`, `position`, `content`, mean `loss` in nats and count `edits`; where known also `after_first`.

    ValueError when no edit is scored.
    """
    model.eval()
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
    if not sums["edits"]:
        raise ValueError("no edit is left to score after the conditioning steps")
    found = {name: sums[name] / sums["edits"] for name in ("joint", "position", "content", "loss")}
    if sums["later"]:
        found["after_first"] = sums["later_right"] / sums["later"]
    return found | {"edits": sums["edits"]}
