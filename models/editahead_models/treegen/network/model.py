"""TreeGen: readers of the description and of the rules so far, and a decoder whose queries are paths (section 2).

B batch, L words, T steps, P labels, D width, C classes, N steps that are no padding.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from editahead.encode.tree_generation.steps import (
    CHILDREN,
    LETTERS,
    MAX_DEPTH,
    MAX_ELEMENTS,
    PAD,
    PATH,
    Vocabulary,
    children_table,
)
from torch import Tensor, nn
from torch.nn import functional as F

from editahead_models.treegen.network.batches import IGNORED, Batch, Rules, Words
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.layers import (
    Attention,
    FeedForward,
    Gating,
    Residual,
    TreeConvolution,
    WordConvolution,
)
from editahead_models.treegen.network.layers import positions as position_table

_NEVER = -1e9  # a logit without probability


class Masses(NamedTuple):
    """Log masses of a step: of each class, and of a copy of each word."""

    class_NC: Tensor
    copy_NL: Tensor


class NLBlock(nn.Module):
    """Self-attention, gating with letters, word convolution (dense layers in the plain Transformer)."""

    def __init__(self, config: TreeGenConfig) -> None:
        super().__init__()
        width = config.width
        self.attention = Attention(width, config.heads)
        self.gating = Gating(width, config.heads) if config.characters and not config.plain else None
        self.convolution = FeedForward(width, 4 * width) if config.plain else WordConvolution(width)
        self.after = nn.ModuleList(Residual(width, config.dropout) for _ in range(3))

    def forward(self, x_BLD: Tensor, letters_BLD: Tensor, real_BL: Tensor) -> Tensor:
        """The description's rows (B, L, D) after one block."""
        x_BLD = self.after[0](x_BLD, self.attention(x_BLD, x_BLD, real_BL[:, None, None]))
        if self.gating is not None:
            x_BLD = self.after[1](x_BLD, self.gating(x_BLD, letters_BLD))
        dense = isinstance(self.convolution, FeedForward)
        changed = self.convolution(x_BLD) if dense else self.convolution(x_BLD, real_BL)
        out: Tensor = self.after[2](x_BLD, changed)
        return out


class ASTBlock(nn.Module):
    """Causal self-attention, gating with definitions, attention to the description, tree convolution."""

    def __init__(self, config: TreeGenConfig, block: int) -> None:
        super().__init__()
        width, heads = config.width, config.heads
        self.attention = Attention(width, heads) if config.self_attention else None
        self.gating = Gating(width, heads) if config.rule_definition and not config.plain else None
        self.to_words = Attention(width, heads)
        self.after = nn.ModuleList(Residual(width, config.dropout) for _ in range(3))
        self.after_dense = Residual(width, config.dropout) if config.plain else None
        self.dense = FeedForward(width, 4 * width) if config.plain else None
        convolves = config.convolves(block) and not config.plain
        self.convolution = (
            TreeConvolution(width, config.dropout, not config.tree_convolution) if convolves else None
        )  # fmt: skip

    def forward(self, z_BTD: Tensor, rule_BTD: Tensor, y_BLD: Tensor, real_BL: Tensor, parent_BT: Tensor) -> Tensor:
        """The rules' rows (B, T, D) after one block."""
        if self.attention is not None:
            z_BTD = self.after[0](z_BTD, self.attention(z_BTD, z_BTD, causal(z_BTD.shape[1], z_BTD.device)))
        if self.gating is not None:
            z_BTD = self.after[1](z_BTD, self.gating(z_BTD, rule_BTD))
        z_BTD = self.after[2](z_BTD, self.to_words(z_BTD, y_BLD, real_BL[:, None, None]))
        if self.dense is not None and self.after_dense is not None:
            z_BTD = self.after_dense(z_BTD, self.dense(z_BTD))
        return self.convolution(z_BTD, parent_BT) if self.convolution is not None else z_BTD


class DecoderBlock(nn.Module):
    """Attention to the rules so far, attention to the description, dense layers."""

    def __init__(self, config: TreeGenConfig) -> None:
        super().__init__()
        width = config.width
        self.to_rules, self.to_words = Attention(width, config.heads), Attention(width, config.heads)
        self.dense = FeedForward(width, 4 * width)
        self.after = nn.ModuleList(Residual(width, config.dropout) for _ in range(3))

    def forward(self, q_BTD: Tensor, z_BTD: Tensor, y_BLD: Tensor, real_BL: Tensor, seen: Tensor) -> Tensor:
        """The queries' rows (B, T, D) after one block."""
        q_BTD = self.after[0](q_BTD, self.to_rules(q_BTD, z_BTD, seen))
        q_BTD = self.after[1](q_BTD, self.to_words(q_BTD, y_BLD, real_BL[:, None, None]))
        out: Tensor = self.after[2](q_BTD, self.dense(q_BTD))
        return out


def causal(length: int, device: torch.device) -> Tensor:
    """(1, 1, T, T): a step sees itself and what is before it."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()[None, None]


class TreeGen(nn.Module):
    """The model for one vocabulary."""

    child_CK: Tensor
    fits_GC: Tensor
    copies_G: Tensor

    def __init__(self, config: TreeGenConfig, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.config, width = config, config.width
        done = vocabulary.classes + 2
        self.word = nn.Embedding(len(vocabulary.words) + 2, width, padding_idx=PAD)
        self.letter = nn.Embedding(len(vocabulary.letters) + 2, width, padding_idx=PAD)
        self.rule = nn.Embedding(done, width)
        self.symbol = nn.Embedding(len(vocabulary.symbols) + 2, width, padding_idx=PAD)
        self.depth, self.nth = nn.Embedding(MAX_DEPTH, width), nn.Embedding(MAX_ELEMENTS, width)
        self.letters_in, self.letters_norm = nn.Linear(LETTERS * width, width), nn.LayerNorm(width)
        self.children_in, self.children_norm = nn.Linear(CHILDREN * width, width), nn.LayerNorm(width)
        self.rule_in, self.rule_norm = nn.Linear(3 * width, width), nn.LayerNorm(width)
        self.path_in, self.path_norm = nn.Linear(PATH * width, width), nn.LayerNorm(width)
        self.nl = nn.ModuleList(NLBlock(config) for _ in range(config.nl_blocks))
        self.ast = nn.ModuleList(ASTBlock(config, block) for block in range(config.ast_blocks))
        last = config.ast_blocks and not config.plain and config.convolves(config.ast_blocks - 1)
        self.last = TreeConvolution(width, config.dropout, not config.tree_convolution) if last else None
        self.decoder = nn.ModuleList(DecoderBlock(config) for _ in range(config.decoder_blocks))
        self.gate, self.classes = nn.Linear(width, 1), nn.Linear(width, vocabulary.classes)
        self.copy_step, self.copy_word = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.copy_score = nn.Linear(width, 1, bias=False)
        self.register_buffer("child_CK", torch.tensor(children_table(vocabulary)), persistent=False)
        fits, copies = _fits(vocabulary)
        self.register_buffer("fits_GC", fits, persistent=False)
        self.register_buffer("copies_G", copies, persistent=False)

    def read_words(self, words: Words) -> Tensor:
        """The description, (B, L, D)."""
        config, length = self.config, words.word_BL.shape[1]
        x_BLD: Tensor = self.word(words.word_BL)
        letters_BLD = self.letters_norm(self.letters_in(self.letter(words.letter_BLM).flatten(2)))
        for number, block in enumerate(self.nl):
            where = position_table(length, config.width, number, x_BLD.device)
            x_BLD = block(x_BLD + where, letters_BLD, words.real_BL)
        return x_BLD

    def read_rules(self, rules: Rules, y_BLD: Tensor, real_BL: Tensor) -> Tensor:
        """What was done so far, (B, T, D); step i depends on steps <= i alone."""
        config, length = self.config, rules.done_BT.shape[1]
        z_BTD: Tensor = self.rule(rules.done_BT)
        rule_BTD = self.rule_norm(
            self.rule_in(torch.cat([z_BTD, self.definitions(rules), self.symbol(rules.left_BT)], -1))
        )
        depth_BTD = self.depth(rules.depth_BT)
        for number, block in enumerate(self.ast):
            where = position_table(length, config.width, number, z_BTD.device)
            z_BTD = block(z_BTD + depth_BTD + where, rule_BTD, y_BLD, real_BL, rules.parent_BT)
        if not self.ast:
            z_BTD = z_BTD + depth_BTD + position_table(length, config.width, 0, z_BTD.device)
        return self.last(z_BTD, rules.parent_BT) if self.last is not None else z_BTD

    def definitions(self, rules: Rules) -> Tensor:
        """The right side of each rule, (B, T, D), each different one computed once; of a copy the copied text."""
        if self.config.plain or not self.config.rule_definition:
            return torch.zeros(*rules.done_BT.shape, self.config.width, device=rules.done_BT.device)
        done_U, which = torch.unique(rules.done_BT, return_inverse=True)
        table_UD = self.children_norm(self.children_in(self.symbol(self.child_CK[done_U]).flatten(1)))
        first = self.children_in.weight[:, : self.config.width]
        copied = self.children_norm(F.linear(self.symbol(rules.copied_BT), first, self.children_in.bias))
        return torch.where((rules.copied_BT != PAD)[..., None], copied, table_UD[which])

    def queries(self, path_BTP: Tensor, nth_BT: Tensor) -> Tensor:
        """Paths, (B, T, D): each different one is computed once.

        Elements of a list have one path, so each has its number besides; the paper's rules have whole lists instead.
        """
        if self.config.plain:
            path_BTP = torch.cat([path_BTP[..., :1], torch.zeros_like(path_BTP[..., 1:])], -1)
        path_UP, which = torch.unique(path_BTP.flatten(0, 1), dim=0, return_inverse=True)
        q_UD = self.path_norm(self.path_in(self.symbol(path_UP).flatten(1)))
        q_BTD: Tensor = q_UD[which].view(*path_BTP.shape[:2], -1) + self.nth(nth_BT)
        return q_BTD

    def decode(self, q_BTD: Tensor, z_BSD: Tensor, y_BLD: Tensor, real_BL: Tensor, seen: Tensor) -> Tensor:
        """What the queries of the last T steps find, (B, T, D). Their positions are added as in the readers.

        Without decoder blocks each query meets the rules at its own step.
        """
        length = q_BTD.shape[1]
        if not self.decoder:
            return F.layer_norm(q_BTD + z_BSD[:, -length:], q_BTD.shape[-1:])
        for number, block in enumerate(self.decoder):
            where = position_table(z_BSD.shape[1], self.config.width, number, z_BSD.device)[-length:]
            q_BTD = block(q_BTD + where, z_BSD, y_BLD, real_BL, seen)
        return q_BTD

    def forward(self, words: Words, rules: Rules) -> tuple[Tensor, Tensor]:
        """(h, y): the decoder's output for every step, (B, T, D), and the description, (B, L, D)."""
        y_BLD = self.read_words(words)
        z_BTD = self.read_rules(rules, y_BLD, words.real_BL)
        seen = causal(rules.done_BT.shape[1], y_BLD.device)
        return self.decode(self.queries(rules.path_BTP, rules.nth_BT), z_BTD, y_BLD, words.real_BL, seen), y_BLD

    def masses(self, h_ND: Tensor, y_NLD: Tensor, real_NL: Tensor, tag_N: Tensor) -> Masses:
        """Log masses of all classes and copies; together they sum to one (section 2.4)."""
        logits_NC, gate_N = self.classes(h_ND), self.gate(h_ND)[:, 0]
        score_NL = self.copy_score(torch.tanh(self.copy_step(h_ND)[:, None] + self.copy_word(y_NLD)))[..., 0]
        predefined, copied = F.logsigmoid(gate_N), F.logsigmoid(-gate_N)
        if self.config.masked:
            logits_NC = logits_NC.masked_fill(~self.fits_GC[tag_N], _NEVER)
            only = ~self.copies_G[tag_N]
            empty = ~self.fits_GC[tag_N].any(-1)  # a terminal of which the list has none
            predefined = predefined.masked_fill(only, 0.0).masked_fill(empty, _NEVER)
            copied = copied.masked_fill(only, _NEVER).masked_fill(empty, 0.0)
        copy_NL = torch.log_softmax(score_NL.masked_fill(~real_NL, _NEVER), -1)
        return Masses(predefined[:, None] + torch.log_softmax(logits_NC, -1), copied[:, None] + copy_NL)

    def log_likelihood(self, batch: Batch) -> Tensor:
        """ln p of every step that is no padding, (N,): the list's part and all right copies are added up."""
        h_BTD, y_BLD = (out.float() for out in self(batch.words, batch.rules))
        with torch.autocast(h_BTD.device.type, enabled=False):  # sums of probabilities are taken in single precision
            return self._likelihood(batch, h_BTD, y_BLD)

    def _likelihood(self, batch: Batch, h_BTD: Tensor, y_BLD: Tensor) -> Tensor:
        b, t = torch.nonzero(batch.target_BT != IGNORED, as_tuple=True)
        target_N, tag_N, right_NL = batch.target_BT[b, t], batch.rules.tag_BT[b, t], batch.right_BTL[b, t]
        out = h_BTD.new_zeros(len(b))
        terminal_N = self.copies_G[tag_N] if self.config.masked else torch.ones_like(tag_N, dtype=torch.bool)
        plain = torch.nonzero(~terminal_N)[:, 0]
        logits = self.classes(h_BTD[b[plain], t[plain]]).masked_fill(~self.fits_GC[tag_N[plain]], _NEVER)
        out = out.index_put((plain,), -F.cross_entropy(logits, target_N[plain], reduction="none"))
        some = torch.nonzero(terminal_N)[:, 0]
        b, t = b[some], t[some]
        masses = self.masses(h_BTD[b, t], y_BLD[b], batch.words.real_BL[b], tag_N[some])
        known_N = masses.class_NC.gather(1, target_N[some].clamp_min(0)[:, None])[:, 0]
        known_N = known_N.masked_fill(target_N[some] < 0, _NEVER)
        copy_N = torch.logsumexp(masses.copy_NL.masked_fill(~right_NL[some], _NEVER), -1)
        return out.index_put((some,), torch.logaddexp(known_N, copy_N))


def _fits(vocabulary: Vocabulary) -> tuple[Tensor, Tensor]:
    """(G, C) which classes may fill a place of each tag, and (G,) whether a copy may."""
    grammar = vocabulary.grammar
    fits = torch.zeros(len(grammar.tags), vocabulary.classes, dtype=torch.bool)
    for tag, productions in enumerate(grammar.productions):
        fits[tag, list(productions)] = True
        kind = grammar.kinds[tag]
        if kind is not None:
            fits[tag, vocabulary.terminal_classes(kind)] = True
    return fits, torch.tensor([kind is not None for kind in grammar.kinds])
