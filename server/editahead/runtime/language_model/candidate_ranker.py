"""A small network that ranks completion candidates and gives the probability that none of them is right.

    r_n = w . relu(A x_n + B s + b) + c . x_n,   r_none = v . relu(D s + d),   p = softmax([r_1 .. r_N, r_none])

Shapes: N candidates, C features of a candidate x_n, S features of the position s, H hidden units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.runtime.bundle import Bundle, BundleError

Floats = npt.NDArray[np.float32]
FILE = "ranker.npz"
IMPORT_FILE = "import_ranker.npz"
MEMBER_FILE = "member_ranker.npz"
IMPORT_CANDIDATE, IMPORT_PLACE = 11, 12  # features of candidates and of places that only imports have
MEMBER_CANDIDATE, MEMBER_PLACE = 19, 13  # those that only places behind a dot have
ARRAYS = ("candidate", "place", "bias", "out", "direct", "none_place", "none_bias", "none_out")


@dataclass(frozen=True, eq=False)
class CandidateRanker:
    """Weights: A (H, C), B (H, S), b (H,), w (H,), c (C,), D (H, S), d (H,), v (H,), all float32."""

    candidate: Floats
    place: Floats
    bias: Floats
    out: Floats
    direct: Floats
    none_place: Floats
    none_bias: Floats
    none_out: Floats

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> CandidateRanker:
        """Load weights from `arrays`. Raises KeyError or ValueError for missing arrays or mismatched shapes."""
        ranker = cls(*(np.ascontiguousarray(arrays[name], np.float32) for name in ARRAYS))
        hidden, features, context = len(ranker.bias), len(ranker.direct), ranker.place.shape[-1]
        shapes = [(hidden, features), (hidden, context), (hidden,), (hidden,), (features,), (hidden, context)]
        for name, shape in zip(ARRAYS, [*shapes, (hidden,), (hidden,)], strict=True):
            if getattr(ranker, name).shape != shape:
                raise ValueError(f"{name} of shape {shape}, not {getattr(ranker, name).shape}")
        return ranker

    def arrays(self) -> dict[str, Floats]:
        """Return the weights by name, as stored in a bundle."""
        return {name: getattr(self, name) for name in ARRAYS}

    def probabilities(self, candidates_NC: Floats, place_S: Floats) -> Floats:
        """Return the probabilities (N + 1,) of the candidates and, last, of none of them."""
        shared_H = self.place @ place_S + self.bias
        hidden_NH = np.maximum(candidates_NC @ self.candidate.T + shared_H, 0)
        scores = np.empty(len(candidates_NC) + 1, np.float32)
        scores[:-1] = hidden_NH @ self.out + candidates_NC @ self.direct
        scores[-1] = self.none_out @ np.maximum(self.none_place @ place_S + self.none_bias, 0)
        scores -= scores.max()
        p: Floats = np.exp(scores)
        p /= p.sum()
        return p


def open_ranker(bundle: Bundle) -> CandidateRanker | None:
    """Load the ranker of a bundle; None if it has none. Raises BundleError for invalid weights."""
    return _read(bundle, FILE, "the arrays of a ranker")


def open_import_ranker(bundle: Bundle, ranker: CandidateRanker | None) -> CandidateRanker | None:
    """Load the weights for places of imports; None without them. Raises BundleError for invalid ones."""
    return _open_special(bundle, ranker, IMPORT_FILE, (IMPORT_CANDIDATE, IMPORT_PLACE))


def open_member_ranker(bundle: Bundle, ranker: CandidateRanker | None) -> CandidateRanker | None:
    """Load the weights for places behind a dot; None without them. Raises BundleError for invalid ones."""
    return _open_special(bundle, ranker, MEMBER_FILE, (MEMBER_CANDIDATE, MEMBER_PLACE))


def _read(bundle: Bundle, file: str, expected: str) -> CandidateRanker | None:
    if file not in bundle.manifest.files:
        return None
    try:
        return CandidateRanker.from_arrays(bundle.arrays(file))
    except (KeyError, ValueError) as error:
        raise BundleError(bundle.file(file), expected, str(error)) from error


def _open_special(
    bundle: Bundle, ranker: CandidateRanker | None, file: str, features: tuple[int, int]
) -> CandidateRanker | None:
    """Load weights for special places, which use the features of `ranker` and further features of those places."""
    expected = f"the arrays of a ranker with {features[0]} and {features[1]} features more than {FILE}"
    weights = _read(bundle, file, expected)
    if weights is None:
        return None
    if ranker is None:
        raise BundleError(bundle.file(file), expected, f"no {FILE}")
    more = len(weights.direct) - len(ranker.direct), weights.place.shape[1] - ranker.place.shape[1]
    if more != features:
        raise BundleError(bundle.file(file), expected, f"{more[0]} and {more[1]}")
    return weights
