"""Whatever is done to a text, broken or not, the generators answer, and their edits fit the text."""

from __future__ import annotations

import random
import re
from pathlib import Path

import editahead
import pytest
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

SOURCES = sorted(Path(editahead.__file__).parent.glob("analysis/*/*.py"))
JAVA = """package a.b;
import a.b.C;
class A<T> extends B {
  private final int x, y = 1;
  A(int x, String... rest) { this.x = x; super.m(rest); }
  int m(T t) { if (t instanceof P(var p, int q) && q > 0) { for (int i = 0; i < q; i++) { y(); } } return x; }
  record R(int x, String y) { R { x = 1; } }
  enum E { ONE, TWO { int z() { return 1; } }; int z; }
  Runnable r = () -> { int x = switch (y) { case 1 -> x; default -> { yield 2; } }; };
}
"""
PIECES = [
    "x",
    " = ",
    "(",
    ")",
    "\n",
    "def f(",
    "import os\n",
    "class ",
    "  ",
    "é",
    '"',
    "#",
    ", b",
    "lambda: ",
    "{",
    "}",
]


@pytest.mark.parametrize(
    ("language_id", "size"),
    [("python", 2_000), pytest.param("python", 9_000, marks=pytest.mark.slow), ("java", len(JAVA))],
)
@pytest.mark.parametrize("seed", range(6))
def test_any_edits(language_id: str, size: int, seed: int) -> None:
    language = by_id(language_id)
    assert language is not None
    chooser = random.Random(seed)
    text = chooser.choice(SOURCES).read_text(encoding="utf-8")[:size] if language_id == "python" else JAVA
    clock = 0.0
    buffer = Buffer(text.encode())
    history, syntax, source = History(buffer, lambda: clock), open_snapshot(buffer, language), ConsequenceSource()
    decision = NextEditDecision()
    other = Document("file:///w/o.py", None, language_id, 1, syntax, history.view(), Settings(precision=0.0), idle=True)
    for _ in range(60):
        clock += chooser.choice([0.1, 3.0])
        edit = _drawn(buffer.data, chooser)
        history.push(edit, buffer)
        history.settle(clock)
        syntax = syntax.advance(buffer.apply(edit), [edit])
        buffer = syntax.buffer
        document = Document(
            "file:///w/a.py", None, language_id, 1, syntax, history.view(), Settings(precision=0.0), now=clock,
            idle=chooser.random() < 0.7, others=(other,),
        )  # fmt: skip
        byte = chooser.choice([edit.new_end, chooser.randint(0, len(buffer.data))])
        for one in source.outcome(document, byte, Cancel()).candidates:
            data = one.document.syntax.buffer.data
            assert 0 <= one.edit.start <= one.edit.old_end <= len(data)
            assert not one.edit.is_noop(data)
            one.edit.apply(data).decode()
            if one.source == "rename":
                old = re.match(r"`(.*)` is now `(.*)`", one.reason)
                assert old is not None
                assert (one.edit.old_bytes(data).decode(), one.edit.new.decode()) == old.groups()
        decision.next_edit(document, byte, Cancel(), None)


def _drawn(data: bytes, chooser: random.Random) -> ByteEdit:
    """A name replaced by another, some text typed, or a stretch taken away; on the borders of characters."""
    words = list(re.finditer(rb"[A-Za-z_]\w*", data))
    if words and chooser.random() < 0.6:
        word, new = chooser.choice(words), chooser.choice([b"renamed", b"x", b"", chooser.choice(words).group()])
        return ByteEdit(word.start(), word.end(), new)
    at = len(data[: chooser.randint(0, len(data))].decode("utf-8", "ignore").encode())
    if chooser.random() < 0.6:
        return ByteEdit(at, at, chooser.choice(PIECES).encode())
    end = len(data[: min(len(data), at + chooser.randint(0, 60))].decode("utf-8", "ignore").encode())
    return ByteEdit(at, max(at, end), b"")
