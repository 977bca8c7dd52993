"""Near-duplicate files across and within splits, by MinHash over token shingles.

A file's shingles are its runs of five code tokens (comments and layout left out). Two files are near-duplicates when
the estimated Jaccard similarity of their shingle sets is at least 0.8 (Allamanis 2019, "The adverse effects of code
duplication in machine learning models of code", recommends removal at about that similarity).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from datasketch import MinHash, MinHashLSH

Signature = npt.NDArray[np.uint64]

SHINGLE = 5  # tokens
PERMUTATIONS = 64
SIMILAR = 0.8  # estimated Jaccard similarity
_SEED = 1
_SCHEME = "affine32"
_WEIGHTS = np.array([1, 31, 961, 29791, 923521], np.uint64)  # of the tokens of a shingle: order matters


def signature(tokens: Sequence[str]) -> Signature | None:
    """The MinHash (PERMUTATIONS,) of a file's token texts; None when it is shorter than one shingle."""
    if len(tokens) < SHINGLE:
        return None
    hashed = np.fromiter((_token_hash(token) for token in tokens), np.uint64, len(tokens))
    windows = np.lib.stride_tricks.sliding_window_view(hashed, SHINGLE)
    shingles = np.unique((windows * _WEIGHTS).sum(1, dtype=np.uint64) & np.uint64(0xFFFFFFFF))
    sketch = MinHash(num_perm=PERMUTATIONS, seed=_SEED, hashfunc=int, scheme=_SCHEME)
    sketch.update_batch(shingles.tolist())
    return np.asarray(sketch.hashvalues, np.uint64)


class NearDuplicateFilter:
    """Accepts a file unless one that was accepted earlier is a near-duplicate of it.

    Offer files in the order of their right to stay: test, dev, fit, then train.
    """

    def __init__(self) -> None:
        self._index = MinHashLSH(threshold=SIMILAR, num_perm=PERMUTATIONS)
        self._kept: dict[str, MinHash] = {}
        self.dropped = 0

    def accept(self, key: str, signed: Signature | None) -> bool:
        """True when the file is kept. `key` must be unique; files without a signature are too small to keep.

        A signature is (P,).
        """
        if signed is None:
            return False
        sketch = MinHash(num_perm=PERMUTATIONS, seed=_SEED, hashvalues=signed, scheme=_SCHEME)
        for other in self._index.query(sketch):
            if self._kept[other].jaccard(sketch) >= SIMILAR:
                self.dropped += 1
                return False
        self._index.insert(key, sketch, check_duplication=False)
        self._kept[key] = sketch
        return True


@lru_cache(maxsize=1 << 18)
def _token_hash(token: str) -> int:
    return zlib.crc32(token.encode("utf-8", "surrogatepass"))
