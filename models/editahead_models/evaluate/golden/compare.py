"""The differences of two records, by kind, each with a name that a list of allowed differences may contain."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from editahead_models.evaluate.golden.answers import AnswerItem, RecordedAnswer

LOST, NEW, TEXT, PROBABILITY, FLAG, ORDER = "lost", "new", "text", "probability only", "flag only", "order"
TOLERANCE = 0.0002
"""Difference up to which two probabilities are equal: by PYTHONHASHSEED, 1 or 2 of 280 lists of completions differ."""
FAINT = 0.001
"""Probability up to which an item of a menu, which has a last item, may be lost or new for the same reason."""
MENUS = ("completions", "transcripts")
Pairs = list[tuple[AnswerItem, AnswerItem]]


class Difference(NamedTuple):
    """One item that differs: its name, the kind of the difference, what was recorded and what is."""

    name: str
    kind: str
    before: str
    now: str


@dataclass
class PartComparison:
    """The answers of one part in two records: `missing` in the new record, `new` in it, equal, or changed."""

    equal: int = 0
    changed: int = 0
    missing: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    allowed: int = 0

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs but what is allowed."""
        return not self.differences and not self.missing and not self.new

    def first_of_each_kind(self, count: int) -> list[Difference]:
        """The first `count` differences of each kind, kind by kind."""
        by_kind: dict[str, list[Difference]] = defaultdict(list)
        for difference in self.differences:
            by_kind[difference.kind].append(difference)
        return [difference for differences in by_kind.values() for difference in differences[:count]]

    def describe(self) -> str:
        """The counts in one line."""
        counts = f"{self.equal} equal, {self.changed} changed, {len(self.missing)} missing, {len(self.new)} new"
        kinds = Counter(difference.kind for difference in self.differences).most_common()
        by_kind = ", ".join(f"{kind} {count}" for kind, count in kinds)
        allowed = f"; {self.allowed} allowed" if self.allowed else ""
        return f"{counts}{f' ({by_kind})' if by_kind else ''}{allowed}"


def compare_part(
    part: str, old: Iterable[RecordedAnswer], new: Iterable[RecordedAnswer], allowed: Sequence[str] = ()
) -> PartComparison:
    """Compare the answers of a part. A difference whose name begins with one of `allowed` does not count."""
    result = PartComparison()
    answers = {answer.key: answer for answer in new}
    for before in old:
        now = answers.pop(before.key, None)
        name = f"{part} {before.name}"
        if now is None:
            _add_unless_allowed(result, result.missing, name, allowed)
        else:
            differences = list(compare_answers(part, before, now))
            meant = [difference for difference in differences if difference.name.startswith(tuple(allowed))]
            result.equal += not differences
            result.changed += bool(differences)
            result.allowed += len(meant)
            result.differences += [difference for difference in differences if difference not in meant]
    for answer in answers.values():
        _add_unless_allowed(result, result.new, f"{part} {answer.name}", allowed)
    return result


def _add_unless_allowed(result: PartComparison, names: list[str], name: str, allowed: Sequence[str]) -> None:
    if name.startswith(tuple(allowed)):
        result.allowed += 1
    else:
        names.append(name)


def compare_answers(part: str, before: RecordedAnswer, now: RecordedAnswer) -> Iterator[Difference]:
    """Yield the differences of two answers to one request."""

    def difference(kind: str, old: AnswerItem | None, new: AnswerItem | None) -> Difference:
        item = old or new
        assert item is not None
        return Difference(f"{part} {before.name} | {item.at}", kind, _shown(old), _shown(new))

    old, new = before.items, now.items
    same_text, lost, added = _pair(old, new, lambda item: (item.at, item.text))
    for first, second in same_text:
        if first.flag != second.flag or not _is_close(first, second):
            yield difference(FLAG if first.flag != second.flag else PROBABILITY, first, second)
    same_location, lost, added = _pair(lost, added, lambda item: item.at)
    yield from (difference(TEXT, first, second) for first, second in same_location)
    if part in MENUS:
        lost, added = ([item for item in items if not _is_faint(item)] for items in (lost, added))
    yield from (difference(LOST, item, None) for item in lost)
    yield from (difference(NEW, None, item) for item in added)
    if len(same_text) == len(old) == len(new):
        swapped = (pair for pair in zip(old, new, strict=True) if pair[0][:2] != pair[1][:2])
        pair = next((pair for pair in swapped if part not in MENUS or not _is_close(*pair)), None)
        if pair is not None:
            yield difference(ORDER, *pair)


def _is_faint(item: AnswerItem) -> bool:
    return item.probability is not None and item.probability <= FAINT


def _is_close(first: AnswerItem, second: AnswerItem) -> bool:
    if first.probability is None or second.probability is None:
        return first.probability == second.probability
    return abs(first.probability - second.probability) < TOLERANCE + 1e-9


def _pair(
    old: Sequence[AnswerItem], new: Sequence[AnswerItem], identity: Callable[[AnswerItem], object]
) -> tuple[Pairs, list[AnswerItem], list[AnswerItem]]:
    """Pair items of the same identity in order, and return the others."""
    waiting: dict[object, deque[int]] = defaultdict(deque)
    for number, item in enumerate(new):
        waiting[identity(item)].append(number)
    pairs: Pairs = []
    unpaired: list[AnswerItem] = []
    for item in old:
        numbers = waiting[identity(item)]
        if numbers:
            pairs.append((item, new[numbers.popleft()]))
        else:
            unpaired.append(item)
    return pairs, unpaired, [new[number] for number in sorted(chain.from_iterable(waiting.values()))]


def _shown(item: AnswerItem | None) -> str:
    if item is None:
        return "nothing"
    figures = "" if item.probability is None else f" {item.probability}"
    return f"{item.at}: {item.text!r}{figures}{f' {item.flag}' if item.flag else ''}"
