"""Pairs of hunks counted by relation, over the commits of a project, and what all projects come to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from editahead.analysis.edit_relations import NAMED, EditRelation
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.projects import Project
from editahead_models.pairs.facts import CommitFacts, facts_of
from editahead_models.pairs.relations import Pair, relation_of

NEWEST = 1500
"""Commits of a project, newest first, from which those to read are drawn."""
MOST_PAIRS = 20
"""What all pairs of one commit count together, so that no large one rules."""


@dataclass
class PairCounts:
    """Pairs by relation. `weight`: with each commit bounded; `near`: of that the pairs of one file.

    `pairs` are plain counts, and `commits` those with any such pair. `hunks` are those of all read commits with two or
    more, `tied` those of them with a named relation to another one.
    """

    read: int = 0
    hunks: float = 0.0
    tied: float = 0.0
    weight: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    near: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    pairs: Counter[str] = field(default_factory=Counter)
    commits: Counter[str] = field(default_factory=Counter)

    def add(self, facts: CommitFacts) -> None:
        """Count all ordered pairs of a commit's hunks."""
        hunks = facts.hunks
        if len(hunks) < 2:
            return
        found = [(one, other, relation_of(Pair(one, other, facts))) for one, other in permutations(hunks, 2)]
        share = min(1.0, MOST_PAIRS / len(found))
        self.read += 1
        tied = {id(hunk) for one, other, relation in found if relation in NAMED for hunk in (one, other)}
        self.hunks += len(hunks) * share
        self.tied += len(tied) * share
        for one, other, relation in found:
            self.weight[relation.value] += share
            self.pairs[relation.value] += 1
            if one.hunk.file is other.hunk.file:
                self.near[relation.value] += share
        self.commits.update({relation.value for _, _, relation in found})

    def row(self) -> dict[str, Any]:
        """As JSON."""
        tables = {name: dict(getattr(self, name)) for name in ("weight", "near", "pairs", "commits")}
        return {"read": self.read, "hunks": self.hunks, "tied": self.tied, **tables}


def counted(project: Project, extension: str, language: Language, commits: int, seed: int) -> PairCounts:
    """The pairs of up to so many commits of a project."""
    counts = PairCounts()
    for commit in commits_of(project.path, extension, newest=NEWEST, limit=commits, seed=seed):
        counts.add(facts_of(commit, language))
    return counts


def united(rows: Iterable[Mapping[str, Any]]) -> PairCounts:
    """The sums over projects."""
    total = PairCounts()
    for row in rows:
        total.read += row["read"]
        total.hunks += row["hunks"]
        total.tied += row["tied"]
        for name in ("weight", "near", "pairs", "commits"):
            sums = getattr(total, name)
            for relation, count in row[name].items():
                sums[relation] += count
    return total


def table(counts: PairCounts, by_language: Mapping[str, PairCounts]) -> dict[str, Any]:
    """The shares of all relations, the commonest first; `languages`: the share of a relation there."""
    total = sum(counts.weight.values())
    relations: Sequence[EditRelation] = sorted(EditRelation, key=lambda one: -counts.weight[one.value])
    named = sum(counts.weight[one.value] for one in NAMED)
    return {
        "commits": counts.read,
        "pairs": counts.pairs.total(),
        "named": _share(named, total),
        "tied hunks": _share(counts.tied, counts.hunks),
        "relations": {
            one.value: {
                "share": _share(counts.weight[one.value], total),
                "of named": _share(counts.weight[one.value], named) if one in NAMED else 0.0,
                "one file": _share(counts.near[one.value], counts.weight[one.value]),
                "pairs": counts.pairs[one.value],
                "commits": counts.commits[one.value],
                "languages": {
                    name: _share(some.weight[one.value], sum(some.weight[other.value] for other in NAMED))
                    for name, some in by_language.items()
                    if one in NAMED
                },
            }
            for one in relations
        },
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 5) if whole else 0.0
