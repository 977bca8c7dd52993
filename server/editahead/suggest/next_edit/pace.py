"""The pace of next edits: after rejections only surer ones are shown, until one is accepted or some time passed."""

from __future__ import annotations

MOST = 3
"""Rejections in a row after which the pace slows no further."""


def paced(precision: float, declined: int) -> float:
    """The precision that is asked of next edits after so many rejections in a row.

    The share that may be wrong is halved by the first of them, and a third and a quarter of it are left after the next.
    """
    return 1.0 - (1.0 - precision) / (1 + min(declined, MOST))
