"""Edits that would assign to a call, or take one away."""

from __future__ import annotations

import pytest
from editahead.suggest.next_edit.text_checks.expression_checks import makes_call_a_target
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

CASES = {
    'delete m["k"];': True,
    'm["k"]++;': True,
    '[m["k"]] = z;': True,
    'm["k"] = z;': True,
    'delete m["k"].x;': False,
    'x[m["k"]] = z;': False,
    'x = m["k"];': False,
    'f(m["k"]);': False,
}


@pytest.mark.parametrize(("text", "makes"), CASES.items(), ids=CASES.keys())
@pytest.mark.parametrize(("old", "new"), [(b'["k"]', b'.get("k")'), (b'm["k"]', b'm.get("k")')])
def test_an_index_that_becomes_a_call(text: str, makes: bool, old: bytes, new: bytes) -> None:
    language = by_path("file:///w/home.ts")
    assert language is not None
    syntax, at = open_snapshot(Buffer(text.encode()), language), text.encode().index(old)
    assert makes_call_a_target(syntax, ByteEdit(at, at + len(old), new)) == makes
    assert not makes_call_a_target(syntax, ByteEdit(at, at + len(old), b"n"))
