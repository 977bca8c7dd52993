"""Pictures of the edit models: accuracy by task beside the published figures, and training time against insertions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot
from matplotlib.ticker import NullFormatter, ScalarFormatter

from editahead_models.report.plots import COLOURS, STYLE, save

FAMILIES = ("POMP", "E", "IR", "IA-ag", "IA-a", "IA-vg", "IA-v")
COLOUR_OF = dict(zip(FAMILIES, ("#9a9a9a", *COLOURS), strict=False))


def accuracies(
    best: Mapping[tuple[str, str], Mapping[str, Any]], published: Mapping[str, Mapping[str, Any]], path: Path
) -> None:
    """A line a task, a dot a family: full as measured, hollow as printed in the paper. Nothing measured, no picture."""
    tasks = [task for task in published["main"]["rows"] if any(key[0] == task for key in best)]
    if not tasks:
        return
    printed = {
        (task, family): value
        for part in published.values()
        for task, row in part["rows"].items()
        for family, value in zip(part["columns"], row, strict=True)
    }
    with pyplot.rc_context(STYLE):
        figure, panel = pyplot.subplots(figsize=(7.5, 1.2 + 0.24 * len(tasks)))
        for family in FAMILIES:
            rows = [row for row, task in enumerate(tasks) if (task, family) in best]
            if not rows:
                continue
            colour = COLOUR_OF[family]
            shares = [100 * best[tasks[row], family]["test"]["joint"] for row in rows]
            panel.plot(shares, rows, "o", color=colour, markersize=5, label=family)
            known = [row for row in rows if printed.get((tasks[row], family)) is not None]
            hollow = [printed[tasks[row], family] for row in known]
            panel.plot(hollow, known, "o", color=colour, markersize=8, markerfacecolor="none")
        panel.set_yticks(range(len(tasks)), tasks)
        panel.invert_yaxis()
        panel.set_xlabel("edits right, % (full: measured here, ring: printed in the paper)")
        panel.set_xlim(-2, 102)
        panel.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        save(figure, path)


def scaling(points: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Seconds for 128 instances against insertions, a panel a width, both axes logarithmic. No points, no picture."""
    widths = sorted({point["hidden"] for point in points})
    if not widths:
        return
    with pyplot.rc_context(STYLE):
        figure, panels = pyplot.subplots(1, len(widths), figsize=(1.4 + 3.8 * len(widths), 3.4), squeeze=False)
        for panel, width in zip(panels[0], widths, strict=True):
            for family in FAMILIES:
                found = sorted((p["insertions"], p["seconds_per_128"]) for p in points
                               if (p["family"], p["hidden"]) == (family, width))  # fmt: skip
                if found:
                    panel.plot(
                        *zip(*found, strict=True), color=COLOUR_OF[family], marker="o", markersize=3, label=family
                    )
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xticks(sorted({point["insertions"] for point in points}))
            for axis in (panel.xaxis, panel.yaxis):
                axis.set_major_formatter(ScalarFormatter())
                axis.set_minor_formatter(NullFormatter())
            panel.set_title(f"width {width}", loc="left", fontweight="bold")
            panel.set_xlabel("insertions an instance")
            panel.set_ylabel("training seconds, 128 instances")
        panels[0][-1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        save(figure, path)


def confidences(curves: Mapping[str, Sequence[Mapping[str, float]]], path: Path) -> None:
    """Share of tokens right among the most confident ones, a line a model. No curves, no picture."""
    if not curves:
        return
    with pyplot.rc_context(STYLE):
        figure, panel = pyplot.subplots(figsize=(5.6, 3.6))
        for name, points in curves.items():
            x, y = [point["percentile"] for point in points], [100 * point["right"] for point in points]
            panel.plot(x, y, color=COLOUR_OF.get(name, "#000000"), marker="o", markersize=3, label=name)
        panel.set_xlabel("percentile of confidence: the least confident are left out")
        panel.set_ylabel("tokens right, %")
        panel.set_ylim(bottom=0)
        panel.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        save(figure, path)
