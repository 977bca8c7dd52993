"""Metrics of language models (exact definitions: docs/models.md): perplexity, accuracy, acc@5, MRR@10, calibration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import torch
from editahead.encode.lm import NO_TARGET
from editahead.encode.vocab import NEWLINES, SPECIALS
from editahead.runtime.calibration import expected_calibration_error
from torch import Tensor

from editahead_models.data.lm_batches import LmBatch
from editahead_models.families.spn import Spn, SpnOutput, SpnState, mixture_log_likelihood

GROUPS = ("all", "names", "identifier uses", "other")


@dataclass
class LmMetrics:
    """Sums over scored positions, by group; `report` gives the figures."""

    count: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0.0))
    nll: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0.0))
    top1: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0.0))
    top5: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0.0))
    mrr: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GROUPS, 0.0))
    unspeakable: float = 0.0
    confidence: list[np.ndarray] = field(default_factory=list)
    right: list[np.ndarray] = field(default_factory=list)

    def add(self, batch: LmBatch, log_p_BT: Tensor, rank_BT: Tensor, best_BT: Tensor) -> None:
        """One batch: ln p of the target, its rank (a large number where it cannot be shown), the top probability."""
        groups = {
            "all": batch.scored_BT,
            "names": batch.scored_BT & batch.is_name_BT,
            "identifier uses": batch.scored_BT & batch.is_use_BT,
            "other": batch.scored_BT & ~batch.is_name_BT,
        }
        for name, chosen in groups.items():
            rank = rank_BT[chosen].double()
            self.count[name] += float(chosen.sum())
            self.nll[name] -= float(log_p_BT[chosen].double().sum())
            self.top1[name] += float((rank == 1).sum())
            self.top5[name] += float((rank <= 5).sum())
            self.mrr[name] += float(torch.where(rank <= 10, 1 / rank, torch.zeros_like(rank)).sum())
        self.unspeakable += float((rank_BT[batch.scored_BT] >= 10**6).sum())
        self.confidence.append(best_BT[batch.scored_BT].numpy())
        self.right.append((rank_BT[batch.scored_BT] == 1).numpy())

    def report(self) -> dict[str, float]:
        """Figures by group; probabilities in [0, 1], perplexity from nats."""
        figures: dict[str, float] = {}
        for name in GROUPS:
            n = max(1.0, self.count[name])
            figures[f"{name}/count"] = self.count[name]
            figures[f"{name}/perplexity"] = float(np.exp(self.nll[name] / n))
            figures[f"{name}/acc"] = self.top1[name] / n
            figures[f"{name}/acc@5"] = self.top5[name] / n
            figures[f"{name}/MRR@10"] = self.mrr[name] / n
        figures["oov"] = self.unspeakable / max(1.0, self.count["all"])
        if self.confidence:
            figures["ECE"] = expected_calibration_error(
                np.concatenate(self.confidence).astype(np.float64), np.concatenate(self.right)
            )
        return figures


def rank_targets(output: SpnOutput, logits_BTV: Tensor, batch: LmBatch) -> tuple[Tensor, Tensor]:
    """Rank (B, T) of each target among what can be shown, and the probability (B, T) of the best.

    Names that the softmax lists and names in the memory compete together; copies of a listed name add to it.
    Symbols that stand for no text (unknowns, new names) are not candidates: such a target ranks 10^6, a miss.
    """
    silent = torch.zeros(logits_BTV.shape[-1], dtype=torch.bool)
    silent[: len(SPECIALS)] = True
    for offset, symbol in enumerate(SPECIALS):
        if symbol in NEWLINES.values():
            silent[offset] = False
    p_BTV = torch.softmax(logits_BTV, -1) * output.log_lambda_BT2[..., :1].exp()
    copy_BTK = output.alpha_BTK * output.log_lambda_BT2[..., 1:].exp()
    listed_BTK = batch.slot_word_BTK >= len(SPECIALS)
    p_BTV = p_BTV.scatter_add(2, batch.slot_word_BTK, copy_BTK * listed_BTK)
    p_BTV = p_BTV.masked_fill(silent, 0.0)
    copy_BTK = copy_BTK.masked_fill(listed_BTK, 0.0)
    target_BT = batch.target_BT
    by_word = torch.where(
        target_BT == NO_TARGET, torch.zeros(()), p_BTV.gather(-1, target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
    )
    by_copy = (copy_BTK * batch.match_BTK).sum(-1)
    value = torch.maximum(by_word, by_copy)
    higher = (p_BTV >= value.unsqueeze(-1)).sum(-1) + (copy_BTK >= value.unsqueeze(-1)).sum(-1)
    can_show = (by_copy > 0) | ((target_BT >= 0) & ~silent[target_BT.clamp_min(0)])
    rank = torch.where(can_show, higher.clamp_min(1), torch.full_like(higher, 10**6))
    best = torch.maximum(p_BTV.amax(-1), copy_BTK.amax(-1))
    return rank, best


@torch.no_grad()
def evaluate(
    model: Spn, batches: Iterable[LmBatch], lanes: int, slots: int, limit: int | None = None
) -> dict[str, float]:
    """Metrics of a model over batches, at most `limit` scored positions."""
    was_training = model.training
    model.eval()
    metrics = LmMetrics()
    state = model.start(lanes, slots)
    for batch in batches:
        state = reset(state, batch.fresh_B)
        output, state = model(batch.chunk, state)
        logits_BTV = model.logits(output.joint_BTE)
        log_y_BT = torch.log_softmax(logits_BTV, -1).gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        rank, best = rank_targets(output, logits_BTV, batch)
        log_p_BT = mixture_log_likelihood(output, log_y_BT, batch.target_BT, batch.match_BTK)
        metrics.add(batch, log_p_BT, rank, best)
        if limit is not None and metrics.count["all"] >= limit:
            break
    model.train(was_training)
    return metrics.report()


def reset(state: SpnState, fresh_B: Tensor) -> SpnState:
    """Zero the state of the lanes that begin a new file."""
    keep = (~fresh_B).to(state.h_1BD.dtype)
    return SpnState(
        state.h_1BD * keep.view(1, -1, 1), state.c_1BD * keep.view(1, -1, 1), state.memory_BKD * keep.view(-1, 1, 1)
    )
