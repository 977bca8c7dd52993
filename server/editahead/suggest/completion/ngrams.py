"""What n-grams say of the next token: those of this file, nested in those of the other files of the project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from editahead.index.types import OutsideNames
from editahead.runtime.language_model.ngrams import LINE_END, CacheScores, NgramCache, Words
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.memo import on_forget

_TOKENS, _LINES = 5, 3  # a context goes back over at most so many
_LINE = "\n"  # stands before the first token of a line; what the index calls a line's end


class _NgramQuery(NamedTuple):
    """All that the answer depends on."""

    changes: int
    elsewhere: OutsideNames | None
    line: Words
    before: list[str]


_latest: WeakKeyDictionary[NgramCache, tuple[_NgramQuery, CacheScores]] = WeakKeyDictionary()
on_forget(_latest.clear)


def predict_ngrams(
    cache: NgramCache, elsewhere: OutsideNames | None, lines: Sequence[Line], *, however_small: bool = False
) -> CacheScores:
    """The predicted continuation of these lines. Cached while the letters of a name are typed.

    A small project is queried with shorter contexts, or not at all, unless `however_small`.
    """
    before = _context(lines) if elsewhere is not None else []
    if elsewhere is not None and not however_small and elsewhere.reliable_context < _TOKENS:
        before = before[max(0, len(before) - elsewhere.reliable_context) :]
    query = _NgramQuery(cache.changes, elsewhere, context_of(lines[-1]), before)
    cached = _latest.get(cache)
    if cached is None or cached[0] != query:
        cached = _latest[cache] = (query, _predict(cache, query))
    return cached[1]


def _predict(cache: NgramCache, query: _NgramQuery) -> CacheScores:
    own = cache.predict(query.line)
    if query.elsewhere is None or not query.before:
        return own
    words, hits, times = query.elsewhere.followers(query.before)
    if _LINE in words:
        words = {**words, LINE_END: words[_LINE]}
        del words[_LINE]
    return own.with_project(words, hits, times)


def words_of(line: Line) -> Words:
    """The texts of a whole line between marks for its start and its end; nothing for a line without code."""
    context = context_of(line)
    return (*context, LINE_END) if len(context) > 1 else ()


def context_of(line: Line) -> Words:
    """The texts of a line, as far as it goes, without comments and behind a mark for its start."""
    texts = [token.text for token in line if token.kind not in (TokenKind.COMMENT, TokenKind.NEWLINE) and token.text]
    return (_LINE, *texts)


def _context(lines: Sequence[Line]) -> list[str]:
    """The last tokens, over line ends; lines without code do not count."""
    context = list(context_of(lines[-1]))
    for line in reversed(lines[-_LINES:-1]):
        if len(context) >= _TOKENS:
            break
        before = context_of(line)
        if len(before) > 1:
            context[:0] = before
    return context
