"""What is changed in code is not carried into comments and strings, unless one of them was changed as well."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.gate import matches_example_region
from editahead.suggest.next_edit import editor as room
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.types import GateReading, Reason
from editahead.text.edits import ByteEdit

from tests.suggest.next_edit.repeats.test_pattern_places import User
from tests.suggest.next_edit.test_editor import editor, needs_bundle, rename_twice

__all__ = ["editor"]

TEXT = '''def total(items):
    """The total of items."""
    count = 0  # items so far
    for item in items:
        count += item
    print("items", count)
    return count
'''


@pytest.mark.parametrize(
    ("example", "at", "passed"),
    [
        ("(items)", "for item in items", True),
        ("(items)", "total of items", False),
        ("(items)", "# items", False),
        ("(items)", '"items', False),
        ("of items", '"items', True),
        ("of items", "# items", False),
        ("# items", "# items", True),
        ("of items", "in items", True),
    ],
)
def test_an_edit_in_text_needs_an_example_in_text(example: str, at: str, passed: bool) -> None:
    user = User(TEXT)
    start = TEXT.index(example) + example.index("items")
    user.edit(start, start + 5, "goods")
    document = user.document()
    data = document.syntax.buffer.data.decode()
    if at not in data:  # the example itself, once more
        at = at.replace("items", "goods")
    place = data.index(at) + len(at) - 5
    reading = matches_example_region(document, ByteEdit(place, place + 5, b"stock"))
    assert (reading.reason, reading.passed) == (Reason.COMMENT_OR_STRING, passed)


def test_an_example_in_another_file_counts() -> None:
    user, other = User(TEXT), User(TEXT)
    for each, piece in ((user, "(items)"), (other, "of items")):
        start = TEXT.index(piece) + piece.index("items")
        each.edit(start, start + 5, "goods")
    place = TEXT.index("of items") + 3
    edit = ByteEdit(place, place + 5, b"goods")
    assert not matches_example_region(user.document(), edit).passed
    assert matches_example_region(replace(user.document(), others=(other.document(),)), edit).passed


@needs_bundle
def test_the_gate_is_asked_of_what_is_shown(editor: NextEditor, monkeypatch: pytest.MonkeyPatch) -> None:
    document = rename_twice().document()
    assert editor.network(document, 0, Cancel(), 0.0)[0]
    said = GateReading(Reason.COMMENT_OR_STRING, False, "in string, and none of your edits is")
    monkeypatch.setattr(room, "matches_example_region", lambda document, edit: said)
    assert editor.network(document, 0, Cancel(), 0.0)[0] == []
