"""Places of keys of literals: which names they are, and what the text is when the key is typed."""

from __future__ import annotations

import random

import pytest
from editahead.syntax.language import by_id
from editahead_models.evaluate.places.key_places import ENTRIES, key_samples

TEXTS = {
    "typescript": ("const a = { width: 1, 'b': 2, n: 3, [k]: 4 };\nf({ height: g(1) });\n", {"width", "height"}),
    "go": ("package p\n\nvar a = A{width: 1, n: 2}\nvar b = []A{{height: 3}}\n", {"width", "height"}),
    "rust": ("fn f() -> A {\n    A { width: 1, height: g(2), ..d() }\n}\n", {"width", "height"}),
    "c_sharp": ("class C {\n  A F() { return new A { Width = 1, Height = 2 }; }\n}\n", {"Width", "Height"}),
}


@pytest.mark.parametrize("language_id", ENTRIES)
def test_keys_are_drawn_with_their_entry_not_yet_written(language_id: str) -> None:
    text, keys = TEXTS[language_id]
    language = by_id(language_id)
    assert language is not None
    samples = key_samples([("a", text.encode())], "p/q", language, 100, random.Random(1))
    assert {sample.content[sample.start : sample.end].decode() for sample in samples} == keys
    for sample in samples:
        before, after = sample.content[: sample.end], sample.content[sample.end :]
        assert text.encode().startswith(before)
        assert text.encode().endswith(after)
        assert not after.lstrip().startswith((b":", b"=", b","))


def test_tests_are_left_out_and_no_more_are_drawn_than_wanted() -> None:
    language = by_id("go")
    assert language is not None
    rows = [(name, b"package p\n\nvar a = A{width: 1, height: 2}\n") for name in ("a.go", "a_test.go", "b.go")]
    samples = key_samples(rows, "p/q", language, 3, random.Random(1))
    assert len(samples) == 3
    assert {sample.path for sample in samples} == {"a.go", "b.go"}
