"""Examples as arrays. B batch, L words, M letters, T steps, P labels of a query."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from editahead.grammar.derivation import Step
from editahead.grammar.tree import GrammarError, Terminal, write
from torch import Tensor

from editahead_models.treegen.examples import (
    DEEPEST,
    LETTERS,
    LONGEST,
    MOST_STEPS,
    PAD,
    PATH,
    UNKNOWN,
    Description,
    Example,
    Trace,
    Vocabulary,
    begin_trace,
)

IGNORED = -100  # the target of a step that is padding
COPIED = -1  # the target of a step that only a copy makes


class Words(NamedTuple):
    """Descriptions: words, their letters, and which are no padding."""

    word_BL: Tensor
    letter_BLM: Tensor
    real_BL: Tensor


class Rules(NamedTuple):
    """Step i: what was done before (`done`, the start at 0) and what is asked for (`path`, `tag`, `nth`).

    `done` is a class, or START, or COPY (see `rule_numbers`); `left` the symbol of the tag that it filled, `copied` the
    symbol of a copied text (PAD otherwise), `depth` the number of its ancestors, `parent` who opened its place.
    """

    done_BT: Tensor
    left_BT: Tensor
    copied_BT: Tensor
    depth_BT: Tensor
    parent_BT: Tensor
    path_BTP: Tensor
    tag_BT: Tensor
    nth_BT: Tensor


class Batch(NamedTuple):
    """`target_BT` is a class, COPIED or IGNORED; `right_BTL` says where a copy gives the right text."""

    words: Words
    rules: Rules
    target_BT: Tensor
    right_BTL: Tensor


class Row(NamedTuple):
    """One example as numbers, not padded; each field a list over steps, `done` and its like shifted by one."""

    words: list[int]
    letters: list[list[int]]
    done: list[tuple[int, int, int, int, int]]
    paths: list[list[int]]
    tags: list[tuple[int, int]]
    targets: list[int]
    right: list[list[int]]


def rule_numbers(vocabulary: Vocabulary) -> tuple[int, int]:
    """The numbers of START and COPY among what can have been done."""
    return vocabulary.classes, vocabulary.classes + 1


def done_features(vocabulary: Vocabulary, number: int, step: Step) -> tuple[int, int, int, int, int]:
    """(done, left, copied, depth, parent) of step `number`, which stands one place later in the input."""
    action, place = step
    known = vocabulary.class_of(action)
    copied = PAD
    if known is None:
        assert isinstance(action, Terminal)
        known, copied = rule_numbers(vocabulary)[1], vocabulary.symbol(f"={action.text}")
    left = vocabulary.symbol(vocabulary.grammar.tags[place.tag])
    return known, left, copied, min(place.depth + 1, DEEPEST - 1), place.parent + 1 if number else 0


def start_features(vocabulary: Vocabulary) -> tuple[int, int, int, int, int]:
    """Of the start rule, which makes the root."""
    return rule_numbers(vocabulary)[0], UNKNOWN, PAD, 0, 0


def query_features(vocabulary: Vocabulary, trace: Trace, steps: Sequence[Step]) -> tuple[list[int], tuple[int, int]]:
    """(path, (tag, how many elements of its list came before)) of the open place."""
    place = trace.state.place
    assert place is not None
    path = [vocabulary.symbol(label) for label in trace.labels(steps)]
    before = sum(step.place.parent == place.parent and step.place.field == place.field for step in steps)
    return path + [PAD] * (PATH - len(path)), (place.tag, min(before, LONGEST - 1))


def word_features(vocabulary: Vocabulary, description: Description) -> tuple[list[int], list[list[int]]]:
    """Numbers of the words and of their first letters."""
    words, letters = vocabulary.ids["words"], vocabulary.ids["letters"]
    rows = [[letters.get(c, UNKNOWN) for c in word[:LETTERS]] for word in description.words]
    padded = [row + [PAD] * (LETTERS - len(row)) for row in rows]
    return [words.get(word, UNKNOWN) for word in description.words], padded


def make_row(vocabulary: Vocabulary, example: Example) -> Row:
    """An example as numbers. GrammarError when the grammar lacks it, ValueError when it has too many steps."""
    grammar = vocabulary.grammar
    actions = write(grammar, example.tree)
    if len(actions) > MOST_STEPS:
        raise ValueError(f"{len(actions)} steps, at most {MOST_STEPS}")
    words, letters = word_features(vocabulary, example.description)
    row = Row(words, letters, [start_features(vocabulary)], [], [], [], [])
    trace, steps = begin_trace(grammar, 10 * MOST_STEPS), list[Step]()
    for number, action in enumerate(actions):
        place = trace.state.place
        assert place is not None
        path, tag = query_features(vocabulary, trace, steps)
        row.paths.append(path)
        row.tags.append(tag)
        known = vocabulary.class_of(action)
        row.targets.append(COPIED if known is None else known)
        copies = [] if isinstance(action, int) else example.description.positions(action.kind, action.text)
        row.right.append(copies)
        trace = trace.after(action, steps)
        steps.append(Step(action, place))
        row.done.append(done_features(vocabulary, number, steps[-1]))
    row.done.pop()
    return row


def expressible(vocabulary: Vocabulary, example: Example) -> bool:
    """Whether grammar, list and copies make this program at all, in time: the ceiling of any search."""
    try:
        row = make_row(vocabulary, example)
    except (GrammarError, ValueError):
        return False
    return all(target != COPIED or right for target, right in zip(row.targets, row.right, strict=True))


def collate(rows: Sequence[Row]) -> Batch:
    """Rows padded to the longest."""
    length, steps = max(len(r.words) for r in rows), max(len(r.targets) for r in rows)
    count = len(rows)
    target = np.full((count, steps), IGNORED)
    right = np.zeros((count, steps, length), dtype=bool)
    for b, row in enumerate(rows):
        target[b, : len(row.targets)] = row.targets
        for t, places in enumerate(row.right):
            right[b, t, places] = True
    rules = pad_rules([(row.done, row.paths, row.tags) for row in rows])
    words = pad_words([(row.words, row.letters) for row in rows])
    return Batch(words, rules, torch.from_numpy(target), torch.from_numpy(right))


def pad_words(rows: Sequence[tuple[list[int], list[list[int]]]]) -> Words:
    """Words of descriptions as arrays."""
    length = max(len(words) for words, _ in rows)
    word = np.zeros((len(rows), length), dtype=np.int64)
    letter = np.zeros((len(rows), length, LETTERS), dtype=np.int64)
    for b, (words, letters) in enumerate(rows):
        word[b, : len(words)] = words
        letter[b, : len(words)] = letters
    return Words(torch.from_numpy(word), torch.from_numpy(letter), torch.from_numpy(word != PAD))


def pad_rules(
    rows: Sequence[tuple[list[tuple[int, int, int, int, int]], list[list[int]], list[tuple[int, int]]]],
) -> Rules:
    """What was done and what is asked for, as arrays."""
    steps = max(len(done) for done, _, _ in rows)
    done_ = np.zeros((len(rows), steps, 5), dtype=np.int64)
    path = np.zeros((len(rows), steps, PATH), dtype=np.int64)
    tag = np.zeros((len(rows), steps, 2), dtype=np.int64)
    for b, (made, paths, tags) in enumerate(rows):
        done_[b, : len(made)] = made
        path[b, : len(paths)] = paths
        tag[b, : len(tags)] = tags
    done, left, copied, depth, parent = (torch.from_numpy(np.ascontiguousarray(done_[..., i])) for i in range(5))
    asked, nth = (torch.from_numpy(np.ascontiguousarray(tag[..., i])) for i in range(2))
    return Rules(done, left, copied, depth, parent, torch.from_numpy(path), asked, nth)


def batches(rows: Sequence[Row], size: int, rng: random.Random) -> Iterator[Batch]:
    """Every row once, rows of similar length together, batches in a random order."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].targets) + rng.uniform(-15, 15))
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(groups)
    for group in groups:
        yield collate([rows[i] for i in group])
