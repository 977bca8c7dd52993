"""Facts of every line of a text, as arrays: indentation, kind, shape. Linear in the size of the text."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.text.buffer import Buffer

MAX_TEXT = 1_000_000  # bytes of a text above which it is not searched
_BLANK, _WORD = 1, 2
_FIRST_PUNCTUATION = 3
_MAX_SYMBOLS = 64  # symbols of a line that its shape consists of
_IMPORTS = re.compile(
    rb"^[ \t]*(?:import\b|from\b[^\n]*\bimport\b|use |pub use |using |#include|require\b|package )|^\t\"[\w./-]+\"$",
    re.MULTILINE,
)
_DECLARATIONS = re.compile(
    rb"^[ \t]*(?:(?:pub(?:\([^)\n]*\))?|public|private|protected|internal|static|async|export|default|abstract|final|"
    rb"override|virtual|unsafe|const|extern|readonly) )*"
    rb"(?:(?:def|fn|func|function|class|struct|enum|interface|impl|trait|mod|type|record|namespace)\b|"
    rb"(?:public|private|protected|static) [^=;\n]*\()",
    re.MULTILINE,
)
_COMMENTS = re.compile(rb"^[ \t]*(?:#(?!include|\[|!\[)|//|/\*|\*(?:[ /]|$)|\"\"\"|--)", re.MULTILINE)

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class LineFacts(NamedTuple):
    """Arrays [L] over the lines of a text.

    `words` says whether a line has letters or digits, `indent` its leading blanks in bytes, `shape` is a hash of its
    tokens in which all words are alike, 0 without any. `word_count` and `calls` are the numbers of its words and of
    the words before a bracket. `comment`, `imports` and `declares` tell by its first words.
    """

    starts: Ints
    words: Flags
    indent: Ints
    shape: npt.NDArray[np.uint64]
    word_count: Ints
    calls: Ints
    comment: Flags
    imports: Flags
    declares: Flags

    @property
    def line_count(self) -> int:
        """The number of lines."""
        return len(self.starts)


def _symbol_table() -> npt.NDArray[np.uint8]:
    table = np.arange(256, dtype=np.int64) % 250 + _FIRST_PUNCTUATION
    table[list(b" \t\r\n\x0b\x0c")] = _BLANK
    word = [byte for byte in range(256) if bytes([byte]).isalnum() or byte == ord("_") or byte >= 0x80]
    table[word] = _WORD
    return table.astype(np.uint8)


_SYMBOLS = _symbol_table()
_RANDOM = np.random.default_rng(7).integers(1, 2**63, size=(_MAX_SYMBOLS + 1, 256), dtype=np.uint64)
_RANDOM[_MAX_SYMBOLS] = 0


def line_facts(buffer: Buffer) -> LineFacts:
    """The facts of the lines of a text."""
    data, starts = buffer.data, buffer.line_starts
    symbols = _SYMBOLS[np.frombuffer(data, dtype=np.uint8)]
    count = len(starts)
    solid = np.flatnonzero(symbols != _BLANK)
    # A line's first symbol that is not blank; lines without any get the start of what follows.
    first = np.searchsorted(solid, starts)
    ends = np.append(starts[1:], len(data))
    at = np.append(solid, len(data))[first]
    is_blank = at >= ends
    indent = np.where(is_blank, 0, at - starts)
    begins = np.ones(len(symbols), dtype=np.bool_)
    begins[1:] = (symbols[1:] != symbols[:-1]) | (symbols[1:] >= _FIRST_PUNCTUATION)
    kept = np.flatnonzero(begins & (symbols != _BLANK))
    bounds = np.searchsorted(kept, np.append(starts, len(data)))
    line_of = np.repeat(np.arange(count), np.diff(bounds))
    order = np.minimum(np.arange(len(kept)) - bounds[line_of], _MAX_SYMBOLS)
    sums = np.append(np.uint64(0), np.cumsum(_RANDOM[order, symbols[kept]], dtype=np.uint64))
    shape = sums[bounds[1:]] - sums[bounds[:-1]]
    is_word = symbols == _WORD
    opens = np.zeros(len(symbols), dtype=np.bool_)
    opens[1:] = is_word[:-1] & (np.frombuffer(data, dtype=np.uint8)[1:] == ord("("))
    word_count, calls = (_per_line(flags, starts, ends) for flags in (is_word & begins, opens))
    flags = (_matching(pattern, buffer, count) for pattern in (_COMMENTS, _IMPORTS, _DECLARATIONS))
    return LineFacts(starts, word_count > 0, indent, shape, word_count, calls, *flags)


def _per_line(flags: Flags, starts: Ints, ends: Ints) -> Ints:
    """How many flags of bytes are set in each line [L]."""
    sums = np.append(0, np.cumsum(flags))
    return np.asarray(sums[ends] - sums[starts], dtype=np.int64)


def _matching(pattern: re.Pattern[bytes], buffer: Buffer, count: int) -> Flags:
    """Which lines [L] begin as a pattern says."""
    flags = np.zeros(count, dtype=np.bool_)
    starts = [match.start() for match in pattern.finditer(buffer.data)]
    if starts:
        flags[np.searchsorted(buffer.line_starts, starts, side="right") - 1] = True
    return flags
