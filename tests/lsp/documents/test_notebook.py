"""Joined cells: after any changes they are what joining the cells from scratch gives, and offsets map both ways."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from editahead.lsp.documents.notebook import JoinedCells, Notebook, NotebookCell, in_cell, joined_text
from editahead.lsp.documents.text_sync import _edits
from editahead.lsp.rpc.params import ContentChange
from editahead.lsp.session import OpenDocument, Session
from editahead.suggest.types import Completion, Completions
from editahead.syntax.ipython_magics import mask_cell, mask_lines
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear

URI = "file:///w/shop.ipynb"
# Lines of every kind, and what splits or makes them when an edit ends inside one.
PIECES = [
    "a = 1",
    "%",
    "%%",
    "bash",
    "time",
    "!ls",
    " ",
    "\n",
    "\r\n",
    "\r",
    "x = ",
    "é",
    "漢🎉",
    "?",
    "    ",
    "#",
    "f()",
    "='",
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
LANGUAGES = st.sampled_from(["python", "python", "java", "unheard-of"])


def opened(*texts: str, language: str = "python") -> tuple[Session, Notebook, OpenDocument]:
    """A notebook with cells of one language."""
    session = Session()
    notebook = Notebook(URI, session)
    notebook.arrange([notebook.cell(f"cell:{n}", language, 0, text) for n, text in enumerate(texts)])
    session.cells.update((cell.uri, cell) for cell in notebook.cells)
    (document,) = notebook.documents
    return session, notebook, document


def check(notebook: Notebook) -> None:
    """The joined documents are the cells joined from scratch, and each cell is where they say."""
    for document in notebook.documents:
        cells = [cell for cell in notebook.cells if cell.analysed is document]
        assert cells[0].cells is not None
        assert cells == cells[0].cells.cells
        assert document.buffer.data == joined_text(cells)
        assert all(len(cell.masked_text) == len(cell.buffer) for cell in cells)
        at = 0
        for number, cell in enumerate(cells):
            assert (cell.number, cell.offset) == (number, at)
            assert cell.history is document.history
            at += len(cell.buffer) + 1
        if document.syntax is not None:
            assert document.syntax.buffer.data == document.buffer.data
        view = document.history.view()
        text = view.anchor.data
        for edit in (*view.settled, *((view.pending,) if view.pending else ())):
            text = edit.edit.apply(text)
        assert text == document.buffer.data


@pytest.mark.slow
@given(data=st.data())
def test_random_operations_on_cells_equal_joining_from_scratch(data: st.DataObject) -> None:
    session = Session()
    notebook = Notebook(URI, session)
    names = iter(range(1000))

    def new() -> NotebookCell:
        return notebook.cell(f"cell:{next(names)}", data.draw(LANGUAGES), 0, data.draw(TEXT))

    notebook.arrange([new() for _ in range(data.draw(st.integers(0, 4)))])
    check(notebook)
    for _ in range(data.draw(st.integers(1, 6))):
        cells = list(notebook.cells)
        if cells and data.draw(st.integers(0, 2)):
            cell = data.draw(st.sampled_from(cells))
            text, batch = cell.buffer.text, []
            for _ in range(data.draw(st.integers(1, 3))):
                span, change = data.draw(spans(text)), data.draw(TEXT)
                batch.append(ContentChange(span, change))
            cell.apply(list(_edits(session, cell, batch)))
        else:
            start = data.draw(st.integers(0, len(cells)))
            end = data.draw(st.integers(start, len(cells)))
            moved = cells[start:end] if data.draw(st.booleans()) else []
            del cells[start:end]
            at = data.draw(st.integers(0, len(cells)))
            notebook.arrange([*cells[:at], *moved, *(new() for _ in range(data.draw(st.integers(0, 2)))), *cells[at:]])
        check(notebook)


@st.composite
def spans(draw: st.DrawFn, text: str) -> tuple[int, int, int, int] | None:
    """A range of a text, also outside of it; None for the whole."""
    if draw(st.integers(0, 5)) == 0:
        return None
    numbers = st.integers(0, 5)
    return draw(numbers), draw(numbers), draw(numbers), draw(numbers)


@given(data=st.data(), texts=st.lists(TEXT, min_size=1, max_size=4))
def test_an_edit_of_the_joined_text_is_the_same_edit_of_its_cell_or_none(data: st.DataObject, texts: list[str]) -> None:
    _, notebook, document = opened(*texts)
    size = len(document.buffer)
    start = data.draw(st.integers(0, size))
    edit = ByteEdit(start, data.draw(st.integers(start, size)), data.draw(TEXT).encode())
    located = document.locate(edit)
    if located is None:
        return
    cell, local = located
    assert isinstance(cell, NotebookCell)
    offset = cell.offset
    if edit.old_end <= offset + len(cell.buffer):
        assert (local.start + offset, local.old_end + offset, local.new) == (edit.start, edit.old_end, edit.new)
    else:  # whole lines with the line end behind the cell
        others = [other.buffer.data for other in notebook.cells if other is not cell]
        cell.apply([local])
        assert [other.buffer.data for other in notebook.cells if other is not cell] == others


@pytest.mark.parametrize(
    ("cell", "masked"),
    [
        ("%matplotlib inline\nx = 1", "#                 \nx = 1"),
        ("!pip install é\ny", "#              \ny"),
        ("files = !ls\nfiles", "files = ...\nfiles"),
        ("now = %time f()", "now = ...      "),
        ("if x:\n    %time f()\ny", "if x:\n    ...      \ny"),
        ("print?", "#     "),
        ("?print\r\nx", "#     \r\nx"),
        ("a.b??  ", "#      "),
        ("%%time\nf()", "#     \nf()"),
        ("\n%%bash\ncat x\n", "\n      \n     \n"),
        ("%%writefile a.py\nimport é", "                \n         "),
        ("x = (a\n     % b)", "x = (a\n     % b)"),
        ("if (a\n    != b): pass", "if (a\n    != b): pass"),
        ("x = 'what?'  # why?", "x = 'what?'  # why?"),
        ("x == y", "x == y"),
        ("!", "#"),
    ],
)
def test_magics_are_masked_by_as_many_bytes(cell: str, masked: str) -> None:
    assert mask_cell(cell.encode()) == masked.encode()


def test_edits_leave_magics_alone() -> None:
    _, _, document = opened("import os\n%time f()\nfiles = !ls\nx\n  %pwd", "%%bash\nls\n\nx", "y")
    text = document.buffer.data

    def target(words: bytes, new: bytes, behind: bool = False) -> str | None:
        start = text.index(words) + (len(words) if behind else 0)
        located = document.locate(ByteEdit(start, start if behind else start + len(words), new))
        return None if located is None else located[0].uri

    assert target(b"os", b"re") == "cell:0"
    assert target(b"files", b"names") == "cell:0"
    assert target(b"files = ...", b"") is None
    assert target(b"import os\n#", b"") is None
    assert target(b"#", b"x", behind=True) is None
    assert target(b"x\n ", b"x", behind=True) is None  # in the indentation of a magic
    assert target(b"files = ", b"x\n", behind=True) is None
    assert target(b"x\n", b"  x\n", behind=True) == "cell:0"
    assert target(b"import os\n", b"x", behind=True) is None
    assert target(b"import os\n", b"import re\n", behind=True) == "cell:0"
    assert target(b"y", b"z") == "cell:2"
    start = len(text) - 4  # an empty line of the cell in another language
    assert document.locate(ByteEdit(start, start, b"x")) is None


def test_an_edit_of_two_cells_is_none_and_one_with_the_line_end_behind_a_cell_keeps_it() -> None:
    _, notebook, document = opened("a\nb", "c\nd")
    first, second = notebook.cells
    assert document.locate(ByteEdit(2, 5, b"x")) is None
    assert document.locate(ByteEdit(2, 4, b"x\ny\n")) == (first, ByteEdit(2, 3, b"x\ny"))
    assert document.locate(ByteEdit(2, 4, b"")) == (first, ByteEdit(1, 3, b""))
    assert document.locate(ByteEdit(2, 4, b"x")) is None  # would join both cells
    assert document.locate(ByteEdit(3, 3, b"\nx")) == (first, ByteEdit(3, 3, b"\nx"))
    assert document.locate(ByteEdit(4, 4, b"x\n")) == (second, ByteEdit(0, 0, b"x\n"))
    assert document.locate(ByteEdit(0, 4, b"")) == (first, ByteEdit(0, 3, b""))


@pytest.mark.parametrize(
    ("cell", "at", "expected"),
    [
        ("x = To", 6, ByteEdit(0, 0, b"from shop.cart import Total\n")),  # the imports are in the cell above
        ("import re\nx = To", 16, ByteEdit(10, 10, b"from shop.cart import Total\n")),
        ("%%time\nx = To", 13, None),  # which must be the first line
    ],
)
def test_an_import_stands_in_the_cell_of_its_name(cell: str, at: int, expected: ByteEdit | None) -> None:
    _, notebook, _ = opened("import os\n", cell)
    opened_cell = notebook.cells[1]
    own = 10 if cell.startswith("import") else -2  # behind the imports of the cell, or of the cell above
    added = ByteEdit(opened_cell.offset + own, opened_cell.offset + own, b"from shop.cart import Total\n")
    item = Completion("Total", 0.5, "class", "project", import_from="shop.cart", import_edit=added)
    end = opened_cell.offset + at
    mapped = in_cell(opened_cell, Completions((item,), end - 2, end, complete=True))
    assert mapped is not None
    assert (mapped.start, mapped.end) == (at - 2, at)
    assert mapped.items[0].import_edit == expected
    assert mapped.items[0].import_from == ("shop.cart" if expected is not None else "")


def test_cells_of_each_language_are_joined_apart_and_texts_with_embedded_code_not_at_all() -> None:
    session = Session()
    notebook = Notebook(URI, session)
    languages = ["python", "java", "markdown", "python", "markdown"]
    notebook.arrange([notebook.cell(f"cell:{n}", language, 0, str(n)) for n, language in enumerate(languages)])
    assert [document.buffer.data for document in notebook.documents] == [b"0\n3", b"1", b"2", b"4"]
    assert {str(document.exclusion_path) for document in notebook.documents} == {"/w/shop.ipynb"}
    assert {document.path for document in notebook.documents} == {None}  # neither recorded nor sent to a team server


def test_a_cell_that_begins_with_another_language_is_left_out_until_it_does_not() -> None:
    _, notebook, document = opened("a = 1", "bash\nls é", "b = 2")
    cell = notebook.cells[1]
    for edit, text in (
        (ByteEdit(0, 0, b"%%"), b"a = 1\n      \n     \nb = 2"),
        (ByteEdit(7, 7, b"cd\n"), b"a = 1\n      \n  \n     \nb = 2"),
        (ByteEdit(2, 6, b"time"), b"a = 1\n#     \ncd\nls \xc3\xa9\nb = 2"),
        (ByteEdit(0, 7, b""), b"a = 1\ncd\nls \xc3\xa9\nb = 2"),
    ):
        cell.apply([edit])
        assert document.buffer.data == text
        assert bool(cell.no_syntax_reason) == (b"%%bash" in cell.buffer.data)
        check(notebook)


@pytest.mark.parametrize("owner", ["history", "cell"])
def test_after_an_error_the_cells_are_joined_again(monkeypatch: pytest.MonkeyPatch, owner: str) -> None:
    _, notebook, document = opened("a = 1", "b = 2")
    first, second = notebook.cells
    with monkeypatch.context() as patch:
        target, name = (document.history, "push_all") if owner == "history" else (first, "_masked_edit")
        patch.setattr(target, name, lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            first.apply([ByteEdit(0, 1, b"abc")])
    second.apply([ByteEdit(0, 1, b"!ls\nb")])
    assert document.buffer.data == b"abc = 1\n#  \nb = 2"
    assert not document.damaged
    check(notebook)


def keystrokes(cells: int, size: int) -> Callable[[], object]:
    """Work: a hundred keystrokes in the first cell."""
    _, notebook, _ = opened(*(["x = 1\n" * (size // 6)] * cells))
    cell = notebook.cells[0]
    return lambda: [cell.apply([ByteEdit(4, 4, b"1"), ByteEdit(4, 5, b"")]) for _ in range(100)]


def test_a_keystroke_reads_the_lines_that_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counting(lines: bytes) -> bytes:
        read.append(len(lines))
        return mask_lines(lines)

    monkeypatch.setattr("editahead.lsp.documents.notebook.mask_lines", counting)
    counts = []
    for cells in (500, 1000, 2000):
        read.clear()
        keystrokes(cells, 600)()
        counts.append(sum(read))
    assert counts == [100 * (len("x = 11") + len("x = 1"))] * 3


@pytest.mark.slow
def test_a_keystroke_in_many_cells_and_a_move_among_them_are_linear() -> None:
    assert_linear(lambda cells: keystrokes(cells, 60), 2_000)

    def moves(cells: int) -> Callable[[], object]:
        _, notebook, _ = opened(*(f"x{n} = {n}\n" for n in range(cells)))
        return lambda: [notebook.arrange([*notebook.cells[1:], notebook.cells[0]]) for _ in range(3)]

    assert_linear(moves, 2_000)
    assert_linear(lambda size: lambda: mask_cell(b"x" * size + b" = a? [" + b"%" * size), 1 << 18)


def test_starts_of_no_cells() -> None:
    assert JoinedCells(Session().open("notebook:/w/a", "python", 0, ""), []).starts.dtype == np.int64
