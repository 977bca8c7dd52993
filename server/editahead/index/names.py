"""Names of a text: the count of each and its first line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import Lexicon, has_nested_quotes
from editahead.index.sliced_work import Steps
from editahead.text.buffer import Buffer

MAX_NAMES = 5000  # of a text, the most frequent; a text with more is generated
_MAX_COUNTED = 4 * MAX_NAMES  # further names are not counted
MAX_BYTES = 80  # bytes of a name
MIN_BYTES = 2
_STEP = 150  # tokens, about a tenth of a millisecond


@dataclass(frozen=True, slots=True)
class NameOccurrences:
    """The N distinct names of a text: `words` in order of appearance, `counts_N`, and `lines_N` (zero-based), uint32.

    The line is that of the first declaration, as far as a keyword before the name shows it (`declared_N`), else of
    the first use.
    """

    words: list[str]
    counts_N: npt.NDArray[np.uint32]
    lines_N: npt.NDArray[np.uint32]
    declared_N: npt.NDArray[np.bool_]


def names_in(buffer: Buffer, lexicon: Lexicon) -> Steps[NameOccurrences]:
    """Count the names of a text. Never raises."""
    counts: Counter[bytes] = Counter()
    first: dict[bytes, int] = {}
    declared: dict[bytes, int] = {}
    keywords, declaring = lexicon.keywords, lexicon.declaring
    matches = lexicon.pattern.finditer(buffer.data)
    skipped_to = 0  # matches before it are ignored
    declaration_at = 0  # the end of a keyword that declares the name behind it
    has_more = True
    while has_more:
        has_more = False
        for match in islice(matches, _STEP):
            has_more = True
            word = match[1]
            if word is None:
                if has_nested_quotes(buffer.data, match.start(), match.end()):
                    skipped_to = buffer.data.find(b"\n", match.end())  # later quotes on the line are ambiguous
                continue
            if match.start() < skipped_to:
                continue
            if word in keywords:
                declaration_at = match.end() if word in declaring else 0
                continue
            if word not in first:
                if len(first) >= _MAX_COUNTED:
                    continue
                first[word] = match.start()
            if declaration_at:
                if buffer.data[declaration_at : match.start()].isspace():
                    declared.setdefault(word, match.start())
                declaration_at = 0
            counts[word] += 1
        yield
    kept = [(word, raw) for raw in first if (word := _name(raw)) is not None]
    if len(kept) > MAX_NAMES:
        kept = nlargest(MAX_NAMES, kept, key=lambda pair: counts[pair[1]])
    offsets = np.array([declared.get(raw, first[raw]) for _, raw in kept], dtype=np.int64)
    return NameOccurrences(
        [word for word, _ in kept],
        np.array([counts[raw] for _, raw in kept], dtype=np.uint32),
        (buffer.line_starts.searchsorted(offsets, "right") - 1).astype(np.uint32),
        np.array([raw in declared for _, raw in kept], dtype=np.bool_),
    )


def _name(raw: bytes) -> str | None:
    if not MIN_BYTES <= len(raw) <= MAX_BYTES:
        return None
    word = raw.decode("utf-8", "replace")
    return word if word.isidentifier() else None
