"""Lines too long to be code, at an edit or beside one: the edit model and the queue leave them alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from editahead.encode.edit_model import tokens
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.types import Suppressed
from editahead.text.buffer import MAX_LINE_BYTES
from editahead.text.edits import ByteEdit

from tests.suggest.next_edit.test_editor import RENAME, Typist, ask, editor, needs_bundle

__all__ = ["editor"]
pytestmark = needs_bundle


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["the long line", "its neighbour"])
def test_a_line_of_data_is_never_lexed(editor: NextEditor, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    """A line of 3.7 MB took the inference thread 8 s."""
    typist = Typist(RENAME + "data = '" + "words that never end " * MAX_LINE_BYTES + "\nlast = res\n")
    seen: list[int] = []

    class Watched:
        def finditer(self, line: str) -> Iterator[re.Match[str]]:
            seen.append(len(line))
            return token.finditer(line)

        def findall(self, line: str) -> list[str]:
            seen.append(len(line))
            return word.findall(line)

    token, word = tokens._TOKEN, tokens._WORD
    monkeypatch.setattr(tokens, "_TOKEN", Watched())
    monkeypatch.setattr(tokens, "_WORD", Watched())
    at = typist.buffer.data.index(b"data" if changed == "the long line" else b"last = res") + 4
    typist.do(ByteEdit(at, at, b"_1"))
    decision = ask(editor, typist)
    assert max(seen, default=0) <= MAX_LINE_BYTES
    if changed == "the long line":
        assert isinstance(decision, Suppressed)
        assert decision.detail == "nothing follows from the edits so far"
    else:
        assert seen
