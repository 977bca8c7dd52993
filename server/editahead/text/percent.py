"""Formatting of probabilities and shares as percentages."""

from __future__ import annotations


def percent(share: float, digits: int = 0) -> str:
    """Format a share in [0, 1] as a percentage with `digits` decimals; never 0 or 100 for a share between them."""
    least = 10.0**-digits
    value = 100.0 * share
    if 0.0 < value < least:
        return f"<{least:.{digits}f} %"
    if 100.0 - least / 2 <= value < 100.0:
        return f">{100.0 - least:.{digits}f} %"
    return f"{value:.{digits}f} %"


def percent_of_least(share: float, least: float) -> str:
    """Format "61 % of at least 72 %", with decimals where both would read the same although the share is less."""
    digits = 0
    while share < least and digits < 3 and percent(share, digits) == percent(least, digits):
        digits += 1
    return f"{percent(share, digits)} of at least {percent(least, digits)}"


def percentage(share: float, digits: int = 1) -> str:
    """Format a share as a number without the percent sign, for tables."""
    return f"{100.0 * share:.{digits}f}"
