"""The synthetic benchmark of the edit paper: pattern tasks over random strings, and batches for the paper's models.

Source: Zhao, Bieber, Swersky, Tarlow, "Neural networks for modeling source code edits" (2019), section on synthetic
data.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import torch
from editahead.encode.edit_tokens import Key
from editahead.encode.edits import EditState, hunk_edits
from torch import Tensor

ALPHABET = "ABCDEFGHIJ"
LENGTH = 30
MIN_MATCHES = 3
CONTENT_IDS = {"<pad>": 0, "<del>": 1, "<S>": 2, "<E>": 3, **{letter: 4 + i for i, letter in enumerate(ALPHABET)}}

TASKS: dict[str, tuple[str, str]] = {
    "Append1": ("x", "xy"),
    "ContextAppend11": ("(.)x", r"\1x\1"),
    "ContextAppend13": ("(.)x", r"\1x\1\1\1"),
    "ContextAppend31": ("(...)x", r"\1x\1"),
    "ContextAppend33": ("(...)x", r"\1x\1\1\1"),
    "ContextAppend52": ("(.....)x", r"\1x\1\1"),
    "ContextReverse31": ("(.)(.)(.)x", r"\1\2\3x\3\2\1"),
    "ContextReverse51": ("(.)(.)(.)(.)(.)x", r"\1\2\3\4\5x\5\4\3\2\1"),
    "Delete2": ("xx", ""),
    "Flip11": ("(.)x(.)", r"\2\1x\2\1"),
    "Flip33": ("(...)x(...)", r"\2\2\2\1x\2\1\1\1"),
    "Replace2": ("xx", "yy"),
    "Surround11": ("(.)x(.)", r"\1\1x\2\2"),
    "Surround33": ("(...)x(...)", r"\1\1\1\1x\2\2\2\2"),
}
EDITS_PER_REPLACEMENT = {
    "Append1": 1,
    "ContextAppend11": 1,
    "ContextAppend13": 3,
    "ContextAppend31": 3,
    "ContextAppend33": 9,
    "ContextAppend52": 10,
    "ContextReverse31": 3,
    "ContextReverse51": 5,
    "Delete2": 2,
    "Flip11": 2,
    "Flip33": 18,
    "Replace2": 4,
    "Surround11": 2,
    "Surround33": 18,
}


class Instance(NamedTuple):
    """A string (with sentinels) and its edits as (implicit name, key); `matched` are the texts that were replaced."""

    initial: tuple[Key, ...]
    edits: tuple[tuple[int, Key | None], ...]
    matched: tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """A task by name; `meta` draws x and y anew for every instance."""

    name: str
    meta: bool = False

    def generate(self, count: int, seed: int) -> list[Instance]:
        """`count` instances, equal for equal seeds."""
        return [self._instance(text, pattern, replacement) for text, pattern, replacement in self._draws(count, seed)]

    def matches(self, count: int, seed: int) -> list[tuple[str, ...]]:
        """The matched texts of the same instances, without the work of their edits."""
        return [
            tuple(found.group() for found in re.finditer(pattern, text))
            for text, pattern, _ in self._draws(count, seed)
        ]

    def _draws(self, count: int, seed: int) -> Iterator[tuple[str, str, str]]:
        rng = random.Random(f"{self.name}:{self.meta}:{seed}")
        while count:
            x, y = rng.sample(ALPHABET, 2) if self.meta else ("A", "B")
            text = "".join(rng.choices(ALPHABET, k=LENGTH))
            pattern, replacement = (part.replace("x", x).replace("y", y) for part in TASKS[self.name])
            if len(re.findall(pattern, text)) >= MIN_MATCHES:
                yield text, pattern, replacement
                count -= 1

    @staticmethod
    def _instance(text: str, pattern: str, replacement: str) -> Instance:
        matches = list(re.finditer(pattern, text))
        snapshots, grown = [text], 0
        for match in matches:
            new = match.expand(replacement)
            now = snapshots[-1]
            snapshots.append(now[: match.start() + grown] + new + now[match.end() + grown :])
            grown += len(new) - len(match.group())
        return Instance(_keys(text), tuple(snapshot_edits(snapshots)), tuple(match.group() for match in matches))


def _keys(text: str) -> tuple[Key, ...]:
    return (Key("<S>", 0), *(Key(letter, 0) for letter in text), Key("<E>", 0))


def snapshot_edits(snapshots: Sequence[str]) -> list[tuple[int, Key | None]]:
    """Implicit token edits that lead through successive snapshots."""
    state = EditState(len(snapshots[0]) + 2)
    result: list[tuple[int, Key | None]] = []
    for before, after in pairwise(snapshots):
        live = list(state.names)  # live[i] is token i of the snapshot, <S> at 0
        base = state.steps
        for anchor, key in hunk_edits(_keys(before)[1:-1], _keys(after)[1:-1], 1):
            name = live[anchor] if anchor >= 0 else state.n0 + base + ~anchor
            state.apply(name, key)
            result.append((name, key))
    return result


def pomp(train: Sequence[tuple[str, ...]], test: Sequence[tuple[str, ...]]) -> float:
    """Position-oracle match-pattern accuracy in percent, from matched texts: seen ones count as right, others as a
    guess among 11."""
    seen = {text for matched in train for text in matched}
    tested = [text for matched in test for text in matched]
    covered = sum(text in seen for text in tested) / len(tested)
    return 100 * (covered + (1 - covered) / 11)


def batch(instances: Sequence[Instance], *, live: bool = False) -> dict[str, Tensor]:
    """Padded tensors for `ImplicitAttention` in the paper's form; `live` masks dead tokens as well as future names."""
    count, n = len(instances), max(len(item.initial) for item in instances)
    t = max(len(item.edits) for item in instances)
    out = {
        "tok": torch.zeros(count, n, dtype=torch.long),
        "state_mask": torch.zeros(count, n, dtype=torch.bool),
        **{key: torch.zeros(count, t, dtype=torch.long) for key in ("c_tok", "name", "index")},
        "edit_mask": torch.zeros(count, t, dtype=torch.bool),
        "live": torch.zeros(count, t + 1, n + t + 1, dtype=torch.bool),
    }
    for row, item in enumerate(instances):
        n0 = len(item.initial)
        out["tok"][row, :n0] = torch.tensor([CONTENT_IDS[key.text] for key in item.initial])
        out["state_mask"][row, :n0] = True
        state = EditState(n0)
        for time in range(t + 1):
            names = state.names if live else [*range(n0), *range(n0, n0 + min(time, len(item.edits)))]
            columns = torch.tensor([name if name < n0 else name - n0 + n for name in names])
            out["live"][row, time, columns] = True
            if time >= len(item.edits):
                continue
            name, key = item.edits[time]
            out["c_tok"][row, time] = CONTENT_IDS["<del>" if key is None else key.text]
            out["name"][row, time] = name if name < n0 else name - n0 + n
            out["index"][row, time] = state.apply(name, key).at
            out["edit_mask"][row, time] = True
    return out
