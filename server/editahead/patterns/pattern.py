"""The pattern of an edit: a left side of tokens and holes, its replacement, and the context that its examples share.

A hole stands for a non-empty run of tokens with balanced brackets, so that it matches any argument.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from editahead.patterns.examples import Example, TokenChange

LINE = "\n*"  # the text of an element that matches any newline token: a line begins or ends here
AROUND = 6
MAX_HOLE = 12
_WORD = re.compile(r"[^\W\d]\w*")
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
_QUOTES = frozenset({'"', "'", '"""', "'''"})

NEXT = -2


class Element(NamedTuple):
    """An element of a left side: a token, or (text None) a hole with its number."""

    text: str | None
    hole: int = -1


class NewElement(NamedTuple):
    """An element of a replacement: a token, or (text None) a copy of element `ref` of the left side.

    `gap` is the number of blanks before it; None: as they are before element `like`, or before the token behind the
    edit (NEXT).
    """

    text: str | None
    ref: int
    gap: int | None
    like: int


@dataclass(frozen=True, eq=False)
class Pattern:
    """A pattern: elements [lo, hi) of `elements` are replaced by `replacement`; the others are required context.

    `anchor` is the element that is searched first, a word. `left` and `right` are the tokens beside the edit that the
    examples share, nearest first, None where they differ; `owner` is the word before the bracket around it.
    """

    elements: tuple[Element, ...]
    lo: int
    hi: int
    replacement: tuple[NewElement, ...]
    tail: int | None
    anchor: int
    left: tuple[str | None, ...]
    right: tuple[str | None, ...]
    owner: str | None
    simple: bool  # every hole stood for a single token in the examples

    @cached_property
    def word(self) -> str:
        """The anchor word, which every match contains."""
        return self.elements[self.anchor].text or ""

    @cached_property
    def holes(self) -> int:
        """The number of different holes of the left side."""
        return len({elem.hole for elem in self.elements if elem.text is None})

    @cached_property
    def renames(self) -> tuple[str, str] | None:
        """The old and the new name of a pattern that only replaces a name by another; else None."""
        if self.hi - self.lo != 1 or len(self.replacement) != 1 or self.tail is not None:
            return None
        old, new = self.elements[self.lo].text, self.replacement[0].text
        return (old, new) if old and new and is_word(old) and is_word(new) else None

    def signature(self) -> str:
        """A text that is equal for equal patterns."""
        return self._signature

    @cached_property
    def _signature(self) -> str:
        return repr((self.elements, self.lo, self.hi, self.replacement, self.tail))

    @cached_property
    def done(self) -> Pattern | None:
        """The pattern of a site where the edit is already applied; None where that would match anything."""
        come = tuple(self.elements[out.ref] if out.text is None else Element(out.text) for out in self.replacement)
        elements = (*self.elements[: self.lo], *come, *self.elements[self.hi :])
        words = [at for at, elem in enumerate(elements) if elem.text and is_word(elem.text)]
        if not words or not come or elements[0].text is None or elements[-1].text is None:
            return None
        return replace(self, elements=elements, hi=self.lo + len(come), anchor=words[0])


def is_word(text: str) -> bool:
    """Whether a token is a name or a keyword."""
    return _WORD.fullmatch(text) is not None


def is_balanced(texts: Sequence[str]) -> bool:
    """Whether tokens can stand for a hole: not empty, on a single line, brackets and quotes closed."""
    stack: list[str] = []
    quotes = 0
    for text in texts:
        if text.startswith("\n"):
            return False
        if text in _OPEN:
            stack.append(_OPEN[text])
        elif text in _CLOSE and (not stack or stack.pop() != text):
            return False
        quotes += text in _QUOTES
    return bool(texts) and not stack and quotes % 2 == 0


def owner_of(texts: Sequence[str], index: int) -> str | None:
    """Return the word before the bracket that is open at a token (`load` in `load(a, |`); None outside brackets."""
    depth = 0
    for at in range(index - 1, max(-1, index - 60), -1):
        if texts[at] in _CLOSE:
            depth += 1
        elif texts[at] in _OPEN:
            depth -= 1
            if depth < 0:
                return texts[at - 1] if at and is_word(texts[at - 1]) else texts[at]
    return None


def outward(texts: Sequence[str], index: int, step: int, limit: int) -> list[str]:
    """Return tokens from `index` on, leftwards (step -1) or rightwards (1), up to the first line end (as LINE).

    A line end that follows at once is skipped: the context of a whole line is the next line.
    """
    tokens: list[str] = []
    while 0 <= index < len(texts) and len(tokens) < limit:
        if texts[index].startswith("\n"):
            if tokens:
                return [*tokens, LINE]
            tokens.append(LINE)
            index += step
            continue
        tokens.append(texts[index])
        index += step
    return tokens


def line_around(texts: Sequence[str], at: int) -> tuple[str, ...]:
    """Return the tokens of the line that a token stands on (a newline token stands on the line before it)."""
    low = high = max(0, min(at, len(texts)) - 1)
    while low > 0 and not texts[low].startswith("\n"):
        low -= 1
    high += 1
    while high < len(texts) and not texts[high].startswith("\n"):
        high += 1
    return tuple(texts[low + 1 : high])


def context_tokens(change: Example | TokenChange, step: int, limit: int) -> list[str]:
    """Return the tokens left (step -1) or right (step 1) of a change, nearest first."""
    return outward(change.before.texts, change.lo - 1 if step < 0 else change.old_hi, step, limit)


def common_tokens(first: Sequence[str | None], second: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the tokens that two contexts share, None where they differ."""
    return tuple(a if a == b else None for a, b in zip(first, second, strict=False))
