"""Lines that are reserved for the text of a source: it may be sure after the next change, and goes before a place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from editahead.suggest.next_edit.places.feature_names import COLUMN

MIN_TEXT = 0.1
"""The probability of a text from which on its line is reserved for it."""
_OWN = tuple(COLUMN[name] for name in ("gone_rare", "come_rare", "sub_rare", "shape_was"))
"""Features by which a line has evidence of its own."""


def reserved_for_text(
    features: npt.NDArray[np.floating], lines: npt.NDArray[np.int64], odds: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which lines [N] are reserved for a text, by their features [N, F], ascending numbers [N] and log odds [N].

    So is a line beside a text that the model finds likelier, or that has no evidence of its own: it is that text's.
    """
    has_text = features[:, COLUMN["text_here"]] >= MIN_TEXT
    of_texts = np.where(has_text, odds, -np.inf)
    beside = np.full(len(lines), -np.inf)
    above = np.flatnonzero(np.diff(lines) == 1)
    beside[above] = of_texts[above + 1]
    beside[above + 1] = np.maximum(beside[above + 1], of_texts[above])
    has_own = features[:, _OWN].any(axis=1)
    return np.asarray(has_text | (beside > odds) | ((beside > -np.inf) & ~has_own))
