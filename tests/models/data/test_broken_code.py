"""Code as somebody who is typing sees it."""

from __future__ import annotations

import random

from editahead_models.data.corpus.broken_code import broken_code, cut, half_line, without_brackets
from hypothesis import given
from hypothesis import strategies as st

TEXT = "def f(a, b):\n    return {'ä': [a, (b)]}\n" * 3


@given(st.integers(0, 10_000), st.text(min_size=1, max_size=80))
def test_any_breakage_leaves_readable_text_that_is_no_longer(seed: int, text: str) -> None:
    content = text.encode("utf-8", "ignore")
    if content:
        broken = broken_code(content, random.Random(seed))
        assert len(broken) <= len(content)
        broken.decode("utf-8")


def test_each_breakage_does_what_it_says() -> None:
    content = TEXT.encode()
    for seed in range(20):
        assert content.startswith(cut(content, random.Random(seed)))
        fewer = without_brackets(content, random.Random(seed))
        assert 1 <= len(content) - len(fewer) <= 3
        assert sum(fewer.count(b) for b in b")]}") == sum(content.count(b) for b in b")]}") - (
            len(content) - len(fewer)
        )
        shorter = half_line(content, random.Random(seed)).split(b"\n")
        assert sum(a != b for a, b in zip(shorter, content.split(b"\n"), strict=True)) <= 1
