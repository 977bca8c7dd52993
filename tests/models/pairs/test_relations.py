"""What ties two edits: each relation by an example, in the order in which they are tried."""

from __future__ import annotations

import re

import pytest
from editahead.analysis.edit_relations import EditRelation
from editahead.syntax.language import by_path
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.pairs.facts import facts_of
from editahead_models.pairs.mining import MOST_PAIRS, PairCounts, table, united
from editahead_models.pairs.relations import RULES, Pair, relation_of

from .examples import EXAMPLES, Files

_FIRST, _LATER = "«([^«»>]*)>([^«»]*?)»", "‹([^‹›>]*)>([^‹›]*?)›"


def commit_of(files: Files) -> Commit:
    """The commit that makes both edits."""

    def text(marked: str, side: int) -> str:
        return re.sub(_LATER, rf"\{side}", re.sub(_FIRST, rf"\{side}", marked))

    changes = tuple(FileChange(path, text(marked, 1), text(marked, 2)) for path, marked in files.items())
    return Commit("c", changes, ())


def pair_of(files: Files) -> Pair:
    """The two edits as hunks."""
    language = by_path(next(iter(files)))
    assert language is not None
    facts = facts_of(commit_of(files), language)
    marks = [
        (path, found.start(), found.group()[0])
        for path, marked in files.items()
        for found in re.finditer("[«‹]", marked)
    ]
    hunks = {sign: hunk for (_, _, sign), hunk in reversed(list(zip(marks, facts.hunks, strict=True)))}
    return Pair(hunks["«"], hunks["‹"], facts)


@pytest.mark.parametrize("relation", EXAMPLES, ids=lambda one: one.name)
def test_a_pair_has_the_first_relation_that_holds(relation: EditRelation) -> None:
    assert relation_of(pair_of(EXAMPLES[relation])) is relation


def test_relations_are_tried_in_their_order() -> None:
    assert [relation for relation, _ in RULES] == [one for one in EditRelation if one is not EditRelation.OTHER]


def test_a_large_commit_counts_as_a_bounded_one() -> None:
    lines = "".join(f"a{number} = load(«x>y»)\nb = 1\nc = 2\n" for number in range(12))
    language = by_path("a.py")
    assert language is not None
    counts = PairCounts()
    counts.add(facts_of(commit_of({"a.py": lines}), language))
    assert counts.pairs.total() == 12 * 11
    assert sum(counts.weight.values()) == pytest.approx(MOST_PAIRS)
    assert counts.tied == counts.hunks
    again = united([counts.row(), counts.row()])
    assert sum(again.weight.values()) == pytest.approx(2 * MOST_PAIRS)
    rows = table(again, {"python": counts})["relations"]
    assert rows[EditRelation.SAME_SUBSTITUTION.value]["of named"] == 1.0
