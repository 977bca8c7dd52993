"""The pace of next edits: after rejections a higher precision is required, until an acceptance or a pause."""

from __future__ import annotations

MAX_DECLINED = 3
"""Rejections in a row that count."""


def paced_precision(precision: float, declined: int) -> float:
    """The precision required of next edits after some rejections in a row.

    The permitted error is divided by 2, 3 and 4 after the first, second and third rejection.
    """
    return 1.0 - (1.0 - precision) / (1 + min(declined, MAX_DECLINED))
