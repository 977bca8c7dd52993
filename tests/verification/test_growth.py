"""The work of verifying an edit does not grow with the file: counted in calls, the same on every machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import count

import pytest
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.suggest.verified_edits import proposal_of
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead.verification import bindings
from editahead.verification.verifier import Verifier

from tests.verification.cost import HEADERS, long_text
from tests.verification.proposed import verdict

MOST_GROWTH = 1.5
METHOD = re.compile(rb"(?i)\badd_?line\(")
OLD, NEW = b"product", b"article"
DOCUMENTS = count()


def calls(work: Callable[[], object]) -> int:
    """How many functions some work calls, those of the interpreter among them."""
    called = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


def work_at(language_id: str, lines: int) -> int:
    """The calls that it takes to verify an edit in the middle of a file, after the user edited the line before it.

    The names of the file were read before.
    """
    language, uri = by_id(language_id), f"file:///w/{next(DOCUMENTS)}"  # what is read of a document is shared
    assert language is not None
    buffer, verifier = Buffer(long_text(language_id, lines).encode()), Verifier()
    history, syntax = History(buffer, lambda: 0.0), open_snapshot(buffer, language)
    counted = 0
    for share in (0.3, 0.6):
        method = METHOD.search(syntax.buffer.data, int(share * len(syntax.buffer.data)))
        assert method is not None
        first = syntax.buffer.data.index(OLD, method.start())
        typed = ByteEdit(first, first + len(OLD), NEW)
        history.push(typed, syntax.buffer)
        syntax = syntax.advance(syntax.buffer.apply(typed), [typed])
        document = Document(uri, None, language_id, 0, syntax, history.view(), Settings())
        assert syntax.error_count() == 0
        second = syntax.buffer.data.index(OLD, first)
        edit = ByteEdit(second, second + len(OLD), NEW)

        def verify(document: Document = document, edit: ByteEdit = edit) -> None:
            proposal = proposal_of(document, [(document, edit)])
            assert verifier.verify(proposal, lambda: None) is None

        counted = calls(verify)
    return counted


def test_whether_types_are_read_late_is_looked_up_once_in_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hint of a class above the declaration of its type searched the whole text."""
    searched: list[int] = []

    class Pattern:
        def search(self, data: bytes) -> None:
            searched.append(len(data))

    monkeypatch.setattr(bindings, "_LAZY_TYPES", Pattern())
    hints = "".join(f"    x{number}: Row = {number}\n" for number in range(300))
    verdict(f"class A:\n{hints}\n\n«a = 1>b = 1»\n\n\nclass Row:\n    size = 1\n‹>\n\nRow = Row\n›")
    assert 1 <= len(searched) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("language_id", HEADERS)
def test_verifying_costs_the_same_in_a_file_of_any_length(language_id: str) -> None:
    work_at(language_id, 500)  # what is imported when it is first needed
    short, long = work_at(language_id, 500), work_at(language_id, 50_000)
    assert long <= MOST_GROWTH * short, (short, long)
