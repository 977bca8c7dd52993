"""The implicit-attention edit model: P(next position, next content | initial state, edits so far).

With `ImplicitConfig.paper()` this is the IA family of Zhao et al. 2019 (IA-ag by default).
`ImplicitConfig.product()` adds
what real code needs: sub-word and identity embeddings, local context, normalisation and feed-forward parts, a copy
mixture, stop, gaps, and two biases of the pointer that repeat earlier edits (see `editahead_models.layers.analogy`).
Tensors: B sequences, N initial tokens, T edits; position columns are N names, T names of insertions, then stop if there
is one.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from editahead.encode.edit_model.tokens import SPECIALS
from torch import Tensor, nn

from editahead_models.families.implicit_config import ImplicitConfig
from editahead_models.layers.analogy import ContentReplay, Displacement, PositionReplay, context_match
from editahead_models.layers.attention import Attention, causal_mask, sinusoids
from editahead_models.layers.edit_inputs import GAPS, LocalContext, TokenEmbedding

Batch = dict[str, Tensor]
NEGATIVE = -1e9
FIRST_TOKEN = len(SPECIALS)


class ImplicitAttention(nn.Module):
    """See the module's text. `forward` scores all edits of a batch at once."""

    position_table: Tensor

    def __init__(self, config: ImplicitConfig) -> None:
        super().__init__()
        self.config = config
        dim, extended = config.dim, config.extended
        self.embed = TokenEmbedding(config)
        self.register_buffer(
            "position_table", sinusoids(config.max_state + 2 * config.max_edits + 2, dim), persistent=False
        )
        wide = 2 * dim if extended else 0

        def layer(feed: int = 0) -> Attention:
            return Attention(dim, config.heads, config.aggregation, norm=extended, feed_forward=feed)

        self.state_layer, self.edit_layer, self.edit_reads = layer(wide), layer(), layer(wide)
        self.position_layer, self.content_layer = layer(), layer()
        self.marker = nn.Parameter(torch.randn(dim))
        self.content_bias = nn.Parameter(torch.zeros(config.vocab))
        if not extended:
            self.content_out = nn.Linear(dim, config.vocab, bias=False)
            return
        self.local_before = nn.ModuleList([LocalContext(dim) for _ in range(config.local_layers)])
        self.start_flag = nn.Embedding(2, dim)
        self.begin = nn.Parameter(torch.randn(dim))
        self.edit_context = nn.Linear(3 * dim, dim, bias=False)  # root's context, contents of the two edits before
        self.position_past = nn.Linear(dim, dim, bias=False)
        self.content_past = nn.Linear(dim, dim, bias=False)
        self.state_norm, self.edit_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.pointer_query, self.pointer_key = nn.Linear(dim, dim), nn.Linear(dim, dim, bias=False)
        self.stop_key = nn.Parameter(torch.zeros(dim))
        self.stop_bias = nn.Parameter(torch.zeros(()))
        self.displacement = Displacement(dim)
        self.position_replay = PositionReplay(dim)
        self.content_replay = ContentReplay()
        self.content_feed = nn.Sequential(
            nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim)
        )
        self.content_norm = nn.LayerNorm(dim)
        self.copy_query, self.copy_state = nn.Linear(dim, 2 * dim), nn.Linear(dim, dim, bias=False)
        self.copy_edit = nn.Linear(dim, dim, bias=False)
        self.mix = nn.Linear(3 * dim, 3)
        self.gap_hidden, self.gap_token = nn.Linear(dim, 64), nn.Linear(dim, 64, bias=False)
        self.gap_out = nn.Linear(64, GAPS)

    def placed(self, rows: Tensor, places: Tensor) -> Tensor:
        """Rows (..., T, D) with absolute positions added; `places` are (T,) or (B, T)."""
        return rows + self.position_table[places]

    def encode(
        self,
        tok: Tensor,
        sub: Tensor | None,
        lid: Tensor | None,
        gap: Tensor | None,
        mask: Tensor | None,
    ) -> Tensor:
        """Context of the initial tokens [B, N, D]; depends on nothing else."""
        return self.contexts(self.embed(tok, sub, lid, gap), mask)

    def contexts(self, rows: Tensor, mask: Tensor | None) -> Tensor:
        """Context of embedded initial tokens [B, N, D]."""
        if self.config.extended:
            for local in self.local_before:
                rows = local(rows, mask)
        places = torch.arange(rows.shape[1], device=rows.device)
        rows = self.placed(rows, places)
        rows = self.state_layer(rows, rows, None if mask is None else mask.unsqueeze(1))
        return self.state_norm(rows) if self.config.extended else rows

    def edit_rows(self, raw: Tensor, states: Tensor, read: tuple[Tensor, Tensor], batch: Batch) -> Tensor:
        """Context of the edits [B, T, D]; row t depends on the state and on edits up to t.

        `read` are the keys and values of the states [B, N, D].
        """
        steps = raw.shape[1]
        rows = self.placed(raw, batch["index"]) + self.marker
        if self.config.extended:
            rows = (
                rows
                + self.start_flag(batch["start"])
                + self.edit_context(
                    torch.cat([gather_rows(states, batch["root"]), delayed(raw, 1), delayed(raw, 2)], -1)
                )
            )
        rows = self.edit_layer(rows, rows, causal_mask(steps, raw.device).unsqueeze(0))
        rows = self.edit_reads.read(rows, *read, batch["state_mask"].unsqueeze(1))
        return self.edit_norm(rows) if self.config.extended else rows

    # -- full pass ---------------------------------------------------------------------------------------------------

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """The outputs of the model for every position, by name.

        `position`: log-probabilities [B, T+1 (paper: T), columns]; `content`: log-probability of each true content [B,
        T]; `content_logits`: table logits; paper: also what they and the pointer read, `state` and `rows`; extended:
        `gap`: log-probabilities [B, T, 3].
        """
        states = self.encode(
            batch["tok"], batch.get("sub"), batch.get("lid"), batch.get("gap"), batch["state_mask"]
        )  # fmt: skip
        read = self.edit_reads.memory(states)
        if self.config.extended:
            keys = self.pointer_key(states), self.copy_state(states)
        raw = self.embed(batch["c_tok"], batch.get("c_sub"), batch.get("c_lid"), batch.get("c_gap"))
        edits = self.edit_rows(raw, states, read, batch)
        rows = torch.cat([states, edits], 1)
        here = gather_rows(rows, batch["name"])
        if not self.config.extended:
            return self._paper(batch, rows, raw, here)
        past = F.pad(here + self.position_past(edits), (0, 0, 1, 0))
        past = torch.cat([past[:, :1] + self.begin, past[:, 1:]], 1)
        query = self._over_time(self.position_layer, past)
        result = {"position": self._position(batch, query, keys[0], edits)}
        change = delayed(raw, 1) - delayed(here, 1) if self.config.decoder == "analogical" else delayed(raw, 1) + here
        state = self._over_time(self.content_layer, change + self.content_past(delayed(edits, 1)))
        if self.config.decoder == "analogical":
            state = state + here
        return result | self._content(batch, self.content_state(state), states, keys[1], edits, raw)

    def _over_time(self, layer: Attention, rows: Tensor) -> Tensor:
        """What each time [B, T, D] reads of itself and of those before."""
        times = torch.arange(rows.shape[1], device=rows.device)
        rows = self.placed(rows, times)
        mask = causal_mask(len(times), rows.device).unsqueeze(0)
        return layer(rows, rows, mask)

    def _paper(self, batch: Batch, rows: Tensor, raw: Tensor, here: Tensor) -> dict[str, Tensor]:
        query = self._over_time(self.position_layer, delayed(here, 1))
        change = delayed(raw, 1) - delayed(here, 1) if self.config.decoder == "analogical" else delayed(raw, 1) + here
        state = self._over_time(self.content_layer, change)
        if self.config.decoder == "analogical":
            state = state + here
        scores = torch.einsum("btd,bmd->btm", query.float(), rows.float())
        scores = scores.masked_fill(~batch["live"][:, : scores.shape[1], : scores.shape[-1]], NEGATIVE)
        logits = self.content_out(state).float()
        chosen = F.log_softmax(logits, -1).gather(-1, batch["c_tok"].unsqueeze(-1)).squeeze(-1)
        return {
            "position": F.log_softmax(scores.float(), -1), "content": chosen, "content_logits": logits,
            "state": state, "rows": rows,
        }  # fmt: skip

    def _position(self, batch: Batch, query: Tensor, state_keys: Tensor, edits: Tensor) -> Tensor:
        """Log-probabilities of the next place, [B, T+1, columns]."""
        keys = torch.cat([state_keys, self.pointer_key(edits)], 1).transpose(1, 2)
        match = context_match(batch["lid"], batch["root"])
        replay = self.position_replay(query, edits, match, self.same_before(batch), batch)
        asked = self.pointer_query(query)
        logits = torch.bmm(asked, keys).float() * self.config.dim**-0.5 + self.displacement(query, batch["bins"])
        return F.log_softmax(self.with_stop(logits, replay, asked, batch["live"]), -1)

    def with_stop(self, logits: Tensor, replay: Tensor, asked: Tensor, live: Tensor) -> Tensor:
        """Scores of all names and of stop [B, T, M+1] from those of the names, what is impossible left out."""
        size = replay.shape[-1]
        logits = torch.cat([logits[..., :size] + replay, logits[..., size:]], -1)
        stop = (asked.float() @ self.stop_key).unsqueeze(-1) * self.config.dim**-0.5 + self.stop_bias
        return torch.cat([logits, stop], -1).masked_fill(~live, NEGATIVE)

    @staticmethod
    def same_before(batch: Batch) -> Tensor:
        """[B, T+1, T] in 0..3: whether the contents before time t equal those before edit j (one back, two back)."""
        content = batch["c_lid"] * GAPS + batch["c_gap"]
        content = torch.where(batch["c_tok"] == 1, -2, content)
        now1, now2 = F.pad(content, (1, 0), value=-1), F.pad(content, (2, 0), value=-1)[:, :-1]
        then1, then2 = now1[:, :-1], now2[:, :-1]
        one = now1.unsqueeze(2) == then1.unsqueeze(1)
        return one.long() + 2 * (one & (now2.unsqueeze(2) == then2.unsqueeze(1))).long()

    # -- content -----------------------------------------------------------------------------------------------------

    def content_state(self, state: Tensor) -> Tensor:
        """What the content heads read. Shape [B, T, D]."""
        return self.content_norm(state + self.content_feed(state))

    def copy_scores(self, state: Tensor, state_keys: Tensor, edits: Tensor) -> tuple[Tensor, Tensor]:
        """Unmasked scores over initial tokens [B, T, N], by their keys [B, N, D], and over edits [B, T, T']."""
        to_state, to_edits = self.copy_query(state).chunk(2, -1)
        scale = self.config.dim**-0.5
        over_state = torch.bmm(to_state, state_keys.transpose(1, 2)).float() * scale
        over_edits = torch.bmm(to_edits, self.copy_edit(edits).transpose(1, 2)).float() * scale
        return over_state, over_edits

    def mixture(self, state: Tensor, state_read: Tensor, edit_read: Tensor, any_edit: Tensor) -> Tensor:
        """Log weights [B, T, 3] of table, copy from the state, copy from edits.

        The last is impossible where `any_edit` is false.
        """
        weights = self.mix(torch.cat([state, state_read, edit_read], -1)).float()
        allowed = torch.stack([torch.ones_like(any_edit), torch.ones_like(any_edit), any_edit], -1)
        return F.log_softmax(weights.masked_fill(~allowed, NEGATIVE), -1)

    def table_logits(self, state: Tensor) -> Tensor:
        """Logits of the fixed vocabulary (tied with the embedding). [B, T, D] to [B, T, V]."""
        return F.linear(state, self.embed.token.weight * self.embed.scale * self.config.dim**-0.5) + self.content_bias

    def gap_logits(self, state: Tensor, raw: Tensor) -> Tensor:
        """Blanks before an inserted token, given its embedding (without its gap). [B, T, D] to [B, T, 3]."""
        return self.gap_out(torch.tanh(self.gap_hidden(state) + self.gap_token(raw)))

    def _content(
        self, batch: Batch, state: Tensor, states: Tensor, state_keys: Tensor, edits: Tensor, raw: Tensor
    ) -> dict[str, Tensor]:
        over_state, over_edits = self.copy_scores(state, state_keys, edits)
        steps = raw.shape[1]
        inserted = (batch["c_lid"] > 0) & batch["edit_mask"]
        earlier = causal_mask(steps, raw.device).tril(-1).unsqueeze(0) & inserted.unsqueeze(1)
        over_edits = over_edits + self.content_replay(
            context_match(batch["lid"], batch["root"]), self.same_before(batch)[:, :-1], batch["root"]
        )
        copyable = (batch["state_mask"] & (batch["lid"] > 0)).unsqueeze(1)
        from_state = F.softmax(over_state.masked_fill(~copyable, NEGATIVE), -1)
        from_edits = F.softmax(over_edits.masked_fill(~earlier, NEGATIVE), -1) * earlier
        weights = self.mixture(
            state, torch.bmm(from_state, states.float()), torch.bmm(from_edits, edits.float()), earlier.any(-1)
        )
        logits = self.table_logits(state).float()
        table = F.log_softmax(logits, -1).gather(-1, batch["c_tok"].unsqueeze(-1)).squeeze(-1)
        wanted = batch["c_lid"].unsqueeze(-1)
        real = wanted.squeeze(-1) > 0
        same_state = copyable & (wanted == batch["lid"].unsqueeze(1))
        same_edit = earlier & (wanted == batch["c_lid"].unsqueeze(1))
        state_part, edit_part = (from_state * same_state).sum(-1) * real, (from_edits * same_edit).sum(-1) * real
        unlisted = (
            batch["c_tok"] < FIRST_TOKEN
        ) & real  # the table has only its class: that says "new", not this token
        table = table.masked_fill(unlisted & (same_state.any(-1) | same_edit.any(-1)), NEGATIVE)
        parts = torch.stack([table, (state_part + 1e-12).log(), (edit_part + 1e-12).log()], -1)
        content = torch.logsumexp(weights + parts, -1)
        bare = self.embed(batch["c_tok"], batch["c_sub"], batch["c_lid"], torch.zeros_like(batch["c_gap"]))
        return {
            "content": content, "content_logits": logits, "weights": weights, "from_state": from_state,
            "from_edits": from_edits, "gap": F.log_softmax(self.gap_logits(state, bare).float(), -1),
        }  # fmt: skip

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Mean loss of an edit: position (any right place counts) + content + gap; and the forward pass's output.

        The loss is a scalar.
        """
        out = self(batch)
        if not self.config.extended:
            mask = batch["edit_mask"].float()
            chosen = out["position"].gather(-1, batch["name"].unsqueeze(-1)).squeeze(-1)
            return -((chosen + out["content"]) * mask).sum() / mask.sum(), out
        position = -(self._right_place(batch, out) * batch["position_weight"]).sum()
        content = -(out["content"] * batch["content_weight"]).sum()
        gap = out["gap"].gather(-1, batch["c_gap"].unsqueeze(-1)).squeeze(-1)
        gap_loss = -(gap * batch["content_weight"] * (batch["c_lid"] > 0)).sum()
        return (position + content + gap_loss) / batch["content_weight"].sum(), out

    def _right_place(self, batch: Batch, out: dict[str, Tensor]) -> Tensor:
        """Log-probability of what is right at each time [B, T+1]; 0 where nothing is known of the place."""
        known = batch["target"].any(-1)
        return out["position"].masked_fill(~batch["target"], NEGATIVE).logsumexp(-1) * known


def delayed(rows: Tensor, steps: int) -> Tensor:
    """Rows moved `steps` later in time, zeros first. Rows are [B, T, D]."""
    return F.pad(rows, (0, 0, steps, 0))[:, : rows.shape[1]]


def gather_rows(rows: Tensor, index: Tensor) -> Tensor:
    """rows[b, index[b, t]]. [B, N, D] and [B, T] to [B, T, D]."""
    return rows.gather(1, index.unsqueeze(-1).expand(-1, -1, rows.shape[-1]))
