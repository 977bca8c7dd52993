"""TreeGen one step at a time: what is served (conformance 13).

The description is read once. Of every step that was made, the cache keeps what later steps ask of it: keys and values
of the AST reader's attention, the inputs of both layers of its tree convolutions (a rule, its parent and its
grandparent are all that these see), and keys and values for the decoder.

L words, R hypotheses, T steps that were made, S = T + 1, D width, H heads, K = D / H, P labels, W and X widths of the
packed memory and cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from editahead_models.treegen.network.layers import Attention, FeedForward, Gating, Residual, TreeConvolution
from editahead_models.treegen.network.model import TreeGen


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


class _ReaderParts(NamedTuple):
    """The parts of a block of the AST reader; a model that is served has all of them."""

    after: list[Residual]
    attention: Attention
    gating: Gating
    to_words: Attention
    convolution: TreeConvolution

    @classmethod
    def of(cls, block: nn.Module) -> _ReaderParts:
        """The parts of a block."""
        part: Any = block
        return cls(list(part.after), part.attention, part.gating, part.to_words, part.convolution)


class _WriterParts(NamedTuple):
    """The parts of a block of the decoder."""

    after: list[Residual]
    to_rules: Attention
    to_words: Attention
    dense: FeedForward

    @classmethod
    def of(cls, block: nn.Module) -> _WriterParts:
        """The parts of a block."""
        part: Any = block
        return cls(list(part.after), part.to_rules, part.to_words, part.dense)


class EncodeGraph(nn.Module):
    """One description, without a batch: `memory` (L, W), which `StepGraph` slices."""

    def __init__(self, model: TreeGen) -> None:
        super().__init__()
        self.model = model

    def forward(self, word_L: Tensor, letter_LM: Tensor) -> Tensor:
        """The encoded description (1, L, D) of one function."""
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
    """One step of every hypothesis over one description; `cache` (R', T, X) holds those of the step before.

    Rows are shaped with fixed sizes wherever that can be: small graphs spend their time on the shapes of tensors.
    """

    def __init__(self, model: TreeGen) -> None:
        super().__init__()
        servable(model)
        self.model, self.width, self.heads = model, model.config.width, model.config.heads
        self.kept = (4 * len(model.ast) + 2 + 2 * len(model.decoder)) * self.width  # X
        self.readers = [_ReaderParts.of(block) for block in model.ast]
        self.writers = [_WriterParts.of(block) for block in model.decoder]
        self.last = cast(TreeConvolution, model.last)

    def forward(
        self, came_from_R: Tensor, cache_RTX: Tensor, memory_LW: Tensor, done_R: Tensor, children_RK: Tensor,
        left_R: Tensor, depth_R: Tensor, parent_R: Tensor, grandparent_R: Tensor, path_RP: Tensor, nth_R: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """Raw scores of classes (R, C), of the gate (R,) and of copies (R, L), and the cache (R, S, X)."""
        m, heads, size = self.model, self.heads, self.width // self.heads
        now = cache_RTX.shape[1]
        above_R2 = torch.stack([parent_R, grandparent_R], 1)
        cache = _Cache(cache_RTX[came_from_R], (heads, size), self.kept // size, above_R2)
        readers = memory_LW[:, : -self.width].reshape(-1, 2 * heads * len([*m.ast, *m.decoder]), size)
        memory = iter(readers.transpose(0, 1).split(heads))  # keys and values by turns, (H, L, K)
        place_BD = signals(torch.arange(max(len(m.ast), len(m.decoder))) + now, self.width)
        z_RD = m.rule(done_R)
        definition_RD = m.children_norm(m.children_in(m.symbol(children_RK).flatten(1)))
        rule_RD = m.rule_norm(m.rule_in(torch.cat([z_RD, definition_RD, m.symbol(left_R)], -1)))
        depth_RD = m.depth(depth_R)
        for number, reader in enumerate(self.readers):
            z_RD = z_RD + depth_RD + place_BD[number]
            z_RD = reader.after[0](z_RD, _look(reader.attention, z_RD, z_RD, cache))
            z_RD = reader.after[1](z_RD, _gate(reader.gating, z_RD, rule_RD))
            z_RD = reader.after[2](z_RD, _read(reader.to_words, z_RD, memory))
            z_RD = _convolve(reader.convolution, z_RD, cache)
        z_RD = _convolve(self.last, z_RD, cache)
        q_RD = m.path_norm(m.path_in(m.symbol(path_RP).flatten(1))) + m.nth(nth_R)
        for number, writer in enumerate(self.writers):
            q_RD = q_RD + place_BD[number]
            q_RD = writer.after[0](q_RD, _look(writer.to_rules, q_RD, z_RD, cache))
            q_RD = writer.after[1](q_RD, _read(writer.to_words, q_RD, memory))
            q_RD = writer.after[2](q_RD, writer.dense(q_RD))
        copy_LD = memory_LW[:, -self.width :]
        score_RL = m.copy_score(torch.tanh(m.copy_step(q_RD)[:, None] + copy_LD))[..., 0]
        return m.classes(q_RD), m.gate(q_RD)[:, 0], score_RL, cache.grown()


class _Cache:
    """The hypotheses' caches: slots of D numbers a step, as heads, taken one after the other."""

    def __init__(self, cache_RTX: Tensor, shape: tuple[int, int], rows: int, above_R2: Tensor) -> None:
        heads, size = shape
        self._shape = (-1, 1, heads, size)
        self._slots = iter(cache_RTX.unflatten(-1, (rows, size)).split(heads, 2))
        self._cache_RTX, self._fresh = cache_RTX, list[Tensor]()
        step_S = torch.arange(cache_RTX.shape[1] + 1)
        self._above_R2S = (above_R2[..., None] == step_S).to(cache_RTX.dtype)  # one where the ancestor stands

    def add(self, row_RD: Tensor) -> Tensor:
        """A slot with a step's row behind what it held, (R, S, H, K)."""
        self._fresh.append(row_RD)
        return torch.cat([next(self._slots), row_RD.reshape(self._shape)], 1)

    def family(self, row_RD: Tensor) -> Tensor:
        """A step's row beside its parent's and its grandparent's, (R, 3 D)."""
        above_R2D = self._above_R2S @ self.add(row_RD).flatten(2)
        return torch.cat([row_RD, above_R2D.flatten(1)], -1)

    def grown(self) -> Tensor:
        """All with the step's rows, (R, S, X)."""
        return torch.cat([self._cache_RTX, torch.cat(self._fresh, -1)[:, None]], 1)


def _convolve(convolution: TreeConvolution, row_RD: Tensor, cache: _Cache) -> Tensor:
    first, second = convolution.layers
    row_RD = second(cache.family(F.gelu(first(cache.family(row_RD)))))
    out: Tensor = convolution.norm(row_RD)
    return out


def _heads(x_RD: Tensor, layer: Attention | Gating) -> Tensor:
    """(R, D) to (R, H, K)."""
    return x_RD.reshape(-1, layer.heads, _size(layer))


def _size(layer: Attention | Gating) -> int:
    """K, as a number: sizes that are asked of tensors become part of the graph."""
    return layer.out.in_features // layer.heads


def _gate(gating: Gating, y_RD: Tensor, c_RD: Tensor) -> Tensor:
    """`Gating` of rows."""
    width = gating.out.in_features
    q_RHK = _heads(gating.query(y_RD), gating)
    rows = (gating.own(y_RD), gating.other(c_RD))
    both = [(_heads(row[:, :width], gating), _heads(row[:, width:], gating)) for row in rows]
    scores_RH2 = torch.stack([(q_RHK * key).sum(-1) for key, _ in both], -1) / _size(gating) ** 0.5
    share_RH2 = torch.softmax(scores_RH2, -1)
    mixed_RHK = share_RH2[..., :1] * both[0][1] + share_RH2[..., 1:] * both[1][1]
    out: Tensor = gating.out(mixed_RHK.reshape(-1, width))
    return out


def _look(attention: Attention, q_RD: Tensor, z_RD: Tensor, cache: _Cache) -> Tensor:
    """A row's attention to all steps of its own hypothesis, the one that `z` is of among them."""
    k_RSHK, v_RSHK = cache.add(attention.key(z_RD)), cache.add(attention.value(z_RD))
    q_RHK = _heads(attention.query(q_RD), attention)
    score_RH1S = q_RHK[:, :, None] @ k_RSHK.permute(0, 2, 3, 1)
    share_RH1S = torch.softmax(score_RH1S / _size(attention) ** 0.5, -1)
    found_RH1K = share_RH1S @ v_RSHK.transpose(1, 2)
    out: Tensor = attention.out(found_RH1K.reshape(-1, attention.out.in_features))
    return out


def _read(attention: Attention, q_RD: Tensor, memory: Iterator[Tensor]) -> Tensor:
    """A row's attention to the words, which all hypotheses share."""
    k_HLK, v_HLK = next(memory), next(memory)
    q_HRK = _heads(attention.query(q_RD), attention).transpose(0, 1)
    share_HRL = torch.softmax(q_HRK @ k_HLK.transpose(1, 2) / _size(attention) ** 0.5, -1)
    found_RHK = (share_HRL @ v_HLK).transpose(0, 1)
    out: Tensor = attention.out(found_RHK.reshape(-1, attention.out.in_features))
    return out
