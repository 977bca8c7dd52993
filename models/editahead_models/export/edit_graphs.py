"""The implicit-attention model as four modules over explicit caches, one for each ONNX graph.

Graphs (N initial tokens, T edits so far, K candidate positions, D dimension, V classes, M = N + T + 1 names):
    encode: rows (N,D) -> states, read_k, read_v, pointer_k, copy_k (N,D); pos_k0, pos_v0, con_k0, con_v0 (1,D)
    step:   one settled edit and the caches -> one new row for each cache, `change` (1,D), and `position`: ln P over the
            M names and stop after that edit
    what:   candidate positions -> ln P of the table's classes, P of copying each initial token and each edit, `hidden`
    gap:    hidden and a token's row -> ln P of 0, 1, 2 blanks before it
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from editahead_models.export.one_row import RowAttention, displaced, replayed
from editahead_models.families.implicit_attention import NEGATIVE, ImplicitAttention
from editahead_models.layers.analogy import MATCHES

STEP_INPUTS = (
    "raw_row",
    "index",
    "root",
    "start",
    "name",
    "same",
    "live",
    "bins",
    "match",
    "states",
    "read_k",
    "read_v",
    "pointer_k",
    "raw",
    "edits",
    "pointer_e",
    "edit_k",
    "edit_v",
    "pos_k",
    "pos_v",
    "con_k",
    "con_v",
    "replay_k",
)
STEP_OUTPUTS = (
    "edits_row",
    "pointer_row",
    "edit_k_row",
    "edit_v_row",
    "pos_k_row",
    "pos_v_row",
    "con_k_row",
    "con_v_row",
    "replay_row",
    "copy_row",
    "change",
    "position",
)
WHAT_INPUTS = ("name", "change", "same", "code", "copyable", "copied", "states", "copy_k", "edits", "copy_e", "table")
WHAT_OUTPUTS = ("table_p", "from_state", "from_edits", "hidden")


class Encode(nn.Module):
    """Initial rows to everything that later graphs need of them. Rows are [N, D]."""

    def __init__(self, model: ImplicitAttention) -> None:
        super().__init__()
        self.model = model

    def forward(self, rows: Tensor) -> tuple[Tensor, ...]:
        """The encoded window of one file, from its rows."""
        m = self.model
        states = m.contexts(rows.unsqueeze(0), None)
        first = torch.zeros(1, dtype=torch.long)
        read_k, read_v = m.edit_reads.memory(states)
        zero = torch.zeros_like(m.begin).view(1, 1, -1)
        pos_k, pos_v = m.position_layer.memory(m.placed(zero + m.begin, first))
        con_k, con_v = m.content_layer.memory(m.placed(zero, first))
        outputs = (states, read_k, read_v, m.pointer_key(states), m.copy_state(states), pos_k, pos_v, con_k, con_v)
        return tuple(value[0] for value in outputs)


class Step(nn.Module):
    """One settled edit: its rows, and where the next edit goes.

    The row is [1, D], states [N, D], edits [T, D]; keys and values are those of their layers.
    """

    def __init__(self, model: ImplicitAttention) -> None:
        super().__init__()
        self.model = model
        self.edit_layer = RowAttention(model.edit_layer)
        self.edit_reads = RowAttention(model.edit_reads)
        self.position_layer = RowAttention(model.position_layer)
        self.content_layer = RowAttention(model.content_layer)

    def forward(
        self,
        raw_row: Tensor,
        index: Tensor,
        root: Tensor,
        start: Tensor,
        name: Tensor,
        same: Tensor,
        live: Tensor,
        bins: Tensor,
        match: Tensor,
        states: Tensor,
        read_k: Tensor,
        read_v: Tensor,
        pointer_k: Tensor,
        raw: Tensor,
        edits: Tensor,
        pointer_e: Tensor,
        edit_k: Tensor,
        edit_v: Tensor,
        pos_k: Tensor,
        pos_v: Tensor,
        con_k: Tensor,
        con_v: Tensor,
        replay_k: Tensor,
    ) -> tuple[Tensor, ...]:
        """The state after one edit."""
        m = self.model
        time = torch.zeros(1, dtype=torch.long) + pos_k.shape[0]  # of this edit, from 1; edit rows count from 0
        two = torch.cat([torch.zeros_like(raw_row), torch.zeros_like(raw_row), raw], 0)[-2:]
        row = m.placed(raw_row, index) + m.marker + m.start_flag(start)
        row = row + m.edit_context(torch.cat([states[root], two[1:], two[:1]], -1))
        k_row, v_row = self.edit_layer.memory(row)
        row = self.edit_layer(row, torch.cat([edit_k, k_row]), torch.cat([edit_v, v_row]))
        edits_row = m.edit_norm(self.edit_reads(row, read_k, read_v))
        here = torch.cat([states, edits, edits_row])[name]  # an anchor is older than its edit
        past = m.placed(here + m.position_past(edits_row), time)
        pos_k_row, pos_v_row = self.position_layer.memory(past)
        query = self.position_layer(past, torch.cat([pos_k, pos_k_row]), torch.cat([pos_v, pos_v_row]))
        change = m.placed(raw_row - here + m.content_past(edits_row), time)
        con_k_row, con_v_row = self.content_layer.memory(change)
        changed = self.content_layer(change, torch.cat([con_k, con_k_row]), torch.cat([con_v, con_v_row]))
        pointer_row, replay_row = m.pointer_key(edits_row), m.position_replay.key(edits_row)
        replay = replayed(m.position_replay, query, torch.cat([replay_k, replay_row]), same, match)
        asked = m.pointer_query(query) * m.config.dim**-0.5
        initial, later = asked @ pointer_k.t() + replay, asked @ torch.cat([pointer_e, pointer_row]).t()
        stop = asked @ m.stop_key.unsqueeze(1) + m.stop_bias
        names = torch.cat([initial, later], -1) + displaced(m.displacement, query, bins)
        scores = torch.cat([names, stop], -1).masked_fill(~live, NEGATIVE)
        position = torch.log_softmax(scores, -1)
        return (
            edits_row,
            pointer_row,
            k_row,
            v_row,
            pos_k_row,
            pos_v_row,
            con_k_row,
            con_v_row,
            replay_row,
            m.copy_edit(edits_row),
            changed,
            position,
        )


class What(nn.Module):
    """Contents at candidate positions, given the change state of the last step.

    Names are [K], states [N, D], edits [T, D], the table [D, V].
    """

    def __init__(self, model: ImplicitAttention) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        name: Tensor,
        change: Tensor,
        same: Tensor,
        code: Tensor,
        copyable: Tensor,
        copied: Tensor,
        states: Tensor,
        copy_k: Tensor,
        edits: Tensor,
        copy_e: Tensor,
        table: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Log-probabilities of positions and contents of the next edit."""
        m = self.model
        here = torch.cat([states, edits])[name]
        state = m.content_state(change + here)
        to_state, to_edits = m.copy_query(state).chunk(2, -1)
        scale = m.config.dim**-0.5
        over_state = (to_state @ copy_k.t()) * scale
        over_edits = (to_edits @ copy_e.t()) * scale + m.content_replay.table(code + MATCHES * same).squeeze(-1)
        keep = copied.unsqueeze(0)
        from_state = torch.softmax(over_state.masked_fill(~copyable.unsqueeze(0), NEGATIVE), -1)
        from_edits = torch.softmax(over_edits.masked_fill(~keep, NEGATIVE), -1) * keep.to(state.dtype)
        weights = m.mix(torch.cat([state, from_state @ states, from_edits @ edits], -1))
        none = (keep.to(state.dtype).amax(-1, keepdim=True) - 1.0) * -NEGATIVE
        weights = torch.softmax(torch.cat([weights[:, :2], weights[:, 2:] + none], -1), -1)
        logits = state @ table + m.content_bias
        table_p = torch.softmax(logits, -1) * weights[:, :1]
        return table_p, from_state * weights[:, 1:2], from_edits * weights[:, 2:3], m.gap_hidden(state)


class Gap(nn.Module):
    """Blanks before an inserted token. Hidden rows and token rows are [T, D]."""

    def __init__(self, model: ImplicitAttention) -> None:
        super().__init__()
        self.gap_token, self.gap_out = model.gap_token, model.gap_out

    def forward(self, hidden: Tensor, row: Tensor) -> Tensor:
        """Log-probabilities of the gap after a token."""
        return F.log_softmax(self.gap_out(torch.tanh(hidden + self.gap_token(row))), -1)
