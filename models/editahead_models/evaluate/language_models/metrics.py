"""Metrics of language models (exact definitions: docs/models.md): perplexity, accuracy, acc@5, MRR@10, calibration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.encoder import NO_TARGET
from editahead.encode.language_model.vocabulary import INDENT_OF, SPECIALS
from editahead.runtime.calibration import expected_calibration_error
from torch import Tensor

from editahead_models.data.corpus.batches import LmBatch
from editahead_models.families.mixture import MixtureOutput, NeuralLanguageModel, mixture_log_likelihood, reset

MISS = 10**6  # the rank of what cannot be shown


@dataclass
class LmMetrics:
    """What was seen at each scored position; `report` gives the figures."""

    nll: list[npt.NDArray[np.float64]] = field(default_factory=list)
    rank: list[npt.NDArray[np.int64]] = field(default_factory=list)
    rank_with_unknown: list[npt.NDArray[np.int64]] = field(default_factory=list)
    best: list[npt.NDArray[np.float64]] = field(default_factory=list)
    is_name: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    is_use: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    unknown: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    count: int = 0

    def add(self, batch: LmBatch, log_p_BT: Tensor, ranks: Ranks) -> None:
        """One batch: ln p of the target, and what `rank_targets` says."""
        scored = batch.scored_BT
        self.nll.append(-log_p_BT[scored].double().numpy())
        self.rank.append(ranks.rank_BT[scored].numpy())
        self.rank_with_unknown.append(ranks.with_unknown_BT[scored].numpy())
        self.best.append(ranks.best_BT[scored].double().numpy())
        self.is_name.append(batch.is_name_BT[scored].numpy())
        self.is_use.append(batch.is_use_BT[scored].numpy())
        target = batch.target_BT[scored]
        self.unknown.append(((target >= 0) & silent_symbols(len(SPECIALS))[target.clamp(0, len(SPECIALS) - 1)]
                             & (target < len(SPECIALS))).numpy())  # fmt: skip
        self.count += int(scored.sum())

    def report(self) -> dict[str, float]:
        """Figures by group; probabilities in [0, 1], perplexity from nats. `oov`: targets that stand for no text."""
        if not self.count:
            return {"all/count": 0.0}
        nll, rank, best = (np.concatenate(part) for part in (self.nll, self.rank, self.best))
        is_name, is_use = np.concatenate(self.is_name), np.concatenate(self.is_use)
        groups = {"all": np.ones(len(nll), np.bool_), "names": is_name, "identifier uses": is_use, "other": ~is_use}
        figures: dict[str, float] = {}
        for name, chosen in groups.items():
            ranks = rank[chosen]
            n = max(1, len(ranks))
            figures[f"{name}/count"] = float(len(ranks))
            figures[f"{name}/perplexity"] = float(np.exp(nll[chosen].sum() / n))
            figures[f"{name}/acc"] = float((ranks == 1).sum() / n)
            figures[f"{name}/acc@5"] = float((ranks <= 5).sum() / n)
            figures[f"{name}/MRR@10"] = float((1 / ranks[ranks <= 10]).sum() / n)
        figures["all/acc with unknown"] = float((np.concatenate(self.rank_with_unknown) == 1).mean())
        figures["oov"] = float(np.concatenate(self.unknown).mean())
        figures["ECE"] = expected_calibration_error(best, rank == 1)
        return figures


@dataclass(frozen=True)
class Ranks:
    """Ranks of each target and the probability of the best answer, each (B, T).

    One rank is among what can be shown, the other the same if unknowns counted as answers (the published accuracy).
    """

    rank_BT: Tensor
    with_unknown_BT: Tensor
    best_BT: Tensor


def silent_symbols(size: int) -> Tensor:
    """(V,) True for symbols that stand for no text: unknowns, new names, padding."""
    silent = torch.zeros(size, dtype=torch.bool)
    for number, symbol in enumerate(SPECIALS[:size]):
        silent[number] = symbol not in INDENT_OF
    return silent


def distribution(output: MixtureOutput, logits_BTV: Tensor, batch: LmBatch) -> tuple[Tensor, Tensor]:
    """p (B, T, V) of the symbols with the copies of listed ones, and the copies (B, T, K) of names not listed."""
    p_BTV = torch.softmax(logits_BTV, -1) * output.log_lambda_BT2[..., :1].exp()
    copy_BTK = output.alpha_BTK * output.log_lambda_BT2[..., 1:].exp()
    listed_BTK = ~silent_symbols(logits_BTV.shape[-1])[batch.slot_word_BTK]
    p_BTV = p_BTV.scatter_add(2, batch.slot_word_BTK, copy_BTK * listed_BTK)
    return p_BTV, copy_BTK.masked_fill(listed_BTK, 0.0)


def rank_targets(p_BTV: Tensor, copy_BTK: Tensor, batch: LmBatch) -> Ranks:
    """Ranks of the targets: listed symbols and copied names compete together, ties count against the model.

    Symbols that stand for no text are not candidates: such a target ranks MISS.
    """
    silent = silent_symbols(p_BTV.shape[-1])
    target_BT = batch.target_BT
    at = target_BT.clamp_min(0).unsqueeze(-1)
    by_copy = (copy_BTK * batch.match_BTK).sum(-1)
    published = torch.maximum(p_BTV.gather(-1, at).squeeze(-1).masked_fill(target_BT == NO_TARGET, 0.0), by_copy)
    with_unknown = _rank(published, p_BTV, copy_BTK)
    p_BTV = p_BTV.masked_fill(silent, 0.0)
    value = torch.maximum(p_BTV.gather(-1, at).squeeze(-1).masked_fill(target_BT == NO_TARGET, 0.0), by_copy)
    can_show = (by_copy > 0) | ((target_BT != NO_TARGET) & ~silent[target_BT.clamp_min(0)])
    rank = _rank(value, p_BTV, copy_BTK)
    best = p_BTV.amax(-1)
    if copy_BTK.shape[-1]:
        best = torch.maximum(best, copy_BTK.amax(-1))
    return Ranks(torch.where(can_show, rank, MISS), with_unknown, best)


def _rank(value_BT: Tensor, p_BTV: Tensor, copy_BTK: Tensor) -> Tensor:
    value = value_BT.unsqueeze(-1)
    return ((p_BTV >= value).sum(-1) + (copy_BTK >= value).sum(-1)).clamp_min(1)


@torch.no_grad()
def measure(
    model: NeuralLanguageModel, batches: Iterable[LmBatch], lanes: int, slots: int, limit: int | None = None
) -> LmMetrics:
    """A model over batches, at most about `limit` scored positions."""
    was_training = model.training
    model.eval()
    metrics = LmMetrics()
    state = model.start(lanes, slots)
    for batch in batches:
        state = reset(state, batch.fresh_B)
        output, state = model(batch.chunk, state)
        logits_BTV = model.logits(output.joint_BTE)
        log_y_BT = torch.log_softmax(logits_BTV, -1).gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        ranks = rank_targets(*distribution(output, logits_BTV, batch), batch)
        metrics.add(batch, mixture_log_likelihood(output, log_y_BT, batch.target_BT, batch.match_BTK), ranks)
        if limit is not None and metrics.count >= limit:
            break
    model.train(was_training)
    return metrics


@torch.no_grad()
def measure_ensemble(
    models: Sequence[NeuralLanguageModel],
    streams: Sequence[Iterable[LmBatch]],
    lanes: int,
    slots: Sequence[int],
    combine: Callable[[Sequence[Tensor]], Tensor],
    limit: int | None = None,
) -> LmMetrics:
    """Several models over the same files in the same order; `combine` turns their ln p (B, T, V) into one."""
    for model in models:
        model.eval()
    metrics = LmMetrics()
    states = [model.start(lanes, k) for model, k in zip(models, slots, strict=True)]
    for members in zip(*streams, strict=True):
        logs = []
        for n, (model, batch) in enumerate(zip(models, members, strict=True)):
            output, states[n] = model(batch.chunk, reset(states[n], batch.fresh_B))
            p_BTV, _ = distribution(output, model.logits(output.joint_BTE), batch)
            logs.append(torch.log(p_BTV.clamp_min(1e-30)))
        log_p_BTV = combine(logs)
        batch = members[0]
        log_p_BT = log_p_BTV.gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        none_BTK = torch.zeros(*batch.match_BTK.shape)
        metrics.add(batch, log_p_BT, rank_targets(log_p_BTV.exp(), none_BTK, batch))
        if limit is not None and metrics.count >= limit:
            break
    return metrics
