"""What the keys of a stretch belong to."""

from __future__ import annotations

from editahead.syntax.language import by_id
from editahead_models.publishing.keystrokes.key_kinds import (
    COMMENT,
    KEYWORD,
    LAYOUT,
    NAME,
    NEW_NAME,
    NUMBER,
    PUNCTUATION,
    STRING,
    KeyKinds,
)
from editahead_models.replay.places import LINE
from editahead_models.replay.stretches import Stretch

PYTHON = by_id("python")
assert PYTHON is not None
CODE = b'''def first(total):
    return total

def second(self, total):
    """Two lines
    of text."""
    value = total + 12  # the sum
    self.value = value + of
    return "end"
'''


def test_each_key_has_a_kind_and_names_of_three_letters_are_completed() -> None:
    start = CODE.index(b"def second")
    stretch = Stretch("a.py", PYTHON, CODE, start, CODE.index(b'\n    return "end"'), LINE)
    kinds = KeyKinds(stretch)

    def at(text: bytes) -> str:
        return kinds.at(stretch.text.index(text))

    assert [at(text) for text in (b"def", b" second", b"second", b"(", b"total", b"Two", b"\n    of", b"of text")] == [
        KEYWORD, LAYOUT, NEW_NAME, PUNCTUATION, NAME, STRING, STRING, STRING,
    ]  # fmt: skip
    assert [at(text) for text in (b"value", b"= total", b"12", b"# the", b"sum", b"self.value", b"Two")] == [
        NEW_NAME, PUNCTUATION, NUMBER, COMMENT, COMMENT, NAME, STRING,
    ]  # fmt: skip
    assert kinds.at(stretch.text.rindex(b"value")) == NAME  # it stands above, in the stretch
    assert kinds.at(stretch.text.rindex(b"of")) == NAME  # as a word of the docstring
    assert list(kinds.names.values()) == ["second", "total", "value", "total", "value", "value"]
    assert all(stretch.text[byte:].startswith(name.encode()) for byte, name in kinds.names.items())


def test_a_stretch_may_begin_inside_a_string() -> None:
    start = CODE.index(b"of text")
    kinds = KeyKinds(Stretch("a.py", PYTHON, CODE, start, CODE.index(b"self.value"), LINE))
    assert (kinds.at(0), kinds.at(len(b'of text.""')), kinds.at(len(b'of text."""'))) == (STRING, STRING, LAYOUT)
