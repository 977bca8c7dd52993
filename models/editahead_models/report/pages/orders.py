"""What a paper claims of its rows, what the stored runs say to it, and whether they decide it.

An outcome is computed, never typed in. Two rows are even where they differ by less than two standard errors of their
shares, or by less than 1 % of another figure, or by what two seeds of one of them differ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from editahead_models.report.pages.stored import Group, Row, value_of

Spec = Mapping[str, Any]
YES, NO, EVEN, OPEN = "yes", "no", "even", "open"
EVEN_SHARE = 0.01
"""Of a figure that is no share: differences below it say nothing."""
FAR_BUDGETS = 0.9
"""Rows of which one had less than this part of the other's budget cannot be compared."""


class Compared(NamedTuple):
    """An outcome for the rows of one group, with what it rests on."""

    of: str
    outcome: str
    figures: str
    enough: bool


def order_row(
    order: Spec, page: Spec, groups: Sequence[Group], is_enough: Callable[[Row], bool]
) -> tuple[str, str, str, str]:
    """A claim, what is printed, what was measured, and the verdict."""
    found = list(compared(order, page, groups, is_enough))
    if "over" in order:
        counts = Counter(one.outcome for one in found)
        here = ", ".join(f"{outcome} in {counts[outcome]}" for outcome in (YES, NO, EVEN, OPEN) if counts[outcome])
    else:
        here = "; ".join(f"{one.of} **{one.outcome}** {one.figures}".strip() for one in found)
    return order["text"], order.get("printed", ""), here or "not measured", verdict(found)


def compared(order: Spec, page: Spec, groups: Sequence[Group], is_enough: Callable[[Row], bool]) -> Iterator[Compared]:
    """The outcome in each group; of groups about the same thing, in the first one with all rows."""
    over = order.get("over", [""])
    names = page["lists"][over] if isinstance(over, str) else over
    for name in names:
        first, second = ([part.format(name) for part in _listed(order.get(key, ()))] for key in ("first", "second"))
        seen: set[str] = set()
        for group in groups:
            if group.of in seen or not {*first, *second} <= group.rows.keys():
                continue
            seen.add(group.of)
            rows = [group.rows[key] for key in (*first, *second)]
            figure, count = order["figure"], order.get("count", "")
            if any(value_of(row, figure) is None for row in rows):
                continue
            a, b = value_of(rows[0], figure), _second(order, rows[1:])
            noise = _noise(order, page, group, (*first, *second), a, b)
            budgets = [budget for row in rows if (budget := value_of(row, page.get("budget", "-")))]
            unequal = bool(budgets) and min(budgets) < FAR_BUDGETS * max(budgets)
            ahead = (b - a if order.get("lower") else a - b) + order.get("margin", 0.0)
            outcome = OPEN if unequal else EVEN if abs(ahead) <= noise else YES if ahead > 0 else NO
            scale = 100 if count and not order.get("percent") else 1
            figures = f"{scale * a:.4g} against {scale * b:.4g}"
            yield Compared(group.of, outcome, figures, all(map(is_enough, rows)))


def _listed(names: Any) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _second(order: Spec, rows: Sequence[Row]) -> float:
    """The best of the rows that the first one is compared with, or the limit of the claim."""
    if not rows:
        return float(order["limit"])
    values = [float(value_of(row, order["figure"])) for row in rows]
    return min(values) if order.get("lower") else max(values)


def _noise(order: Spec, page: Spec, group: Group, names: Sequence[str], a: float, b: float) -> float:
    """The difference up to which two figures are even."""
    if "limit" in order:
        return 0.0
    pairs = [(group.rows[name], group.rows.get(page.get("second", "{}").format(name))) for name in names]
    seeds = [(value_of(row, order["figure"]), value_of(other, order["figure"])) for row, other in pairs if other]
    between = max((abs(x - y) for x, y in seeds if y is not None), default=0.0)
    if "count" not in order:
        return max(EVEN_SHARE * abs(b), 2 * between)
    scale = 0.01 if order.get("percent") else 1.0
    counts = [float(value_of(group.rows[name], order["count"]) or 1.0) for name in (names[0], names[-1])]
    error = sum(scale * p * (1 - scale * p) / max(n, 1.0) for p, n in zip((a, b), counts, strict=True))
    return 2 * math.hypot(math.sqrt(max(error, 0.0)) / scale, between)


def verdict(found: Sequence[Compared]) -> str:
    """`absent` without runs, `thin` where they do not decide, else `decides`."""
    if not found:
        return "absent: a run is missing"
    enough = [one for one in found if one.enough]
    clear = {one.outcome for one in found} & {YES, NO}
    if len(clear) > 1:
        return "thin: the runs disagree"
    if not enough:
        return "thin: a run ended before it had enough"
    if not {one.outcome for one in enough} & {YES, NO}:
        return "thin: within noise" if {one.outcome for one in enough} == {EVEN} else "thin: unequal budgets"
    return "decides"
