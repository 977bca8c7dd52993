"""What the paper orders, what the stored runs say to it, and whether they decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editahead_models.report.copyspan.stored import COLUMNS, ROWS, SETS, Results, Run, run_of, seeds_of, titled
from editahead_models.report.verdicts import differ, verdict

Search = tuple[str, str]
"""A row of the paper and how it searches."""


@dataclass(frozen=True)
class _Pair:
    """Two stored runs of one set, the one that print puts first and the other, with the figures of `columns`."""

    name: str
    runs: tuple[Run, Run]
    figures: tuple[tuple[float, float], ...]

    def share_differs(self) -> bool:
        return differ(*self.figures[0], self.runs[0]["pairs"], self.runs[1]["pairs"])


def claims(results: Results) -> Iterator[tuple[str, str, str]]:
    """Each order that the paper prints, with what was measured and the verdict."""
    span, tok = ("CopySpan", "merged"), ("CopyTok", "merged")
    for text, first, second, columns in (
        ("CopySpan before CopyTok: accuracy, accuracy@20, MRR", span, tok, COLUMNS[:3]),
        ("all spans before the longest alone", span, (ROWS[2], "merged"), COLUMNS[:3]),
        ("marginalised before not marginalised", span, (ROWS[3], "merged"), COLUMNS[:3]),
        ("merged in every round before merged at the end: accuracy@20", span, (ROWS[1], "at end"), COLUMNS[1:2]),
        ("merged beam before greedy: accuracy", span, (ROWS[1], "greedy"), COLUMNS[:1]),
    ):
        pairs = list(_pairs(results, first, second, columns))
        told = [f"{pair.name}: {sum(a > b for a, b in pair.figures)} of {len(pair.figures)} metrics" for pair in pairs]
        yield text, "; ".join(told) or "not measured", _verdict(pairs)
    ranked = [pair for pair in _pairs(results, tok, span, ("input_rank",)) if pair.name in SETS]
    ranks = [f"{pair.name}: CopyTok {pair.figures[0][0]:.2f}, CopySpan {pair.figures[0][1]:.2f}" for pair in ranked]
    same = len({a > b for pair in ranked for a, b in pair.figures}) == 1
    yield (
        "CopyTok ranks the unchanged input higher (printed, small: 0.74 and 0.28)",
        "; ".join(ranks) or "not measured",
        verdict(
            () if ranked else ["a run is missing"],
            [] if same else ["the sets disagree"],
            "the sets agree",
        ),
    )


def _pairs(results: Results, first: Search, second: Search, columns: Sequence[str]) -> Iterator[_Pair]:
    for name in SETS:
        for seed in (1, *seeds_of(results, name, first[0])):
            runs = [run_of(results, name, row, seed) for row, _ in (first, second)]
            if runs[0] is None or runs[1] is None:
                continue
            found = [run["searches"].get(how, {}) for run, (_, how) in zip(runs, (first, second), strict=True) if run]
            figures = tuple((a[column], b[column]) for a, b in [found] for column in columns if {column} <= {*a} & {*b})
            if figures:
                yield _Pair(titled(name, seed), (runs[0], runs[1]), figures)


def _verdict(pairs: Sequence[_Pair]) -> str:
    """From the first share of each pair: what rested and differs decides, unless another one says the opposite."""
    rested = [pair for pair in pairs if all(run.get("rested") for run in pair.runs)]
    clear = [pair for pair in rested if pair.share_differs()]
    opposite = {pair.figures[0][0] > pair.figures[0][1] for pair in pairs if pair.share_differs()}
    short = [] if rested else ["dev of a run had not rested"]
    short += [] if clear or not rested else ["the first share is within two standard errors on every set"]
    short += ["the sets disagree"] if len(opposite) > 1 else []
    names = " and ".join(pair.name for pair in clear)
    return verdict(() if pairs else ["a run is missing"], short, f"it is beyond two standard errors on {names}")
