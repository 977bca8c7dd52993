"""What plots say can be read."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from editahead.bench.plots import lines


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("points", [[1, 20, 100, 200], range(10_000, 1_000_001, 10_000), [5]])
def test_labels_leave_each_other_room(points: list[int], scale: bool) -> None:
    svg = lines({"resident": [(float(x), 1.0) for x in points]}, "keystrokes", "MB", scale=scale)
    labels = re.findall(r'<text x="(\d+)" y="\d+" text-anchor="middle">([\d,]+)</text>', svg)
    assert labels[-1][1] == f"{max(points):,}"
    for (left, before), (right, after) in pairwise(labels):
        assert int(right) - int(left) >= 7 * max(len(before), len(after)) - 1
