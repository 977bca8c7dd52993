"""Plots as SVG texts: bars, cumulative curves over a logarithmic axis, and reliability diagrams."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from editahead.text.percent import percent

_COLOURS = ("#2563a8", "#c2571a", "#3a8f4d", "#8a4fa3", "#7a6a1f", "#b03a5b")
_BAR = 18  # pixels a row


def bars(rows: Sequence[tuple[str, float]]) -> str:
    """Plot shares in [0, 1] as horizontal bars."""
    left, width = 130, 260
    parts = []
    for index, (label, value) in enumerate(rows):
        y = index * _BAR
        length = max(0.0, min(1.0, value)) * width
        parts.append(
            f'<text x="{left - 6}" y="{y + 13}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="{_BAR - 6}" fill="{_COLOURS[0]}"/>'
            f'<text x="{left + length + 5:.1f}" y="{y + 13}">{percent(value)}</text>'
        )
    return _svg(left + width + 50, len(rows) * _BAR + 4, parts)


def curves(series: Mapping[str, Sequence[float]], unit: str = "ms") -> str:
    """Plot the cumulative distribution of each series over a logarithmic axis."""
    left, top, width, height = 40, 10, 320, 160
    values = [value for row in series.values() for value in row if value > 0]
    low = math.floor(math.log10(max(min(values, default=1.0), 1e-3)))
    high = max(low + 1, math.ceil(math.log10(max(values, default=10.0))))

    def x(value: float) -> float:
        return left + width * (math.log10(max(value, 10.0**low)) - low) / (high - low)

    parts = _frame(left, top, width, height)
    for power in range(low, high + 1):
        label = f"{10.0**power:g}"
        parts.append(f'<text x="{x(10.0**power):.0f}" y="{top + height + 14}" text-anchor="middle">{label}</text>')
    parts.append(f'<text x="{left + width}" y="{top + height + 28}" text-anchor="end">{escape(unit)}</text>')
    for index, (name, rows) in enumerate(series.items()):
        ordered, colour = sorted(rows), _COLOURS[index % len(_COLOURS)]
        steps = sorted({round(part * (len(ordered) - 1) / 100) for part in range(101)})
        points = " ".join(f"{x(ordered[at]):.1f},{top + height * (1 - (at + 1) / len(ordered)):.1f}" for at in steps)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{left + 8}" y="{top + 14 + 14 * index}" style="fill:{colour}">{escape(name)}</text>')
    return _svg(left + width + 20, top + height + 34, parts)


def reliability(pairs: Sequence[tuple[float, int]], bins: int = 10) -> str:
    """Plot mean probability (x) against hit rate (y) in bins of equal mass; the area of a dot is its share."""
    left, top, size = 40, 10, 200
    ordered = sorted(pairs)
    parts = _frame(left, top, size, size)
    parts.append(
        f'<line x1="{left}" y1="{top + size}" x2="{left + size}" y2="{top}" stroke="#aaa" stroke-dasharray="4 3"/>'
    )
    for index in range(bins):
        part = ordered[index * len(ordered) // bins : (index + 1) * len(ordered) // bins]
        if part:
            x = sum(p for p, _ in part) / len(part)
            y = sum(right for _, right in part) / len(part)
            radius = 4 + 20 * math.sqrt(len(part) / len(ordered) / math.pi) / 2
            parts.append(
                f'<circle cx="{left + size * x:.1f}" cy="{top + size * (1 - y):.1f}" r="{radius:.1f}" '
                f'fill="{_COLOURS[0]}" fill-opacity="0.6"/>'
            )
    parts.append(f'<text x="{left + size}" y="{top + size + 14}" text-anchor="end">probability</text>')
    return _svg(left + size + 20, top + size + 20, parts)


def _frame(left: int, top: int, width: int, height: int) -> list[str]:
    """Draw axes with four grid lines, labelled with shares."""
    parts = []
    for quarter in range(5):
        y = top + height * (1 - quarter / 4)
        parts.append(f'<line x1="{left}" y1="{y:.0f}" x2="{left + width}" y2="{y:.0f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 5}" y="{y + 4:.0f}" text-anchor="end">{quarter / 4:.2g}</text>')
    return parts


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
    return head + f'viewBox="0 0 {width:.0f} {height:.0f}">' + "".join(parts) + "</svg>"
