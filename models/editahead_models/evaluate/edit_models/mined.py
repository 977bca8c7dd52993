"""What the published edit models do on mined edits.

Accuracy of sub-word edits, and how far their confidence can be trusted.

Legend: B instances, T edits.
Source: Zhao et al. 2019, section 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from editahead.runtime.calibration import expected_calibration_error

from editahead_models.data.synthetic.batches import Vocabulary, collate, encode
from editahead_models.data.synthetic.instances import Instance
from editahead_models.evaluate.edit_models.synthetic import chunks
from editahead_models.families.edit_model import EditModel

BATCH = 16

Flags = npt.NDArray[np.bool_]


def measure(model: EditModel, instances: Sequence[Instance], vocabulary: Vocabulary) -> dict[str, Any]:
    """Shares of right edits, and their expected calibration error.

    `joint`, `position` and `content` over all edits and by kind; `live`: right edits with the positions of gone tokens
    excluded.
    """
    columns = teacher_forced(model, instances, vocabulary)
    joint = columns["position"] & columns["content"]
    kinds = {
        name: {
            "edits": int(flags.sum()),
            **{part: _share(values[flags]) for part, values in (("joint", joint), ("position", columns["position"]))},
        }
        for name, flags in _kinds(columns).items()
    }
    alive = columns if model.explicit else teacher_forced(model, instances, vocabulary, live=True)
    return {
        "live": {"joint": _share(alive["position"] & alive["content"]), "position": _share(alive["position"])},
        "instances": len(instances), "edits": len(joint), "joint": _share(joint),
        "position": _share(columns["position"]), "content": _share(columns["content"]),
        "kinds": kinds,
        "edit_calibration_error": expected_calibration_error(columns["sure"], joint),
    }  # fmt: skip


@torch.no_grad()
def teacher_forced(
    model: EditModel, instances: Sequence[Instance], vocabulary: Vocabulary, *, live: bool = False
) -> dict[str, Any]:
    """A value an edit, instances in order.

    `position` and `content` right, `sure` (probability of the two likeliest), `delete`, `first` of its hunk, and
    whether the content `stands` in the first state or was `inserted` before.

    `live`: positions of tokens that are gone are excluded, which the published models do not.
    """
    model.eval()
    found: dict[int, dict[str, Any]] = {}
    for low in range(0, len(instances), BATCH):
        part = [encode(i, vocabulary, with_states=model.explicit) for i in instances[low : low + BATCH]]
        numbered = {id(item): low + number for number, item in enumerate(part)}
        for items in chunks(part, model.explicit):
            batch = collate(items, vocabulary, live=live)
            scores = model(batch)
            position_BT, content_BT = model.right(batch, scores)
            sure_BT = (scores.position_BTP.amax(-1) + scores.content_BTC.amax(-1)).exp()
            for row, item in enumerate(items):
                size = len(item.content)
                found[numbered[id(item)]] = {
                    "position": position_BT[row, :size].numpy(), "content": content_BT[row, :size].numpy(),
                    "sure": sure_BT[row, :size].numpy().astype(np.float64),
                }  # fmt: skip
    for number, instance in enumerate(instances):
        found[number] |= _facts(instance)
    names = list(found[0])
    return {name: np.concatenate([found[number][name] for number in range(len(instances))]) for name in names}


def _facts(instance: Instance) -> dict[str, Flags]:
    contents = [edit.content for edit in instance.edits]
    state, begins = set(instance.initial), {0, *np.cumsum(instance.replacements).tolist()}
    before: set[str | None] = set()
    inserted = []
    for content in contents:
        inserted.append(content in before)
        before.add(content)
    facts = {
        "delete": [content is None for content in contents],
        "first": [number in begins for number in range(len(contents))],
        "stands": [content in state for content in contents],
        "inserted": inserted,
    }
    return {name: np.asarray(values, dtype=np.bool_) for name, values in facts.items()}


def _kinds(columns: dict[str, Any]) -> dict[str, Flags]:
    delete, first, stands, inserted = (columns[name] for name in ("delete", "first", "stands", "inserted"))
    return {
        "deletions": delete,
        "insertions": ~delete,
        "first of a hunk": first,
        "continuations": ~first,
        "insertions of what stands in the state": ~delete & stands,
        "insertions of what was inserted before alone": ~delete & ~stands & inserted,
        "insertions of what is new": ~delete & ~stands & ~inserted,
    }


def _share(flags: Flags) -> float:
    return float(flags.mean()) if len(flags) else 0.0
