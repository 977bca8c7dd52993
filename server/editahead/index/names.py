"""Names of one text: the count of each and its first line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import Lexicon, nests
from editahead.index.sliced_work import Steps
from editahead.text.buffer import Buffer

MAX_NAMES = 5000  # of one text, the most frequent; a text with more is generated
_MOST_READ = 4 * MAX_NAMES  # names beyond these are not looked at
LONGEST = 80  # bytes of a name
SHORTEST = 2
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
    found = lexicon.pattern.finditer(buffer.data)
    passed = 0  # what stands before is not read
    introduced = 0  # where a keyword ended that declares the name behind it
    more = True
    while more:
        more = False
        for match in islice(found, _STEP):
            more = True
            word = match[1]
            if word is None:
                if nests(buffer.data, match.start(), match.end()):
                    passed = buffer.data.find(b"\n", match.end())  # no telling what is quoted on the rest of the line
                continue
            if match.start() < passed:
                continue
            if word in keywords:
                introduced = match.end() if word in declaring else 0
                continue
            if word not in first:
                if len(first) >= _MOST_READ:
                    continue
                first[word] = match.start()
            if introduced:
                if buffer.data[introduced : match.start()].isspace():
                    declared.setdefault(word, match.start())
                introduced = 0
            counts[word] += 1
        yield
    kept = [(word, raw) for raw in first if (word := _name(raw)) is not None]
    if len(kept) > MAX_NAMES:
        kept = nlargest(MAX_NAMES, kept, key=lambda pair: counts[pair[1]])
    places = np.array([declared.get(raw, first[raw]) for _, raw in kept], dtype=np.int64)
    return NameOccurrences(
        [word for word, _ in kept],
        np.array([counts[raw] for _, raw in kept], dtype=np.uint32),
        (buffer.line_starts.searchsorted(places, "right") - 1).astype(np.uint32),
        np.array([raw in declared for _, raw in kept], dtype=np.bool_),
    )


def _name(raw: bytes) -> str | None:
    if not SHORTEST <= len(raw) <= LONGEST:
        return None
    word = raw.decode("utf-8", "replace")
    return word if word.isidentifier() else None
