"""The nested n-gram cache: its formulas by hand, proper at every step, and what each level holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from editahead.runtime.language_model.ngrams import NgramCache
from editahead_models.families.ngram_cache import CAP, GlobalCounts, LocalCounts, ProjectCache, level_shares

START = -99


def text(length: int, seed: int, words: int = 9) -> np.ndarray:
    """A file of surface hashes with habits of its own, a start symbol in front."""
    random = np.random.default_rng(seed)
    out = random.integers(0, words, length)
    for t in range(2, length):
        if random.random() < 0.6:
            out[t] = (out[t - 1] * 2 + out[t - 2] + seed) % words
    return np.append(START, out * 1000 - 3000).astype(np.int64)


def by_hand(texts: list[list[int]], context: list[int], order: int) -> tuple[dict[int, float], int]:
    """One level's model by the published recurrence: probabilities that sum to 1, and its hits."""
    p: Counter[int] = Counter()
    mass, hits = 0.0, 0
    for length in range(min(order - 1, len(context)) + 1):
        behind = context[len(context) - length :]
        follow = Counter(
            words[t] for words in texts for t in range(max(1, length), len(words)) if words[t - length : t] == behind
        )
        if not follow:
            break
        hits, mass = hits + 1, mass / 2 + 0.5
        p = Counter({word: value / 2 for word, value in p.items()})
        for word, n in follow.items():
            p[word] += n / follow.total() / 2
    assert mass == 1 - 2.0**-hits
    return {word: value / mass for word, value in p.items()}, hits


def test_hits_six_and_two_weigh_sixty_four_to_four() -> None:
    assert level_shares([6, 2]) == pytest.approx([64 / 68, 4 / 68])
    # Nested outward: corpus with project first, the file with what came of them.
    assert level_shares([2, 3, 6]) == pytest.approx([4 / 12 * 8 / 72, 8 / 12 * 8 / 72, 64 / 72])
    assert level_shares([20, 1]) == pytest.approx([CAP / (CAP + 2), 2 / (CAP + 2)])
    assert level_shares([0, 4, 0]) == [0, 1, 0]
    assert level_shares([0, 0]) == [0, 0]


@pytest.mark.parametrize("project", [True, False])
def test_every_step_is_what_the_formulas_give_by_hand(project: bool) -> None:
    order = 4
    train, files = [text(80, 1), text(50, 2)], [text(40, 3, words=12), text(30, 4, words=12), text(25, 5)]
    cache = ProjectCache(GlobalCounts.train(train, order), files, project=project)
    surfaces = {int(n): int(s) for file in files + train for s, n in zip(file, cache.ids(file), strict=True)}
    mine = files[0].tolist()
    others = [file.tolist() for file in files[1:]] if project else []
    levels = [[file.tolist() for file in train], others]
    for t, step in enumerate(cache.read(0), start=1):
        found = [by_hand(level, mine[:t], order) for level in (*levels, [mine[:t]])]
        shares, most = level_shares([hits for _, hits in found]), max(hits for _, hits in found)
        known = {word for words, _ in found for word in words}
        assert step.hits == tuple(hits for _, hits in found)
        assert step.unknown == pytest.approx(2.0**-most / (len(known) + 1))
        for number, surface in surfaces.items():
            mixed = sum(share * words.get(surface, 0) for share, (words, _) in zip(shares, found, strict=True))
            expected = (1 - 2.0**-most) * mixed + (step.unknown if surface in known else 0)
            assert step.p[number] == pytest.approx(expected, abs=1e-12)
        assert step.p.sum() + step.unknown == pytest.approx(1, abs=1e-9)
    assert t == len(mine) - 1


def test_the_file_level_is_the_cache_of_the_server() -> None:
    file = text(60, 6)
    cache = ProjectCache(GlobalCounts.train([], 4), [file], project=False)
    words = [str(number) for number in cache.streams[0]]
    server = NgramCache(order=4)
    for t, step in enumerate(cache.read(0), start=1):
        predicted = server.predict(words[max(0, t - 3) : t])
        assert predicted.hits == step.hits[2]
        for number in range(cache.size):
            floor = step.unknown if step.p[number] else 0
            assert step.p[number] - floor == pytest.approx(predicted.words.get(str(number), 0), abs=1e-12)
        server = NgramCache(order=4)  # it learns whole lines: what was read so far, less its start symbol
        server.learn(words[1 : t + 1])


def test_what_was_counted_and_taken_back_leaves_nothing() -> None:
    counts = LocalCounts(6)
    grams = [gram[max(0, at - 5) : at + 1] for gram in (text(50, 7).tolist(), text(70, 8).tolist()) for at in range(50)]
    for gram in grams[:50]:
        counts.change(gram, 1)
    before = {context: dict(row) for context, row in counts.followers.items()}, dict(counts.totals)
    for by in (1, -1):
        for gram in grams[50:]:
            counts.change(gram, by)
    assert ({context: dict(row) for context, row in counts.followers.items()}, dict(counts.totals)) == before
    for gram in grams[:50]:
        counts.change(gram, -1)
    assert not counts.followers
    assert not counts.totals


def test_the_window_forgets_what_lies_far_back() -> None:
    file = np.append(START, [7] * 5 + [8] * 30)
    seven = {}
    for window in (10, 1000):
        cache = ProjectCache(GlobalCounts.train([], 3), [file], project=False, window=window)
        number = int(cache.ids(np.array([7]))[0])
        seven[window] = [float(step.p[number]) for step in cache.read(0)][-1]
        *_, last = cache.read(0)
        assert last.p[number] >= last.unknown  # forgotten counts, but still a known name
    assert seven[10] < seven[1000]


def test_files_read_at_once_do_not_disturb_each_other() -> None:
    files = [text(30, seed) for seed in range(3)]
    cache = ProjectCache(GlobalCounts.train([text(50, 9)], 5), files)
    alone = [[step.p.copy() for step in cache.read(number)] for number in range(3)]
    together = zip(*(cache.read(number) for number in range(3)), strict=True)
    for t, steps in enumerate(together):
        for number, step in enumerate(steps):
            np.testing.assert_array_equal(step.p, alone[number][t])


def test_surfaces_that_nobody_has_are_unseen() -> None:
    trained = GlobalCounts.train([text(40, 1)])
    cache = ProjectCache(trained, [text(20, 2, words=14)])
    assert cache.ids(np.array([123456789])).tolist() == [-1]
    assert cache.ids(text(20, 2, words=14)).min() >= 0
