"""Names inside edit sequences as placeholders: what a project calls its things is none of the model's business.

A name of the first state that is not among the frequent names of the training code becomes `@0`, `@1`, .. in the order
of first appearance; the same name is the same placeholder in later edits. A name that an edit brings stays spelled out,
so that a model has to spell it as well: what is right before is right after, and the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

MARK = "@"
"""Begins a placeholder; no token of code that is longer than this mark does."""


def frequent_names(counts: Mapping[str, int], size: int) -> frozenset[str]:
    """The `size` most frequent names, keywords among them; ties by name."""
    names = Counter({token: count for token, count in counts.items() if token.isidentifier()})
    ranked = sorted(names, key=lambda name: (-names[name], name))
    return frozenset(islice(ranked, size))


def with_placeholders(chain: Mapping[str, Any], frequent: frozenset[str]) -> dict[str, Any]:
    """The chain with placeholders for the names of its first state that are not `frequent`."""
    numbers: dict[str, str] = {}
    for token in chain["initial"]:
        if token.isidentifier() and token not in frequent:
            numbers.setdefault(token, f"{MARK}{len(numbers)}")

    def row(tokens: Sequence[str]) -> list[str]:
        return [numbers.get(token, token) for token in tokens]

    hunks = [(start, end, row(new)) for start, end, new in chain["hunks"]]
    return {**chain, "initial": row(chain["initial"]), "hunks": hunks}
