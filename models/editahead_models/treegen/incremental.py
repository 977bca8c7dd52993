"""TreeGen one step at a time: what is served (conformance 13).

The description is read once. Of every step that was made, the cache keeps what later steps ask of it: keys and values
of the AST reader's attention, the inputs of both layers of its tree convolutions (a rule, its parent and its
grandparent are all that these see), and keys and values for the decoder.

L words, R rays, T steps that were made, S = T + 1, D width, H heads, K = D / H, P labels, W and X widths of the packed
memory and cache.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from editahead_models.treegen.layers import Attention, TreeConvolution
from editahead_models.treegen.model import TreeGen


def servable(model: TreeGen) -> None:
    """ValueError for a model with a part left out: only the full one, masked, is served."""
    config = model.config
    parts = (config.masked, config.tree_convolution, config.rule_definition, config.characters, config.self_attention)
    if not all(parts) or config.plain or config.conv_blocks >= 0 or not (config.ast_blocks and config.decoder_blocks):
        raise ValueError("only the full, masked model can be exported: no row of the ablations")


def signals(where_T: Tensor, width: int) -> Tensor:
    """`layers.positions` at given places, (T, D)."""
    rate = torch.pow(10_000.0, -torch.arange(0, width, 2, dtype=torch.float32) / width)
    angle = where_T.to(torch.float32)[:, None] * rate
    return torch.stack([torch.sin(angle), torch.cos(angle)], -1).flatten(-2)


class EncodeGraph(nn.Module):
    """One description, without a batch: `memory` (L, W), which `StepGraph` slices."""

    def __init__(self, model: TreeGen) -> None:
        super().__init__()
        self.model = model

    def forward(self, word_L: Tensor, letter_LM: Tensor) -> Tensor:
        m = self.model
        x_BLD = m.word(word_L)[None]
        letters_BLD = m.letters_norm(m.letters_in(m.letter(letter_LM).flatten(1)))[None]
        real_BL = torch.ones_like(word_L, dtype=torch.bool)[None]
        place_L = torch.cumsum(torch.ones_like(word_L), 0) - 1
        for number, block in enumerate(m.nl):
            x_BLD = block(x_BLD + signals(place_L + number, m.config.width), letters_BLD, real_BL)
        readers = [block.to_words for block in (*m.ast, *m.decoder)]
        parts = [part for reader in readers for part in (reader.key(x_BLD), reader.value(x_BLD))]
        return torch.cat([*parts, m.copy_word(x_BLD)], -1)[0]


class StepGraph(nn.Module):
    """One step of every ray over one description; `cache` (R', T, X) holds the rays of the step before."""

    def __init__(self, model: TreeGen) -> None:
        super().__init__()
        servable(model)
        self.model, self.width = model, model.config.width
        self.kept = (4 * len(model.ast) + 2 + 2 * len(model.decoder)) * self.width  # X

    def forward(
        self, came_from_R: Tensor, cache_RTX: Tensor, memory_LW: Tensor, done_R: Tensor, children_RK: Tensor,
        left_R: Tensor, depth_R: Tensor, parent_R: Tensor, grandparent_R: Tensor, path_RP: Tensor, nth_R: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """Raw scores of classes (R, C), of the gate (R,) and of copies (R, L), and the cache (R, S, X)."""
        m = self.model
        cache = _Cache(cache_RTX[came_from_R], self.width, parent_R, grandparent_R)
        memory = iter(memory_LW.split(self.width, -1))
        now = cache_RTX.shape[1]
        where_B = torch.arange(max(len(m.ast), len(m.decoder))) + now
        place_BD = signals(where_B, self.width)
        z_RD = m.rule(done_R)
        definition_RD = m.children_norm(m.children_in(m.symbol(children_RK).flatten(1)))
        rule_RD = m.rule_norm(m.rule_in(torch.cat([z_RD, definition_RD, m.symbol(left_R)], -1)))
        depth_RD = m.depth(depth_R)
        for number, block in enumerate(m.ast):
            z_RD = z_RD + depth_RD + place_BD[number]
            attention = block.attention
            k_RSD, v_RSD = cache.add(attention.key(z_RD)), cache.add(attention.value(z_RD))
            z_RD = block.after[0](z_RD, _look(attention, z_RD, k_RSD, v_RSD))
            z_RD = block.after[1](z_RD, block.gating(z_RD[:, None], rule_RD[:, None])[:, 0])
            z_RD = block.after[2](z_RD, _read(block.to_words, z_RD, memory))
            z_RD = _convolve(block.convolution, z_RD, cache)
        z_RD = _convolve(m.last, z_RD, cache)
        q_RD = m.path_norm(m.path_in(m.symbol(path_RP).flatten(1))) + m.nth(nth_R)
        for number, block in enumerate(m.decoder):
            q_RD = q_RD + place_BD[number]
            k_RSD, v_RSD = cache.add(block.to_rules.key(z_RD)), cache.add(block.to_rules.value(z_RD))
            q_RD = block.after[0](q_RD, _look(block.to_rules, q_RD, k_RSD, v_RSD))
            q_RD = block.after[1](q_RD, _read(block.to_words, q_RD, memory))
            q_RD = block.after[2](q_RD, block.dense(q_RD))
        score_RL = m.copy_score(torch.tanh(m.copy_step(q_RD)[:, None] + next(memory)))[..., 0]
        return m.classes(q_RD), m.gate(q_RD)[:, 0], score_RL, cache.grown()


class _Cache:
    """The rays' caches: slots of D numbers a step, taken one after the other."""

    def __init__(self, cache_RTX: Tensor, width: int, parent_R: Tensor, grandparent_R: Tensor) -> None:
        self._slots = iter(cache_RTX.split(width, -1))
        self._cache_RTX, self._fresh = cache_RTX, list[Tensor]()
        self._above = tuple(at_R[:, None, None].expand(-1, 1, width) for at_R in (parent_R, grandparent_R))

    def add(self, row_RD: Tensor) -> Tensor:
        """A slot with a step's row behind what it held, (R, S, D)."""
        self._fresh.append(row_RD)
        return torch.cat([next(self._slots), row_RD[:, None]], 1)

    def family(self, row_RD: Tensor) -> Tensor:
        """A step's row beside its parent's and its grandparent's, (R, 3 D)."""
        all_RSD = self.add(row_RD)
        return torch.cat([row_RD, *(torch.gather(all_RSD, 1, at)[:, 0] for at in self._above)], -1)

    def grown(self) -> Tensor:
        """All with the step's rows, (R, S, X)."""
        return torch.cat([self._cache_RTX, torch.cat(self._fresh, -1)[:, None]], 1)


def _convolve(convolution: TreeConvolution, row_RD: Tensor, cache: _Cache) -> Tensor:
    first, second = convolution.layers
    row_RD = second(cache.family(F.gelu(first(cache.family(row_RD)))))
    out: Tensor = convolution.norm(row_RD)
    return out


def _look(attention: Attention, q_RD: Tensor, k_RSD: Tensor, v_RSD: Tensor) -> Tensor:
    """A row's attention to all steps of its own ray."""
    heads = attention.heads
    q_RHK = attention.query(q_RD).unflatten(-1, (heads, -1))
    k_RSHK, v_RSHK = (x.unflatten(-1, (heads, -1)) for x in (k_RSD, v_RSD))
    score_RHS = k_RSHK.permute(0, 2, 1, 3) @ q_RHK[..., None]
    share_RHS = torch.softmax(score_RHS[..., 0] / q_RHK.shape[-1] ** 0.5, -1)
    found_RHK = (share_RHS[:, :, None] @ v_RSHK.transpose(1, 2))[:, :, 0]
    out: Tensor = attention.out(found_RHK.flatten(1))
    return out


def _read(attention: Attention, q_RD: Tensor, memory: Iterator[Tensor]) -> Tensor:
    """A row's attention to the words, which all rays share."""
    heads = attention.heads
    k_LD, v_LD = next(memory), next(memory)
    q_HRK = attention.query(q_RD).unflatten(-1, (heads, -1)).transpose(0, 1)
    k_HKL = k_LD.unflatten(-1, (heads, -1)).permute(1, 2, 0)
    v_HLK = v_LD.unflatten(-1, (heads, -1)).transpose(0, 1)
    share_HRL = torch.softmax(q_HRK @ k_HKL / q_HRK.shape[-1] ** 0.5, -1)
    out: Tensor = attention.out((share_HRL @ v_HLK).transpose(0, 1).flatten(1))
    return out
