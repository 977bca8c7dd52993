"""Figures of followed renames, by group of kinds, and where their edits came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from editahead_models.evaluate.consequences.rename_chains import Chain

GROUPS = {
    "locals, parameters, imports": frozenset({"variable", "parameter", "import"}),
    "attributes and methods": frozenset({"field", "method"}),
    "functions and classes": frozenset({"function", "class", "type-parameter"}),
}


def figures(chains: Sequence[Chain]) -> dict[str, dict[str, float]]:
    """Figures of each group of kinds.

    Renames with a use left, the share offered at first, of the accepted edits the share right, the share of renames led
    to their end, and what was shown where nothing was left.
    """
    found: dict[str, dict[str, float]] = {}
    for name, kinds in GROUPS.items():
        mine = [chain for chain in chains if chain.kind in kinds]
        used = [one for one in mine if one.places > 1]
        alone = [one for one in mine if one.places == 1]
        ended = [one for one in used if not one.missed and not one.wrong]
        steps = sum(one.steps for one in used)
        found[name] = {
            "renames": len(used),
            "offered": _share(sum(one.offered for one in used), len(used)),
            "accepted": steps,
            "right": _share(steps - sum(one.wrong for one in used), steps),
            "led to the end": _share(len(ended), len(used)),
            "half typed, shown": _share(sum(one.half_typed > 0 for one in mine), len(mine)),
            "nothing left": len(alone) + len(ended),
            "nothing left, shown": _share(
                sum(one.offered for one in alone) + sum(one.after for one in ended), len(alone) + len(ended)
            ),
        }
    return found


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def sources(chains: Sequence[Chain]) -> dict[str, int]:
    """How many accepted edits came from each source; empty: repeated edits and the edit model."""
    return dict(Counter(source for one in chains for source in one.sources))
