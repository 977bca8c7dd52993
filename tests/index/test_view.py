"""What is asked of an index: the most useful names with a prefix, in an order that does not depend on chance."""

from __future__ import annotations

import numpy as np
import pytest
from editahead.index.sliced_work import finish, merge_sorted, prefix_range
from editahead.index.types import OPEN, PROJECT, NameOrigin
from editahead.index.view import EMPTY, MAX_NAMES, MAX_WITHOUT_PREFIX, IndexView
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.text("abcé_", min_size=2, max_size=4)


def view_of(names: dict[str, tuple[int, int]], source: str = PROJECT) -> IndexView:
    """A view of names with (count, files), all of one file, each on the line of its number."""
    words = sorted(names)
    counts, spread = (np.array([names[word][at] for word in words], dtype=np.uint32) for at in (0, 1))
    numbers = np.arange(len(words), dtype=np.uint32)
    return IndexView(words, counts, spread, np.zeros(len(words), np.uint32), numbers, ("pkg/a.py",), source)


def test_files_go_before_counts_and_the_alphabet_decides_the_rest() -> None:
    view = view_of({"sell": (9, 1), "shop": (2, 2), "shape": (2, 2), "side": (3, 2), "other": (9, 9)})
    assert [word for word, _ in view.best("s")] == ["side", "shape", "shop", "sell"]
    assert view.numbers("sh", most=1) == [view.number("shape")]
    assert view.best("shop") == [("shop", NameOrigin(PROJECT, "pkg/a.py", 3, 2, 2))]
    assert view.best("sz") == []


@given(st.dictionaries(WORDS, st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=40), st.text("abc", max_size=2))
def test_best_is_what_sorting_everything_gives(names: dict[str, tuple[int, int]], prefix: str) -> None:
    view = view_of(names)
    for most in (1, 5, MAX_NAMES):
        chosen = [word for word in names if word.startswith(prefix)]
        chosen.sort(key=lambda word: (-names[word][1], -names[word][0], word))
        limit = min(most, MAX_NAMES if prefix else MAX_WITHOUT_PREFIX)
        assert [view.words[number] for number in view.numbers(prefix, most)] == chosen[:limit]
    best = view.best(prefix)
    assert [word for word, _ in best] == chosen[:limit]
    assert [(origin.count, origin.files) for _, origin in best] == [names[word] for word in chosen[:limit]]


def test_there_are_at_most_so_many() -> None:
    view = view_of({f"name{n:04}": (n + 1, 1) for n in range(1000)})
    assert [word for word, _ in view.best("n")] == [f"name{n:04}" for n in range(999, 999 - MAX_NAMES, -1)]
    assert [word for word, _ in view.best("")] == [f"name{n:04}" for n in range(999, 999 - MAX_WITHOUT_PREFIX, -1)]


def test_what_only_the_asking_file_holds_is_not_elsewhere() -> None:
    view = view_of({"alone": (5, 1), "shared": (5, 2)})
    assert [word for word, _ in view.best("", own="pkg/a.py")] == ["shared"]
    assert [word for word, _ in view.best("al", own="pkg/b.py")] == ["alone"]


def test_finding_one_name() -> None:
    view = view_of({"beta": (1, 1), "alpha": (2, 1)}, OPEN)
    assert view.find("alpha") == NameOrigin(OPEN, "pkg/a.py", 0, 2, 1)
    assert view.find("alp") is view.find("zeta") is EMPTY.find("alpha") is None


def test_origins_are_given_however_many_were_asked_for() -> None:
    view = view_of({f"{chr(97 + n % 26)}{n:05}": (n + 1, 1) for n in range(8000)})
    for letter in "abcdefghijklmnopqrstuvwxyz" * 2:
        for word, origin in view.best(letter):
            assert word.startswith(letter)
            assert origin.count == int(word[1:]) + 1


@pytest.mark.parametrize("prefix", ["", "a", "\U0010ffff", "'", "\n"])
def test_an_empty_view_has_nothing(prefix: str) -> None:
    assert EMPTY.best(prefix) == []
    assert len(EMPTY) == 0


@given(st.lists(WORDS), st.lists(WORDS), WORDS)
def test_merging_and_searching_sorted_words(first: list[str], second: list[str], prefix: str) -> None:
    ordered = finish(merge_sorted(sorted(first), second))
    assert ordered == sorted(first + second)
    begin, end = prefix_range(ordered, prefix)
    assert ordered[begin:end] == [word for word in ordered if word.startswith(prefix)]
