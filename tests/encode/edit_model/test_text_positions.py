"""Edits of tokens as one edit of the text."""

from __future__ import annotations

from editahead.encode.edit_model.text_positions import TokenPosition, byte_edit
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import CUT
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

BUFFER = Buffer(b"a b c")
KEYS = {0: EditToken("a", 0), 1: CUT, 2: EditToken("b", 1), 3: EditToken("c", 1), 4: EditToken("d", 1)}
WHERE = {0: TokenPosition(0, 1, 0), 2: TokenPosition(1, 3, 0), 3: TokenPosition(3, 5, 0)}


def test_a_token_in_place_of_another() -> None:
    assert byte_edit([0, 1, 2, 3], [0, 1, 2, 4], KEYS, WHERE, BUFFER) == ByteEdit(4, 5, b"d")


def test_an_edit_on_both_sides_of_lines_that_are_not_shown_is_no_edit_of_the_text() -> None:
    """The search went on behind the cut of a window, and a request ended with a KeyError."""
    assert byte_edit([0, 1, 2, 3], [1, 4, 2], KEYS, WHERE, BUFFER) is None
