"""Mined functions as arrays to train on, and the vocabulary that they give: what several projects write is listed.

`prepare` parses once; training reads numbers alone. A flat array holds all functions of a split one behind the other.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.tree_generation.steps import LETTERS, PATH, Vocabulary, label_of, vocabulary_from_json
from editahead.grammar.tree import Terminal, base_kind, is_valid_text

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.functions.pairs import Pair, tree_of
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.grammar.states import restrict
from editahead_models.treegen.grammar.write import write
from editahead_models.treegen.network.batches import IGNORED, Batch, Row, Rules, Words

VOCABULARY, PREPARED = "vocabulary.json", "prepared.json"
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Cutoffs:
    """How many projects must write something before it is listed, and how many words are listed at most.

    Of a function that is learnt, `unknown` texts may be neither listed nor in its description.
    """

    terminal: int = 4
    symbol: int = 4
    word: int = 4
    words: int = 6000
    letter: int = 200  # descriptions that have it
    unknown: int = 1


def example_of(pair: Pair) -> Example:
    """A pair as the model's example."""
    return Example(pair.description, tree_of(pair.body), pair.body)


def vocabulary_of(projects: Iterable[Sequence[Example]], cutoffs: Cutoffs) -> Vocabulary:
    """The vocabulary of training examples, given by project."""
    grammar = python_grammar()
    terminals, words, letters = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    often = Counter[str]()
    for examples in projects:
        found: set[tuple[str, str]] = set()
        said: set[str] = set()
        for example in examples:
            actions = write(grammar, example.tree)
            found |= {(base_kind(a.kind), a.text) for a in actions if isinstance(a, Terminal)}
            said |= set(example.description.words)
            often.update(set(example.description.words))
            letters.update({letter for word in example.description.words for letter in word})
        terminals.update(found)
        words.update(said)
    listed = sorted(t for t, count in terminals.items() if count >= cutoffs.terminal)
    known = sorted((w for w, count in words.items() if count >= cutoffs.word), key=lambda w: (-often[w], w))
    named = {text for (_, text), count in terminals.items() if count >= cutoffs.symbol}
    fields = [label_of(rule.name, name) for rule in grammar.rules for name, _ in rule.fields]
    symbols = [*grammar.tags, *fields, *sorted(f"={text}" for text in named)]
    kinds = {
        kind
        for kind in set(grammar.kinds)
        if kind and any(b == base_kind(kind) and is_valid_text(kind, t) for b, t in listed)
    }
    chosen = sorted(letter for letter, count in letters.items() if count >= cutoffs.letter)
    return Vocabulary(
        restrict(grammar, kinds), tuple(listed), tuple(sorted(known[: cutoffs.words])), tuple(chosen), tuple(symbols)
    )


@dataclass(frozen=True)
class Arrays:
    """Rows of a split.

    L words and T steps of all examples in a row, R right copies of all steps; `words_at` and `steps_at` are where each
    example begins (one more at the end), `right_at` where each step's copies begin.
    """

    word_L: Array
    letter_LM: Array
    done_T5: Array
    path_TP: Array
    tag_T2: Array
    target_T: Array
    right_R: Array
    words_at: Array
    steps_at: Array
    right_at: Array

    def __len__(self) -> int:
        return len(self.words_at) - 1

    @property
    def sizes(self) -> Array:
        """(steps, words) of every example, (N, 2)."""
        return np.stack([np.diff(self.steps_at), np.diff(self.words_at)], -1)

    def batch(self, chosen: Sequence[int]) -> Batch:
        """Some examples, padded to the longest."""
        sizes = self.sizes[list(chosen)]
        steps, length = (int(most) for most in sizes.max(0))
        count, letters = len(chosen), self.letter_LM.shape[1]
        word, letter = np.zeros((count, length), np.int64), np.zeros((count, length, letters), np.int64)
        done, path = np.zeros((count, steps, 5), np.int64), np.zeros((count, steps, self.path_TP.shape[1]), np.int64)
        tag, target = np.zeros((count, steps, 2), np.int64), np.full((count, steps), IGNORED)
        right = np.zeros((count, steps, length), dtype=bool)
        for b, n in enumerate(chosen):
            w, t = slice(self.words_at[n], self.words_at[n + 1]), slice(self.steps_at[n], self.steps_at[n + 1])
            word[b, : w.stop - w.start], letter[b, : w.stop - w.start] = self.word_L[w], self.letter_LM[w]
            many = t.stop - t.start
            done[b, :many], path[b, :many], tag[b, :many] = self.done_T5[t], self.path_TP[t], self.tag_T2[t]
            target[b, :many] = self.target_T[t]
            at = self.right_at[t.start : t.stop + 1]
            right[b, np.repeat(np.arange(many), np.diff(at)), self.right_R[at[0] : at[-1]]] = True
        done_, left, copied, depth, parent = (torch.from_numpy(np.ascontiguousarray(done[..., i])) for i in range(5))
        asked, nth = (torch.from_numpy(np.ascontiguousarray(tag[..., i])) for i in range(2))
        words = Words(torch.from_numpy(word), torch.from_numpy(letter), torch.from_numpy(word != 0))
        rules = Rules(done_, left, copied, depth, parent, torch.from_numpy(path), asked, nth)
        return Batch(words, rules, torch.from_numpy(target), torch.from_numpy(right))

    def groups(self, size: int, rng: random.Random, pool: int = 40) -> Iterator[list[int]]:
        """Every example once, in groups of similar lengths: pools of similar steps, inside them by words."""
        sizes = self.sizes
        order = sorted(range(len(self)), key=lambda n: sizes[n, 0] + rng.uniform(-3, 3))
        found = []
        for at in range(0, len(order), size * pool):
            near = sorted(order[at : at + size * pool], key=lambda n: sizes[n, 1] + rng.uniform(-3, 3))
            found += [near[start : start + size] for start in range(0, len(near), size)]
        rng.shuffle(found)
        yield from found

    def save(self, path: Path) -> None:
        """Write the arrays to one file."""
        np.savez(path, **vars(self))


def load_arrays(path: Path) -> Arrays:
    """The arrays of a file. OSError when there is none. Shapes as in `Arrays`: (N,) and (N, L)."""
    with np.load(path, allow_pickle=False) as held:
        return Arrays(**{name: held[name] for name in held.files})


def arrays_of(rows: Sequence[Row]) -> Arrays:
    """Rows one behind the other. Shapes as in `Arrays`: (N,) and (N, L)."""
    right = [places for row in rows for places in row.right]

    def at(lengths: Iterable[int]) -> Array:
        return np.concatenate([[0], np.cumsum(np.fromiter(lengths, dtype=np.int64))]).astype(np.int64)

    def joined(parts: Iterable[Sequence[Any]], kind: type[np.generic], *columns: int) -> Array:
        return np.concatenate([np.zeros((0, *columns), kind), *(np.array(part, kind) for part in parts)])

    return Arrays(
        joined((row.words for row in rows), np.int32),
        joined((row.letters for row in rows), np.int16, LETTERS),
        joined((row.done for row in rows), np.int32, 5),
        joined((row.paths for row in rows), np.int32, PATH),
        joined((row.tags for row in rows), np.int32, 2),
        joined((row.targets for row in rows), np.int32),
        np.array([place for places in right for place in places], np.int16),
        at(len(row.words) for row in rows), at(len(row.targets) for row in rows), at(len(places) for places in right),
    )  # fmt: skip


def load_vocabulary(folder: Path) -> Vocabulary:
    """The vocabulary that `prepare` wrote."""
    return vocabulary_from_json(json.loads((folder / VOCABULARY).read_text(encoding="utf-8")))
