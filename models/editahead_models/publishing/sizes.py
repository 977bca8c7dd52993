"""How much is measured in one language, spread over its projects, and how long that takes on one core."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from editahead_models.publishing.other_servers import EVERY
from editahead_models.publishing.parts import CHECK, COMPLETIONS, GHOST_TEXT, NEXT_EDITS, OTHER_SERVER, RENAMES, Quota

SECONDS = {COMPLETIONS: 0.13, OTHER_SERVER: 0.4, GHOST_TEXT: 0.12, NEXT_EDITS: 0.25, RENAMES: 0.8, CHECK: 0.5}
"""Seconds of one identifier, place, moment, rename and commit, measured on the dev projects of Python and Java."""
USED = {
    COMPLETIONS: ("identifiers",),
    OTHER_SERVER: ("identifiers",),
    GHOST_TEXT: ("ghost_places",),
    NEXT_EDITS: ("requests", "quiet"),
    RENAMES: ("renames",),
    CHECK: ("check_commits",),
}
"""The sizes that each part depends on."""
SESSION_SECONDS = 10.0
"""For one project: reading its files, and starting a server that indexes them."""


@dataclass(frozen=True)
class Sizes:
    """The number of cases that are wanted in one language."""

    identifiers: int = 2000
    ghost_places: int = 2500
    requests: int = 1000
    quiet: int = 500
    renames: int = 400
    check_commits: int = 200

    def quota(self, projects: int) -> Quota:
        """The share of one of some projects, rounded up."""
        return Quota(**{name: math.ceil(count / max(1, projects)) for name, count in asdict(self).items()})

    def projected_seconds(self, projects: int, parts: frozenset[str]) -> float:
        """How long the parts of one language take."""
        counts = {
            COMPLETIONS: self.identifiers,
            OTHER_SERVER: self.identifiers // EVERY,
            GHOST_TEXT: self.ghost_places,
            NEXT_EDITS: self.requests + self.quiet,
            RENAMES: self.renames,
            CHECK: self.check_commits,
        }
        return SESSION_SECONDS * projects + sum(SECONDS[part] * counts[part] for part in parts)
