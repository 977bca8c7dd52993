"""Plots of growth say what was measured, and the same figures give the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
from editahead_models.report.growth_plot import draw_growth


@pytest.mark.slow
@pytest.mark.parametrize("logarithmic", [True, False])
def test_a_plot_names_axes_and_series(tmp_path: Path, logarithmic: bool) -> None:
    points = [(float(x), 1.0 + x / 1000) for x in (10, 100, 1000, 1_000_000)]
    for name in ("a.svg", "b.svg"):
        draw_growth(
            {"completion": points, "next edit": points}, tmp_path / name, across="lines", up="ms",
            logarithmic=logarithmic,
        )  # fmt: skip
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for text in ("lines", "ms", "completion", "next edit", "1,000,000"):
        assert text in svg
    assert svg == (tmp_path / "b.svg").read_text(encoding="utf-8")
