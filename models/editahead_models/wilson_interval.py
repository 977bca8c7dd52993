"""Wilson's interval of a share (Journal of the American Statistical Association, 1927)."""

from __future__ import annotations

import math


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of `right` of `count`; all of 0 to 1 where nothing was counted."""
    if not count:
        return 0.0, 1.0
    z, p = 1.96, right / count
    middle, spread = p + z * z / (2 * count), z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)
