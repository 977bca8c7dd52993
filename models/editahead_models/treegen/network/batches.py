"""Examples as arrays. B batch, L words, M letters, T steps, P labels of a query."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from editahead.encode.tree_generation.steps import (
    LETTERS,
    MAX_STEPS,
    PAD,
    PATH,
    Vocabulary,
    begin_trace,
    done_features,
    query_features,
    rule_numbers,
    start_features,
    word_features,
)
from editahead.grammar.tree import DerivationStep, GrammarError
from torch import Tensor

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.grammar.write import write

__all__ = [
    "COPIED",
    "IGNORED",
    "Batch",
    "Row",
    "Rules",
    "Words",
    "batches",
    "collate",
    "done_features",
    "expressible",
    "make_row",
    "pad_rules",
    "pad_words",
    "query_features",
    "rule_numbers",
    "start_features",
    "word_features",
]

IGNORED = -100  # the target of a step that is padding
COPIED = -1  # the target of a step that only a copy makes


class Words(NamedTuple):
    """Descriptions: words, their letters, and which are no padding."""

    word_BL: Tensor
    letter_BLM: Tensor
    real_BL: Tensor


class Rules(NamedTuple):
    """DerivationStep i: what was done before (`done`, the start at 0) and what is asked for (`path`, `tag`, `nth`).

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


def make_row(vocabulary: Vocabulary, example: Example) -> Row:
    """An example as numbers. GrammarError when the grammar lacks it, ValueError when it has too many steps."""
    grammar = vocabulary.grammar
    actions = write(grammar, example.tree)
    if len(actions) > MAX_STEPS:
        raise ValueError(f"{len(actions)} steps, at most {MAX_STEPS}")
    words, letters = word_features(vocabulary, example.description)
    row = Row(words, letters, [start_features(vocabulary)], [], [], [], [])
    trace, steps = begin_trace(grammar, 10 * MAX_STEPS), list[DerivationStep]()
    for number, action in enumerate(actions):
        place = trace.state.open_node
        assert place is not None
        path, tag = query_features(vocabulary, trace, steps)
        row.paths.append(path)
        row.tags.append(tag)
        known = vocabulary.class_of(action)
        row.targets.append(COPIED if known is None else known)
        copies = [] if isinstance(action, int) else example.description.positions(action.kind, action.text)
        row.right.append(copies)
        trace = trace.after(action, steps)
        steps.append(DerivationStep(action, place))
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
