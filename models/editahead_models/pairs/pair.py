"""Two hunks of a commit."""

from __future__ import annotations

from typing import NamedTuple

from editahead_models.pairs.facts import CommitFacts, HunkFacts

SHORTEST = 4
"""Letters of a name that ties edits by its text alone: shorter ones are equal by chance."""


class Pair(NamedTuple):
    """Two hunks of a commit, the first one made before the other."""

    first: HunkFacts
    later: HunkFacts
    commit: CommitFacts

    @property
    def same_file(self) -> bool:
        """Whether both are of one file."""
        return self.first.hunk.file is self.later.hunk.file

    @property
    def reversed(self) -> Pair:
        """The same hunks in the other order."""
        return Pair(self.later, self.first, self.commit)
