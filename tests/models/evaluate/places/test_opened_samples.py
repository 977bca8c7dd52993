"""Samples of several files: each comes with its own file, which is opened once."""

from __future__ import annotations

from editahead.syntax.language import by_id
from editahead_models.evaluate.places.import_places import opened_samples
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample

FILES = [("a.py", b"one = 1\ntwo = one\n"), ("b.py", b"three = 3\nfour = three\n")]


def test_each_sample_comes_with_its_file() -> None:
    language = by_id("python")
    assert language is not None
    drawn = [Sample("p", text, at, at + 3, True, path) for path, text in FILES for at in (0, 8)]
    found = list(opened_samples(drawn, language, Neighbourhood(FILES, language)))
    assert [sample for sample, _, _ in found] == drawn
    assert [snapshot.buffer.data for _, snapshot, _ in found] == [sample.content for sample in drawn]
    assert found[0][1] is found[1][1]
    assert found[2][1] is not found[1][1]
