"""The vocabulary of a span-copying model: output symbols, and input symbols with hashed unknown tokens.

Ids 0 to 3 are the padding, the unknown symbol and the two sentinels that wrap every sequence; then come the listed
tokens. A token that is not listed is read as any of `buckets` ids behind them, chosen by a checksum of its text, so
that two unknown names look different; it can be copied, never written. With no buckets it is read as UNK.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

PAD, UNK, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")

Ids = npt.NDArray[np.int64]


class SpanVocabulary:
    """A vocabulary with `size` output ids and `inputs` input ids."""

    def __init__(self, tokens: Sequence[str], buckets: int = 0) -> None:
        """`tokens` are the listed tokens, most frequent first. ValueError if a token occurs twice."""
        self.tokens: tuple[str, ...] = (*SPECIAL, *tokens)
        self.buckets = buckets
        self._ids = {token: number for number, token in enumerate(self.tokens) if number >= len(SPECIAL)}
        if len(self._ids) != len(tokens):
            raise ValueError("a vocabulary names each token once")
        if buckets < 0:
            raise ValueError(f"buckets must be at least 0, found {buckets}")

    @property
    def size(self) -> int:
        """The number of output symbols, the four special ones included."""
        return len(self.tokens)

    @property
    def inputs(self) -> int:
        """The number of input symbols."""
        return len(self.tokens) + self.buckets

    def output_id(self, token: str) -> int:
        """Return the output id of a token; UNK if it is not listed."""
        return self._ids.get(token, UNK)

    def input_id(self, token: str) -> int:
        """Return the input id of a token."""
        listed_id = self._ids.get(token)
        if listed_id is not None:
            return listed_id
        return len(self.tokens) + zlib.crc32(token.encode("utf-8", "replace")) % self.buckets if self.buckets else UNK

    def wrap(self, tokens: Iterable[str]) -> Ids:
        """Return the input ids (N + 2,) of `<s> tokens </s>`."""
        return np.array([START, *map(self.input_id, tokens), END], np.int64)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value for `from_json`."""
        return {"tokens": list(self.tokens[len(SPECIAL) :]), "buckets": self.buckets}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SpanVocabulary:
        """Read what `to_json` returned. Raises ValueError for anything else."""
        tokens, buckets = value.get("tokens"), value.get("buckets", 0)
        if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
            raise ValueError("a vocabulary needs tokens as a list of texts")
        if isinstance(buckets, bool) or not isinstance(buckets, int):
            raise ValueError(f"buckets must be a whole number, found {buckets!r}")
        return cls(list(tokens), buckets)
