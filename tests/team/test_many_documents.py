"""A replica with more clients than a laptop has documents: a key costs one of them what it costs alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from editahead.cli.samples import sample
from editahead.lsp.session import OpenDocument, Session
from editahead.runtime.language_model.graphs import LanguageModelGraphs
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ranking import document_scopes
from editahead.team.cluster.replica import load_engine
from editahead.text.edits import ByteEdit
from editahead.text.memo import keep_documents

CLIENTS = 24
TYPED = b"    total = self"


@pytest.fixture
def many() -> Iterator[None]:
    keep_documents(CLIENTS)
    yield
    keep_documents(0)


def test_documents_of_many_clients_are_not_read_anew_at_each_key(many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    scopes: list[str] = []
    encode, read = LanguageModelGraphs.encode, document_scopes._read

    def counted(self: Any, block: Any, *arguments: Any) -> Any:
        steps.append(len(block.word))
        return encode(self, block, *arguments)

    def counted_read(*arguments: Any) -> Any:
        scopes.append("read")
        return read(*arguments)

    monkeypatch.setattr(LanguageModelGraphs, "encode", counted)
    monkeypatch.setattr(document_scopes, "_read", counted_read)
    engine = load_engine((), "cpu")
    session = Session(Settings())
    text = sample("inventory.py").data
    half = text[: text.rindex(b"\n", 0, len(text) // 2) + 1]
    opened = [
        session.open(f"file:///project/{number}.py", "python", 1, (b"# %d\n" % number + half).decode())
        for number in range(CLIENTS)
    ]

    def key(document: OpenDocument, number: int) -> None:
        at = len(document.buffer.data)
        document.apply([ByteEdit(at, at, TYPED[number : number + 1])])
        document.version += 1
        engine.complete(session.snapshot(document, at + 1).document, at + 1, Cancel())

    for number in range(len(TYPED)):
        if number == 5:  # the line has begun
            whole = sum(steps) / CLIENTS
            steps.clear()
            scopes.clear()
        for document in opened:
            key(document, number)
    keys = (len(TYPED) - 5) * CLIENTS
    assert whole > 100
    assert sum(steps) / keys < 5, "steps of the network at a key"
    assert len(scopes) <= CLIENTS, "the scopes of a line are read once"
