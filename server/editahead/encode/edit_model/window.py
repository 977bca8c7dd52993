"""Selection of the lines that an edit model reads: those around the edits, and those that share rare words with them.

The chosen ranges form the initial state `<S> .. <CUT> .. <E>`; training and serving choose by the same function.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.tokens import EditToken, lex_line, line_keys, word_texts
from editahead.text.buffer import MAX_LINE_BYTES
from editahead.text.memo import cache_texts

START, CUT, END = EditToken("<S>", 0), EditToken("<CUT>", 0), EditToken("<E>", 0)
SENTINELS = (START, CUT, END)
SEARCH_LINES = 1500  # lines farther than this from every touched line are not searched

# How lines are chosen; also read where a mined window is cut down for training.
NEAR_LINES = 2
CHANGED_WEIGHT = 2.0
CONTEXT_WEIGHT = 1.0
NEAR_SCORE = 4.0
NEAR_DECAY = 10.0
NEIGHBOUR_SHARE = 0.45


@dataclass(frozen=True, slots=True)
class Window:
    """An initial state: `keys` with sentinels, and `first_name[line]`, the name of each line's newline token."""

    ranges: tuple[tuple[int, int], ...]
    keys: tuple[EditToken, ...]
    first_name: Mapping[int, int]

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return names [low, high) of lines [first, last); None unless these and the line before are inside.

        An empty range (first == last) gives the empty span after line first-1.
        """
        if max(first - 1, 0) not in self.first_name:
            return None
        if any(line not in self.first_name for line in range(first, last)):
            return None
        low = self._end(first - 1) if first > 0 else 1
        high = self._end(last - 1) if last > 0 else 1
        return low, high

    def _end(self, line: int) -> int:
        """Return the name after a line's last token."""
        following = self.first_name.get(line + 1)
        if following is not None:
            return following
        name = self.first_name[line] + 1
        while self.keys[name] not in SENTINELS:
            name += 1
        return name


@cache_texts(65536)
def line_words(line: str) -> frozenset[str]:
    """Return the names and longer literals of a line, by which lines are compared."""
    return frozenset(word for word in word_texts(line) if word[0] == "_" or (len(word) > 1 and word[0].isalnum()))


def focus_words(old: Sequence[str], new: Sequence[str]) -> dict[str, float]:
    """Return the words of a hunk's old and new lines with weights; inserted and deleted words count double."""
    before = frozenset().union(*map(line_words, old)) if old else frozenset()
    after = frozenset().union(*map(line_words, new)) if new else frozenset()
    changed = before ^ after
    return {word: CHANGED_WEIGHT if word in changed else CONTEXT_WEIGHT for word in before | after}


def choose_window(
    lines: Sequence[str], touched: Sequence[tuple[int, int]], focus: Mapping[str, float], limit: int
) -> Window:
    """Choose the initial state of at most `limit` tokens for edits of the line ranges `touched` (end exclusive)."""
    low = max(0, min(first for first, _ in touched) - SEARCH_LINES)
    high = min(len(lines), max(last for _, last in touched) + SEARCH_LINES)
    must = [
        line
        for first, last in touched
        for line in range(max(low, first - 1 - NEAR_LINES), min(high, last + NEAR_LINES))
    ]
    scores = line_scores(lines, touched, focus, low, high)
    best_first = (np.argsort(-scores, kind="stable") + low).tolist()
    chosen: set[int] = set()
    room = limit - 2
    for line in (*dict.fromkeys(must), *best_first):
        if len(lines[line]) > MAX_LINE_BYTES:  # data: to lex it would take seconds
            continue
        cost = len(lex_line(lines[line]).pieces) + 1
        apart = 0 if line - 1 in chosen or line + 1 in chosen else 1
        if line in chosen:
            continue
        if cost + apart > room:
            if room < 8:
                break
            continue
        chosen.add(line)
        room -= cost + apart
    return build_window(lines, sorted(chosen))


def line_scores(
    lines: Sequence[str], touched: Sequence[tuple[int, int]], focus: Mapping[str, float], low: int, high: int
) -> npt.NDArray[np.float64]:
    """Return the relevance of each of the lines [low, high) for the edits. Scores (L,), L = high - low."""
    words = frozenset(focus)
    shared = {line: words & line_words(lines[line]) for line in _lines_with(words, lines, low, high)}
    counts: Counter[str] = Counter(word for common in shared.values() for word in common)
    weight = {word: focus[word] * math.log((high - low + 2) / (count + 1)) for word, count in counts.items()}
    raw = np.zeros(high - low + 2)  # with a line without words before and behind
    for line, common in shared.items():
        raw[line - low + 1] = sum(weight[word] for word in common)
    every = np.arange(low, high)
    distance = np.min([np.maximum(np.maximum(first - every, every - last + 1), 0) for first, last in touched], axis=0)
    near = np.asarray([NEAR_SCORE * math.exp(-far / NEAR_DECAY) for far in range(int(distance.max(initial=0)) + 1)])
    beside = np.maximum(raw[:-2], raw[2:])
    return np.asarray(np.maximum(raw[1:-1], NEIGHBOUR_SHARE * beside) + near[distance])


def _lines_with(words: Iterable[str], lines: Sequence[str], low: int, high: int) -> list[int]:
    """Return the lines of [low, high) whose text contains any of the words; this avoids lexing most lines."""
    text = "\n".join(lines[low:high])
    ends: list[int] = np.cumsum([len(line) + 1 for line in lines[low:high]]).tolist()
    matching: set[int] = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            line = bisect_right(ends, at)
            if len(lines[low + line]) <= MAX_LINE_BYTES:
                matching.add(low + line)
            at = text.find(word, ends[line])
    return sorted(matching)


def build_window(lines: Sequence[str], chosen: Sequence[int]) -> Window:
    """Build the initial state of the given line numbers (ascending)."""
    ranges: list[tuple[int, int]] = []
    for line in chosen:
        if ranges and ranges[-1][1] == line:
            ranges[-1] = (ranges[-1][0], line + 1)
        else:
            ranges.append((line, line + 1))
    keys: list[EditToken] = [START]
    first_name: dict[int, int] = {}
    end = 0
    for first, last in ranges:
        if first != end:
            keys.append(CUT)
        for line, tokens in enumerate(line_keys(lines, first, last), start=first):
            first_name[line] = len(keys)
            keys.extend(tokens)
        end = last
    if end != len(lines):
        keys.append(CUT)
    keys.append(END)
    return Window(tuple(ranges), tuple(keys), first_name)
