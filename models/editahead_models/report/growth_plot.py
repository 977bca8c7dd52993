"""How a cost grows: one line a series, the cost from 0 upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker

COLOURS = ("#3b6fb6", "#c8553d", "#4c956c", "#8d5a97", "#c9a227", "#5f6b6d", "#2a9d8f", "#bc6c25")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "editahead",  # the same data gives the same file
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "axes.axisbelow": True,
    "figure.facecolor": "white",
}


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
