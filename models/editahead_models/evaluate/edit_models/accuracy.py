"""Teacher-forced accuracy of edit models: position, content, gap and joint, first edits of later hunks apart."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from editahead_models.families.implicit_attention import FIRST_TOKEN, Batch, ImplicitAttention


def content_choice(model: ImplicitAttention, batch: Batch, out: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """(argmax, truth) of the merged content distribution [B, T].

    Vocabulary classes, then identities of unlisted tokens.
    """
    table = (torch.log_softmax(out["content_logits"], -1) + out["weights"][..., :1]).exp()
    vocab = table.shape[-1]
    merged = torch.nn.functional.pad(table, (0, model.embed.identity.num_embeddings))

    def slot(tok: Tensor, lid: Tensor) -> Tensor:
        return torch.where((tok >= FIRST_TOKEN) | (lid == 0), tok, vocab + lid)

    steps = table.shape[1]
    state_slot = slot(batch["tok"], batch["lid"]).unsqueeze(1).expand(-1, steps, -1)
    edit_slot = slot(batch["c_tok"], batch["c_lid"])
    weights = out["weights"].exp()
    merged = merged.scatter_add(2, state_slot, out["from_state"] * weights[..., 1:2])
    merged = merged.scatter_add(2, edit_slot.unsqueeze(1).expand(-1, steps, -1), out["from_edits"] * weights[..., 2:3])
    return merged.argmax(-1), edit_slot


def copyable(batch: Batch) -> Tensor:
    """Whether a content [B, T] is no class of the table but stands in the window or was inserted before."""
    unlisted = (batch["c_tok"] < FIRST_TOKEN) & (batch["c_lid"] > 0)
    in_state = ((batch["c_lid"].unsqueeze(-1) == batch["lid"].unsqueeze(1)) & batch["state_mask"].unsqueeze(1)).any(-1)
    steps = batch["c_lid"].shape[1]
    before = torch.ones(steps, steps, dtype=torch.bool, device=batch["c_lid"].device).tril(-1)
    in_edits = ((batch["c_lid"].unsqueeze(-1) == batch["c_lid"].unsqueeze(1)) & before).any(-1)
    return unlisted & (in_state | in_edits)


class Tally:
    """Running shares of right answers."""

    def __init__(self) -> None:
        self.right: dict[str, float] = {}
        self.count: dict[str, float] = {}

    def add(self, name: str, right: Tensor, mask: Tensor) -> None:
        """Count `right` where `mask`. Both are [B, T]."""
        self.right[name] = self.right.get(name, 0.0) + float((right & mask).sum())
        self.count[name] = self.count.get(name, 0.0) + float(mask.sum())

    def shares(self) -> dict[str, float]:
        """Share by name, and each count as `n_<name>`."""
        result = {name: self.right[name] / max(count, 1.0) for name, count in self.count.items()}
        return result | {f"n_{name}": count for name, count in self.count.items()}


@torch.no_grad()
def teacher_forced(model: ImplicitAttention, batches: Iterable[dict[str, Tensor]]) -> dict[str, float]:
    """Shares over edits after the first hunk.

    `position`, `content`, `gap`, `joint`, each also for `start` and `inside`; `copied`: contents outside the vocabulary
    that can be copied; `jump`: the start of a later hunk is not taken for going on here, `jump_to`: the place is right
    once that is known; `stay`: going on, inside a hunk or after the last one, is not taken for a jump; `stop`: nothing
    is said to follow a finished change. Batches are [B, T].
    """
    model.eval()
    tally = Tally()
    total, count = 0.0, 0.0
    for batch in batches:
        loss, out = model.loss(batch)
        size = float(batch["content_weight"].sum())
        total, count = total + float(loss) * size, count + size
        steps = batch["c_tok"].shape[1]
        picked = out["position"][:, :steps].argmax(-1, keepdim=True)
        position = batch["target"][:, :steps].gather(-1, picked).squeeze(-1)
        chosen, truth = content_choice(model, batch, out)
        content = chosen == truth
        gap = (out["gap"].argmax(-1) == batch["c_gap"]) | (batch["c_lid"] == 0)
        later = batch["edit_mask"] & (batch["hunk"] > 0)
        starts = batch["start"] > 0
        joint = position & content & gap
        for name, mask in (("later", later), ("start", later & starts), ("inside", later & ~starts)):
            for what, right in (("position", position), ("content", content), ("gap", gap), ("joint", joint)):
                tally.add(f"{name}_{what}", right, mask)
        first_inside = batch["edit_mask"] & (batch["hunk"] == 0) & ~starts
        tally.add("first_joint", joint, first_inside)
        deletes = batch["c_tok"] == 1
        tally.add("insert_joint", joint, later & ~deletes)
        tally.add("delete_joint", joint, later & deletes)
        tally.add("copied", content, later & copyable(batch))
        ends = batch["target"][..., -1] & (batch["position_weight"] > 0)
        tally.add("stop", out["position"].argmax(-1) == out["position"].shape[-1] - 1, ends)
    model.train()
    return tally.shares() | {"loss": total / max(count, 1.0)}
