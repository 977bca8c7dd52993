"""How a cost grows: one line a series, the cost from 0 upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import pyplot, ticker

from editahead_models.report.plots import COLOURS, STYLE


def draw_growth(
    series: Mapping[str, Sequence[tuple[float, float]]], path: Path, *, across: str, up: str, logarithmic: bool = True
) -> None:
    """Write a picture of points (x, y) joined by lines; with `logarithmic` the x axis is."""
    with pyplot.rc_context(STYLE):
        figure, panel = pyplot.subplots(figsize=(5.6, 3.0))
        for number, (name, points) in enumerate(series.items()):
            colour = COLOURS[number % len(COLOURS)]
            panel.plot([x for x, _ in points], [y for _, y in points], color=colour, label=name)
        if logarithmic:
            panel.set_xscale("log")
        panel.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.10g}"))
        panel.set_ylim(bottom=0)
        panel.set_xlabel(across)
        panel.set_ylabel(up)
        if len(series) > 1:
            panel.legend(frameon=False)
        else:
            panel.set_title(next(iter(series), ""), loc="left")
        figure.tight_layout()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
