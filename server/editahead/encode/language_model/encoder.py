"""Encoding of tokens as the arrays that a language model reads, line by line, for training and serving.

Each token becomes a `TokenStep`: its vocabulary id, the kind of the declared name it stands for, hashed parts of its
spelling and of its declared type, the number of its name within the file, and the id that the softmax must give
it. Comments are dropped; a line start is a symbol with the change of indentation.

Two flavours of names (`NameFlavour`): `placeholder` shows a declared name by its kind alone, so that renaming it
changes nothing (Bhoopchand et al. 2016); `spelled` shows its spelling too, and lets the softmax produce frequent
names. In both, a name that the file has used before can be copied by the pointer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model import vocabulary
from editahead.syntax.normalise import Normaliser, is_reserved_name
from editahead.syntax.tokens import Line, Role, Token, TokenKind
from editahead.text.memo import cache_texts

ECHOES = 4  # latest names that a slot is compared with
NO_NAME = -1
ECHO_STEPS = 48  # how far back the latest names are looked for
LAST_USE, OCCURRENCES = MEMORIES = ("last_use_per_name", "occurrences")  # what a memory holds, see `memory_slots`


def memory_slots(names: npt.NDArray[np.int32], capacity: int, policy: str = LAST_USE) -> npt.NDArray[np.int32]:
    """Return the positions of the names in the pointer's memory, at most `capacity`, most recent first.

    The last step is excluded: its state is the query, not the memory. Policies: `last_use_per_name`, the latest use
    of each distinct name; `occurrences`, every use (Müller 2019, section 3.2). Names (T,) to positions (K,).
    """
    if policy == OCCURRENCES:
        return np.flatnonzero(names[:-1] != NO_NAME)[::-1][:capacity].astype(np.int32)
    slots: list[int] = []
    taken: set[int] = set()
    at = len(names) - 2
    for name in names[:-1][::-1].tolist():
        if name != NO_NAME and name not in taken:
            taken.add(name)
            slots.append(at)
            if len(slots) == capacity:
                break
        at -= 1
    return np.array(slots, np.int32)


def echoes(names: npt.NDArray[np.int32], slots: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return (K, ECHOES): whether a slot's name is the latest, second, third .. name, the last step's included."""
    latest = np.full(ECHOES, NO_NAME, np.int32)
    tail = names[-ECHO_STEPS:]
    recent = tail[tail != NO_NAME][::-1][:ECHOES]
    latest[: len(recent)] = recent
    mine = names[slots]
    same: npt.NDArray[np.bool_] = np.logical_and(mine[:, None] == latest[None, :], (latest != NO_NAME)[None, :])
    return same


PARTS = vocabulary.SUBWORDS_PER_NAME + 1  # the parts of the name, then its type
KINDS = len(Role) + 1  # 0 for tokens that are no names, else role + 1
OTHER_NAMES = 1 << 24  # the first number of names that stand in lines that are not encoded
NO_TARGET = -1  # the softmax has no symbol for this token: only a copy can produce it


class NameFlavour(str, Enum):
    """How the model sees a declared name."""

    PLACEHOLDER = "placeholder"
    SPELLED = "spelled"


class TokenStep(NamedTuple):
    """One encoded token. `seen`: the name occurred before in this context."""

    word: int
    kind: int
    parts: tuple[int, ...]
    name: int
    target: int
    fallback: int
    seen: bool
    declared: bool


@dataclass(frozen=True, slots=True)
class LmArrays:
    """A run of steps as arrays: all (T,), `parts` (T, PARTS)."""

    word: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    parts: npt.NDArray[np.int16]
    name: npt.NDArray[np.int32]

    @classmethod
    def of(cls, steps: Iterable[TokenStep]) -> LmArrays:
        """Convert steps to arrays."""
        rows = list(steps)
        parts = np.zeros((len(rows), PARTS), np.int16)
        for row, step in enumerate(rows):
            parts[row, : len(step.parts)] = step.parts
        return cls(
            np.array([step.word for step in rows], np.int32),
            np.array([step.kind for step in rows], np.int8),
            parts,
            np.array([step.name for step in rows], np.int32),
        )


class _Mark(NamedTuple):
    """A checkpoint of the encoder before a line."""

    steps: int
    level: int
    declared: int
    names: int


class LmEncoder:
    """An incremental encoder of lines with a checkpoint before each.

    `extend_to(lines)` sets the encoded context to `lines`, encoding only from the first line that is another object
    than before: token lines are shared between versions of a file, so a keystroke costs a single line.
    """

    def __init__(
        self, vocab: vocabulary.Vocab, flavour: NameFlavour, *, indent_unit: int = 4, typed: bool = True
    ) -> None:
        self.vocab = vocab
        self.flavour = flavour
        self.indent_unit = max(1, indent_unit)
        self.steps: list[TokenStep] = []
        self.names: list[str] = []  # by number
        self.origins: list[int] = []  # by step: index into the lines given
        self._typed = typed
        self._ids: dict[str, int] = {}
        self._normaliser = Normaliser(typed=typed)
        self._lines: list[Line] = []
        self._marks: list[_Mark] = []
        self._level = 0

    def extend_to(self, lines: list[Line]) -> int:
        """Encode a context; returns the number of leading steps that did not change."""
        same = self.count_same(lines)
        if same < len(self._lines):
            self._back_to(same)
        kept = len(self.steps)
        for line in lines[same:]:
            self._marks.append(_Mark(len(self.steps), self._level, len(self._normaliser), len(self.names)))
            number = len(self._lines)
            self._lines.append(line)
            for token in line:
                step = self._step(token, line)
                if step is not None:
                    self.steps.append(step)
                    self.origins.append(number)
        return kept

    def count_same(self, lines: Sequence[Line]) -> int:
        """How many lines, from the first on, are encoded already."""
        limit = min(len(lines), len(self._lines))
        # Mostly all lines but the cursor's are the very same, which lists find out at once.
        before = max(0, limit - 1)
        same = before if lines[:before] == self._lines[:before] else 0
        while same < limit and (lines[same] is self._lines[same] or lines[same] == self._lines[same]):
            same += 1
        return same

    def steps_before(self, line: int) -> int:
        """The number of steps of the encoded lines before a line."""
        return self._marks[line].steps if line < len(self._marks) else len(self.steps)

    @property
    def level(self) -> int:
        """The indentation of the last line, in units."""
        return self._level

    def kind_of(self, name: str) -> Role | None:
        """Return the kind under which the context declares a name, or None."""
        placeholder = self._normaliser.lookup(name)
        return placeholder.role if placeholder is not None else None

    def has_name(self, name: str) -> bool:
        """Whether the context contains a name."""
        return name in self._ids

    def match_tokens(self, lines: Sequence[Line], names: list[str]) -> list[int]:
        """Tokens of other lines as numbers: of words those of the vocabulary, of names below zero.

        A name has the number that it has here, -1 - number; `names` takes those that stand in no line here, which are
        numbered from -1 - OTHER_NAMES on.
        """
        tokens, level, ids = list[int](), self._level, dict[str, int]()
        for line in lines:
            for token in line:
                if token.kind is TokenKind.NAME:
                    number = self._ids.get(token.text)
                    if number is None:
                        number = ids.setdefault(token.text, OTHER_NAMES + len(names))
                        if number == OTHER_NAMES + len(names):
                            names.append(token.text)
                    tokens.append(-1 - number)
                    continue
                word, level = self._word(token, line, level)
                if word is not None:
                    tokens.append(word)
        return tokens

    def start_step(self) -> TokenStep:
        """Return the step before the first token."""
        return TokenStep(self.vocab.ids[vocabulary.START], 0, (), NO_NAME, NO_TARGET, NO_TARGET, False, False)

    # -- a single token

    def _step(self, token: Token, line: Line) -> TokenStep | None:
        """Encode a token of any kind; None for a comment or a line of comment."""
        if token.kind is TokenKind.NAME:
            return self._name_step(token)
        word, self._level = self._word(token, line, self._level)
        return TokenStep(word, 0, (), NO_NAME, word, word, False, False) if word is not None else None

    def _word(self, token: Token, line: Line, level: int) -> tuple[int | None, int]:
        """The vocabulary id of a token that is no name, None for a comment; and the level of its line."""
        if token.kind is TokenKind.NEWLINE:
            if len(line) == 1 or line[1].kind is TokenKind.COMMENT:  # a line with only a comment
                return None, level
            new = self.level_of(token.text)
            return self.vocab.ids[
                vocabulary.NEWLINES[min(vocabulary.MAX_INDENT, max(vocabulary.MAX_DEDENT, new - level))]
            ], new
        if token.kind is TokenKind.COMMENT or not token.text:
            return None, level
        listed_id = self.vocab.ids.get(vocabulary.symbol_of(token))
        return (self.vocab.ids[vocabulary.unknown_of(token)] if listed_id is None else listed_id), level

    def _name_step(self, token: Token) -> TokenStep:
        text = token.text
        number = self._ids.get(text)
        seen = number is not None
        declared = self._normaliser.lookup(text)
        declared_before = declared is not None
        placeholder = self._normaliser.declare(token)
        if number is None:
            number = self._ids[text] = len(self.names)
            self.names.append(text)
        listed = self.vocab.ids.get(text)
        fresh = self.vocab.ids[vocabulary.new_name_of(token.role)]
        role = placeholder.role if placeholder is not None else token.role
        parts: tuple[int, ...] = ()
        type_part: tuple[int, ...] = ()
        if self.flavour is NameFlavour.PLACEHOLDER and placeholder is not None and not is_reserved_name(text):
            word = self.vocab.ids[vocabulary.new_name_of(role)]
            target = NO_TARGET if seen else fresh
        else:
            word = self.vocab.ids[vocabulary.unknown_of(token)] if listed is None else listed
            parts = vocabulary.subword_buckets(text)
            target = listed if listed is not None else (NO_TARGET if seen else fresh)
        fallback = listed if target == listed and listed is not None else fresh
        if self._typed:
            type_name = token.type_name or (placeholder.type_name if placeholder is not None else None)
            if type_name:
                type_part = vocabulary.subword_buckets(type_name)[-1:]
        padded = parts + (0,) * (vocabulary.SUBWORDS_PER_NAME - len(parts)) + type_part if type_part else parts
        return TokenStep(word, int(role) + 1, padded, number, target, fallback, seen, declared_before)

    def level_of(self, indent: str) -> int:
        """Return the indentation in units; a tab counts as a unit."""
        columns = len(indent.replace("\t", " " * self.indent_unit))
        return (columns + self.indent_unit // 2) // self.indent_unit

    def _back_to(self, line: int) -> None:
        mark = self._marks[line]
        del self.steps[mark.steps :], self.origins[mark.steps :], self._lines[line:], self._marks[line:]
        for name in self.names[mark.names :]:
            del self._ids[name]
        del self.names[mark.names :]
        self._normaliser.forget_after(mark.declared)
        self._level = mark.level


_INDENTED = re.compile(rb"^( {1,8})(?! )(?=[^\S\n]*\S)", re.MULTILINE)


def detect_indent(data: bytes, default: int = 4) -> int:
    """Detect the columns of a level from the first indented lines; a tab is a level of `default` columns."""
    return _indent_of(data[:20000], default)


@cache_texts(8)  # a keystroke seldom changes a file's head
def _indent_of(head: bytes, default: int) -> int:
    """Return the smallest common indentation (2, 4 or 8 columns) in the head of a file, or the default."""
    lines = b"\n".join(head.split(b"\n", 400)[:400])
    counts = Counter(map(len, _INDENTED.findall(lines)))
    total = counts.total()
    for unit in (2, 4, 8):
        if counts.get(unit, 0) >= max(1, total // 10):
            return unit
    return default
