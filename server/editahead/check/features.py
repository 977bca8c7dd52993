"""Features of the remaining sites of a finished change: those of the queue, and relative to the other sites.

During editing, many similar sites are many still to come. Once the change is finished, they were skipped on purpose: a
site that resembles the examples more than all others was probably missed, and so was a site among examples, or
a site whose text no longer fits the change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from editahead.check.leftover import Leftover
from editahead.check.texts import ChangedFile
from editahead.patterns.groups import EditGroup
from editahead.suggest.next_edit.repeats.group_sites import Site
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES

AMONG_CHANGES = ("broken", "file_done", "between", "changed", "near")
CHECK_FEATURES = (*FEATURES, "peers", "peer_share", "alone", "only", "ratio", *AMONG_CHANGES)
_LIKENESS = tuple(FEATURES.index(name) for name in ("left", "right", "owner", "shape", "head", "role", "scope"))
_SAME = 1e-9
_FAR = 400.0


def check_features(
    sites: Sequence[Site],
    group: EditGroup,
    files: Sequence[ChangedFile],
    leftovers: Sequence[Leftover] = (),
) -> list[tuple[float, ...]]:
    """Return the features of all sites of an edit, in the order of CHECK_FEATURES.

    `peers`: ln of how many of them are at least as like the examples; `peer_share`: what share of those and of the
    examples the examples are; `ratio`: ln of how many examples there are for each of those; `alone`: no other site is
    as like them; `only`: there is no other site. The others are those of `_Changes`.
    """
    likeness = [sum(site.features[at] for at in _LIKENESS) for site in sites]
    changes = _Changes(sites, group, files, leftovers) if sites else None
    rows: list[tuple[float, ...]] = []
    for site, mine in zip(sites, likeness, strict=True):
        assert changes is not None
        peers = sum(other >= mine - _SAME for other in likeness)
        share, ratio = site.examples / (site.examples + peers), math.log(site.examples / peers)
        alone = (math.log(peers), share, float(peers == 1), float(len(sites) == 1), ratio)
        rows.append((*site.features, *alone, *changes.features(site)))
    return rows


class _Changes:
    """The change around the sites of an edit.

    `broken`: a leftover stands on the line; `file_done`: the share of examples among all places of the file; `between`:
    two examples stand around it; `changed`: the file was changed; `near`: how far the nearest change of the file is.
    """

    def __init__(
        self,
        sites: Sequence[Site],
        group: EditGroup,
        files: Sequence[ChangedFile],
        leftovers: Sequence[Leftover],
    ) -> None:
        self._examples: dict[str, list[int]] = {}
        for sample in group.samples:
            self._examples.setdefault(str(sample.where), []).append(sample.example.line)
        self._sites = Counter(site.document.uri for site in sites)
        self._lines = {
            file.document.uri: [file.document.syntax.buffer.line_at(change.start) for change in file.changes]
            for file in files
            if file.document.uri in self._sites
        }
        self._broken = {(leftover.where, leftover.line) for leftover in leftovers}

    def features(self, site: Site) -> tuple[float, ...]:
        """The features of a site, in the order of AMONG_CHANGES."""
        uri = site.document.uri
        lines, here = self._examples.get(uri, []), self._sites[uri]
        changed = [abs(line - site.line) for line in self._lines.get(uri, ())]
        return (
            float((uri, site.line) in self._broken),
            len(lines) / (len(lines) + here),
            float(bool(lines) and min(lines) < site.line < max(lines)),
            float(bool(changed)),
            math.log(1.0 + min(changed)) / math.log(_FAR) if changed else 1.5,
        )
