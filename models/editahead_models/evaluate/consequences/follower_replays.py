"""What follows by likeness from the hunks of commits, for several rules at once.

The hunks are done from top to bottom, or shuffled in every other commit: a declaration mostly stands above its uses,
and users begin anywhere. Right is an edit on a shortest way to the committed text. A wrong text in the right place
counts as kept. The label of a row is its source and the kind of the change.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rule import EditRule
from editahead.suggest.next_edit.consequences.rules import all_rules
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.place_replays import moments_of
from editahead_models.evaluate.consequences.rename_replays import Replay
from editahead_models.evaluate.repeats.cases import is_right

FOLLOWERS = tuple(dict.fromkeys(source for rule in all_rules() if rule.by_likeness for source in rule.sources))
"""The sources that are replayed together."""
SHUFFLED = 0.5


def rules_of(sources: Collection[str]) -> tuple[EditRule, ...]:
    """The rules that give the candidates of some sources."""
    return tuple(rule for rule in all_rules() if not set(rule.sources).isdisjoint(sources))


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit; each change of each kind in the first moment in which something follows from it."""
    seen, resolvers, rules = set[tuple[str, str]](), ResolverCache(), rules_of(FOLLOWERS)
    for file, document, byte in moments_of(commit, language, rng if rng.random() < SHUFFLED else None):
        moment = Moment(document, byte, resolvers.of, lambda: None, {})
        found = [one for rule in rules for one in rule.run(moment).candidates if one.document is document]
        for group, kind in dict.fromkeys((one.group, one.kind) for one in found):
            if (group, kind) in seen:
                continue
            seen.add((group, kind))
            mine = [one for one in found if (one.group, one.kind) == (group, kind)]
            verdicts = ["right" if is_right(file, one.edit) else "kept" for one in mine]
            counts = verdicts.count("right"), verdicts.count("kept"), 0
            yield Replay(project, language.id, f"{mine[0].source} {kind}", verdicts[0], *counts, 0, "")
