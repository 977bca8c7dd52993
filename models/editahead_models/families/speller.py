"""A speller: the pieces of a name that the language model can only call new, from its frozen state at that place.

Shapes: B names, T pieces with the end, R rows (the real pieces of B names), M pieces of recent names, V pieces,
C cores (pieces without case and underscores), S spellings of a core, d state, e embedding, u hidden, a attention.

    E_v = E_core[core(v)] + E_form[form(v)]
    g_t = GRU(E[v_t-1] + s W_x, g_t-1),  g_0 = tanh(s W_0)                s: the language model's state
    n_t = tanh(g_t W_g + s W_s)
    r_j = (g_t W_q) . (K_core[m_j] + K_before[m_j-1] + K_rank[name of j])   m: pieces of the names last used
    p_t(v) = softmax(n_t E_v + b_v + ln(1 + sum_j exp(r_j) [core(m_j) = core(v)]))

The last term is a pointer that adds to the odds of a piece instead of taking a share: `name` in the file makes `_name`
and `Name` likelier too, and what the file does not say keeps its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch
from editahead.encode.language_model.name_pieces import END, FORMS, piece_form
from torch import Tensor, nn

from editahead_models.layers.blockwise_softmax import log_softmax_columns

MAX_SCORE = 12.0  # of a remembered piece: keeps exp in range


@dataclass(frozen=True)
class SpellerConfig:
    """Sizes. `recent` names of `parts` pieces each are remembered; without `pointer` none are."""

    state: int = 256
    embedding: int = 128
    hidden: int = 160
    attention: int = 48
    recent: int = 24
    parts: int = 6
    pointer: bool = True
    dropout: float = 0.1

    def to_json(self) -> dict[str, object]:
        """A JSON value."""
        return asdict(self)


@dataclass(frozen=True)
class Memory:
    """Pieces of the recent names, names end with END: all (B, M); `rank` counts names from the newest."""

    piece_BM: Tensor
    before_BM: Tensor
    rank_BM: Tensor
    filled_BM: Tensor


class Speller(nn.Module):
    """The network over a fixed list of pieces (texts by id)."""

    core_V: Tensor
    form_V: Tensor
    spellings_CS: Tensor  # the pieces of each core, padded with -1

    def __init__(self, config: SpellerConfig, texts: Sequence[str]) -> None:
        super().__init__()
        self.config = config
        looks = [piece_form(text) for text in texts]
        cores = {core: number for number, core in enumerate(dict.fromkeys(found.core for found in looks))}
        self.register_buffer("core_V", torch.tensor([cores[found.core] for found in looks]))
        self.register_buffer("form_V", torch.tensor([found.form for found in looks]))
        self.register_buffer("spellings_CS", torch.tensor(_by_core(self.core_V.tolist(), len(cores))))
        e, u, a, d = config.embedding, config.hidden, config.attention, config.state
        self.core = nn.Embedding(len(cores), e)
        self.form = nn.Embedding(FORMS, e)
        self.bias = nn.Parameter(torch.zeros(len(looks)))
        self.enter = nn.Linear(d, e, bias=False)  # W_x
        self.begin = nn.Linear(d, u)  # W_0
        self.gru = nn.GRU(e, u, batch_first=True)
        self.out = nn.Linear(u, e)  # W_g
        self.skip = nn.Linear(d, e, bias=False)  # W_s
        self.drop = nn.Dropout(config.dropout)
        if config.pointer:
            self.query = nn.Linear(u, a + 1)  # the last column is a bias for all of the memory
            self.key_core = nn.Embedding(len(cores), a)
            self.key_before = nn.Embedding(len(cores), a)
            self.key_rank = nn.Embedding(config.recent, a)
        with torch.no_grad():
            for table in [module for module in self.modules() if isinstance(module, nn.Embedding)]:
                nn.init.normal_(table.weight, std=0.1)
            if config.pointer:
                self.query.bias[-1] = -3.0

    def embed(self, piece: Tensor) -> Tensor:
        """(..., e)."""
        return self.core(self.core_V[piece]) + self.form(self.form_V[piece])

    def start(self, state_BD: Tensor) -> Tensor:
        """g_0 (1, B, u)."""
        return torch.tanh(self.begin(state_BD)).unsqueeze(0)

    def advance(self, piece_BT: Tensor, state_BD: Tensor, g_1BU: Tensor) -> tuple[Tensor, Tensor]:
        """g after each piece (B, T, u), and the last (1, B, u)."""
        x_BTE = self.embed(piece_BT) + self.enter(state_BD).unsqueeze(1)
        g_BTU, last = self.gru(self.drop(x_BTE), g_1BU)
        return g_BTU, last

    def keys(self, memory: Memory) -> Tensor:
        """(B, M, a)."""
        before = self.key_before(self.core_V[memory.before_BM])
        return self.key_core(self.core_V[memory.piece_BM]) + before + self.key_rank(memory.rank_BM)

    def odds(self, g_BTU: Tensor, keys_BMA: Tensor, memory: Memory) -> Tensor:
        """exp(r_j), zero where the memory is empty (B, T, M)."""
        query_BTA = self.query(g_BTU)
        r_BTM = query_BTA[..., :-1] @ keys_BMA.transpose(1, 2) * self.config.attention**-0.5 + query_BTA[..., -1:]
        return r_BTM.clamp(max=MAX_SCORE).exp() * memory.filled_BM.to(r_BTM.dtype).unsqueeze(1)

    def joint(self, g: Tensor, state: Tensor) -> Tensor:
        """n (..., e) from g (..., u) and s (..., d)."""
        return self.drop(torch.tanh(self.out(g) + self.skip(state)))

    def table(self) -> Tensor:
        """E (V, e)."""
        return self.core.weight[self.core_V] + self.form.weight[self.form_V]

    def log_likelihood(self, state_BD: Tensor, target_BT: Tensor, real_BT: Tensor, memory: Memory | None) -> Tensor:
        """ln p of each real piece (R,), rows in the order of `real_BT.nonzero()`; `target_BT` ends with END.

        With y the softmax without pointer and o = exp(r): ln p(v) = ln y(v) + ln(1 + sum of o on v's core)
        - ln(1 + sum_j o_j y(core of m_j)), which touches the remembered pieces alone.
        """
        begin = torch.full_like(target_BT[:, :1], END)
        g_BTU, _ = self.advance(torch.cat([begin, target_BT[:, :-1]], 1), state_BD, self.start(state_BD))
        row_R = real_BT.nonzero()[:, 0]
        target_R = target_BT[real_BT]
        n_RE = self.joint(g_BTU[real_BT], state_BD[row_R])
        if not self.config.pointer or memory is None:
            return log_softmax_columns(n_RE, self.table(), self.bias, target_R.unsqueeze(1)).squeeze(1)
        core_BM = self.core_V[memory.piece_BM]
        ids_BX = self.spellings_CS[core_BM].flatten(1)
        column_RX = torch.cat([target_R.unsqueeze(1), ids_BX.clamp_min(0)[row_R]], 1)
        log_y_RX = log_softmax_columns(n_RE, self.table(), self.bias, column_RX)
        y_RX = log_y_RX[:, 1:].exp() * (ids_BX >= 0)[row_R]
        odds_RM = self.odds(g_BTU, self.keys(memory), memory)[real_BT]
        y_RM = y_RX.view(*odds_RM.shape, -1).sum(-1)
        same_RM = core_BM[row_R] == self.core_V[target_R].unsqueeze(1)
        return log_y_RX[:, 0] + torch.log1p((odds_RM * same_RM).sum(1)) - torch.log1p((odds_RM * y_RM).sum(1))


def _by_core(core_of: Sequence[int], cores: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(cores)]
    for piece, core in enumerate(core_of):
        found[core].append(piece)
    widest = max(map(len, found))
    return [[*row, *[-1] * (widest - len(row))] for row in found]
