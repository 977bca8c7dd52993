"""The n-gram cache: proper, reversible, and as the published interpolation says."""

from __future__ import annotations

from collections import Counter

import pytest
from editahead.runtime.language_model.ngrams import CacheScores, DocumentCaches, NgramCache
from hypothesis import given
from hypothesis import strategies as st

Lines = list[tuple[str, ...]]
LINES = st.lists(st.lists(st.sampled_from("abc="), max_size=6).map(tuple), max_size=8)


def test_interpolation_by_hand() -> None:
    cache = NgramCache()
    cache.learn(["a", "b", "a", "c"])
    mixed, hits, count, *_ = cache.predict(["b", "a"])
    assert count == 1
    # unigram a 1/2, b 1/4, c 1/4; after a: b 1/2, c 1/2; after b a: c 1
    assert hits == 3
    assert mixed == pytest.approx({"a": 1 / 16, "b": 1 / 32 + 1 / 8, "c": 1 / 32 + 1 / 8 + 1 / 2})


def test_it_stops_at_the_first_context_it_has_not_seen() -> None:
    cache = NgramCache()
    cache.learn(["a", "b"])
    assert cache.predict(["x"]).hits == 1
    assert NgramCache().predict(["x"]) == CacheScores({}, 0, 0)


@given(LINES, st.lists(st.sampled_from("abc="), max_size=4))
def test_probabilities_sum_to_one_minus_the_missing_mass(lines: list[tuple[str, ...]], context: list[str]) -> None:
    cache = NgramCache()
    for line in lines:
        cache.learn(line)
    mixed, hits, *_ = cache.predict(context)
    assert sum(mixed.values()) == pytest.approx(1 - 2.0**-hits)


@given(LINES, LINES)
def test_learning_and_forgetting_restores_every_count(
    kept: list[tuple[str, ...]], passing: list[tuple[str, ...]]
) -> None:
    cache, reference = NgramCache(), NgramCache()
    for line in kept:
        cache.learn(line)
        reference.learn(line)
    for line in passing:
        cache.learn(line)
    for line in reversed(passing):
        cache.forget(line)
    assert len(cache) == len(reference)
    for context in ([], ["a"], ["b", "="], ["a", "b", "c"]):
        assert cache.predict(context) == reference.predict(context)


@given(st.lists(LINES, min_size=1, max_size=4))
def test_a_document_that_changes_has_the_counts_of_its_newest_lines(versions: list[list[tuple[str, ...]]]) -> None:
    caches: DocumentCaches[tuple[str, ...]] = DocumentCaches(lambda line: line)
    for version in versions:
        cache = caches.update("x", version)
    fresh = NgramCache()
    for line in versions[-1]:
        fresh.learn(line)
    for context in ([], ["a"], ["b", "="]):
        assert cache.predict(context)[0] == pytest.approx(fresh.predict(context)[0])


@given(LINES, LINES, st.integers(0, 8), st.integers(0, 8), st.lists(st.sampled_from("abc="), max_size=4))
def test_what_is_looked_for_is_what_counting_all_ngrams_gives(
    lines: Lines, put: Lines, first: int, last: int, context: list[str]
) -> None:
    cache = NgramCache()
    cache.replace(0, 0, lines)
    cache.predict(["a"])  # so that what was joined before must be given up
    cache.replace(first, max(first, last), put)
    now = [*lines[:first], *put, *lines[max(first, last) :]]
    expected: dict[str, float] = {}
    hits = times = 0
    for length in range(min(3, len(context)) + 1):
        key = tuple(context[len(context) - length :])
        counted = Counter(line[at] for line in now for at in range(length, len(line)) if line[at - length : at] == key)
        if not counted:
            break
        hits, times = hits + 1, counted.total()
        expected = {word: p / 2 for word, p in expected.items()}
        for word, n in counted.items():
            expected[word] = expected.get(word, 0.0) + n / times / 2
    found = cache.predict(context)
    assert (found.hits, found.times) == (hits, times)
    assert found.words == pytest.approx(expected)


def test_the_file_is_nested_in_the_project_by_how_much_each_has_seen() -> None:
    file = CacheScores({"a": 0.5, "b": 0.25}, 2, 3)
    found = file.with_project({"a": 0.875}, 3, 9)
    assert found.mass == 1 - 2**-3
    assert found.project == pytest.approx({"a": 8 / 12 * 0.875})
    assert found.words == pytest.approx({"a": 4 / 12 * 0.875 * 2 / 3 + 8 / 12 * 0.875, "b": 4 / 12 * 0.875 / 3})
    assert (found.hits, found.times, found.project_hits, found.project_times) == (2, 3, 3, 9)
    assert file.with_project({}, 1, 1000) is file


@given(LINES, st.lists(st.sampled_from("abc="), max_size=4), st.integers(2, 6))
def test_nested_levels_sum_to_what_is_known(lines: list[tuple[str, ...]], context: list[str], hits: int) -> None:
    cache = NgramCache()
    for line in lines:
        cache.learn(line)
    own = cache.predict(context)
    found = own.with_project({"a": 1 - 2.0**-hits}, hits, 1)
    assert sum(found.words.values()) == pytest.approx(found.mass)
    assert found.mass >= own.mass
