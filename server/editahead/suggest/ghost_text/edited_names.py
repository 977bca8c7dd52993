"""Names that the last edits put in are likelier in a continuation than the mixture says."""

from __future__ import annotations

import math
from collections.abc import Container

from editahead.suggest.completion.candidates import Candidate

EDITED = 1.0  # log odds


def with_edited_names(candidates: list[Candidate], names: Container[str]) -> list[Candidate]:
    """The candidates of a step, most likely first, with the log odds of `names` raised."""
    factors = [math.exp(EDITED) if candidate.text in names else 1.0 for candidate in candidates]
    pairs = list(zip(candidates, factors, strict=True))
    gain = sum(candidate.probability * (factor - 1) for candidate, factor in pairs)
    if gain <= 0:
        return candidates
    weighted = [
        candidate._replace(probability=candidate.probability * factor / (1 + gain)) for candidate, factor in pairs
    ]
    return sorted(weighted, key=lambda candidate: -candidate.probability)
