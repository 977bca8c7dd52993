"""N-gram index of the files of a project, for contexts of any length: positions sorted by the preceding tokens.

The key of a position packs the three tokens before it, nearest first, so that the positions behind any one to three
tokens are a slice of the sorted keys. Longer contexts are compared token by token within that slice.
Counts are mixed as in a local n-gram cache (Hellendoorn and Devanbu, FSE 2017, section 3.3): from the shortest
context to the longest seen, p <- p/2 + count/context_count/2.

T tokens in all files together, P positions of a slice. A token takes 16 bytes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from editahead.index.project_imports import EMPTY_IMPORTS, ProjectImports
from editahead.index.sliced_work import Steps
from editahead.index.streams import CLASSES, TokenIds, Words, numbers_of
from editahead.index.types import NgramPrediction

MAX_CONTEXT = 5  # tokens of a context
MIN_TOKENS = 16_000  # of a project that says anything; each factor of the square root of 2 adds a token of context
_PACKED, _BITS = 3, 21  # tokens in a key, and bits of each
_MAX_POSITIONS = 2048  # positions of a slice; from a longer slice as many are picked evenly
_MAX_FOLLOWERS = 64  # followers of a context, the most frequent

Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class NgramIndex:
    """The n-grams of the files of a project. Immutable, so any thread may use it."""

    words: Words = field(default_factory=lambda: Words(0))
    stream_T: TokenIds = field(default_factory=lambda: np.zeros(0, np.uint32))
    keys_T: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))  # sorted
    order_T: TokenIds = field(default_factory=lambda: np.zeros(0, np.uint32))  # the position of each key
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # where each file stands in the stream
    imports: ProjectImports = EMPTY_IMPORTS

    @property
    def reliable_context(self) -> int:
        """Return the number of tokens of context for which the project is large enough.

        It is 0 below 16,000 tokens (some 1,700 lines), 1 from there on, and 5 from 64,000.

        A long context occurs only once in a small project, which is no evidence. In unrelated and in
        related files beside projects below 16,000 tokens, ghost text was right as often without them (213 of 439 shown,
        201 of 451 with them; 980 places).
        """
        size = len(self.stream_T)
        return 0 if size < MIN_TOKENS else min(MAX_CONTEXT, 1 + int(2 * math.log2(size / MIN_TOKENS)))

    def followers(self, context: Sequence[str], own: str | None = None) -> NgramPrediction:
        """Predict the token behind a context (the texts of a document's tokens) from files other than `own`.

        Probabilities sum to at most 1 - 2^-hits. For each context at most 2,048 positions are counted.
        """
        before = numbers_of(context[-MAX_CONTEXT:], self.words)[::-1]  # the nearest first
        own_span = self.spans.get(own, (0, 0)) if own is not None else (0, 0)
        mixed: dict[int, float] = {}
        hits, times = 1, len(self.stream_T)  # the empty context adds nothing to the list of names
        positions = None
        for length in range(1, len(before) + 1):
            if not before[length - 1]:
                break
            if length <= _PACKED:
                positions = self._behind(before[:length], own_span)
            else:
                assert positions is not None
                positions = positions[positions >= length]
                positions = positions[self.stream_T[positions - length] == before[length - 1]]
            if not len(positions):
                break
            tokens, counts = np.unique(self.stream_T[positions], return_counts=True)
            if len(tokens) > _MAX_FOLLOWERS:
                best = np.argpartition(counts, len(counts) - _MAX_FOLLOWERS)[len(counts) - _MAX_FOLLOWERS :]
                tokens, counts = tokens[best], counts[best]
            share = 0.5 / len(positions)
            mixed = {word: p / 2 for word, p in mixed.items()}
            for word, count in zip(tokens.tolist(), counts.tolist(), strict=True):
                mixed[word] = mixed.get(word, 0.0) + share * count
            hits, times = length + 1, len(positions)
        texts = self.words.texts
        return NgramPrediction({texts[n]: p for n, p in mixed.items() if texts[n] not in CLASSES}, hits, times)

    def _behind(self, before: Sequence[int], own: tuple[int, int]) -> TokenIds:
        """Return the positions (P,) behind up to three tokens, given nearest first, outside a span."""
        low = _packed(before)
        high = low + (1 << _BITS * (_PACKED - len(before)))
        first, last = np.searchsorted(self.keys_T, np.array((low, high), np.uint64))
        step = max(1, int(last - first) // _MAX_POSITIONS)
        positions = self.order_T[first:last:step]
        return positions[(positions < own[0]) | (positions >= own[1])] if own[1] > own[0] else positions


def build_ngram_index(files: Mapping[str, TokenIds], words: Words) -> Steps[NgramIndex]:
    """Build the index of some files. The sort, 0.1 s for a million tokens, does not hold Python's lock.

    A stream is (T,).
    """
    spans, at = {}, 0
    for where, stream in files.items():
        spans[where] = (at, at + len(stream))
        at += len(stream)
    stream_T = np.concatenate([*files.values(), np.zeros(0, np.uint32)]).astype(np.uint32)
    yield
    keys_T = np.zeros(len(stream_T), np.uint64)
    for back in range(1, _PACKED + 1):  # over the start of a file too: what stands there is a line's mark
        keys_T[back:] |= stream_T[:-back].astype(np.uint64) << np.uint64(_BITS * (_PACKED - back))
        yield
    order_T = np.argsort(keys_T, kind="stable").astype(np.uint32)
    yield
    return NgramIndex(words, stream_T, keys_T[order_T], order_T, spans)


def _packed(before: Sequence[int]) -> int:
    return sum(number << _BITS * (_PACKED - 1 - at) for at, number in enumerate(before))


EMPTY_NGRAMS = NgramIndex()
