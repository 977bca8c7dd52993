"""The demonstration's sessions: each can be typed from start to end, and leads to code without errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editahead.bench.editor import EditedDocument
from editahead.cli.demonstration.script import SCRIPTS, Complete, Put, Script, ScriptedChange, Type
from editahead.cli.samples import SAMPLES, sample
from editahead.recording.session_file import edit_of_change
from editahead.syntax.language import by_id, by_path
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.positions import PositionEncoding, byte_at


class Wire:
    """Stands in for the client: applies every `didChange` to its own copy of the text, as a server does."""

    def __init__(self) -> None:
        self.text = Buffer(b"")
        self.versions: list[int] = []

    def notify(self, method: str, params: Any) -> None:
        if method == "textDocument/didOpen":
            self.text = Buffer.from_text(params["textDocument"]["text"])
            return
        assert method == "textDocument/didChange"
        self.versions.append(params["textDocument"]["version"])
        (change,) = params["contentChanges"]
        ends = [
            byte_at(self.text, at["line"], at["character"], PositionEncoding.UTF16)
            for at in (change["range"]["start"], change["range"]["end"])
        ]
        data = self.text.data
        self.text = Buffer(data[: ends[0]] + change["text"].encode() + data[ends[1] :])


def opened(tmp_path: Path, name: str, text: bytes) -> tuple[EditedDocument, Wire]:
    wire = Wire()
    return EditedDocument(wire, tmp_path / name, "python", Buffer.from_bytes(text)), wire  # type: ignore[arg-type]


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_session_types_sound_code(script: Script, tmp_path: Path) -> None:
    document, wire = opened(tmp_path, script.file, sample(script.file).data)
    before = document.buffer.data
    for step in script.steps:
        if isinstance(step, Put):
            document.put(step.text, step.nth)
        elif isinstance(step, Type):
            document.type(step.text)
        elif isinstance(step, Complete):
            assert step.typed < len(step.word)
            document.type(step.word)
        elif isinstance(step, ScriptedChange):
            document.replace(step.old, step.new, step.nth)
    assert document.buffer.data != before
    assert wire.text.data == document.buffer.data
    assert wire.versions == list(range(2, len(wire.versions) + 2))
    language = by_id(script.language_id)
    assert language is not None
    assert by_path(script.file) == language
    for data in (before, document.buffer.data):
        assert SyntaxSnapshot.open(Buffer(data), language).error_count() == 0


def test_samples_are_of_a_readable_size() -> None:
    assert set(SAMPLES) == set(SCRIPTS)
    for name in SAMPLES.values():
        assert 30 <= sample(name).line_count <= 100


def test_typing_in_text_that_is_not_ascii(tmp_path: Path) -> None:
    document, wire = opened(tmp_path, "a.py", "x = '漢😀'\r\ny = '😀'\n".encode())
    document.put("漢")
    document.type("é😀")
    document.replace("y = '😀'", "y = 'u'")
    assert document.buffer.text == "x = '漢é😀😀'\r\ny = 'u'\n"
    assert wire.text.data == document.buffer.data
    assert document.buffer.data[: document.cursor].decode().endswith("y = 'u")
    with pytest.raises(ValueError, match="not found"):
        document.put("nowhere")


def test_an_edit_from_an_answer(tmp_path: Path) -> None:
    document, wire = opened(tmp_path, "a.py", "a😀b\nc\n".encode())
    where = {"start": {"line": 0, "character": 3}, "end": {"line": 1, "character": 1}}
    document.change([edit_of_change(document.buffer, {"range": where, "text": "!"})])
    assert document.buffer.text == wire.text.text == "a😀!\n"
