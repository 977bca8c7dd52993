"""The prediction of a language model at a position: the output of its head, as words and copies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.runtime.language_model.context_matches import ContextMatch
from editahead.runtime.language_model.mixture import MIN_PROBABILITY


class ExpectedToken(NamedTuple):
    """The token that the longest context that is the same but for names lets expect here.

    `is_derived`: a name whose words were replaced as in other names of the context.
    """

    text: str
    is_name: bool
    match: ContextMatch
    is_derived: bool = False


@dataclass(frozen=True)
class Prediction:
    """The distribution of the next token: `words` is lambda_0 y (V,), `copies` the mass lambda_1 alpha of each name.

    `origins` gives for each name the step that it would be copied from. `unknown` is the mass of names that are
    neither listed nor remembered. `expected`: what followed a context like this.
    """

    words: npt.NDArray[np.float32]
    copies: dict[str, float]
    origins: dict[str, int]
    unknown: float
    expected: ExpectedToken | None = None

    @cached_property
    def entropy(self) -> float:
        """The entropy of the listed texts and the copies, in nats, without probabilities below LEAST."""
        words = self.words[self.words > MIN_PROBABILITY]
        return -float(words @ np.log(words)) - sum(p * math.log(p) for p in self.copies.values() if p > MIN_PROBABILITY)

    @cached_property
    def copy_mass(self) -> float:
        """The mass lambda_1 of the pointer."""
        return max(0.0, 1.0 - float(self.words.sum()))
