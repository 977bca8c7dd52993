"""What the paper orders, and what the stored runs say to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead_models.report.copyspan.stored import COLUMNS, ROWS, SETS, Results, run_of, seeds_of, titled


def claims(results: Results) -> Iterator[tuple[str, str]]:
    """Each order that the paper prints, with what was measured."""

    def value(name: str, row: str, column: str, how: str = "merged", seed: int = 1) -> float | None:
        figure = (run_of(results, name, row, seed) or {}).get("searches", {}).get(how, {}).get(column)
        return None if figure is None else float(figure)

    def compare(one: tuple[str, str], two: tuple[str, str], columns: Sequence[str]) -> str:
        told = []
        for name in SETS:
            for seed in (1, *seeds_of(results, name, one[0])):
                pairs = [(value(name, one[0], c, one[1], seed), value(name, two[0], c, two[1], seed)) for c in columns]
                known = [(a, b) for a, b in pairs if a is not None and b is not None]
                if known:
                    told.append(f"{titled(name, seed)}: {sum(a > b for a, b in known)} of {len(known)} metrics")
        return "; ".join(told) or "not measured"

    span, tok = ("CopySpan", "merged"), ("CopyTok", "merged")
    yield "CopySpan before CopyTok: accuracy, accuracy@20, MRR", compare(span, tok, COLUMNS[:3])
    yield "all spans before the longest alone", compare(span, (ROWS[2], "merged"), COLUMNS[:3])
    yield "marginalised before not marginalised", compare(span, (ROWS[3], "merged"), COLUMNS[:3])
    at_end = (ROWS[1], "at end")
    yield "merged in every round before merged at the end: accuracy@20", compare(span, at_end, COLUMNS[1:2])
    yield "merged beam before greedy: accuracy", compare(span, (ROWS[1], "greedy"), COLUMNS[:1])
    ranks = [
        f"{name}: CopyTok {tok_rank:.2f}, CopySpan {span_rank:.2f}"
        for name in SETS
        if (tok_rank := value(name, "CopyTok", "input_rank")) is not None
        and (span_rank := value(name, "CopySpan", "input_rank")) is not None
    ]
    yield "CopyTok ranks the unchanged input higher (printed, small: 0.74 and 0.28)", "; ".join(ranks) or "not measured"
