"""Another order of an instance's hunks that makes the same text: commits say what was changed, not in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence

from editahead_models.data.synthetic.instances import Instance, TokenEdit, from_implicit
from editahead_models.data.synthetic.representation import ImplicitEdits, PlacedEdit


def shuffled(instance: Instance, rng: random.Random) -> Instance:
    """The instance with its hunks in a drawn order. A hunk stays behind those that it meets at a token."""
    hunks = _hunks(instance)
    waits = _waits(hunks, len(instance.initial))
    done: list[int] = []
    left = set(range(len(hunks)))
    while left:
        ready = sorted(number for number in left if not waits[number] & left)
        done.append(rng.choice(ready))
        left.remove(done[-1])
    size, names, edits = len(instance.initial), dict[int, int](), list[PlacedEdit]()
    for number in done:
        first = sum(map(len, hunks[:number]))
        for at, edit in enumerate(hunks[number], first):
            names[size + at] = size + len(edits)
            edits.append(PlacedEdit(names.get(edit.implicit, edit.implicit), edit.content))
    made = from_implicit(ImplicitEdits(instance.initial, tuple(edits)))
    return made._replace(
        conditioning=instance.conditioning, task=instance.task,
        matched=tuple(instance.matched[number] for number in done),
        replacements=tuple(instance.replacements[number] for number in done),
    )  # fmt: skip


def _hunks(instance: Instance) -> list[Sequence[TokenEdit]]:
    found: list[Sequence[TokenEdit]] = []
    at = 0
    for size in instance.replacements:
        found.append(instance.edits[at : at + size])
        at += size
    return found


def _waits(hunks: Sequence[Sequence[TokenEdit]], size: int) -> list[set[int]]:
    """For each hunk the earlier ones that touch a token which it touches too, or that made it."""
    touched: dict[int, set[int]] = {}
    result: list[set[int]] = []
    at = size
    for number, hunk in enumerate(hunks):
        names = {edit.implicit for edit in hunk} | set(range(at, at + len(hunk)))
        result.append(set().union(*(touched.get(name, set()) for name in names)))
        for name in names:
            touched.setdefault(name, set()).add(number)
        at += len(hunk)
    return result
