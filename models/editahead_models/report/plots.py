"""Pictures of the results: one SVG a question, both languages side by side, lines named where they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Rows = Mapping[str, Mapping[str, Any]]
Line = tuple[Sequence[float], Sequence[float]]
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


def draw(
    tables: Mapping[str, Rows],
    names: Sequence[str],
    line_of: Callable[[Mapping[str, Any]], Line],
    path: Path,
    *,
    across: str,
    up: str,
    logarithmic: bool = False,
    diagonal: bool = False,
) -> None:
    """One panel a language, one line for each of the named rows that is there."""
    with pyplot.rc_context(STYLE):
        figure, panels = pyplot.subplots(1, len(tables), figsize=(5.2 * len(tables), 3.6), squeeze=False)
        for panel, (language, rows) in zip(panels[0], tables.items(), strict=True):
            _panel(panel, rows, names, line_of, diagonal)
            panel.set_title(language.capitalize(), loc="left", fontweight="bold")
            panel.set_xlabel(across)
            panel.set_ylabel(up)
            if logarithmic:
                panel.set_yscale("log")
                panel.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 1.5, 2, 3, 4, 5, 7)))
                panel.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
                panel.yaxis.set_minor_locator(ticker.NullLocator())
        panels[0][-1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        figure.tight_layout()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _panel(
    panel: Axes, rows: Rows, names: Sequence[str], line_of: Callable[[Mapping[str, Any]], Line], diagonal: bool
) -> None:
    if diagonal:
        panel.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1, linestyle="--")
    for colour, name in zip(COLOURS, names, strict=False):
        if name in rows:
            x, y = line_of(rows[name])
            if len(x):
                panel.plot(x, y, color=colour, marker="o", markersize=2.5, linewidth=1.4, label=rows[name]["label"])


def learning_curve(row: Mapping[str, Any]) -> Line:
    """Dev perplexity against millions of training tokens."""
    return [e["tokens"] / 1e6 for e in row.get("curve", ())], [e["perplexity"] for e in row.get("curve", ())]


def uses_curve(row: Mapping[str, Any]) -> Line:
    """Accuracy on identifier uses of dev against millions of training tokens."""
    found = [e for e in row.get("curve", ()) if "identifier uses" in e]
    return [e["tokens"] / 1e6 for e in found], [100 * e["identifier uses"] for e in found]


def by_position(row: Mapping[str, Any]) -> Line:
    """Accuracy on identifier uses against tokens into the file."""
    found = [e for e in row.get("by position", ()) if "identifier uses" in e]
    return [e["from"] for e in found], [100 * e["identifier uses"] for e in found]


def reliability(row: Mapping[str, Any]) -> Line:
    """Share that was right against the probability that was given."""
    return [e["p"] for e in row.get("reliability", ())], [e["right"] for e in row.get("reliability", ())]


def save(figure: Figure, path: Path) -> None:
    """Write a figure without the date, and close it."""
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
