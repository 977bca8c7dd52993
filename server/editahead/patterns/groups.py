"""Which of the latest changes are the same edit: groups of examples, each with the pattern that they share."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from editahead.patterns.changes import NetChange
from editahead.patterns.examples import Example, example_of
from editahead.patterns.matching import gives
from editahead.patterns.pattern import AROUND, Pattern, beside, shared
from editahead.patterns.unify import from_one, from_two
from editahead.text.buffer import Buffer

LATEST = 8
"""Changes, counted from the last one, that may begin a group."""
MAX_GROUPS = 3


@dataclass(frozen=True, eq=False)
class Sample:
    """An example and the text it stands in. `parts` are the changes that it was made of, `age` how many came later."""

    where: Hashable
    example: Example
    parts: tuple[NetChange, ...]
    age: int

    @property
    def changes(self) -> frozenset[tuple[Hashable, int]]:
        """What tells its changes from those of other samples."""
        return frozenset((self.where, change.turn) for change in self.parts)


@dataclass(frozen=True, eq=False)
class EditGroup:
    """An edit that was made at the places `samples`, newest first."""

    pattern: Pattern
    samples: tuple[Sample, ...]
    left: tuple[str | None, ...]
    right: tuple[str | None, ...]

    @cached_property
    def name(self) -> str:
        """Tells this edit from others; says nothing of the code."""
        return f"repeat-{zlib.crc32(self.pattern.signature().encode()):08x}"


def groups_of(texts: Iterable[tuple[Hashable, Buffer, Sequence[NetChange]]]) -> list[EditGroup]:
    """Groups over several texts (each with its changes), the one with the latest change first."""
    known = [(where, buffer, change) for where, buffer, changes in texts for change in changes]
    known.sort(key=lambda item: (item[2].time, item[2].turn), reverse=True)
    latest = [item for item in known if not item[2].undone(item[1].data)][:LATEST]
    if not latest or latest[0][2] is not known[0][2]:  # the last thing done was to take something back
        return []
    singles = [
        Sample(where, example, (change,), age)
        for age, (where, buffer, change) in enumerate(latest)
        if (example := example_of(buffer, [change])) is not None
    ]
    groups: list[EditGroup] = []
    used: set[tuple[Hashable, int]] = set()
    for samples in (compounds(latest, singles), singles):
        for number, sample in enumerate(samples):
            if len(groups) == MAX_GROUPS or sample.changes & used:
                continue
            group = grouped(sample, [one for one in samples[number + 1 :] if not one.changes & used])
            if group is not None:
                groups.append(group)
                used.update(*(one.changes for one in group.samples))
    groups += _alone([*compounds(latest, singles), *singles], used)[: MAX_GROUPS - len(groups)]
    return sorted(groups, key=lambda group: group.samples[0].age)


def compounds(latest: Sequence[tuple[Hashable, Buffer, NetChange]], singles: Sequence[Sample]) -> list[Sample]:
    """Different changes of one line as one example: `foo(x)` became `bar(x, 1)` in two steps."""
    buffers = {where: buffer for where, buffer, _ in latest}
    lines: dict[tuple[Hashable, int], list[Sample]] = {}
    for sample in singles:  # by where each begins: what goes at the end of a line has its example in the next
        line = buffers[sample.where].line_at(sample.parts[0].start)
        lines.setdefault((sample.where, line), []).append(sample)
    found: list[Sample] = []
    for (where, _), samples in lines.items():
        kinds = {(_texts(sample.example.old), _texts(sample.example.new)) for sample in samples}
        if len(samples) < 2 or len(kinds) < len(samples):
            continue
        parts = sorted((sample.parts[0] for sample in samples), key=lambda change: change.start)
        example = example_of(buffers[where], parts)
        if example is not None:
            found.append(Sample(where, example, tuple(parts), min(sample.age for sample in samples)))
    return sorted(found, key=lambda sample: sample.age)


def _texts(keys: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(text for text, _ in keys)


def grouped(sample: Sample, others: Sequence[Sample]) -> EditGroup | None:
    """The sample with those earlier ones that did the same; the pattern that covers most of them."""
    best: EditGroup | None = None
    for other in others:
        pattern = from_two(sample.example, other.example)
        if pattern is None:
            continue
        alike = [other, *(one for one in others if one is not other and gives(pattern, one.example))]
        if best is None or (len(alike), -pattern.holes) > (len(best.samples) - 1, -best.pattern.holes):
            ordered = sorted(alike, key=lambda one: one.age)
            best = EditGroup(pattern, (sample, *ordered), *common(pattern, [sample, *ordered]))
    return best


def common(pattern: Pattern, samples: Sequence[Sample]) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    """The tokens beside the edit that all samples share."""
    left, right = pattern.left, pattern.right
    for sample in samples:
        left = shared(left, beside(sample.example, -1, AROUND))
        right = shared(right, beside(sample.example, 1, AROUND))
    return left, right


def _alone(samples: Sequence[Sample], used: set[tuple[Hashable, int]]) -> list[EditGroup]:
    """The very last change by itself, unless it belongs to a group or is still being typed."""
    newest = next((sample for sample in samples if sample.age == 0), None)
    if newest is None or newest.changes & used or not newest.example.settled:
        return []
    pattern = from_one(newest.example)
    return [EditGroup(pattern, (newest,), pattern.left, pattern.right)] if pattern else []
