"""What is kept from one request to the next changes no answer: who was asked before answers like a new one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from editahead.lsp.documents.open_files import OpenFiles
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.surfaces.table import SURFACES
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.types import Decision, Document, NextEdit, NextEdits, Shown
from editahead.text.coalesced_edits import HistoryView
from editahead.text.edits import ByteEdit
from editahead.text.memo import forget_texts

from tests.bench.sources import session

SURFACE = next(surface for surface in SURFACES if surface.name == "next_edit")
Answer = tuple[Decision[NextEdit], Decision[NextEdits]]


class RandomEditor:
    """Some open documents of the same code, in which somebody edits without a plan."""

    def __init__(self, language_id: str, lines: tuple[int, ...], seed: int) -> None:
        self.draw, self.now = random.Random(seed), 0.0
        self.session = Session(Settings(precision=0.5), lambda: self.now)
        self.sources = [session(language_id, count) for count in lines]
        self.documents = [
            self.session.open(f"file:///x/m{number}{source.suffix}", language_id, 1, source.text)
            for number, source in enumerate(self.sources)
        ]
        self.undo: list[tuple[OpenDocument, ByteEdit]] = []

    def change(self) -> tuple[Document, int]:
        """Make some edits in one of the documents; the snapshot behind them, and the cursor."""
        number = self.draw.randrange(len(self.documents))
        document, source = self.documents[number], self.sources[number]
        self.now += self.draw.choice((0.1, 0.3, 2.0))
        byte = self._edit(document, source.rename)
        return OpenFiles(self.session, document, byte, SURFACE).snapshot.document, byte

    def _edit(self, document: OpenDocument, names: tuple[str, str]) -> int:
        data, kind = document.buffer.data, self.draw.choice(("rename", "rename", "type", "line", "delete", "undo"))
        old, new = (name.encode() for name in names)
        if kind == "undo" and self.undo and self.undo[-1][0] is document:
            return self._apply(document, self.undo.pop()[1], again=False)
        if kind == "rename" and old in data:
            at = data.find(old, self.draw.randrange(data.rfind(old) + 1))
            return self._apply(document, ByteEdit(at, at + len(old), new))
        line = document.buffer.line_at(max(0, data.find(new)))
        start, end = document.buffer.line_span(min(document.buffer.line_count - 2, line + self.draw.randrange(4)))
        if kind == "delete":
            return self._apply(document, ByteEdit(start, end, b""))
        if kind == "line":
            return self._apply(document, ByteEdit(start, start, data[start:end] + b"\n"))
        for letter in self.draw.choice((b"x", b" = y", b"more")):
            end = self._apply(document, ByteEdit(end, end, bytes([letter])))
        return end

    def _apply(self, document: OpenDocument, edit: ByteEdit, *, again: bool = True) -> int:
        if again:
            self.undo.append((document, edit.inverse(document.buffer.data)))
        document.version += 1
        document.apply([edit])
        return edit.new_end


def asked(decision: NextEditDecision, editor: NextEditor | None, document: Document, byte: int) -> Answer:
    return (
        decision.next_edit(document, byte, Cancel(), editor),
        decision.queue(document, byte, Cancel(), editor),
    )


def anew(document: Document) -> Document:
    """The document with nothing that was derived of its history or those of the others."""

    def history(of: Document) -> HistoryView:
        view = of.history
        return HistoryView(view.anchor, view.settled, view.pending, view.generation, view.undone_at, view.undone)

    others = tuple(replace(other, history=history(other)) for other in document.others)
    return replace(document, history=history(document), others=others)


@pytest.mark.parametrize(
    ("language_id", "lines", "seed", "steps"),
    [
        ("python", (300, 300, 300), 1, 8),
        pytest.param("python", (300, 300, 300), 1, 30, marks=pytest.mark.slow),
        pytest.param("python", (2_000, 300), 2, 30, marks=pytest.mark.slow),
        pytest.param("java", (300, 2_000), 3, 30, marks=pytest.mark.slow),
    ],
)
def test_what_was_asked_before_changes_no_answer(
    language_id: str, lines: tuple[int, ...], seed: int, steps: int
) -> None:
    """Only what the network has encoded stays, which it reads again when a change falls outside of it."""
    typist = RandomEditor(language_id, lines, seed)
    warm, cold = (Engine.load(find_bundles(), "cpu", lambda text, share: None).editor(language_id) for _ in range(2))
    assert cold is not None
    decision = NextEditDecision()
    moments = [typist.change() for _ in range(steps)]
    answers = [asked(decision, warm, document, byte) for document, byte in moments]
    for number, ((document, byte), answer) in enumerate(zip(moments, answers, strict=True)):
        forget_texts()
        cold.repeats.forget()
        assert answer == asked(NextEditDecision(), cold, anew(document), byte), number
    assert any(isinstance(shown, Shown) for answer in answers for shown in answer)
