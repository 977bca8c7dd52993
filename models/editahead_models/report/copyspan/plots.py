"""Pictures of span copying: how long the copied spans are, and how often the target is among the outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot
from matplotlib.patches import Rectangle

from editahead_models.report.plots import COLOURS, STYLE, save

WIDTH = 5
"""Tokens of a column of the histogram, but for single tokens, which have a column of their own."""


def lengths(spans: Mapping[tuple[str, str], Mapping[str, Any]], path: Path) -> None:
    """A panel a set, a line a row: the share of copied spans by length. Nothing measured, no picture."""
    names = list(dict.fromkeys(name for name, _ in spans))
    if not names:
        return
    with pyplot.rc_context(STYLE):
        figure, panels = pyplot.subplots(1, len(names), figsize=(1.6 + 3.8 * len(names), 3.2), squeeze=False)
        for panel, name in zip(panels[0], names, strict=True):
            for colour, row in zip(COLOURS, dict.fromkeys(row for _, row in spans), strict=False):
                if (name, row) in spans:
                    columns = histogram(spans[name, row]["lengths"])
                    panel.plot(
                        range(len(columns)), [100 * share for share in columns], color=colour, marker="o",
                        markersize=3, label=row,
                    )  # fmt: skip
            most = max(len(histogram(spans[key]["lengths"])) for key in spans if key[0] == name)
            panel.set_xticks(range(most), [label(column) for column in range(most)], rotation=60)
            panel.set_title(name, loc="left", fontweight="bold")
            panel.set_xlabel("tokens of a copied span")
            panel.set_ylabel("spans, %")
        lines = {line.get_label(): line for panel in panels[0] for line in panel.get_lines()}
        panels[0][-1].legend(
            list(lines.values()), list(lines), loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False
        )
        save(figure, path)


def histogram(lengths_of: Mapping[str, int]) -> list[float]:
    """Shares of spans by column: one token, then 2 to 5, 6 to 10 and so on."""
    total = sum(lengths_of.values())
    columns: dict[int, int] = {}
    for length, count in lengths_of.items():
        column = 0 if int(length) == 1 else 1 + (int(length) - 1) // WIDTH
        columns[column] = columns.get(column, 0) + count
    return [columns.get(column, 0) / total for column in range(max(columns) + 1)]


def label(column: int) -> str:
    """What a column of `histogram` holds."""
    return "1" if column == 0 else f"{max((column - 1) * WIDTH + 1, 2)}-{column * WIDTH}"


def accuracies(runs: Mapping[str, Mapping[str, Mapping[str, Any]]], published: Mapping[str, Any], path: Path) -> None:
    """A panel a set, a line a row: the share of targets among 20 outputs; full as measured, ring as printed."""
    names = [name for name, rows in runs.items() if rows]
    if not names:
        return
    rows: Sequence[str] = list(published["rows"][names[0]])
    with pyplot.rc_context(STYLE):
        size = (2.6 + 3.0 * len(names), 2.4)
        figure, panels = pyplot.subplots(1, len(names), figsize=size, squeeze=False, sharey=True)
        for panel, name in zip(panels[0], names, strict=True):
            for place, row in enumerate(rows):
                panel.plot(published["rows"][name][row][1], place, "o", color=COLOURS[0], markerfacecolor="none")
                merged = runs[name].get(row, {}).get("searches", {}).get("merged", {})
                if "accuracy@20" in merged:
                    panel.plot(100 * merged["accuracy@20"], place, "o", color=COLOURS[0])
            panel.set_yticks(range(len(rows)), rows)
            panel.set_xlim(left=0)
            panel.set_title(name, loc="left", fontweight="bold")
            panel.set_xlabel("accuracy@20, % (ring: printed)")
        panels[0][0].invert_yaxis()
        save(figure, path)


def attention(example: Mapping[str, Any], path: Path) -> None:
    """The input across, an action a row from the top: grey is the attention before it, a frame what it copies."""
    source, rows = [*example["source"], "end"], example["rows"]
    with pyplot.rc_context(STYLE):
        figure, panel = pyplot.subplots(figsize=(2.6 + 0.26 * len(source), 1.3 + 0.26 * len(rows)))
        panel.imshow([row["attention"] for row in rows], cmap="Greys", vmin=0.0, vmax=1.0, aspect="auto")
        for at, row in enumerate(rows):
            if row["start"] is not None:
                corner, size = (row["start"] - 0.5, at - 0.5), len(row["tokens"])
                panel.add_patch(Rectangle(corner, size, 1, fill=False, edgecolor=COLOURS[0], linewidth=1.5))
        panel.set_xticks(range(len(source)), source, rotation=90)
        panel.set_yticks(range(len(rows)), [_action(row) for row in rows])
        panel.xaxis.tick_top()
        panel.tick_params(length=0)
        panel.grid(visible=False)
        save(figure, path)


def _action(row: Mapping[str, Any]) -> str:
    """What an action does, with its probability."""
    count = len(row["tokens"])
    done = f"write {row['tokens'][0]}" if row["start"] is None else f"copy {count} token{'s' if count > 1 else ''}"
    return f"{done}, {100 * row['p']:.0f} %"
