"""Groups of recent changes that make the same edit, each with the pattern that they share."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from editahead.patterns.changes import NetChange
from editahead.patterns.examples import Example, example_of
from editahead.patterns.matching import is_consistent
from editahead.patterns.pattern import AROUND, Pattern, common_tokens, context_tokens
from editahead.patterns.unify import anti_unify, single_pattern
from editahead.text.buffer import Buffer

MAX_CHANGES = 8  # number of most recent changes that may begin a group
MAX_GROUPS, MAX_LONE = 3, 3  # numbers of groups of repeated edits, and of single edits
Context = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Sample:
    """An example with its document; `parts` are its net changes, `age` the number of later changes."""

    where: Hashable
    example: Example
    parts: tuple[NetChange, ...]
    age: int

    @property
    def changes(self) -> frozenset[tuple[Hashable, int]]:
        """The identifiers of its changes: document and turn."""
        return frozenset((self.where, change.turn) for change in self.parts)


@dataclass(frozen=True, eq=False)
class EditGroup:
    """An edit that the user repeated: its pattern and the `samples`, newest first."""

    pattern: Pattern
    samples: tuple[Sample, ...]
    left: Context
    right: Context

    @cached_property
    def name(self) -> str:
        """An identifier of the edit that contains nothing of the code."""
        return f"repeat-{zlib.crc32(self.pattern.signature().encode()):08x}"


def groups_of(texts: Iterable[tuple[Hashable, Buffer, Sequence[NetChange]]]) -> list[EditGroup]:
    """Return the groups over several documents (each with its changes), sorted by their latest change."""
    dated_changes = [(where, buffer, change) for where, buffer, changes in texts for change in changes]
    dated_changes.sort(key=lambda item: (item[2].time, item[2].turn), reverse=True)
    latest = [item for item in dated_changes if not item[2].is_undone(item[1].data)][:MAX_CHANGES]
    if not latest or latest[0][2] is not dated_changes[0][2]:  # the last change was undone
        return []
    singles = [
        Sample(where, example, (change,), age)
        for age, (where, buffer, change) in enumerate(latest)
        if (example := example_of(buffer, [change])) is not None
    ]
    groups: list[EditGroup] = []
    used: set[tuple[Hashable, int]] = set()
    for samples in (compound_samples(latest, singles), singles):
        for number, sample in enumerate(samples):
            if len(groups) == MAX_GROUPS or sample.changes & used:
                continue
            group = group_with(sample, [other for other in samples[number + 1 :] if not other.changes & used])
            if group is not None:
                groups.append(group)
                used.update(*(member.changes for member in group.samples))
    groups += _alone([*compound_samples(latest, singles), *singles], used)
    return sorted(groups, key=lambda group: group.samples[0].age)


def compound_samples(latest: Sequence[tuple[Hashable, Buffer, NetChange]], singles: Sequence[Sample]) -> list[Sample]:
    """Return samples that join different changes of the same line: `foo(x)` became `bar(x, 1)` in two steps."""
    buffers = {where: buffer for where, buffer, _ in latest}
    lines: dict[tuple[Hashable, int], list[Sample]] = {}
    for sample in singles:  # by where each begins: what goes at the end of a line has its example in the next
        line = buffers[sample.where].line_at(sample.parts[0].start)
        lines.setdefault((sample.where, line), []).append(sample)
    compounds: list[Sample] = []
    for (where, _), samples in lines.items():
        kinds = {(_texts(sample.example.old), _texts(sample.example.new)) for sample in samples}
        if len(samples) < 2 or len(kinds) < len(samples):
            continue
        parts = sorted((sample.parts[0] for sample in samples), key=lambda change: change.start)
        example = example_of(buffers[where], parts)
        if example is not None:
            compounds.append(Sample(where, example, tuple(parts), min(sample.age for sample in samples)))
    return sorted(compounds, key=lambda sample: sample.age)


def _texts(keys: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(text for text, _ in keys)


def group_with(sample: Sample, others: Sequence[Sample]) -> EditGroup | None:
    """Group a sample with the earlier samples of the same edit, by the pattern that covers most of them."""
    best: EditGroup | None = None
    for other in others:
        pattern = anti_unify(sample.example, other.example)
        if pattern is None:
            continue
        consistent = [older for older in others if older is not other and is_consistent(pattern, older.example)]
        matching = [other, *consistent]
        if best is None or (len(matching), -pattern.holes) > (len(best.samples) - 1, -best.pattern.holes):
            ordered = sorted(matching, key=lambda member: member.age)
            best = EditGroup(pattern, (sample, *ordered), *shared_context(pattern, [sample, *ordered]))
    return best


def shared_context(pattern: Pattern, samples: Sequence[Sample]) -> tuple[Context, Context]:
    """Return the tokens left and right of the edit that all samples share, None where they differ."""
    left, right = pattern.left, pattern.right
    for sample in samples:
        left = common_tokens(left, context_tokens(sample.example, -1, AROUND))
        right = common_tokens(right, context_tokens(sample.example, 1, AROUND))
    return left, right


def _alone(samples: Sequence[Sample], used: set[tuple[Hashable, int]]) -> list[EditGroup]:
    """Return groups of the latest changes that belong to no other group, each alone; a change in progress waits."""
    taken = set(used)
    groups: list[EditGroup] = []
    for sample in sorted(samples, key=lambda sample: sample.age):
        if len(groups) == MAX_LONE or sample.changes & taken or not sample.example.settled:
            continue
        pattern = single_pattern(sample.example)
        if pattern is not None:
            groups.append(EditGroup(pattern, (sample,), pattern.left, pattern.right))
            taken.update(sample.changes)
    return groups
