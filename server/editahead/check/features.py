"""Features of the remaining places of a finished change: those of the queue, and relative to the other places.

During editing, many similar places are many still to come. Once the change is finished, they were left on purpose: a
place that resembles the examples more than all others was probably missed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from editahead.suggest.next_edit.group_sites import Site
from editahead.suggest.next_edit.pattern_features import FEATURES

CHECK_FEATURES = (*FEATURES, "peers", "peer_share", "alone", "only", "ratio")
_LIKENESS = tuple(FEATURES.index(name) for name in ("left", "right", "owner", "shape", "head", "role", "scope"))
_SAME = 1e-9


def check_features(sites: Sequence[Site]) -> list[tuple[float, ...]]:
    """Return the features of all places of one edit, in the order of CHECK_FEATURES.

    `peers`: ln of how many of them are at least as like the examples; `peer_share`: what share of those and of the
    examples the examples are; `ratio`: ln of how many examples there are for each of those; `alone`: no other place is
    as like them; `only`: there is no other place.
    """
    likeness = [sum(site.features[at] for at in _LIKENESS) for site in sites]
    rows: list[tuple[float, ...]] = []
    for site, mine in zip(sites, likeness, strict=True):
        peers = sum(other >= mine - _SAME for other in likeness)
        share, ratio = site.examples / (site.examples + peers), math.log(site.examples / peers)
        rows.append((*site.features, math.log(peers), share, float(peers == 1), float(len(sites) == 1), ratio))
    return rows
