"""The baseline that does the last edit once more."""

from __future__ import annotations

import pytest
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead_models.evaluate.repeats.last_edit import repeat_last_edit


def after(text: str, old: str, new: str) -> Document:
    """A document in which the first `old` was replaced by `new`."""
    language = by_id("python")
    assert language is not None
    buffer = Buffer(text.encode())
    history = History(buffer, lambda: 0.0)
    start = text.encode().index(old.encode())
    edit = ByteEdit(start, start + len(old.encode()), new.encode()).trim(buffer.data)
    history.push(edit, buffer)
    changed = buffer.apply(edit)
    return Document("file:///a.py", None, "python", 1, open_snapshot(changed, language), history.view(), Settings())


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("warn(a)\nwarn(b)\n", "warn", "warning", "warning(a)\nwarning(b)\n"),
        ("x = 1\nxs = 2\ny = x\n", "x", "size", "size = 1\nxs = 2\ny = size\n"),  # whole words only
        ("a = f(b)\nf(c)\n", "f(b)", "f(b, 1)", None),  # the widened text `b` stands nowhere else
        ("new(a)\nold(b)\nnew(c)\nold(d)\n", "old(d", "new(d", "new(a)\nnew(b)\nnew(c)\nnew(d)\n"),  # from the start
        ("a = 1\n\n\nb = 2\n", "\n\n\n", "\n\n", None),
        ("only = 1\n", "only", "other", None),
    ],
)
def test_the_next_place_with_the_same_text(text: str, old: str, new: str, expected: str | None) -> None:
    document = after(text, old, new)
    edit = repeat_last_edit(document)
    data = document.syntax.buffer.data
    assert (edit.apply(data).decode() if edit is not None else None) == expected
