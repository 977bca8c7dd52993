"""Source texts as streams of token numbers, for the n-grams of a project.

Names, keywords, operators and short numbers have a number each; all strings share a number, and so do long numbers: the
contents of strings are not kept. Comments and blank lines are skipped. T tokens of a text.

Only languages whose strings a pattern delimits reliably are read (`FAMILIES`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import Lexicon, LexiconGroup, has_nested_quotes
from editahead.index.sliced_work import Steps, select_items
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
            if len(self.texts) >= self._most or len(raw) > _MAX_WORD_BYTES:
                return 0
            text = raw.decode("utf-8", "replace")
            number = self.numbers.get(text, len(self.texts))
            if number == len(self.texts):
                self.texts.append(text)
                self.numbers[text] = number
            self._raw[raw] = number
        return number

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
