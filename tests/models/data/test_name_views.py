"""How names look to a model: numbered afresh, by kind, or spelled, and the way back."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from editahead.encode.language_model.encoder import NO_NAME, NO_TARGET
from editahead.encode.language_model.vocabulary import SPECIALS, Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead_models.data.corpus.encoded_files import FileArrays, encode_file
from editahead_models.data.corpus.name_views import VIEWS, view_of
from editahead_models.data.corpus.source_files import token_lines

SOURCE = """import os


class Reader:
    def __init__(self, path: str, size: int):
        self.path = path
        self.size = size

    def read(self, start: int, end: int):
        with open(self.path) as handle:
            count = end - start
            return handle.read(count)
"""


def encoded(text: str, symbols: tuple[str, ...] | None = None) -> tuple[FileArrays, tuple[str, ...]]:
    python = by_id("python")
    assert python is not None
    if symbols is None:
        lines = token_lines(text.encode(), python)
        counts = Counter(symbol_of(t) for line in lines for t in line if t.kind is not TokenKind.NEWLINE)
        symbols = Vocab.from_counts(counts, 500, minimum=1).symbols
    return encode_file(text.encode(), python, Vocab(symbols)), symbols


@pytest.fixture(scope="module")
def corpus() -> tuple[list[FileArrays], tuple[str, ...]]:
    first, symbols = encoded(SOURCE)
    more = [encoded(SOURCE.replace("Reader", f"Reader{n}").replace("path", f"path{n}"), symbols)[0] for n in range(4)]
    return [first, *more], symbols


def masked(file: FileArrays) -> np.ndarray:
    """Tokens that the placeholder flavour shows by kind."""
    return (file.kind_word != file.word) & (file.name != NO_NAME)


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_stays_inside_its_vocabulary(corpus: tuple[list[FileArrays], tuple[str, ...]], name: str) -> None:
    files, symbols = corpus
    view = view_of(name, symbols, 60, files)
    assert len(set(view.symbols)) == view.size <= 60
    for file in files:
        seen = view.see(file, 3)
        assert len(seen.word) == len(file.word)
        assert seen.word.min() >= 0
        assert seen.word.max() < view.size
        assert seen.target.max() < view.size
        assert seen.target.min() >= NO_TARGET


def test_numbered_names_are_the_same_throughout_a_file_and_differ_between_names(
    corpus: tuple[list[FileArrays], tuple[str, ...]],
) -> None:
    files, symbols = corpus
    view = view_of("numbered", symbols, 200, files)
    file = files[0]
    seen = view.see(file, 1)
    here = masked(file)
    assert here.sum() > 10
    by_name: dict[int, set[int]] = {}
    for name, word in zip(file.name[here].tolist(), seen.word[here].tolist(), strict=True):
        by_name.setdefault(name, set()).add(word)
    assert all(len(words) == 1 for words in by_name.values())
    listed = [next(iter(words)) for words in by_name.values() if next(iter(words)) >= len(SPECIALS)]
    assert len(listed) == len(set(listed)) > 5
    assert {view.symbols[word].split(":")[0] for word in listed} >= {"class", "function", "parameter"}


def test_numbers_are_drawn_anew_for_every_seed_and_repeat_with_it(
    corpus: tuple[list[FileArrays], tuple[str, ...]],
) -> None:
    files, symbols = corpus
    view = view_of("numbered", symbols, 200, files)
    one, same, other = (view.see(files[0], seed).word for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_renaming_changes_nothing_that_a_placeholder_model_reads() -> None:
    file, symbols = encoded(SOURCE)
    renamed, _ = encoded(SOURCE.replace("path", "colour").replace("Reader", "Painter").replace("count", "z"), symbols)
    view = view_of("placeholder", symbols, len(symbols), [file])
    one, other = view.see(file, 1), view.see(renamed, 1)
    for column in ("word", "kind", "parts", "name", "target", "fallback"):
        assert np.array_equal(getattr(one, column), getattr(other, column)), column


def test_types_join_the_number_only_in_the_typed_view(corpus: tuple[list[FileArrays], tuple[str, ...]]) -> None:
    files, symbols = corpus
    plain, typed = (view_of(name, symbols, 300, files) for name in ("numbered", "numbered-typed"))
    assert not any(symbol.startswith("parameter-") for symbol in plain.symbols)
    assert sum(symbol.startswith("parameter-") for symbol in typed.symbols) >= 2  # str and int


def test_a_published_range_lists_fewer_names_and_leaves_more_unknown(
    corpus: tuple[list[FileArrays], tuple[str, ...]],
) -> None:
    files, symbols = corpus
    narrow, wide = (view_of("numbered", symbols, 80, files, width=width) for width in (None, 3000))
    unknown = [sum(int((view.see(f, 1).word < len(SPECIALS)).sum()) for f in files) for view in (narrow, wide)]
    assert unknown[1] > unknown[0]


def test_a_cut_vocabulary_copies_seen_names_and_announces_new_ones(
    corpus: tuple[list[FileArrays], tuple[str, ...]],
) -> None:
    files, symbols = corpus
    view = view_of("spelled", symbols, len(SPECIALS) + 3, files)
    file = files[0]
    seen = view.see(file, 1)
    names = file.name != NO_NAME
    unlisted = names & (seen.word < len(SPECIALS))
    assert (seen.target[unlisted & file.seen] == NO_TARGET).all()
    fresh = seen.target[unlisted & ~file.seen]
    assert ((fresh >= 0) & (fresh < len(SPECIALS))).all()


def test_an_unknown_view_is_named(corpus: tuple[list[FileArrays], tuple[str, ...]]) -> None:
    with pytest.raises(ValueError, match="names must be shown as one of"):
        view_of("upside-down", corpus[1], 10, corpus[0])
