"""Edit instances from file changes: a window of the old text and the hunks that change it, kept as flat arrays."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np
from editahead.encode.edit_model.sequences import HunkEdit, hunk_edits
from editahead.encode.edit_model.tokens import (
    EditToken,
    lex_line,
    line_keys,
    newline_delta,
    previous_indent,
    render_indent,
)
from editahead.encode.edit_model.window import Window, choose_window, focus_words
from editahead.text.diff import common_ends

from editahead_models.data.mining.git_changes import MAX_LINE, FileChange


@dataclass(frozen=True, slots=True)
class Limits:
    """What is kept: tokens in a window, edits in a hunk and in a file change, lines in a file."""

    window: int = 320
    hunk_edits: int = 32
    change_edits: int = 160
    file_lines: int = 6000
    single_share: float = 0.35


class LineHunk(NamedTuple):
    """Old lines [a0, a1) become new lines [b0, b1)."""

    a0: int
    a1: int
    b0: int
    b1: int


class Instance(NamedTuple):
    """One window and its hunks in file order; `first` is the hunk that the window was chosen around.

    `complete`: every hunk of the change is inside, so that nothing more follows the last one.
    """

    keys: tuple[EditToken, ...]
    hunks: tuple[tuple[HunkEdit, ...], ...]
    first: int
    complete: bool


def line_hunks(old: Sequence[str], new: Sequence[str]) -> list[LineHunk] | None:
    """Changed line blocks, or None when the changed region is too large to compare."""
    low, tail = common_ends(old, new)
    a, b = old[low : len(old) - tail], new[low : len(new) - tail]
    if len(a) + len(b) > 4000:
        return None
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [LineHunk(low + i1, low + i2, low + j1, low + j2) for tag, i1, i2, j1, j2 in codes if tag != "equal"]


def is_canonical(line: str) -> bool:
    """Whether a line's text is what its tokens render to (no trailing blanks, no column alignment)."""
    tokens = lex_line(line)
    if tokens.indent < 0:
        return line == ""
    keys = [piece.key for piece in tokens.pieces]
    return line[tokens.blank_chars :] == render(keys, 0)


def exact_hunk(old: Sequence[str], new: Sequence[str], hunk: LineHunk, first: int) -> list[HunkEdit] | None:
    """Token edits of a hunk whose old tokens are named from `first`; None unless they reproduce the new text exactly.

    Kept tokens keep their bytes, so that a kept newline must not need another indentation than it has.
    """
    a0, a1, b0, b1 = hunk
    if a0 == 0 or not all(is_canonical(line) for line in new[b0:b1]):
        return None
    before = [key for line in line_keys(old, a0, a1) for key in line]
    after = [key for line in line_keys(new, b0, b1) for key in line]
    if len(before) + len(after) > 600:
        return None
    edits = hunk_edits(before, after, first)
    old_widths, new_widths = _newline_widths(old, a0, a1), _newline_widths(new, b0, b1)
    names: list[int] = list(range(-1, len(before)))
    for number, (anchor, key) in enumerate(edits):
        name = anchor - first if anchor >= 0 else len(before) + ~anchor
        index = names.index(name)
        if key is None:
            del names[index]
        else:
            names.insert(index + 1, len(before) + number)
    for place, name in enumerate(names[1:]):
        if name < len(before) and old_widths[name] != new_widths[place]:
            return None
    return edits


def _newline_widths(lines: Sequence[str], first: int, last: int) -> list[int | None]:
    """For each token of the lines: the absolute indentation at newline tokens, None elsewhere."""
    width = previous_indent(lines, first)
    result: list[int | None] = []
    for keys in line_keys(lines, first, last):
        delta = newline_delta(keys[0].text)
        if delta is not None:
            width += delta
        result.append(-1 if delta is None else width)
        result.extend([None] * (len(keys) - 1))
    return result


def instances(change: FileChange, limits: Limits, rng: random.Random) -> Iterator[Instance]:
    """Zero to two instances of one file change."""
    old, new = change.before.split("\n"), change.after.split("\n")
    if len(old) > limits.file_lines or not old:
        return
    hunks = line_hunks(old, new)
    if not hunks:
        return
    changed = [line for h in hunks for line in (*old[h.a0 : h.a1], *new[h.b0 : h.b1])]
    if len(changed) > 400 or any(len(line) > MAX_LINE for line in changed):
        return
    sized = [(hunk, exact_hunk(old, new, hunk, 1)) for hunk in hunks]
    good = [hunk for hunk, edits in sized if edits and len(edits) <= limits.hunk_edits]
    total = sum(len(edits) for _, edits in sized if edits)
    if not good or not 1 <= total <= limits.change_edits:
        return
    if len(good) == 1 and rng.random() > limits.single_share:
        return
    starts = rng.sample(range(len(good)), 2 if len(good) >= 3 else 1)
    for start in starts:
        yield from _instance(old, new, hunks, good, start, limits)


def _instance(
    old: Sequence[str],
    new: Sequence[str],
    hunks: Sequence[LineHunk],
    good: Sequence[LineHunk],
    start: int,
    limits: Limits,
) -> Iterator[Instance]:
    chosen = good[start]
    focus = focus_words(old[chosen.a0 : chosen.a1], new[chosen.b0 : chosen.b1])
    window = choose_window(old, [(chosen.a0, chosen.a1)], focus, limits.window)
    inside: list[tuple[HunkEdit, ...]] = []
    first = -1
    for hunk in good:
        edits = window_hunk(old, new, hunk, window)
        if edits:
            if hunk == chosen:
                first = len(inside)
            inside.append(tuple(edits))
    if first >= 0:
        yield Instance(window.keys, tuple(inside), first, len(inside) == len(hunks))


def window_hunk(old: Sequence[str], new: Sequence[str], hunk: LineHunk, window: Window) -> list[HunkEdit] | None:
    """A hunk's edits in the names of a window, None when the hunk is not (wholly) inside.

    The line before it must be inside only where an edit stands at its end: a line that was chosen for its words stands
    alone, and what changes within it is a place that the window shows.
    """
    if any(line not in window.first_name for line in range(hunk.a0, hunk.a1)):
        return None
    span = window.span(hunk.a0, hunk.a1)
    if span is not None:
        return exact_hunk(old, new, hunk, span[0])
    if hunk.a0 == hunk.a1:
        return None
    name = window.first_name[hunk.a0]
    edits = exact_hunk(old, new, hunk, name)
    return None if edits is None or any(edit.anchor == name - 1 for edit in edits) else edits


def change_digest(change: FileChange) -> str:
    """Equal for equal changed lines, wherever they are: near duplicates are kept once."""
    old, new = change.before.split("\n"), change.after.split("\n")
    kept, came = frozenset(new), frozenset(old)
    gone = [line.strip() for line in old if line not in kept]
    come = [line.strip() for line in new if line not in came]
    return hashlib.sha256(json.dumps([gone, come]).encode()).hexdigest()


@dataclass
class Shard:
    """Instances of one project as flat arrays over a table of distinct texts; text -1 is a deletion."""

    texts: dict[str, int] = field(default_factory=dict)
    state: list[int] = field(default_factory=list)
    state_gap: list[int] = field(default_factory=list)
    anchor: list[int] = field(default_factory=list)
    content: list[int] = field(default_factory=list)
    gap: list[int] = field(default_factory=list)
    hunk: list[int] = field(default_factory=list)
    header: list[tuple[int, int, int, int]] = field(default_factory=list)
    language: str = ""

    def add(self, instance: Instance) -> None:
        """Append one instance."""
        self.header.append((len(self.state), len(self.anchor), instance.first, int(instance.complete)))
        for key in instance.keys:
            self.state.append(self.texts.setdefault(key.text, len(self.texts)))
            self.state_gap.append(key.gap)
        for number, hunk in enumerate(instance.hunks):
            for anchor, content in hunk:
                self.anchor.append(anchor)
                self.content.append(-1 if content is None else self.texts.setdefault(content.text, len(self.texts)))
                self.gap.append(0 if content is None else content.gap)
                self.hunk.append(number)

    def save(self, path: Path) -> None:
        """Write the shard (numpy archive without pickles; texts as UTF-8 JSON)."""
        blob = np.frombuffer(json.dumps(list(self.texts), ensure_ascii=False).encode(), dtype=np.uint8)
        part = path.with_suffix(".part.npz")
        np.savez(
            part,
            texts=blob,
            state=np.asarray(self.state, dtype=np.int32),
            state_gap=np.asarray(self.state_gap, dtype=np.int8),
            anchor=np.asarray(self.anchor, dtype=np.int32),
            content=np.asarray(self.content, dtype=np.int32),
            gap=np.asarray(self.gap, dtype=np.int8),
            hunk=np.asarray(self.hunk, dtype=np.int16),
            header=np.asarray(self.header, dtype=np.int64).reshape(-1, 4),
            language=np.asarray(self.language),
        )
        part.rename(path)


def render(keys: Sequence[EditToken], current_indent: int, *, tabs: bool = False, eol: str = "\n") -> str:
    """Return the text of inserted tokens after a line with `current_indent` columns."""
    out: list[str] = []
    indent = current_indent
    for key in keys:
        if key.text.startswith("\n"):
            delta = newline_delta(key.text)
            if delta is None:
                out.append(eol)
            else:
                indent += delta
                out.append(eol + render_indent(indent, tabs))
        else:
            out.append(" " * key.gap + key.text)
    return "".join(out)
