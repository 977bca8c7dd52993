"""Names that the last edits put in are likelier in a continuation than the mixture says."""

from __future__ import annotations

import math
from collections.abc import Container

from editahead.suggest.completion.candidates import Candidate

EDITED = 1.0  # log odds


def with_edited_names(found: list[Candidate], names: Container[str]) -> list[Candidate]:
    """The candidates of one step, likeliest first, with the log odds of `names` raised."""
    factors = [math.exp(EDITED) if one.text in names else 1.0 for one in found]
    gain = sum(one.probability * (factor - 1) for one, factor in zip(found, factors, strict=True))
    if gain <= 0:
        return found
    weighed = [
        one._replace(probability=one.probability * factor / (1 + gain))
        for one, factor in zip(found, factors, strict=True)
    ]
    return sorted(weighed, key=lambda one: -one.probability)
