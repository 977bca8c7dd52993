"""N-gram index of the files of a project, for contexts of any length: positions sorted by the preceding tokens.

The key of a position packs the three tokens before it, nearest first, so that the positions behind up to three
tokens are a slice of the sorted keys. Longer contexts are compared token by token within that slice.
Counts are mixed as in a local n-gram cache (Hellendoorn and Devanbu, FSE 2017, section 3.3): from the shortest
context to the longest seen, p <- p/2 + count/context_count/2.

T tokens in all files together, P positions of a slice. A token takes 16 bytes.

Names, keywords, operators and short numbers have a number each; all strings share a number, and so do long numbers: the
contents of strings are not kept. Comments and blank lines are skipped. Only languages whose strings a pattern delimits
reliably are read (`FAMILIES`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import Lexicon, LexiconGroup, has_nested_quotes
from editahead.index.project_imports import EMPTY_IMPORTS, ProjectImports
from editahead.index.sliced_work import Steps, select_items
from editahead.index.types import NgramPrediction
from editahead.text.buffer import Buffer

LINE, STRING, NUMBER, UNKNOWN = "\n", '""', "0", ""
FIXED = (UNKNOWN, LINE, STRING, NUMBER)  # have the first numbers
CLASSES = frozenset((UNKNOWN, STRING, NUMBER))  # stand for many texts: they can be context, never an answer
FAMILIES = frozenset(("python", "java", "javascript", "go", "rust", "c", "c_sharp"))
MAX_NUMBER_CHARACTERS = 4  # a longer number does not keep its text
MAX_TOKENS = 100_000  # of a text
_BOM = b"\xef\xbb\xbf"
_MAX_WORD_BYTES = 80  # bytes
_MAX_WORDS = (1 << 21) - 1  # the numbers that fit into the keys of n-grams
_STEP = 150  # tokens, about a tenth of a millisecond

TokenIds = npt.NDArray[np.uint32]
MAX_CONTEXT = 5  # tokens of a context
MIN_TOKENS = 16_000  # of a project that says anything; each factor of the square root of 2 adds a token of context
_PACKED, _BITS = 3, 21  # tokens in a key, and bits of each
_MAX_POSITIONS = 2048  # positions of a slice; from a longer slice as many are picked evenly
_MAX_FOLLOWERS = 64  # followers of a context, the most frequent


class Words:
    """A vocabulary of at most `most` words of a project; later words are unknown.

    For a single thread, but for `texts` and `numbers`, which only grow.
    """

    def __init__(self, most: int) -> None:
        self._most = min(most, _MAX_WORDS)
        self.texts: list[str] = [*FIXED]
        self.numbers: dict[str, int] = {text: number for number, text in enumerate(self.texts)}
        self._raw: dict[bytes, int] = {}

    def number(self, raw: bytes, group: int) -> int:
        """Return the number of a token; a new word gets the next number while there is room."""
        if group == LexiconGroup.LINE_END:
            return 1
        if group == LexiconGroup.STRING:
            return 2
        if group == LexiconGroup.NUMBER and len(raw) > MAX_NUMBER_CHARACTERS:
            return 3
        number = self._raw.get(raw)
        if number is None:
            if self.is_full or len(raw) > _MAX_WORD_BYTES:
                return 0
            text = raw.decode("utf-8", "replace")
            number = self.numbers.get(text, len(self.texts))
            if number == len(self.texts):
                self.texts.append(text)
                self.numbers[text] = number
            self._raw[raw] = number
        return number

    def intern(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of words; new words get the next numbers while there is room, and else 0."""
        for text in texts:
            if text not in self.numbers and not self.is_full:
                self.numbers[text] = len(self.texts)
                self.texts.append(text)
        return [self.numbers.get(text, 0) for text in texts]

    @property
    def is_full(self) -> bool:
        """Whether new words are unknown."""
        return len(self.texts) >= self._most

    def only(self, alive: npt.NDArray[np.int64]) -> Steps[Words]:
        """Return a vocabulary with only the words of these numbers (sorted, the four classes first), in their order.

        `alive` is (N,).
        """
        words = Words(self._most)
        words.texts = yield from select_items(self.texts, alive.tolist())
        for number, text in enumerate(words.texts):
            words.numbers[text] = number
            if number % _STEP == 0:
                yield
        return words


def normal(text: str) -> str:
    """Normalise a token of a document to its text in streams."""
    if text[-1:] in "\"'`" and text:
        return STRING
    if text[:1].isdigit() and len(text) > MAX_NUMBER_CHARACTERS:
        return NUMBER
    return text


def stream_of(buffer: Buffer, lexicon: Lexicon, words: Words) -> Steps[TokenIds]:
    """Return the tokens (T,) of a text, each line after a line token. Never raises."""
    stream = [words.numbers[LINE]]
    line = stream[0]
    matches = lexicon.tokens.finditer(buffer.data, len(_BOM) if buffer.data.startswith(_BOM) else 0)
    skipped_to = 0  # matches before it are ignored
    has_more = True
    while has_more and len(stream) < MAX_TOKENS:
        has_more = False
        for match in islice(matches, _STEP):
            has_more = True
            if match.lastindex is None:
                continue  # a comment
            if match.start() < skipped_to:
                continue
            if match.lastindex == LexiconGroup.STRING and has_nested_quotes(buffer.data, match.start(), match.end()):
                skipped_to = buffer.data.find(b"\n", match.end())  # the quotes on the rest of the line are ambiguous
            number = words.number(match[match.lastindex], match.lastindex)
            if number != line or stream[-1] != line:
                stream.append(number)
        yield
    return np.array(stream, dtype=np.uint32)


def numbers_of(texts: Sequence[str], words: Words) -> list[int]:
    """Return the numbers of a document's tokens; 0 for words that are not in the project."""
    return [words.numbers.get(normal(text), 0) for text in texts]


Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class NgramIndex:
    """The n-grams of the files of a project. Immutable, so any thread may use it."""

    words: Words = field(default_factory=lambda: Words(0))
    stream_T: TokenIds = field(default_factory=lambda: np.zeros(0, np.uint32))
    keys_T: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))  # sorted
    order_T: TokenIds = field(default_factory=lambda: np.zeros(0, np.uint32))  # the position of each key
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # where each file stands in the stream
    imports: ProjectImports = EMPTY_IMPORTS

    @property
    def reliable_context(self) -> int:
        """Return the number of tokens of context for which the project is large enough.

        It is 0 below 16,000 tokens (some 1,700 lines), 1 from there on, and 5 from 64,000.

        A long context occurs only once in a small project, which is no evidence. In unrelated and in
        related files beside projects below 16,000 tokens, ghost text was right as often without them (213 of 439 shown,
        201 of 451 with them; 980 places).
        """
        size = len(self.stream_T)
        return 0 if size < MIN_TOKENS else min(MAX_CONTEXT, 1 + int(2 * math.log2(size / MIN_TOKENS)))

    def followers(self, context: Sequence[str], own: str | None = None) -> NgramPrediction:
        """Predict the token behind a context (the texts of a document's tokens) from files other than `own`.

        Probabilities sum to at most 1 - 2^-hits. For each context at most 2,048 positions are counted.
        """
        before = numbers_of(context[-MAX_CONTEXT:], self.words)[::-1]  # the nearest first
        own_span = self.spans.get(own, (0, 0)) if own is not None else (0, 0)
        mixed: dict[int, float] = {}
        hits, times = 1, len(self.stream_T)  # the empty context adds nothing to the list of names
        positions = None
        for length in range(1, len(before) + 1):
            if not before[length - 1]:
                break
            if length <= _PACKED:
                positions = self._behind(before[:length], own_span)
            else:
                assert positions is not None
                positions = positions[positions >= length]
                positions = positions[self.stream_T[positions - length] == before[length - 1]]
            if not len(positions):
                break
            tokens, counts = np.unique(self.stream_T[positions], return_counts=True)
            if len(tokens) > _MAX_FOLLOWERS:
                best = np.argpartition(counts, len(counts) - _MAX_FOLLOWERS)[len(counts) - _MAX_FOLLOWERS :]
                tokens, counts = tokens[best], counts[best]
            share = 0.5 / len(positions)
            mixed = {word: p / 2 for word, p in mixed.items()}
            for word, count in zip(tokens.tolist(), counts.tolist(), strict=True):
                mixed[word] = mixed.get(word, 0.0) + share * count
            hits, times = length + 1, len(positions)
        texts = self.words.texts
        return NgramPrediction({texts[n]: p for n, p in mixed.items() if texts[n] not in CLASSES}, hits, times)

    def _behind(self, before: Sequence[int], own: tuple[int, int]) -> TokenIds:
        """Return the positions (P,) behind up to three tokens, given nearest first, outside a span."""
        low = sum(number << _BITS * (_PACKED - 1 - at) for at, number in enumerate(before))
        high = low + (1 << _BITS * (_PACKED - len(before)))
        first, last = np.searchsorted(self.keys_T, np.array((low, high), np.uint64))
        step = max(1, int(last - first) // _MAX_POSITIONS)
        positions = self.order_T[first:last:step]
        return positions[(positions < own[0]) | (positions >= own[1])] if own[1] > own[0] else positions


def build_ngram_index(files: Mapping[str, TokenIds], words: Words) -> Steps[NgramIndex]:
    """Build the index of some files. The sort, 0.1 s for a million tokens, does not hold Python's lock.

    A stream is (T,).
    """
    spans, at = {}, 0
    for where, stream in files.items():
        spans[where] = (at, at + len(stream))
        at += len(stream)
    stream_T = np.concatenate([*files.values(), np.zeros(0, np.uint32)]).astype(np.uint32)
    yield
    keys_T = np.zeros(len(stream_T), np.uint64)
    for back in range(1, _PACKED + 1):  # over the start of a file too: what stands there is a line's mark
        keys_T[back:] |= stream_T[:-back].astype(np.uint64) << np.uint64(_BITS * (_PACKED - back))
        yield
    order_T = np.argsort(keys_T, kind="stable").astype(np.uint32)
    yield
    return NgramIndex(words, stream_T, keys_T[order_T], order_T, spans)


EMPTY_NGRAMS = NgramIndex()
