"""An edit as a vector, and an editor that makes an edit from its vector: the edit-representation setting.

Panthaplackel et al. 2021, section 4.1, after Yin et al. 2019. Both sides of a pair are aligned; a recurrent step reads
one aligned pair of tokens. The vector of an edit that was seen once can be applied to another place.

B sequences, T aligned rows, E embedding, N input positions, M target positions, Z edit vector.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from editahead.encode.span_copying.tokens import PAD, SpanVocabulary
from torch import Tensor, nn

from editahead_models.copyspan.network.batches import Pair, Tokens
from editahead_models.copyspan.network.model import CopySpan, CopySpanConfig
from editahead_models.copyspan.network.recurrent import encode_sequences

TAGS = ("equal", "insert", "replace", "delete")
TAG_WIDTH, HIDDEN, LAYERS = 8, 64, 2
EDIT_WIDTH = 2 * LAYERS * HIDDEN
"""Width of an edit's vector: final states of all layers and directions."""


class AlignedRow(NamedTuple):
    """Tokens that stand against each other, None where a side has none, and what happened to them."""

    before: str | None
    after: str | None
    tag: str


def aligned(pair: Pair) -> Iterator[AlignedRow]:
    """The rows of a pair; the shorter side of a replaced block is padded."""
    matcher = difflib.SequenceMatcher(None, pair.source, pair.target, autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        for step in range(max(a1 - a0, b1 - b0)):
            before = pair.source[a0 + step] if a0 + step < a1 else None
            after = pair.target[b0 + step] if b0 + step < b1 else None
            yield AlignedRow(before, after, tag)


class EditRows(NamedTuple):
    """Numbers of the aligned rows of a batch (B, T), padded behind `lengths_B`."""

    before_BT: Tensor
    after_BT: Tensor
    tag_BT: Tensor
    lengths_B: Tensor


def edit_rows(pairs: Sequence[Pair], vocabulary: SpanVocabulary) -> EditRows:
    """What the edit encoder reads; a token that is missing is the padding symbol."""
    rows = [list(aligned(pair)) for pair in pairs]
    longest = max(map(len, rows))
    made = np.zeros((3, len(rows), longest), np.int64)

    def number(token: str | None) -> int:
        return PAD if token is None else vocabulary.input_id(token)

    for at, each in enumerate(rows):
        made[:, at, : len(each)] = [
            [number(row.before) for row in each], [number(row.after) for row in each],
            [TAGS.index(row.tag) for row in each],
        ]  # fmt: skip
    before_BT, after_BT, tag_BT = (torch.from_numpy(part) for part in made)
    return EditRows(before_BT, after_BT, tag_BT, torch.tensor([len(each) for each in rows]))


class NeuralEditor(nn.Module):
    """The edit encoder, and the span-copying model that reads its vector at each step; one embedding for both."""

    def __init__(self, config: CopySpanConfig) -> None:
        """ValueError where the model leaves no room for the vector."""
        super().__init__()
        if config.edit != EDIT_WIDTH:
            raise ValueError(f"the vector of an edit has {EDIT_WIDTH} values, the model expects {config.edit}")
        self.config = config
        self.editor = CopySpan(config)
        self.tag = nn.Embedding(len(TAGS), TAG_WIDTH)
        self.reader = nn.GRU(
            2 * config.embedding + TAG_WIDTH, HIDDEN, LAYERS, batch_first=True, bidirectional=True,
            dropout=config.dropout,
        )  # fmt: skip

    def edit_vectors(self, rows: EditRows) -> Tensor:
        """z (B, Z) of each edit."""
        embed = self.editor.embed
        x_BTE = torch.cat([embed(rows.before_BT), embed(rows.after_BT), self.tag(rows.tag_BT)], -1)
        _, final_LBh = encode_sequences(self.reader, self.editor.drop(x_BTE), rows.lengths_B)
        return final_LBh.transpose(0, 1).flatten(1)


def cropped(pair: Pair, around: int, most: int) -> Pair | None:
    """The changed lines of a pair with so many unchanged ones on each side.

    None where nothing changed, or where more than `most` tokens are left on a side. A token that begins with a line
    break opens a line.
    """
    before, after = _lines(pair.source), _lines(pair.target)
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [code for code in codes if code[0] != "equal"]
    if not changed:
        return None
    a0, b0 = max(changed[0][1] - around, 0), max(changed[0][3] - around, 0)
    sides = [
        tuple(token for line in lines[low : high + around] for token in line)
        for lines, low, high in ((before, a0, changed[-1][2]), (after, b0, changed[-1][4]))
    ]
    return Pair(*sides) if all(0 < len(side) <= most for side in sides) and sides[0] != sides[1] else None


def _lines(tokens: Tokens) -> list[Tokens]:
    starts = [at for at, token in enumerate(tokens) if at == 0 or token.startswith("\n")]
    return [tokens[low:high] for low, high in zip(starts, [*starts[1:], len(tokens)], strict=True)]
