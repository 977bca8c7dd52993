"""The Penn Treebank as language models know it: one text of about 10,000 words, read in parallel columns.

The texts belong to the Linguistic Data Consortium and are not free: the user brings them.
Shapes: B columns, L tokens of a column, T tokens of a chunk, K memory slots, V words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.encoder import PARTS
from editahead.encode.language_model.pointer_memory import ECHOES
from torch import Tensor

from editahead_models.data.corpus.memory_policies import LastEntries
from editahead_models.families.mixture import Chunk

Ids = npt.NDArray[np.int64]
SPLITS = ("train", "valid", "test")
END, PAD, UNKNOWN = "<eos>", "<pad>", "<unk>"
WHERE = (
    "it is usually found in the folder data/ of simple-examples.tgz, the archive of Mikolov's RNN toolkit, "
    "and sold as LDC99T42"
)


@dataclass(frozen=True)
class Treebank:
    """Word list, most frequent first, and the three texts as ids. `never` (V,) marks what is no guess of a word."""

    symbols: tuple[str, ...]
    train: Ids
    valid: Ids
    test: Ids

    @property
    def never(self) -> npt.NDArray[np.bool_]:
        """The end of a sentence and the padding: neither guesses nor questions of MAP@20. Flags (V,)."""
        return np.array([symbol in (END, PAD) for symbol in self.symbols])


def read_treebank(folder: Path) -> Treebank:
    """The corpus from `folder`/ptb.{train,valid,test}.txt. ValueError, one line, when it is not there."""
    missing = [f"ptb.{split}.txt" for split in SPLITS if not (folder / f"ptb.{split}.txt").is_file()]
    if missing:
        raise ValueError(f"{folder}: {', '.join(missing)} not found; {WHERE}")
    texts = {}
    for split in SPLITS:
        lines = (folder / f"ptb.{split}.txt").read_text(encoding="utf-8").splitlines()
        texts[split] = [word for line in lines if line.strip() for word in (*line.split(), END)]
        if len(texts[split]) < 2:
            raise ValueError(f"{folder / f'ptb.{split}.txt'}: no text in this file")
    counts = Counter(texts["train"])
    symbols = sorted(counts.keys() | {UNKNOWN, END}, key=lambda word: (-counts[word], word))
    ids = {word: number for number, word in enumerate((*symbols, PAD))}
    train, valid, test = (np.array([ids.get(w, ids[UNKNOWN]) for w in texts[split]], np.int64) for split in SPLITS)
    return Treebank(tuple(ids), train, valid, test)


def columns(stream: Ids, count: int) -> tuple[Ids, Ids]:
    """The text in `count` columns (B, L) and the word after each of theirs (B, L); up to B last words are lost.

    ValueError for a text that is shorter than that.
    """
    length = (len(stream) - 1) // count
    if not length:
        raise ValueError(f"a text of {len(stream)} words cannot be read in {count} columns")
    used = count * length
    return stream[:used].reshape(count, length), stream[1 : used + 1].reshape(count, length)


class Piece(NamedTuple):
    """A chunk of every column, its targets (B, T), and whether the columns begin anew."""

    chunk: Chunk
    target_BT: Tensor
    fresh: bool


def pieces(stream: Ids, count: int, steps: int, slots: int, *, carry: bool = True) -> Iterator[Piece]:
    """Chunks of `steps` words, the last one shorter. Without `carry` every chunk begins anew, its memory empty.

    The stream is (N,).
    """
    word_BL, target_BL = columns(stream, count)
    length = word_BL.shape[1]
    memory = LastEntries(np.arange(length), slots)
    for start in range(0, length, steps):
        T = min(steps, length - start)
        found = memory.read(start, T) if carry else LastEntries(np.arange(T), slots).read(0, T)
        every = torch.from_numpy(found.place).expand(count, T, slots)
        filled = torch.from_numpy(found.position >= 0).expand(count, T, slots)
        chunk = Chunk(
            torch.from_numpy(np.ascontiguousarray(word_BL[:, start : start + T])),
            torch.zeros(count, T, dtype=torch.long),
            torch.zeros(count, T, PARTS, dtype=torch.long),
            every,
            filled,
            torch.zeros(count, T, slots, ECHOES, dtype=torch.bool),
            torch.from_numpy(found.carry).expand(count, slots),
        )
        target_BT = torch.from_numpy(np.ascontiguousarray(target_BL[:, start : start + T]))
        yield Piece(chunk, target_BT, start == 0 or not carry)
