"""Grouping of the changes of a diff by edit. A diff has no times: the last site in reading order counts as newest.

Changes that take the same tokens away and bring the same ones are candidates, whatever else they keep or move; then
those that take tokens of the same kinds away. A common pattern makes a group of them (see patterns/unify.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from editahead.check.texts import ChangedFile
from editahead.patterns.examples import Example, example_of
from editahead.patterns.groups import EditGroup, Sample, compound_samples, group_with, shared_context
from editahead.patterns.matching import is_consistent

MAX_CHANGES = 4000
MAX_GROUPS = 60  # the largest are kept
_ALIKE = 300  # candidates of an edit that are compared
_PARTNERS = 6  # of them, those that each is unified with
_TRIES = 8
Tokens = frozenset[tuple[str, int]]


class GroupMatches(NamedTuple):
    """Groups of two examples or more, the largest first; whether changes or groups were dropped for their number."""

    groups: list[EditGroup]
    full: bool


def groups_in(files: Sequence[ChangedFile]) -> GroupMatches:
    """Return the edits that a diff makes at several sites, independent of the order of the files."""
    ordered = sorted(files, key=lambda file: file.document.uri)
    located = [(file.document.uri, file.document.syntax.buffer, change) for file in ordered for change in file.changes]
    taken = located[:MAX_CHANGES][::-1]
    singles = [
        Sample(where, example, (change,), age)
        for age, (where, buffer, change) in enumerate(taken)
        if (example := example_of(buffer, [change])) is not None
    ]
    languages = {file.document.uri: file.document.language_id for file in ordered}
    groups: list[EditGroup] = []
    used: set[tuple[Hashable, int]] = set()
    for edit_key in (_net, _kinds):
        for samples in (compound_samples(taken, singles), singles):
            buckets: dict[Hashable, list[Sample]] = {}
            for sample in samples:
                if not sample.changes & used:
                    buckets.setdefault((languages[str(sample.where)], edit_key(sample.example)), []).append(sample)
            for bucket in buckets.values():
                for group in _split(bucket[:_ALIKE]):
                    groups.append(group)
                    used.update(*(sample.changes for sample in group.samples))
    groups.sort(key=lambda group: -len(group.samples))  # stable: by position among equals
    return GroupMatches(groups[:MAX_GROUPS], len(located) > MAX_CHANGES or len(groups) > MAX_GROUPS)


def _net(example: Example) -> tuple[Tokens, Tokens]:
    """Return the deleted and the inserted tokens with their counts, without tokens that only move."""
    gone, come = Counter(key.text for key in example.old), Counter(key.text for key in example.new)
    return frozenset((gone - come).items()), frozenset((come - gone).items())


def _kinds(example: Example) -> tuple[Tokens, Tokens]:
    """Return the net tokens with every deleted name, number and string as a kind, so that any argument matches."""
    gone, come = _net(example)
    kinds: Counter[str] = Counter()
    for text, count in gone:
        kinds["name" if text[0] == "_" or text[0].isalnum() else text] += count
    return frozenset(kinds.items()), come


def _split(samples: Sequence[Sample]) -> list[EditGroup]:
    """Split candidates for an edit into groups, newest first. No example is in two of them."""
    groups: list[EditGroup] = []
    rest = list(samples)
    for _ in range(_TRIES):
        if len(rest) < 2:
            break
        first, *others = rest
        best = group_with(first, others[:_PARTNERS])
        if best is None:
            rest = others
            continue
        alike = [sample for sample in others if is_consistent(best.pattern, sample.example)]
        members = [replace(sample, age=age) for age, sample in enumerate((first, *alike))]
        groups.append(EditGroup(best.pattern, tuple(members), *shared_context(best.pattern, members)))
        rest = [sample for sample in others if sample not in alike]
    return groups
