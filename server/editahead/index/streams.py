"""Source texts as streams of token numbers, for what tokens follow each other in a project.

Names, keywords, operators and short numbers have a number each; all strings share one, and so do long numbers: what
people write between quotes is not kept. Comments and blank lines are left out. T tokens of a text.

Only where patterns can tell for sure what stands between quotes are texts read (`FAMILIES`): not where a string may be
opened in ten ways and go on over lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import Lexicon, LexiconGroup, nests
from editahead.index.sliced_work import Steps, picked
from editahead.text.buffer import Buffer

LINE, STRING, NUMBER, UNKNOWN = "\n", '""', "0", ""
FIXED = (UNKNOWN, LINE, STRING, NUMBER)  # have the first numbers
CLASSES = frozenset((UNKNOWN, STRING, NUMBER))  # stand for many texts: they can be context, never an answer
FAMILIES = frozenset({"python", "java"})
LONGEST_NUMBER = 4  # characters of one that keeps its text
MOST_TOKENS = 100_000  # of one text
_BOM = b"\xef\xbb\xbf"
_LONGEST_WORD = 80  # bytes
_MOST_WORDS = (1 << 21) - 1  # so many numbers fit into the keys of phrases
_STEP = 150  # tokens, about a tenth of a millisecond

Stream = npt.NDArray[np.uint32]


class Words:
    """Numbers for at most so many words of one project; those that come later are unknown.

    Belongs to one thread, but for `texts` and `numbers`, to which is only added.
    """

    def __init__(self, most: int) -> None:
        self._most = min(most, _MOST_WORDS)
        self.texts: list[str] = [*FIXED]
        self.numbers: dict[str, int] = {text: number for number, text in enumerate(self.texts)}
        self._raw: dict[bytes, int] = {}

    def number(self, raw: bytes, group: int) -> int:
        """The number of a token; a new word gets the next one while there is room."""
        if group == LexiconGroup.LINE_END:
            return 1
        if group == LexiconGroup.STRING:
            return 2
        if group == LexiconGroup.NUMBER and len(raw) > LONGEST_NUMBER:
            return 3
        number = self._raw.get(raw)
        if number is None:
            if len(self.texts) >= self._most or len(raw) > _LONGEST_WORD:
                return 0
            text = raw.decode("utf-8", "replace")
            number = self.numbers.get(text, len(self.texts))
            if number == len(self.texts):
                self.texts.append(text)
                self.numbers[text] = number
            self._raw[raw] = number
        return number

    def only(self, alive: npt.NDArray[np.int64]) -> Steps[Words]:
        """New words with the texts of these numbers alone (sorted, the four classes first), in their order.

        `alive` is (N,).
        """
        words = Words(self._most)
        words.texts = yield from picked(self.texts, alive.tolist())
        for number, text in enumerate(words.texts):
            words.numbers[text] = number
            if number % _STEP == 0:
                yield
        return words


def normal(text: str) -> str:
    """A token of a document as streams have it."""
    if text[-1:] in "\"'`" and text:
        return STRING
    if text[:1].isdigit() and len(text) > LONGEST_NUMBER:
        return NUMBER
    return text


def stream_of(buffer: Buffer, lexicon: Lexicon, words: Words) -> Steps[Stream]:
    """The tokens (T,) of a text, each line behind a mark for its start; never raises."""
    stream = [words.numbers[LINE]]
    line = stream[0]
    found = lexicon.tokens.finditer(buffer.data, len(_BOM) if buffer.data.startswith(_BOM) else 0)
    passed = 0  # what stands before is not read
    more = True
    while more and len(stream) < MOST_TOKENS:
        more = False
        for match in islice(found, _STEP):
            more = True
            if match.lastindex is None:
                continue  # a comment
            if match.start() < passed:
                continue
            if match.lastindex == LexiconGroup.STRING and nests(buffer.data, match.start(), match.end()):
                passed = buffer.data.find(b"\n", match.end())  # no telling what is quoted on the rest of the line
            number = words.number(match[match.lastindex], match.lastindex)
            if number != line or stream[-1] != line:
                stream.append(number)
        yield
    return np.array(stream, dtype=np.uint32)


def numbers_of(texts: Sequence[str], words: Words) -> list[int]:
    """The numbers of a document's tokens; 0 for words that the project does not have."""
    return [words.numbers.get(normal(text), 0) for text in texts]
