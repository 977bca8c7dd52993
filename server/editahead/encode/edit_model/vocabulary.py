"""Vocabulary of the edit model: class of a token, hashed sub-words, and an identity inside the instance."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.tokens import subwords

PAD, DELETE = "<pad>", "<del>"
SHAPES = ("<other>", "<name>", "<Name>", "<NAME>", "<number>", "<newline>", "<under_score>", "<long>")
SPECIALS = (PAD, DELETE, *SHAPES, "<S>", "<CUT>", "<E>")
DELETE_ID = 1
PART_BUCKETS = 4096
PARTS = 4
LOCAL_IDS = 512  # identities inside an instance; 0 is none (padding, DELETE)


def shape(text: str) -> str:
    """Return the class of a token outside the vocabulary."""
    head = text[0]
    if head == "\n":
        return "<newline>"
    if head.isdigit():
        return "<number>"
    if head == "_" or "_" in text[1:]:
        return "<NAME>" if text.isupper() else "<under_score>"
    if not head.isalpha():
        return "<other>"
    if len(text) > 1 and text.isupper():
        return "<NAME>"
    if head.isupper():
        return "<Name>"
    return "<long>" if len(text) > 12 else "<name>"


def part_ids(text: str) -> tuple[int, ...]:
    """Return the hash buckets 1..PART_BUCKETS of a token's sub-words, padded with 0 to PARTS numbers."""
    hashed = tuple(zlib.crc32(part.encode()) % PART_BUCKETS + 1 for part in subwords(text))
    return hashed + (0,) * (PARTS - len(hashed))


class EditVocab:
    """A fixed vocabulary: the special tokens, then frequent ones. Raises ValueError without the special ones."""

    def __init__(self, tokens: Sequence[str]) -> None:
        if tuple(tokens[: len(SPECIALS)]) != SPECIALS:
            raise ValueError("the vocabulary does not begin with the special tokens")
        self.tokens = tuple(tokens)
        self._ids = {token: number for number, token in enumerate(tokens)}
        self._parts: dict[str, tuple[int, ...]] = {}

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int) -> EditVocab:
        """Build a vocabulary of the `size` most frequent tokens, special ones included; ties in text order."""
        ranked = sorted((text for text in counts if text not in SPECIALS), key=lambda text: (-counts[text], text))
        return cls([*SPECIALS, *ranked[: size - len(SPECIALS)]])

    def __len__(self) -> int:
        return len(self.tokens)

    def id(self, text: str) -> int:
        """Return the class of a token: its own, or that of its shape."""
        number = self._ids.get(text)
        return self._ids[shape(text)] if number is None else number

    def parts(self, text: str) -> tuple[int, ...]:
        """Return `part_ids` of a token, cached; special tokens have none."""
        parts = self._parts.get(text)
        if parts is None:
            parts = (0,) * PARTS if text in SPECIALS else part_ids(text)
            if len(self._parts) > 200_000:
                self._parts.clear()
            self._parts[text] = parts
        return parts

    def features(self, texts: Iterable[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the classes [N] and sub-words [N, PARTS] of texts."""
        listed = list(texts)
        ids = np.fromiter((self.id(text) for text in listed), dtype=np.int64, count=len(listed))
        parts = np.asarray([self.parts(text) for text in listed], dtype=np.int64).reshape(len(listed), PARTS)
        return ids, parts
