"""What a place that a finished change left looks like: as a place of the queue, and beside the other places left.

While somebody still edits, many places like each other are many still to come. Once the change is done they are many
that were left on purpose: the one that resembles the examples more than all the others is the one forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from editahead.suggest.next_edit.pattern_features import FEATURES
from editahead.suggest.next_edit.pattern_places import Site

CHECK_FEATURES = (*FEATURES, "peers", "peer_share", "alone", "only", "ratio")
_LIKENESS = tuple(FEATURES.index(name) for name in ("left", "right", "owner", "shape", "head", "role", "scope"))
_SAME = 1e-9


def check_features(sites: Sequence[Site]) -> list[tuple[float, ...]]:
    """The features of all places of one edit, in the order of CHECK_FEATURES.

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
