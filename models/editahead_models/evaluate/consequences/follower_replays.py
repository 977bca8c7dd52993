"""What follows by likeness from the hunks of commits, for several generators at once.

The hunks are done from top to bottom, or shuffled in every other commit: a declaration mostly stands above its uses,
and users begin anywhere. Right is an edit on a shortest way to the committed text. A wrong text in the right place
counts as kept. The label of a row is its source and the kind of the change.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.registry import SOURCES
from editahead.suggest.next_edit.consequences.types import Generator, Moment
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.rename_replays import Replay
from editahead_models.evaluate.consequences.unbound_replays import moments_of
from editahead_models.evaluate.repeats.cases import is_right

Asking = tuple[str, Generator]
"""A source by its name, and its generator."""
FOLLOWERS = ("argument", "idiom", "rewritten", "numbered")
"""The sources that are replayed together."""
SHUFFLED = 0.5


def generators_of(names: Collection[str]) -> tuple[Asking, ...]:
    """The generators of some sources."""
    return tuple((one.name, one.generator) for one in SOURCES if one.name in names and one.generator is not None)


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit; each change of each kind in the first moment in which something follows from it."""
    seen, resolvers, asked = set[tuple[str, str]](), ResolverCache(), generators_of(FOLLOWERS)
    for file, document, byte in moments_of(commit, language, rng if rng.random() < SHUFFLED else None):
        moment = Moment(document, byte, resolvers.of, lambda: None, {})
        found = [one for _, generator in asked for one in generator(moment).candidates if one.document is document]
        for group, kind in dict.fromkeys((one.group, one.kind) for one in found):
            if (group, kind) in seen:
                continue
            seen.add((group, kind))
            mine = [one for one in found if (one.group, one.kind) == (group, kind)]
            verdicts = ["right" if is_right(file, one.edit) else "kept" for one in mine]
            counts = verdicts.count("right"), verdicts.count("kept"), 0
            yield Replay(project, language.id, f"{mine[0].source} {kind}", verdicts[0], *counts, 0, "")
