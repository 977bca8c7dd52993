"""Sub-word tokenisation of names, so that names outside the vocabulary can be spelled.

A name is cut where its words begin (`get_userName` -> `get`, `_user`, `Name`), and each word into the longest listed
pieces. Underscores join the piece behind them where that is listed, and never change where a word is cut, so that a
word is cut alike wherever it stands. Piece 0 ends a name.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from editahead.text import memo

END = 0
ALPHABET = string.ascii_letters + string.digits + "_"
WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|_+"  # HTTP | Server | name | 42 | __
_WORDS = re.compile(WORD)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MAX_NAME = 60  # characters; longer names are not spelled


class PieceForm(NamedTuple):
    """A piece in lower case, and its form: underscores before it (at most 2), then lower, Capital, UPPER."""

    core: str
    form: int


FORMS = 9


class Pieces:
    """A closed vocabulary of sub-words, with all characters of `ALPHABET`. Ids count from 1."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Raises ValueError for a list without a character of the alphabet, or with a duplicate."""
        self.texts: tuple[str, ...] = ("", *texts)
        self._ids = {text: number for number, text in enumerate(self.texts)}
        if len(self._ids) != len(self.texts) or not all(map(_is_spellable, texts)):
            raise ValueError("pieces must be distinct texts of ASCII letters, digits and underscores")
        if not set(ALPHABET) <= self._ids.keys():
            raise ValueError("pieces must hold every letter, every digit and the underscore")
        self._longest = max(map(len, self.texts))
        self._sorted = sorted(self._ids.keys() - {""})
        self.split = lru_cache(maxsize=8192)(self._split)
        self.continuing = lru_cache(maxsize=64)(self._continuing)
        memo.register_owner(self)

    def forget(self) -> None:
        """Clear the cache of names."""
        self.split.cache_clear()
        self.continuing.cache_clear()

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, pieces: Iterable[int]) -> str:
        """Return the text of pieces."""
        return "".join(self.texts[piece] for piece in pieces)

    def _split(self, name: str) -> tuple[int, ...]:
        """Return the pieces of a name, without END; empty for a name that cannot be spelled."""
        if len(name) > MAX_NAME or not _NAME.fullmatch(name):
            return ()
        pieces: list[int] = []
        for word in _WORDS.findall(name):
            at = 0
            while at < len(word):
                end = min(len(word), at + self._longest)
                while word[at:end] not in self._ids:
                    end -= 1
                piece = word[at:end]
                joined = self._ids.get(self.texts[pieces[-1]] + piece) if pieces and word[0] != "_" and not at else None
                if joined is not None and set(self.texts[pieces[-1]]) == {"_"}:
                    pieces[-1] = joined
                else:
                    pieces.append(self._ids[piece])
                at = end
        return tuple(pieces)

    def _continuing(self, rest: str) -> tuple[int, ...]:
        """Return the pieces that are prefixes of the required text `rest`, or begin with it."""
        inside = [self._ids[rest[:end]] for end in range(1, len(rest)) if rest[:end] in self._ids]
        first = bisect_left(self._sorted, rest)
        last = bisect_left(self._sorted, rest + "\x7f")  # behind all ASCII letters
        return (*inside, *(self._ids[text] for text in self._sorted[first:last]))


def piece_form(piece: str) -> PieceForm:
    """Return the form of a piece: the lower-case text, which its other spellings share, and which spelling it is."""
    bare = piece.lstrip("_")
    case = 0 if bare == bare.lower() else 2 if len(bare) > 1 and bare == bare.upper() else 1
    return PieceForm(bare.lower(), 3 * min(2, len(piece) - len(bare)) + case)


def _is_spellable(text: str) -> bool:
    return bool(text) and all(character in ALPHABET for character in text)
