"""Views of embedded code follow their document edit by edit, whatever is edited."""

from __future__ import annotations

import pytest
from editahead.lsp.documents import embedded_code
from editahead.lsp.documents.embedded_code import MAX_STEPS, EmbeddedCode
from editahead.lsp.session import Session
from editahead.syntax.embedded import EmbeddedRegion, embedded_regions, only_language
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st

TEXT = "# Title é\n```python\nalpha = 1\n```\nprose\n```js\nlet beta = 2\n```\n\n```python\ngamma = alpha\n```\n"
PIECES = st.sampled_from(["", "x", "é🎉", " ", "\n", "```", "```python\n", "~~~\n", "\r\n", "return alpha"])


class Typist:
    """A document with its views, and a clock that a test sets."""

    def __init__(self, text: str = TEXT) -> None:
        self.seconds = 0.0
        self.buffer = Buffer.from_text(text)
        self.code = EmbeddedCode("markdown", self.buffer, lambda: self.seconds)

    def edit(self, start: int, end: int, new: str) -> None:
        after = self.buffer.apply(edit := ByteEdit(start, end, new.encode()))
        self.code.follow(edit, after, None)
        self.buffer = after

    def insert(self, behind: str, new: str) -> None:
        at = self.buffer.data.index(behind.encode()) + len(behind.encode())
        self.edit(at, at, new)

    def check(self) -> None:
        regions = embedded_regions("markdown", self.buffer.data)
        for region in regions:
            view = self.code.at(region.start)
            assert view is not None
            assert view.language_id == region.language_id
            wanted = only_language(self.buffer.data, regions, region.language_id)
            assert view.syntax.buffer.data == wanted
            assert view.history.view().current() == wanted


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 12), PIECES, st.booleans()), max_size=12))
def test_after_random_edits_every_view_is_that_of_the_text(edits: list[tuple[int, int, str, bool]]) -> None:
    typist = Typist()
    typist.check()
    for start, length, new, pause in edits:
        text = typist.buffer.data.decode()
        start = min(start, len(text))
        first, last = len(text[:start].encode()), len(text[: start + length].encode())
        typist.edit(first, last, new)
        typist.seconds += 60.0 if pause else 0.1
        typist.check()


def test_typing_in_code_is_history_and_typing_around_it_is_not() -> None:
    typist = Typist()
    typist.insert("alpha = 1", "0")
    typist.seconds += 60
    typist.insert("prose", " about alpha")
    typist.insert("let beta = 2", "2")
    python, script = (typist.code.at(typist.buffer.data.index(word)) for word in (b"gamma", b"beta"))
    assert python is not None
    assert script is not None
    assert [edit.inserted for edit in python.history.view().settled] == [b"0"]
    pending = script.history.view().pending
    assert pending is not None
    assert pending.inserted == b"2"
    typist.check()


def test_a_new_fence_begins_without_history() -> None:
    typist = Typist()
    typist.insert("alpha = 1", "0")
    typist.insert("prose\n", "```python\n")  # what was prose and JavaScript is Python now
    view = typist.code.at(typist.buffer.data.index(b"let beta"))
    assert view is not None
    assert view.language_id == "python"
    assert view.history.view().settled == ()
    typist.check()


def test_an_edit_belongs_to_a_view_only_inside_one_of_its_regions() -> None:
    typist = Typist()
    alpha, prose, beta = (typist.buffer.data.index(word) for word in (b"alpha", b"prose", b"beta"))
    assert typist.code.is_inside_region("python", ByteEdit(alpha, alpha + 3, b"x"))
    assert not typist.code.is_inside_region("python", ByteEdit(0, 0, b"import os\n"))
    assert not typist.code.is_inside_region("python", ByteEdit(prose, prose + 5, b"x"))
    assert not typist.code.is_inside_region("python", ByteEdit(alpha, beta, b""))
    assert not typist.code.is_inside_region("python", ByteEdit(beta, beta, b"x"))
    assert typist.code.at(prose) is None


def test_what_a_snapshot_of_code_in_prose_may_change() -> None:
    session = Session()
    opened = session.open("file:///w/a.md", "markdown", 1, TEXT)
    alpha, prose = TEXT.encode().index(b"alpha"), TEXT.encode().index(b"prose")
    snapshot = session.snapshot(opened, alpha)
    assert snapshot.document.language_id == "python"
    assert snapshot.can_apply(ByteEdit(alpha, alpha, b"x"))
    assert not snapshot.can_apply(ByteEdit(0, 0, b"import os\n"))
    assert not snapshot.can_apply(ByteEdit(prose, prose, b"x"))
    plain = session.open("file:///w/a.py", "python", 1, TEXT)
    assert session.snapshot(plain, alpha).can_apply(ByteEdit(0, 0, b"import os\n"))


def test_many_edits_of_one_notification_search_the_document_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    def counted(host: str, data: bytes) -> tuple[EmbeddedRegion, ...]:
        searched.append(len(data))
        return embedded_regions(host, data)

    typist = Typist("```python\n" + "alpha = 1\n" * (MAX_STEPS + 1) + "```\n")
    monkeypatch.setattr(embedded_code, "embedded_regions", counted)
    steps: list[tuple[ByteEdit, Buffer]] = []
    for number in range(MAX_STEPS + 1):
        edit = ByteEdit(10 + 10 * number, 15 + 10 * number, b"gamma")
        typist.buffer = typist.buffer.apply(edit)
        steps.append((edit, typist.buffer))
    typist.code.follow_all(steps, None)
    assert len(searched) == 1
    typist.check()
